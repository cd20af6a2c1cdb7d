use std::io::{self, BufReader, Read};

use thiserror::Error;

use super::checksum::checksum;
use super::game::{HEAD, PLY, SUM};
use super::{Game, GameError, HEADER, fill, header};

pub(super) const MAGIC: &[u8; 8] = b"EMILIAG1";

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The file does not begin as it should.
    #[error("this is no file of self-play games, version 1")]
    Header,
    /// The file goes on after its last whole game, because whoever wrote it was ended within the next.
    #[error("after {games} whole games, {intact} bytes, the file is torn")]
    Torn {
        /// Whole games.
        games: u64,
        /// Bytes up to the end of the last of them.
        intact: u64,
    },
    /// A whole game makes no sense.
    #[error("game {0}: {1}")]
    Game(u64, GameError),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// Reads the games of a `.emg` file one after the other. After an error there are no more.
#[derive(Debug)]
pub struct GamesReader<R> {
    input: BufReader<R>,
    games: u64,
    intact: u64,
    over: bool,
}

impl<R: Read> GamesReader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<GamesReader<R>, GamesError> {
        let mut input = BufReader::new(input);
        let mut head = [0; HEADER];
        if fill(&mut input, &mut head)? < HEADER || head != header(MAGIC, 1, 0) {
            return Err(GamesError::Header);
        }
        Ok(GamesReader { input, games: 0, intact: HEADER as u64, over: false })
    }

    /// Bytes of the file up to the end of the last whole game read. A writer may go on there.
    #[must_use]
    pub fn intact(&self) -> u64 {
        self.intact
    }

    fn read(&mut self) -> Result<Option<Game>, GamesError> {
        let torn = GamesError::Torn { games: self.games, intact: self.intact };
        let mut bytes = [0; HEAD + PLY * 255 + SUM];
        match fill(&mut self.input, &mut bytes[..HEAD])? {
            0 => return Ok(None),
            HEAD => {}
            _ => return Err(torn),
        }
        let end = HEAD + PLY * usize::from(bytes[HEAD - 1]);
        let length = end + SUM;
        if fill(&mut self.input, &mut bytes[HEAD..length])? < length - HEAD
            || checksum(&bytes[..end]).to_le_bytes() != bytes[end..length]
        {
            return Err(torn);
        }
        let game = Game::from_bytes(&bytes[..length]).map_err(|error| GamesError::Game(self.games, error))?;
        self.games += 1;
        self.intact += length as u64;
        Ok(Some(game))
    }
}

impl<R: Read> Iterator for GamesReader<R> {
    type Item = Result<Game, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let next = self.read().transpose();
        self.over = !matches!(next, Some(Ok(_)));
        next
    }
}
