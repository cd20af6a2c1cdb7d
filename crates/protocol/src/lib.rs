//! How Othello programs talk to each other: GTP, NBoard, UGI and JSON lines.
//!
//! Each protocol is a state machine that is handed lines and gives back what to do: it reads nothing, prints nothing
//! and starts nothing. A [`Session`] is the engine's side, a [`Client`] the side of whoever asks an engine for moves.
//!
//! ```
//! use emilia_protocol::{gtp, Identity, Order, Session};
//! let mut session = gtp::Server::new(Identity { name: "Emilia", version: "1" });
//! let said = |orders: Vec<Order>| match orders.as_slice() {
//!     [Order::Say(text)] => text.clone(),
//!     other => panic!("{other:?}"),
//! };
//! assert_eq!(said(session.line("1 play black f5")), "=1 \n");
//! assert_eq!(said(session.line("2 play white a1")), "?2 illegal move: a1 flips nothing\n");
//! ```

#![forbid(unsafe_code)]

mod client;
pub mod gtp;
pub mod jsonl;
mod lines;
pub mod nboard;
mod pondering;
mod session;
pub mod ugi;

pub use client::{Client, Step};
pub use lines::{Line, Lines};
pub use session::{Identity, Order, Session};

/// Bytes of a line that are looked at. The longest sensible line is a game record with comments.
pub const LONGEST_LINE: usize = 1 << 20;

/// The beginning of a text, for messages that repeat what was written.
fn clip(text: &str) -> String {
    /// Characters of other people's words that are repeated.
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
