//! Judging an 8×8 board.
mod score;
mod evaluator;
pub use score::Score;
pub use evaluator::{Evaluator, Play};
pub mod law;
