use std::io;

use emilia_query::{Fault, LevelError};
use emilia_rules::{Color, IllegalMove, Point};
use thiserror::Error;

/// Why a command has no answer, in the words of GTP where it has them.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error("unknown command")]
    UnknownCommand,
    #[error("invalid color")]
    Color,
    #[error("invalid vertex {0}")]
    Vertex(String),
    #[error("invalid {0}")]
    Invalid(&'static str),
    #[error("illegal move: {0}")]
    Illegal(IllegalMove<Point>),
    #[error("illegal move: it is {0}'s turn")]
    NotTheTurnOf(Color),
    #[error("it is {0}'s turn")]
    Turn(Color),
    #[error("the game is over")]
    Over,
    #[error("cannot score: the game is not over")]
    NotOver,
    #[error("cannot undo")]
    NothingToUndo,
    #[error("unacceptable size")]
    Size,
    #[error("the columns are plain or skip-i")]
    Columns,
    #[error("pondering is on or off")]
    OnOrOff,
    #[error("unsupported game")]
    OtherGame,
    #[error("cannot load file: which?")]
    NoFile,
    #[error("cannot load file: {0}")]
    File(#[from] io::Error),
    #[error("cannot load file: {0}")]
    Record(#[from] emilia_record::Fault),
    #[error(transparent)]
    Level(#[from] LevelError),
    #[error("the player failed: {0}")]
    Failed(#[from] Fault),
    #[error("the player failed: {0}")]
    Cheated(IllegalMove<Point>),
    #[error("the player found no move")]
    NoMove,
    #[error("too many commands are waiting")]
    TooMany,
    #[error("a line of {0} bytes is too long")]
    TooLong(usize),
}
