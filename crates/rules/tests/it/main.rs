//! The rules against published tables, a slow twin and the laws they obey.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod last_flips;
mod perft;
mod rows;
mod source_cases;
mod symmetry;
mod text;
mod twin;
