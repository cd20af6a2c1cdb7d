//! Othello games as people keep them: variation trees, and every file format they travel in.
//!
//! A [`Game`] is a tree of moves with tags, clocks, comments and evaluations. [`read()`] recognises any of the formats
//! from the bytes of a file; [`write()`] makes such bytes. Each format also has a module of its own. Nothing here
//! touches files or the terminal.
//!
//! ```
//! use emilia_record::{read, write, Format, Hint, WriteOptions};
//!
//! let file = b"[Black \"Tom\"]\n[White \"Kitty\"]\n\n1. f5 d6 2. c3 (2. c5) d3 *\n";
//! let reading = read(file, &Hint::default())?;
//! assert_eq!(reading.format, Format::Pgn);
//! assert!(reading.problems.is_empty());
//!
//! let games = reading.into_games(&Default::default());
//! let sgf = write(Format::Sgf, &games, &WriteOptions::default())?;
//! assert!(String::from_utf8(sgf)?.contains("(;B[c3];W[d3])\n(;B[c5])"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod board;
mod clock;
pub mod draw;
mod exercise;
mod fault;
pub mod fen;
mod format;
mod game;
pub mod ggf;
pub mod json;
mod marking;
mod movetext;
mod note;
mod number;
pub mod obf;
mod opening;
mod path;
pub mod pgn;
pub mod quest;
mod read;
mod result;
pub mod sgf;
mod sniff;
mod study;
mod tags;
pub mod thor;
pub mod transcript;
mod tree;
mod write;

pub use clock::{Clock, ClockError, Clocks};
pub use exercise::Exercise;
pub use fault::{Fault, JsonError, PositionError, Problem, ReadError, WriteError};
pub use format::{Format, FormatError, Holds};
pub use game::Game;
pub use marking::{Marking, MarkingError, Shape};
pub use note::{Evaluation, Note};
pub use opening::Opening;
pub use path::{Path, PathError};
pub use read::{Hint, Item, MAX_GAMES, Reading, read, read_each, read_position, recognise};
pub use result::{Ending, GameResult};
pub use study::Study;
pub use tags::{Tags, tag};
pub use write::{WriteOptions, write};

/// How deep variations may lie inside each other in a file.
pub const MAX_DEPTH: usize = 1000;
