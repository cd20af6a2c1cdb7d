//! The program as people call it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod console;
mod docs;
mod engines;
mod evolve;
mod learning;
mod matches;
mod program;
mod protocols;
mod public;
mod python;
mod records;
mod serve;
mod solving;
mod textbook;
mod tournament;
mod train;
