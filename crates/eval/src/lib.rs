//! Judging an 8×8 board.
//!
//! A [`Score`] says how many discs the side to move will be ahead at the end. An [`Evaluator`] gives one; searches
//! are generic over it. [`Learned`] is the evaluator that comes with the program, a [`Network`] on top of patterns, or
//! one from a file, which may be plain [`Patterns`]; [`Six`] serves boards of 6×6, [`Mobility`] those of 4×4.
//!
//! ```
//! use emilia_eval::{Evaluator, Learned};
//! use emilia_rules::{Board, Portable, Square};
//!
//! let learned = Learned::embedded();
//! let board = Board::START.play(Square::F5);
//! let score = learned.score(Portable, &learned.features(board), board);
//! assert!(score.discs().abs() < 10);
//! ```

#![forbid(unsafe_code)]

mod batch;
mod evaluator;
mod file;
mod fillings;
pub mod integers;
pub mod law;
pub mod layout;
mod learned;
mod mobility;
mod network;
mod network_weights;
mod patterns;
mod score;
pub mod shape;
mod six;
mod weights;

pub use evaluator::{Evaluator, Play};
pub use file::Kind;
pub use fillings::Fillings;
pub use learned::Learned;
pub use mobility::Mobility;
pub use network::Network;
pub use network_weights::NetworkWeights;
pub use patterns::Patterns;
pub use score::Score;
pub use six::{Six, SixWeights};
pub use weights::{Weights, WeightsError};
