//! Looking ahead: the championship search and the exact endgame solver for boards of 4×4, 6×6 and 8×8.
//!
//! A [`Search`] goes step by step deeper, tells a watcher after each step, and ends at its limits. A [`Solver`] goes to
//! the end of the game. Both share a [`Table`] among their threads and judge by what was learned. A [`GridSearch`]
//! plays on boards of every size. All answer with the same [`Report`](emilia_query::Report), and none prints.
//!
//! ```
//! use emilia_eval::Learned;
//! use emilia_query::{Limits, Stop};
//! use emilia_rules::Position;
//! use emilia_search::{Search, Table};
//!
//! let table = Table::new(1)?;
//! let stop = Stop::default();
//! let mut search = Search::new(Learned::embedded(), &table, &stop);
//! search.limits = Limits::depth(5);
//! let report = search.run(&Position::default(), &mut ());
//! assert_eq!(report.depth, 5);
//! assert!(report.best().is_some());
//! # Ok::<(), emilia_search::TableError>(())
//! ```

#![forbid(unsafe_code)]

mod bench;
mod control;
mod endgame;
mod field;
mod grid;
mod hash;
mod last;
mod move_values;
mod null_window;
mod order;
mod plan;
mod principal;
mod probcut;
mod root;
mod sealed;
mod search;
mod small_table;
mod solver;
mod stability;
mod sync;
mod table;
mod worker;
mod ybwc;

pub use bench::{BENCH_DEPTH, Tally, bench, judge};
pub use endgame::{Refutation, endgame_nodes, refutations};
pub use field::SquareValues;
pub use grid::{GridFeatures, GridMemory, GridSearch, GridTables};
pub use move_values::{LateMove, MoveValues};
pub use probcut::deviation_from_exact;
pub use search::Search;
pub use solver::{Difference, Problem, Solver};
pub use table::{Table, TableError};
