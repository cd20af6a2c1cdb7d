//! Puzzles: positions with one right move, proved by the exact solver.
//!
//! A [`Factory`] takes any position near the end of a game and makes a [`Puzzle`] of it if there is one: the exact score of
//! every move is known, one move reaches the [`Goal`] and no other does, and neither a shallow search nor people find it
//! as a matter of course. How likely people find it is also how hard it is, on their scale of ratings. [`Theme`]s follow
//! from the board and the scores by rules.
//!
//! A [`Collection`] says which puzzle comes next for somebody, today, or in a run; [`Factory::answer`] judges a move and plays
//! the game on as well as both sides can; [`Puzzle::reasons`] counts what speaks for the right one. Seeds and days are
//! given, so that the same is asked of everybody.
//!
//! ```
//! use emilia_puzzle::{Collection, Factory, Selection, Theme};
//! use emilia_query::Stop;
//!
//! let few = Selection { theme: Some(Theme::LastSix), size: None };
//! let named = Collection::shipped().next(few, 1500.0, |_| None, &[], 7).unwrap();
//! let right = named.puzzle.right().unwrap();
//! let factory = Factory::sized(1)?;
//! let answer = factory.answer(&named.puzzle, &[], right, &Stop::default()).unwrap();
//! assert!(answer.right);
//! assert_eq!(answer.score, named.puzzle.scores[0].1);
//! # Ok::<(), emilia_search::TableError>(())
//! ```

#![forbid(unsafe_code)]

mod answer;
mod collection;
mod difficulty;
mod factory;
mod id;
mod packed;
mod puzzle;
mod reason;
mod theme;

pub use answer::{Answer, AnswerError};
pub use collection::{Collection, NamedPuzzle, Selection};
pub use factory::Factory;
pub use id::{BadPuzzleId, PuzzleId};
pub use puzzle::{Goal, Puzzle, PuzzleError};
pub use reason::Reason;
pub use theme::Theme;
