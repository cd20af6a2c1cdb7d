//! Long work cut into units, so that any number of machines share it and nobody can tell from the result.
//!
//! A [`Plan`] says what is to be done: games of self-play, positions to be labelled, games to be reviewed, a match, a
//! proof, a data set. It is cut into numbered units by what they are about, never by who does them, and what a unit
//! gives depends on the plan and its number alone. A [`Folder`] keeps the plan, what it needs, and what the units have
//! given; it is all that machines share. A unit is there whole or not at all, and one that is there is not done again.
//! When all that are needed are there, they are merged into the result: byte for byte the same, whoever did them.
//!
//! ```
//! use emilia_dataset::Recipe;
//! use emilia_work::{Plan, Task, Work};
//!
//! let recipe = Recipe { games: 30, shard: Some(10), ..Recipe::default() };
//! let (plan, inputs) = Plan::new(Task::Dataset(recipe), &emilia_engine::no_files)?;
//! let work = Work::new(plan, inputs)?;
//! assert_eq!((work.units(), work.title(2)), (3, "games 20 to 29".to_owned()));
//! let done = work.run(2, &Default::default())?.expect("nobody stopped it");
//! assert_eq!(done.files[0].0, "games-000002.npy");
//! # Ok::<(), emilia_work::WorkError>(())
//! ```
//!
//! This crate reads and writes the files of that folder, and no others.

#![forbid(unsafe_code)]

mod error;
mod folder;
mod plan;
mod receipt;
mod tasks;
mod work;

pub use error::{TaskError, WorkError};
pub use folder::{Folder, Merged, Ran, State};
pub use plan::{Input, Inputs, Plan};
pub use receipt::{FileSum, Receipt};
pub use tasks::{LabelTask, MatchTask, ProofTask, ReviewTask, SelfPlayTask, Task};
pub use work::{Done, Work};
