//! The server over real connections.

mod analysis;
mod common;
mod computers;
mod contract;
mod early;
mod hostile;
mod people;
