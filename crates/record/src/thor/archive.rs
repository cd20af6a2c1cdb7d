use emilia_rules::{Move, Objective, Point, Size};
use thiserror::Error;

use super::record::encode;
use super::{Directory, Header, Record};
use crate::{Fault, Game, tag};

/// A file of WTHOR games, kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    header: Header,
    size: Size,
    bytes: Vec<u8>,
}

/// Why a game cannot be kept in a WTHOR file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ThorError {
    /// There are only files for 8×8 and 10×10.
    #[error("WTHOR has no boards of {0}")]
    Size(Size),
    /// Only the usual start.
    #[error("WTHOR knows only games from the usual start")]
    Start,
    /// Only the usual game.
    #[error("WTHOR knows only games where most discs win")]
    Objective,
    /// Numbers of players and tournaments have 16 bits, scores 8.
    #[error("WTHOR has no room for {what} {value:?}")]
    Number {
        /// What the number is of.
        what: &'static str,
        /// What it is.
        value: String,
    },
    /// The number of games has 32 bits.
    #[error("the file is full")]
    Full,
}

impl Archive {
    /// An empty file with this header (the counts in it are put right) for boards of 8×8 or 10×10.
    pub fn new(header: Header, size: Size) -> Result<Archive, ThorError> {
        if Record::length(size).is_none() {
            return Err(ThorError::Size(size));
        }
        let code = match (size, header.size) {
            (Size::EIGHT, 0) => 0,
            _ => size.get(),
        };
        Ok(Archive {
            header: Header { games: 0, names: 0, size: code, kind: 0, ..header },
            size,
            bytes: Vec::new(),
        })
    }

    /// Reads a file whose length is what its header asks for.
    pub fn parse(bytes: &[u8]) -> Result<Archive, Fault> {
        match Archive::parse_leniently(bytes)? {
            (archive, None) => Ok(archive),
            (_, Some(fault)) => Err(fault),
        }
    }

    /// Reads a file; where its length is not what the header asks for, the games that are complete, and the fault.
    pub fn parse_leniently(bytes: &[u8]) -> Result<(Archive, Option<Fault>), Fault> {
        let mut header = Header::parse(bytes)?;
        let size =
            if header.size == 0 { Size::EIGHT } else { Size::new(header.size.into()).unwrap_or(Size::MAX) };
        let Some(length) = Record::length(size) else {
            return Err(Fault::Field { what: "board size of WTHOR", text: header.size.to_string() });
        };
        let expected = Header::LENGTH as u64 + u64::from(header.games) * length as u64;
        let fault = (expected != bytes.len() as u64)
            .then_some(Fault::Length { expected, length: bytes.len() as u64 });
        let rest = &bytes[Header::LENGTH..];
        let games = (rest.len() / length).min(header.games as usize);
        header.games = games as u32;
        Ok((Archive { header, size, bytes: rest[..games * length].to_vec() }, fault))
    }

    /// The head of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The board of all its games.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.header.games as usize
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn width(&self) -> usize {
        // 68 stands for sizes without records; no archive has one.
        Record::length(self.size).unwrap_or(68)
    }

    /// The moves and all else of every game, one game after the other.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The games.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.bytes.chunks_exact(self.width()).filter_map(|bytes| Record::new(self.size, bytes))
    }

    /// The games as trees, with the names of players and tournaments where the directory has them.
    pub fn games<'a>(&'a self, directory: &'a Directory) -> impl Iterator<Item = Result<Game, Fault>> + 'a {
        (0..self.len()).map_while(|number| self.game(number, directory))
    }

    /// The record with this number, from 0.
    #[must_use]
    pub fn record(&self, number: usize) -> Option<Record<'_>> {
        let width = self.width();
        let start = number.checked_mul(width)?;
        Record::new(self.size, self.bytes.get(start..start.checked_add(width)?)?)
    }

    /// The game with this number, from 0, as a tree; its date and the depth of its theoretical score are those
    /// of the file.
    #[must_use]
    pub fn game(&self, number: usize, directory: &Directory) -> Option<Result<Game, Fault>> {
        let mut game = self.record(number)?.to_game(directory);
        if let Ok(game) = &mut game {
            for (name, number) in
                [(tag::DATE, self.header.played), (tag::THEORY_DEPTH, self.header.depth.into())]
            {
                if number > 0 {
                    game.tags.set(name, &number.to_string());
                }
            }
        }
        Some(game)
    }

    /// Keeps only the games for which `keep` holds; it is given their numbers from 0.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let width = self.width();
        let mut kept = Vec::with_capacity(self.bytes.len());
        for (number, record) in self.bytes.chunks_exact(width).enumerate() {
            if keep(number) {
                kept.extend_from_slice(record);
            }
        }
        self.header.games = (kept.len() / width) as u32;
        self.bytes = kept;
    }

    /// Adds the main line of a game. Numbers of players and tournament are taken from its tags, else looked up in the
    /// directory by name, else 0; a game without a result is scored by counting its last position. Variations, notes
    /// and other tags are left out.
    pub fn push(&mut self, game: &Game, directory: &Directory) -> Result<(), ThorError> {
        if game.size() != self.size {
            return Err(ThorError::Size(game.size()));
        }
        if !game.is_usual_start() {
            return Err(ThorError::Start);
        }
        if game.objective != Objective::Most {
            return Err(ThorError::Objective);
        }
        let players = directory.players.as_ref();
        let tournaments = directory.tournaments.as_ref();
        let number = |what, number_tag, name_tag, names: Option<&super::Names>| match game
            .tags
            .value(number_tag)
        {
            Some(text) => text.parse::<u16>().map_err(|_| ThorError::Number { what, value: text.to_owned() }),
            None => Ok(game.tags.value(name_tag).and_then(|name| names?.number(name)).unwrap_or(0)),
        };
        let tournament = number("tournament", tag::EVENT_NUMBER, tag::EVENT, tournaments)?;
        let black = number("black player", tag::BLACK_NUMBER, tag::BLACK, players)?;
        let white = number("white player", tag::WHITE_NUMBER, tag::WHITE, players)?;
        let score = final_score(game)?;
        let theory = match game.tags.value(tag::THEORY) {
            Some(text) => text
                .parse::<u8>()
                .map_err(|_| ThorError::Number { what: "theoretical score", value: text.to_owned() })?,
            None => score,
        };
        self.header.games = self.header.games.checked_add(1).ok_or(ThorError::Full)?;
        let end = self.bytes.len() + self.width();
        for number in [tournament, black, white] {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend([score, theory]);
        self.bytes
            .extend(game.main_line().filter_map(Move::square).map(|point: Point| encode(point, self.size)));
        self.bytes.resize(end, 0);
        Ok(())
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.header.to_bytes().as_slice(), &self.bytes].concat()
    }
}

/// Black's discs at the end: from the stated margin, or counted with the empty squares given to the winner.
fn final_score(game: &Game) -> Result<u8, ThorError> {
    use emilia_rules::Playable;
    let cells = game.size().cells() as i32;
    let margin = match game.result.as_ref().and_then(crate::GameResult::margin) {
        Some(margin) => margin.round() as i32,
        None => {
            let ply = game.main_line().count();
            game.position_at(&crate::Path::main(ply)).map_or(0, |position| position.counts().margin())
        }
    };
    u8::try_from((cells + margin).div_euclid(2))
        .map_err(|_| ThorError::Number { what: "margin", value: margin.to_string() })
}
