//! Protocols against recorded conversations and their schema.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod schema;
mod sessions;
mod talk;
mod transcripts;
mod vocabulary;
