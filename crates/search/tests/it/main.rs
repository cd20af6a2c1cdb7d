//! The search against solved positions, its limits, and the same nodes every time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod data;
mod exact;
mod grid;
mod prompt;
mod reports;
mod search;
