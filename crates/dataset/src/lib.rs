//! Othello games as data sets for sequence models: what is to be predicted, and everything to probe for, at every step.
//!
//! A [`Recipe`] says what games there are to be; a [`Dealer`] plays them, a shard of games at a time. Each game is a row
//! of the table of games, and each of its moves a row of the table for learning or of the table for tests, with the
//! board as mine and theirs, the legal moves, what the move flips and what the position is worth. Which of the two
//! tables is decided by the position alone ([`Half`]), so that they never share one. Every byte depends on the recipe
//! alone, and on nothing else: not on the number of threads, nor on what was made before.
//!
//! ```
//! use emilia_dataset::{Dealer, Recipe};
//!
//! let recipe = Recipe { games: 20, ..Recipe::default() };
//! let dealer = Dealer::new(&recipe, &emilia_engine::no_files)?;
//! let shard = dealer.shard(0, &Default::default())?.expect("nobody stopped it");
//! assert_eq!(shard.games.len(), 20);
//! assert!(shard.train.len() + shard.test.len() > 20 * 50);
//! # Ok::<(), emilia_dataset::DealError>(())
//! ```
//!
//! Nothing here touches files: a shard is handed over as bytes.

#![forbid(unsafe_code)]

mod dealer;
mod format;
mod half;
mod jsonl;
mod labels;
mod layout;
mod npy;
mod packed;
mod recipe;
mod shard;

pub use dealer::{DealError, Dealer};
pub use format::{Format, UnknownFormat};
pub use half::{Half, half};
pub use layout::{Column, Kind, Layout, UNKNOWN};
pub use recipe::{MAX_GAMES, Recipe, RecipeError};
pub use shard::{Rows, Shard};
