//! What data sets promise, checked by the plain rules.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod halves;
mod rows;
