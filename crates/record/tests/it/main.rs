//! Records: real files, damaged ones, and round trips through every format.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod damage;
mod files;
mod mutation;
mod round_trip;
mod tree;
mod vectors;
