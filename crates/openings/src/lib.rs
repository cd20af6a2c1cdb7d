//! Which moves people played in a position, and how it ended: games merged over the eight symmetries of the board and
//! over all the ways to reach a position.
//!
//! A [`Database`] answers from files of its own, of any size, without reading them whole; an [`Import`] adds games to one,
//! each once. A [`Summary`] is the same without the games, small enough to be part of a program. Nothing here opens
//! files: whoever has a folder gives it as a [`Storage`].
//!
//! ```
//! use emilia_openings::{Database, Filter, Import, Memory, Page, Played};
//!
//! let storage = Memory::default();
//! let mut import = Import::begin(&storage)?;
//! for moves in ["f5d6c3d3c4", "d3c5f6f5e6"] {
//!     let game = emilia_record::transcript::parse(moves)?;
//!     import.add(&Played::of_game(&game)?)?;
//! }
//! import.commit()?;
//!
//! let database = Database::open(&storage)?;
//! let start = emilia_rules::GridPosition::default();
//! let found = database.explore(&start, &Filter::default(), Page::first(10))?;
//! assert_eq!(found.moves.len(), 1);                            // all four first moves are one
//! assert_eq!(found.moves[0].tally.games, 1);                   // and so are the two games
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod batch;
mod bytes;
mod database;
mod error;
mod filter;
mod found;
mod import;
mod intake;
mod manifest;
mod played;
mod segment;
mod segment_writer;
mod source;
mod spot;
mod storage;
mod summary;
mod tally;

pub use database::Database;
pub use error::OpeningsError;
pub use filter::{Filter, Wanted};
pub use found::{Found, FoundGame, FoundMove, Page};
pub use import::{Added, Fingerprint, Import};
pub use intake::{Intake, IntakeError, Reason, Step};
pub use played::{Ended, LeftOut, Played};
#[cfg(any(unix, windows))]
pub use source::FileSource;
pub use source::ReadAt;
pub use storage::{Memory, Storage};
pub use summary::Summary;
pub use tally::Tally;
