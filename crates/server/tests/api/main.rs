//! The server over real connections.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod common;
mod computers;
mod confined;
mod contract;
mod fields;
mod hostile;
mod legacy;
mod openings;
mod people;
mod profiles;
mod public;
mod puzzles;
mod studies;
mod training;
