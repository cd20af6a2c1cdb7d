//! The textbook against worked examples and its own laws.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod duel;
mod equivalence;
mod golden;
mod laws;
mod limits;
mod players;
mod slow_duel;
mod steps;
mod trees;
