//! Training data: games of self-play and scored positions, and the files that keep them.
//!
//! A [`GamesWriter`] appends games to a `.emg` file, a [`GamesReader`] reads them back and finds a torn end. A
//! [`LabelledWriter`] and a [`LabelledReader`] do the same for the scored positions of a `.emd` file, which is what
//! fitting reads. A [`Labelling`] makes positions of games, a [`Collection`] merges, divides and shuffles them. Both
//! formats are described in `docs/training.md`. Readers and writers are passed in.
//!
//! ```
//! use emilia_learn::data::{Labelled, LabelledReader, LabelledWriter, Origin};
//! use emilia_rules::Board;
//!
//! let start = Labelled { board: Board::START, score: 0, origin: Origin::Exact, game: 7 };
//! let mut writer = LabelledWriter::new(Vec::new())?;
//! writer.write(&start)?;
//! let file = writer.finish()?;
//! let read: Result<Vec<Labelled>, _> = LabelledReader::new(file.as_slice())?.collect();
//! assert_eq!(read?, [start]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checksum;
mod collection;
mod game;
mod games_reader;
mod games_writer;
mod labelled;
mod labelled_file;
mod labelling;
mod origin;
mod solving;
mod statistics;
mod tournament;

use std::io::{self, Read};

pub use collection::{Collection, Division, TooMany};
pub use game::{Game, GameError, Ply};
pub use games_reader::{GamesError, GamesReader};
pub use games_writer::GamesWriter;
pub use labelled::{Labelled, LabelledError};
pub use labelled_file::{LabelledFileError, LabelledReader, LabelledWriter};
pub use labelling::Labelling;
pub use origin::Origin;
pub use solving::Solving;
pub use statistics::{PhaseStatistics, Statistics};
pub use tournament::Tournament;

/// Bytes of the header of both kinds of file: eight bytes that name the kind, the version and one more number.
const HEADER: usize = 16;

/// A header: the kind of file, its version, and a number whose meaning depends on the kind.
fn header(magic: &[u8; 8], version: u32, number: u32) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(magic);
    bytes[8..12].copy_from_slice(&version.to_le_bytes());
    bytes[12..].copy_from_slice(&number.to_le_bytes());
    bytes
}

/// Reads until the buffer is full or the input ends, and says how far it came.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The word that begins at this byte; there must be eight.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
