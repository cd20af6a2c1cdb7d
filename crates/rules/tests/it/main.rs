//! The rules against published tables, a slow twin and the laws they obey.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batch;
mod common;
mod laws;
mod perft;
mod source_cases;
mod symmetry;
mod text;
mod twin;
