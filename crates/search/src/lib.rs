//! Looking ahead.
mod endgame;
mod field;
mod hash;
mod last;
mod small_table;
mod stability;
pub mod probe;
