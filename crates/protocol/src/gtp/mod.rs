//! GTP, version 2: the Go Text Protocol as Othello programs speak it.
//!
//! Rows count from the top as everywhere in Othello, so programs made for Go draw the board upside down. Columns are
//! the plain alphabet; on boards beyond 8×8 a controller made for Go leaves out the letter I, and gets that with
//! `boardsize 10 skip-i` (see [`Letters`]).

mod analysis;
mod client;
mod command;
mod game;
mod refusal;
mod server;
mod time;
mod vertex;

pub use client::Client;
pub use server::Server;
pub use vertex::Letters;
