use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use emilia_learn::data::{Game, GamesError, GamesReader, GamesWriter};

use crate::Failure;

/// A file with some of the games of a run.
pub(super) struct Shard {
    path: PathBuf,
    writer: GamesWriter<File>,
    games: u64,
}

impl Shard {
    /// Opens the file of this number, or begins it. What a killed run left behind its last whole game is cut off.
    pub(super) fn open(folder: &Path, number: u64) -> Result<Shard, Failure> {
        let path = folder.join(format!("games-{number:06}.emg"));
        let failed = |error| Failure::file(&path, error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        let (games, intact) = match whole_games(&file) {
            Ok(found) => found,
            // A file that was ended within its header has nothing to lose.
            Err(GamesError::Header) if file.metadata().map_err(failed)?.len() < 16 => (0, 0),
            Err(GamesError::Read(error)) => return Err(failed(error)),
            Err(error) => return Err(Failure::failed(format!("{}: {error}", path.display()))),
        };
        file.set_len(intact).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let writer =
            if intact == 0 { GamesWriter::new(file).map_err(failed)? } else { GamesWriter::resume(file) };
        Ok(Shard { path, writer, games })
    }

    /// Games that are there already.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game.
    pub(super) fn write(&mut self, game: &Game) -> Result<(), Failure> {
        self.writer.write(game).map_err(|error| Failure::file(&self.path, error))
    }
}

/// How many whole games a file holds, and in how many bytes.
fn whole_games(file: &File) -> Result<(u64, u64), GamesError> {
    let mut reader = GamesReader::new(file)?;
    let mut games = 0;
    for game in reader.by_ref() {
        match game {
            Ok(_) => games += 1,
            Err(GamesError::Torn { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok((games, reader.intact()))
}
