//! Every kind of processor finds what plain arithmetic finds.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod flips;
mod last_flips;
mod sums;
