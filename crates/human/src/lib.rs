//! Guessing which move a person makes.
//!
//! A [`Network`] that learned from tournament games sees a [`Moment`] of a game and how strong the mover is, and leans
//! towards some moves. [`chances()`] makes shares of a whole of these, and a [`Person`] mixes them with a look ahead and with
//! thoughtlessness. Everything up to the leanings is an integer, and what
//! follows uses only the four kinds of arithmetic that are the same everywhere, so every processor finds the same.
//!
//! ```
//! use emilia_human::{Moment, Network, Rating, chances};
//! use emilia_rules::{Board, Square};
//!
//! let moment = Moment::new(Board::START.play(Square::F5)).after([Square::F5]);
//! let leanings = Network::embedded().leanings(&moment, Rating::new(1900));
//! let likeliest = chances(&leanings, 1.0).into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
//! assert_eq!(likeliest.0, Square::D6);
//! ```

#![forbid(unsafe_code)]

mod chances;
mod network;
mod person;
mod weights;

pub use chances::{Leaning, chances, draw};
pub use network::{Moment, Network, Rating};
pub use person::{Person, Style};
pub use weights::HumanWeightsError;
