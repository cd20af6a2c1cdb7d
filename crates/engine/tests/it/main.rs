//! The engine as its users meet it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod clock;
mod forget;
mod outside;
mod pondering;
