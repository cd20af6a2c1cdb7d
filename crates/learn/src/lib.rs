//! Making weights: games are played, positions collected from them, given scores, and evaluations measured.
//!
//! [`selfplay`] plays games to learn from, [`data`] keeps them and makes scored positions of them, [`training`] fits
//! pattern weights to these, an [`Examiner`] says how near an evaluator comes to the truth, a [`Spread`] how far shallow searches are from deep ones. [`evolution`]
//! breeds the six weights of the textbook's `genes` evaluator in games between them.
//!
//! Nothing here reads or writes files; readers, writers and labels are passed in.

#![forbid(unsafe_code)]

mod accuracy;
pub mod data;
pub mod evolution;
mod known;
pub mod selfplay;
mod spread;
mod survey;
pub mod training;
mod workers;

pub use accuracy::{Accuracy, Examiner};
pub use known::Known;
pub use spread::{Curve, Measurement, Plane, Spread};
pub use survey::Survey;
