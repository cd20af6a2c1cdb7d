//! The evaluation against its training scripts and against exact scores.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod solved;
mod vectors;
