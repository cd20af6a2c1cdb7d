use std::sync::Arc;

use emilia_rules::{IllegalMove, MoveTextError, Point, SetupError, Size};
use thiserror::Error;

use crate::{Format, MAX_DEPTH};

/// What is wrong with one game or position of a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Something that should be a move is none.
    #[error("move {ply}: {source}")]
    NotAMove {
        /// Which move of its line, from 1.
        ply: usize,
        /// What is wrong with it; repeats the text.
        source: MoveTextError,
    },
    /// A move against the rules.
    #[error("move {ply}, {text:?}: {source}")]
    Illegal {
        /// Which move of its line, from 1.
        ply: usize,
        /// The move as written.
        text: String,
        /// Which rule.
        source: IllegalMove<Point>,
    },
    /// A move by the side whose turn it is not.
    #[error("move {ply}, {text:?}: it is the other side's turn")]
    WrongTurn {
        /// Which move of its line, from 1.
        ply: usize,
        /// The move as written.
        text: String,
    },
    /// A board that is none.
    #[error("in the board {text:?}: {source}")]
    Board {
        /// The board as written, cut short.
        text: String,
        /// What is wrong with it.
        source: SetupError,
    },
    /// A field whose value makes no sense.
    #[error("{text:?} is not a {what}")]
    Field {
        /// What it should be.
        what: &'static str,
        /// What it is.
        text: String,
    },
    /// Something that should follow does not.
    #[error("{what} is missing after {text:?}")]
    Missing {
        /// What should be there.
        what: &'static str,
        /// The text before the gap.
        text: String,
    },
    /// A game of another kind.
    #[error("{0:?} is another game than Othello on a square board")]
    OtherGame(String),
    /// Brackets in brackets in brackets.
    #[error("variations lie more than {MAX_DEPTH} deep inside each other")]
    TooDeep,
    /// A game whose board or discs change in the middle.
    #[error("{0:?} changes the board in the middle of the game")]
    BoardChange(String),
    /// A fixed-size record file of the wrong length.
    #[error("the file is {length} bytes long, but its header asks for {expected}")]
    Length {
        /// What the header says.
        expected: u64,
        /// What there is.
        length: u64,
    },
    /// Text that is not JSON, or JSON that is not a game.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// JSON in which no moves are found.
    #[error("there is no list of moves")]
    NoMoves,
    /// More games than a record may have.
    #[error("only the first {0} games are read")]
    TooMany(usize),
}

/// What the JSON reader found wrong, and where. Unlike its own error it can be copied, and it is the same as another
/// that says the same.
#[derive(Clone, Debug, Error)]
#[error(transparent)]
pub struct JsonError(Arc<serde_json::Error>);

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> JsonError {
        JsonError(Arc::new(error))
    }
}

impl PartialEq for JsonError {
    fn eq(&self, other: &JsonError) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for JsonError {}

/// A fault and where it is. The caller knows the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}: {fault}")]
pub struct Problem {
    /// Which game or position of the file, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Why a file could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// Nothing there.
    #[error("the file is empty")]
    Empty,
    /// None of the formats.
    #[error("no game record is recognised in text that begins {0:?}")]
    Unrecognised(String),
    /// Too long to be taken in.
    #[error("{length} bytes are more than the {limit} that are read of {format}")]
    TooLarge {
        /// The format.
        format: Format,
        /// How long the input is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
}

/// Why a text is not one position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Neither a board nor a game.
    #[error(
        "write a board row by row, such as \"-----OX--XO----- X\", or the moves of a game, such as f5d6c3"
    )]
    Neither,
    /// A board or a game with something wrong in it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// More than one.
    #[error("one position is wanted, not {0}")]
    Several(usize),
}

/// Why games could not be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    /// The format is only read, or holds something other than games.
    #[error("games cannot be written as {0}")]
    ReadOnly(Format),
    /// The format has only boards of other sizes.
    #[error("game {game}: {format} has no boards of {size}")]
    Size {
        /// Which game, from 1.
        game: usize,
        /// The format.
        format: Format,
        /// The board.
        size: Size,
    },
    /// The format knows only the usual start.
    #[error("game {game}: {format} knows only games from the usual start")]
    Start {
        /// Which game, from 1.
        game: usize,
        /// The format.
        format: Format,
    },
    /// The format knows only the usual game.
    #[error("game {game}: {format} knows only games where most discs win")]
    Objective {
        /// Which game, from 1.
        game: usize,
        /// The format.
        format: Format,
    },
    /// A number that the format has no room for.
    #[error("game {game}: {format} has no room for {what} {value:?}")]
    Number {
        /// Which game, from 1.
        game: usize,
        /// The format.
        format: Format,
        /// What the number is of.
        what: &'static str,
        /// The number.
        value: String,
    },
    /// More games or names than the format counts.
    #[error("{0} has no room for so many entries")]
    TooMany(Format),
}

/// The beginning of a text, short enough for a message.
pub(crate) fn clip(text: &str) -> String {
    text.trim().chars().take(40).collect()
}
