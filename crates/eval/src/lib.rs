//! Judging an 8×8 board.
//!
//! A [`Score`] says how many discs the side to move will be ahead at the end. An [`Evaluator`] gives one; searches
//! are generic over it. [`Patterns`] is the evaluator that comes with the program; [`Mobility`] serves smaller boards.
//!
//! ```
//! use emilia_eval::{Evaluator, Patterns};
//! use emilia_rules::{Board, Square};
//!
//! let patterns = Patterns::embedded();
//! let board = Board::START.play(Square::F5);
//! let score = patterns.score(&patterns.features(board), board);
//! assert!(score.discs().abs() < 10);
//! ```

#![forbid(unsafe_code)]

mod crc;
mod evaluator;
mod file;
mod integers;
pub mod law;
pub mod layout;
mod mobility;
mod network;
mod network_weights;
mod patterns;
mod score;
pub mod shape;
mod weights;

pub use evaluator::{Evaluator, Play};
pub use file::Kind;
pub use mobility::Mobility;
pub use network::{Network, Views};
pub use network_weights::NetworkWeights;
pub use patterns::{Fillings, Patterns};
pub use score::Score;
pub use weights::{Weights, WeightsError};
