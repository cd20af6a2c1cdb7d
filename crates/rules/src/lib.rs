//! The game of Othello on every even board from 4×4 to 26×26: squares, boards, moves, outcomes, symmetry.
//!
//! A position is a value; you play by making the next one. [`Position`] keeps boards of at most 8×8 in 64-bit words,
//! [`GridPosition`] keeps every size, and [`Playable`] is what they have in common.
//!
//! ```
//! use emilia_rules::{parse_move, GridPosition, Playable, Size};
//!
//! let mut position = GridPosition::start(Size::EIGHT);
//! for text in ["f5", "d6", "c3"] {
//!     let mv = parse_move(text, position.size())?;
//!     position = position.play(mv)?;
//! }
//! assert_eq!(position.counts().to_string(), "5-2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod batch;
mod bitboard;
mod board;
mod color;
mod direction;
mod grid;
mod grid_position;
mod moves;
mod notation;
mod outcome;
pub mod perft;
mod playable;
mod point;
mod position;
mod rows;
mod set;
mod setup;
mod size;
mod square;
mod symmetry;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use direction::Direction;
// What boards are compiled for; searches and evaluators take it from here too.
pub use emilia_simd::{Kernel, Portable, Task, Tier, TierError};
pub use grid::{Grid, Points};
pub use grid_position::{GridPosition, Start};
pub use moves::{IllegalMove, Move};
pub use notation::{MoveTextError, parse_move};
pub use outcome::{Counts, Objective, Outcome, Status};
pub use playable::Playable;
pub use point::Point;
pub use position::{Position, TooLarge};
pub use set::SquareSet;
pub use setup::{Setup, SetupError};
pub use size::{Size, SizeError};
pub use square::Square;
pub use symmetry::Symmetry;
