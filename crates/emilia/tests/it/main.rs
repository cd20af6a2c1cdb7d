//! The program as people call it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod book;
#[path = "../../../server/tests/api/common/client.rs"]
#[allow(dead_code, reason = "the tests of the server use more of it")]
mod client;
mod common;
mod console;
mod dataset;
mod docs;
mod engines;
mod evolve;
mod games;
mod insights;
mod learning;
mod matches;
mod memory;
mod pondering;
mod process;
mod program;
mod protocols;
mod public;
mod python;
mod records;
mod serve;
mod site;
mod solving;
mod terminal;
mod textbook;
mod tournament;
mod train;
mod work;
