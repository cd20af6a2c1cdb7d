//! Evolution of six weights in games between them.
//!
//! A [`Plan`] says how; an [`Evolution`] does it, generation by generation, and can be written down and read back
//! after each; a [`Hall`] is where the games are played. Two methods breed the next generation: the genetic algorithm
//! ([`breeding`]) and [`cma`], Hansen's CMA-ES.
//!
//! Chance comes from the seed of the plan, the number of the generation and the number of the game alone, so a run
//! gives the same result on any number of threads, in one go or in pieces.
//!
//! ```
//! use emilia_classic::Search;
//! use emilia_query::Stop;
//! use emilia_learn::evolution::{Evolution, Hall, Plan};
//! use emilia_rules::Size;
//!
//! let plan = Plan { size: Size::MIN, population: 4, generations: 2, seed: 7, ..Plan::default() };
//! let stop = Stop::new();
//! let hall = Hall { search: Search::alphabeta(2), threads: 2, stop: &stop };
//! let mut evolution = Evolution::new(plan)?;
//! while !evolution.is_done() {
//!     evolution.advance(&hall, |_| ()).expect("nobody stops it");
//! }
//! let evolved = evolution.conclude(&hall, |_| ()).expect("nobody stops it");
//! assert_eq!(evolution.games() + evolved.generation.games, 3 * 6);
//! assert_eq!(evolved.genes.to_string().lines().count(), 6);
//! # Ok::<(), emilia_learn::evolution::PlanError>(())
//! ```

pub mod breeding;
mod chance;
mod changes;
mod chart;
mod checkpoint;
pub mod cma;
mod eigen;
mod fixture;
mod generation;
mod hall;
mod plan;
mod run;
mod saved;

pub use changes::{ChangeError, Changes, MethodName};
pub use chart::Chart;
pub use checkpoint::CheckpointError;
pub use generation::Generation;
pub use hall::{Hall, Interrupted};
pub use plan::{GENE_MAX, Method, Opposition, Plan, PlanError, Scale};
pub use run::{Evolution, Evolved};
