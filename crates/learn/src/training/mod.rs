//! Fitting pattern weights to scored positions.
//!
//! A [`TrainingSet`] holds positions by number of empty squares, some games kept apart for the test. A [`Training`] goes
//! from phase to phase. For each it looks for the weights with the least squared error, where weights are drawn
//! towards those of the phase before, so that fillings seen rarely have those of their neighbours. That is a linear
//! problem, so it is solved by conjugate gradients: no rate has to be chosen, and one pass through the positions is one
//! step. The result does not depend on the number of threads.
//!
//! ```
//! use emilia_learn::data::{Labelled, Origin};
//! use emilia_learn::training::{Plan, Training, TrainingSet};
//! use emilia_rules::Board;
//!
//! let start = Labelled { board: Board::START, score: 256, origin: Origin::Exact, game: 1 };
//! let set = TrainingSet::new(vec![start; 1000], Vec::new());
//! let mut training = Training::new(Plan { passes: 3, ..Plan::default() });
//! while let Some(_step) = training.advance(&set, 1) {}
//! let score = i32::from(training.weights().bias[60]);
//! assert!(score > 0);
//! ```

mod checkpoint;
mod equations;
mod loss;
mod set;
mod solver;
mod trainer;

pub use checkpoint::CheckpointError;
pub use loss::{Loss, losses};
pub use set::TrainingSet;
pub use trainer::{Plan, Step, Training};
