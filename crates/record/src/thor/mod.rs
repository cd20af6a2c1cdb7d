//! The files of the WTHOR database of tournament games: games (`.wtb`, `.wtd`), players (`.jou`), tournaments (`.trn`),
//! solitaires (`.pzz`).
//!
//! Games stay as they are in the file, 68 bytes each, and are looked at through [`Record`]; a hundred thousand of them
//! are replayed in less time than it takes to make [`Game`](crate::Game)s of them.
//!
//! ```
//! use emilia_record::thor::{Archive, Header};
//! let mut archive = Archive::new(Header::default(), emilia_rules::Size::EIGHT).unwrap();
//! let game = emilia_record::transcript::parse("f5d6c3d3c4").unwrap();
//! archive.push(&game, &Default::default()).unwrap();
//! assert_eq!(archive.records().next().unwrap().to_string(), "f5d6c3d3c4");
//! assert_eq!(archive.replay().moves, 5);
//! ```

mod archive;
mod header;
mod names;
mod puzzle;
mod record;
mod replay;

pub use archive::{Archive, ThorError};
pub use header::Header;
pub use names::{Directory, Names, NamesKind};
pub use puzzle::Puzzles;
pub use record::Record;
pub use replay::Replay;
