//! Making weights: positions are collected from games, given scores, and fitted.
//!
//! [`data`] holds games and scored positions, [`training`] fits pattern weights to them; [`evolution`] breeds the six
//! weights of the textbook's `genes` evaluator in games between them.
//!
//! Nothing here reads or writes files; readers, writers and labels are passed in. The examples of this crate are
//! the commands that made the weights which come with the program:
//!
//! ```text
//! cargo run --release -p emilia-learn --example samples -- …   positions with exact or searched scores
//! cargo run --release -p emilia-learn --example probcut -- …   the constants of multi-ProbCut
//! ```

#![forbid(unsafe_code)]

mod accuracy;
pub mod data;
pub mod evolution;
mod games;
mod known;
mod samples;
pub mod selfplay;
mod spread;
pub mod training;

pub use accuracy::{Accuracy, Examiner};
pub use games::Games;
pub use known::Known;
pub use samples::{Sample, Sampler};
pub use spread::{Measurement, Plane, Spread};
