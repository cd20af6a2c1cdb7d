//! JSON lines: questions about many positions, answered in whatever order they are done.
//!
//! A question names a game or position and the turns to be found; every (id, turn) gets exactly one final answer.
//! docs/protocol.md describes the messages, and docs/protocol.schema.json defines them.

mod desk;
mod field_error;
mod fields;
mod message;
mod question;

pub use desk::Desk;

/// The version of the messages.
pub const VERSION: u32 = 1;
