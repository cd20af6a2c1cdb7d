//! The one question and the one answer: what is asked of a player, and what it has found.
//!
//! Whoever wants a move or a value (a command, a protocol, a route, a match) builds a [`Query`] and reads a
//! [`Report`]; whoever chooses moves (a search, a textbook player, another program) answers the one with the other.
//! Both are plain data. A [`Watcher`] sees reports on the way and can end the work; a [`Stop`] ends it from another
//! thread.
//!
//! ```
//! use emilia_query::{Limits, Query};
//! use emilia_rules::{GridPosition, Size, parse_move};
//!
//! let mut query = Query::new(GridPosition::default()).within(Limits::depth(8));
//! query.play(parse_move("f5", Size::EIGHT).unwrap())?;
//! assert_eq!((query.moves().len(), query.candidates().len()), (1, 3));
//! # Ok::<(), emilia_rules::IllegalMove<emilia_rules::Point>>(())
//! ```

#![forbid(unsafe_code)]

mod fault;
mod level;
mod limits;
mod query;
mod report;
mod selectivity;
mod stop;
mod value;
mod watcher;

pub use fault::Fault;
pub use level::{Level, LevelError};
pub use limits::{Clocks, Limits};
pub use query::{Aim, Query};
pub use report::{MoveReport, Report, Source};
pub use selectivity::Selectivity;
pub use stop::Stop;
pub use value::{Bound, Value};
pub use watcher::Watcher;
