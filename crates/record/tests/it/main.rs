//! Records: real files, damaged ones, and round trips through every format.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod damage;
mod files;
mod laws;
mod mutation;
mod reading;
mod round_trip;
mod thor;
mod tree;
mod vectors;
