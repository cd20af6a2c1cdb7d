use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use emilia_record::thor::Directory;
use emilia_record::{Format, Game, Hint, Holds, Item, Reading, WriteOptions, read, write};

use crate::files::{read_bytes, write_file};
use crate::{Failure, Streams};

/// Turn game records of any format into another
///
/// The format of each file is recognised from its content. Othello Quest games and WTHOR solitaires are read as well as
/// what can be written. WTHOR players (.jou) and tournaments (.trn) among the
/// files give the games their names. A broken game is reported and left out. "board" and "obf" write the last position
/// of each game.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia convert games.ggf -o games.pgn
  emilia convert --to sgf WTH_2024.wtb WTH.JOU WTH.TRN -o 2024.sgf
  emilia convert --to transcript - < game.json      from another program, to the screen")]
pub(crate) struct Convert {
    /// Files to read; - is the standard input
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,

    /// The format to write; without it, the end of the name after -o decides
    #[arg(long, value_name = "FORMAT", value_parser = writable(), ignore_case = true)]
    to: Option<Format>,

    /// The file to write; without it, the result is printed
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// The formats that can be written, by name or by the end of a file name.
fn writable() -> impl TypedValueParser<Value = Format> {
    let formats = Format::ALL.into_iter().filter(|format| format.is_writable());
    let values = formats.map(|format| PossibleValue::new(format.name()).aliases(format.extensions()));
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(|name| name.parse::<Format>())
}

impl Convert {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let format = self.format()?;
        let mut directory = Directory::default();
        let mut readings = Vec::new();
        let mut problems = 0;
        for file in &self.files {
            let reading = read_record(file, streams)?;
            for problem in &reading.problems {
                writeln!(streams.err, "{}: {problem}", file.display())?;
            }
            problems += reading.problems.len();
            for item in &reading.items {
                if let Item::Names(names) = item {
                    directory.add(names.clone());
                }
            }
            readings.push(reading);
        }
        let bytes = match archive_as_it_is(&readings, format) {
            Some(bytes) => bytes,
            None => {
                let readings = readings.into_iter();
                let games: Vec<Game> =
                    readings.flat_map(|reading| games_to_write(reading, format, &directory)).collect();
                let options = WriteOptions { directory: Some(&directory), created: None };
                write(format, &games, &options).map_err(Failure::failed)?
            }
        };
        match &self.output {
            Some(path) => write_file(path, &bytes).map_err(|error| Failure::file(path, error))?,
            None => streams.out.write_all(&bytes)?,
        }
        match problems {
            0 => Ok(()),
            1 => Err(Failure::failed("one game could not be read; the others are written")),
            _ => Err(Failure::failed(format!("{problems} games could not be read; the others are written"))),
        }
    }

    fn format(&self) -> Result<Format, Failure> {
        let named = self.output.as_deref().and_then(|path| Format::of_file_name(&path.to_string_lossy()));
        let format = self.to.or(named).ok_or_else(|| {
            Failure::usage("say which format to write: --to FORMAT, or -o with a name that tells")
        })?;
        if format.is_writable() {
            Ok(format)
        } else {
            Err(Failure::usage(format!("games cannot be written as {format}")))
        }
    }
}

/// A single WTHOR file that is to be one again: it keeps its header, year and day of creation included.
fn archive_as_it_is(readings: &[Reading], format: Format) -> Option<Vec<u8>> {
    let mut items =
        readings.iter().flat_map(|reading| &reading.items).filter(|item| !matches!(item, Item::Names(_)));
    match (items.next(), items.next()) {
        (Some(Item::Archive(archive)), None) if format == Format::Wthor => Some(archive.to_bytes()),
        _ => None,
    }
}

/// The games of a reading, each at the position that formats of positions are to show.
fn games_to_write(reading: Reading, format: Format, directory: &Directory) -> Vec<Game> {
    let from = reading.format.holds();
    let mut games = reading.into_games(directory);
    if format.holds() == Holds::Positions && from != Holds::Positions {
        games.iter_mut().for_each(Game::to_end);
    }
    games
}

/// What stands in a file (`-` is the standard input), or in the text itself if there is no such file.
pub(super) fn read_file_or_text(what: &str, streams: &mut Streams<'_>) -> Result<Reading, Failure> {
    let path = Path::new(what);
    if what == "-" || path.is_file() {
        return read_record(path, streams);
    }
    emilia_record::read(what.as_bytes(), &Hint::default()).map_err(|error| {
        let shown: String = what.chars().take(LONGEST_SHOWN).collect();
        Failure::failed(format!("{shown:?} is neither a file nor a game: {error}"))
    })
}

/// Characters of a text that an error repeats.
const LONGEST_SHOWN: usize = 80;

/// Reads a record and names the file where it fails.
fn read_record(path: &Path, streams: &mut Streams<'_>) -> Result<Reading, Failure> {
    let bytes = read_bytes(path, &mut streams.input)?;
    let name = path.to_string_lossy();
    read(&bytes, &Hint { file_name: Some(&name) })
        .map_err(|error| Failure::failed(format!("{name}: {error}")))
}
