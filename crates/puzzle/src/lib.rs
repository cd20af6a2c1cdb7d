//! Puzzles: positions with one right move, proved by the exact solver.
//!
//! A [`Factory`] takes any position near the end of a game and makes a [`Puzzle`] of it if there is one: the exact score of
//! every move is known, one move reaches the [`Goal`] and no other does, and neither a shallow search nor people find it
//! as a matter of course. How likely people find it is also how hard it is, on their scale of ratings. [`Theme`]s follow
//! from the board and the scores by rules.

#![forbid(unsafe_code)]

mod factory;
mod puzzle;
mod theme;

pub use factory::Factory;
pub use puzzle::{Goal, Puzzle, PuzzleError};
pub use theme::Theme;
