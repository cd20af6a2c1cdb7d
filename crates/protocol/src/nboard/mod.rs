//! The NBoard protocol, versions 1 and 2: how the NBoard program talks to its engines.
//!
//! Scores are in discs everywhere. A `ping` ends whatever is being report about, and nothing about it follows the
//! `pong`.

mod client;
mod clock;
mod server;
mod words;

pub use client::Client;
pub use server::Server;
