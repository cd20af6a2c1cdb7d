//! The textbook: the heuristics and searches that students of Othello programming learn, on every board size,
//! traceable.
//!
//! An [`Evaluator`] says how good a position looks, and can be taken apart into its components. A [`Search`] looks
//! ahead with it. Its tree can be written down and drawn, so that one *sees* what alpha-beta leaves out.
//!
//! ```
//! use emilia_classic::{Control, Dice, Evaluator, Search};
//! use emilia_rules::{GridPosition, Playable};
//!
//! let search = Search { evaluator: Evaluator::Kukreja, ..Search::alphabeta(4) };
//! let report = search.run(&GridPosition::default(), &mut Dice::new(0), &mut Control::unlimited());
//! assert_eq!(report.best_move().unwrap().to_string(), "d3");
//! assert!((report.value().unwrap().number() - -519.033).abs() < 1e-3);
//! ```

#![forbid(unsafe_code)]

mod control;
mod dice;
mod duel;
mod ending;
mod eval;
mod evaluate;
mod evaluator;
mod genes;
mod listener;
mod on_board;
mod order;
mod regions;
mod search;
mod square_weights;
mod stability;
mod steps;
mod trace;
pub mod tree;
mod view;
mod weight;

pub use control::Control;
pub use dice::Dice;
pub use duel::Duel;
pub use ending::{Ending, EndingError};
pub use eval::{Cornell, Disc, Ideal, IdealForm, Judge, Paper, PaperWeights, SixTerms, Static};
pub use evaluate::{Breakdown, Component, Evaluate};
pub use evaluator::{Evaluator, SetWeightsError, UnknownEvaluator};
pub use genes::{Genes, GenesError};
pub use listener::{Entry, Leaf, Lot, RandomGame};
pub use on_board::CountedSquare;
pub use order::{Order, OrderError};
pub use search::{MAX_DEPTH, Method, Search};
pub use square_weights::SquareWeights;
pub use stability::Stability;
pub use steps::{CutReason, Step, Steps};
pub use trace::TraceLimits;
pub use tree::Tree;
pub use view::View;
pub use weight::WeightError;
