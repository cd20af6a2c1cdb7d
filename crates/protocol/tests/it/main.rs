//! Protocols against recorded conversations, and every fuzz target with what the fuzzer begins with; `web/tests/schema.spec.js` holds the
//! conversations to their schema.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

// The fuzz targets are part of these tests, and ask for their macro by this name.
extern crate self as libfuzzer_sys;

mod fuzz;
mod sessions;
mod talk;
mod transcripts;
mod vocabulary;

pub(crate) use fuzz::fuzz_target;
