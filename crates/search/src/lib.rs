//! Looking ahead.
mod confidence;
mod control;
mod endgame;
mod field;
mod hash;
mod last;
mod limits;
mod null_window;
mod order;
mod plan;
mod principal;
pub mod probcut;
mod report;
mod root;
mod search;
mod small_table;
mod stability;
mod table;
mod worker;
pub mod probe;

pub use confidence::Confidence;
pub use limits::{Aim, Limits};
pub use report::{Line, Observer, Report};
pub use search::Search;
pub use table::{Table, TableError};
