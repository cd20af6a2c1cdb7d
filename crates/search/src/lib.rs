//! Looking ahead.
mod confidence;
mod control;
mod endgame;
mod field;
mod grid;
mod hash;
mod last;
mod limits;
mod null_window;
mod order;
mod plan;
mod principal;
pub mod probcut;
pub mod probe;
mod report;
mod root;
mod search;
mod small_table;
mod stability;
mod table;
mod worker;

pub use confidence::Confidence;
pub use grid::{GridMemory, GridObserver, GridReport, GridSearch};
pub use limits::{Aim, Limits};
pub use report::{Line, Observer, Report};
pub use search::Search;
pub use table::{Table, TableError};
