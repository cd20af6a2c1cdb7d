//! Books of other programs.

use std::io;
use std::path::PathBuf;

use clap::Args;
use emilia_book::{Basis, Foreign, write_edax, write_egaroucid};
use emilia_query::Selectivity;

use super::store::{Store, open};
use crate::files::{read_bytes, write_file};
use crate::{Failure, Streams};

/// Take in a book of Edax (book.dat) or Egaroucid (.egbk3, .egbk2, .egbk)
///
/// A value of level n counts as a search of n plies, to the end of the game a little earlier. Of two values the one that rests on more stays.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book import mine.ebk book.dat
  emilia book import mine.ebk book.egbk3")]
pub(super) struct Import {
    /// The book that grows; it is begun if it is not there
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The book of the other program
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Write a book as Edax (.dat) or Egaroucid (.egbk3) reads it
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book export mine.ebk book.dat
  emilia book export own book.egbk3")]
pub(super) struct Export {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The file to write; its ending says for whom: .dat or .egbk3
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Import {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let bytes = read_bytes(&self.file, &mut io::empty())?;
        let foreign =
            Foreign::read(&bytes, &basis_of_level).map_err(|error| Failure::in_file(&self.file, &error))?;
        let mut store = Store::open(&self.book, true)?;
        let before = store.graph.len();
        store.graph.merge(&foreign.graph);
        let after = store.finish()?.len();
        let (new, Foreign { program, positions, left_out, .. }) = (after - before, foreign);
        writeln!(
            streams.out,
            "{positions} positions of {}, {left_out} of them left out; {after} positions now, {new} of them new",
            program.name()
        )?;
        Ok(())
    }
}

/// What a value of this level of Edax or Egaroucid rests on where so many squares are empty: their level is a depth, the
/// last empty squares are searched to the end with growing doubt before they are played perfectly.
fn basis_of_level(level: u8, empties: u32) -> Basis {
    let reach = u32::from(level);
    let (high, fair, likely) = match reach {
        1..=10 => (reach, reach, (2 * reach).min(16).max(reach)),
        11..=20 => (reach + 1, reach + 2, reach + 6),
        21..=30 => (reach + 2, reach + 4, reach + 6),
        _ => (reach, reach, reach),
    };
    let to_the_end = |selectivity| Basis::Searched { depth: empties.min(60) as u8, selectivity };
    match empties {
        _ if empties <= reach => Basis::Solved,
        _ if empties <= high => to_the_end(Selectivity::High),
        _ if empties <= fair => to_the_end(Selectivity::Fair),
        _ if empties <= likely => to_the_end(Selectivity::Likely),
        _ if level <= 4 => Basis::Searched { depth: level, selectivity: Selectivity::Certain },
        _ => Basis::Searched { depth: level, selectivity: Selectivity::Likely },
    }
}

impl Export {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let ending = self.file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let write = match ending.as_deref() {
            Some("dat") => write_edax,
            Some("egbk3") => write_egaroucid,
            _ => {
                let sentence = "the ending says for whom: .dat for Edax, .egbk3 for Egaroucid";
                return Err(Failure::usage(format!("{}: {sentence}", self.file.display())));
            }
        };
        let graph = open(&self.book)?.graph().map_err(|error| Failure::in_file(&self.book, &error))?;
        write_file(&self.file, &write(&graph)).map_err(|error| Failure::file(&self.file, error))?;
        writeln!(streams.out, "{} positions written to {}", graph.len(), self.file.display())?;
        Ok(())
    }
}
