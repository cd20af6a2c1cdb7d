use emilia_record::{Fault, Problem, ReadError};
use emilia_rules::{IllegalMove, MoveTextError, Point, Size, SizeError};
use thiserror::Error;

/// A field of a message is wrong.
#[derive(Debug)]
pub(super) struct FieldError {
    /// Its name; nothing where the message as a whole is meant.
    pub(super) field: Option<String>,
    pub(super) fault: FieldFault,
}

/// What is wrong with a field, to be read after its name.
#[derive(Debug, Error)]
pub(super) enum FieldFault {
    #[error("is no JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("must be an object")]
    NotAnObject,
    #[error("of {bytes} bytes is too long")]
    LongMessage { bytes: usize },
    #[error("is missing")]
    Missing,
    #[error("is unknown")]
    Unknown,
    #[error("must be a text")]
    NotAText,
    #[error("is longer than {longest} characters")]
    LongText { longest: usize },
    #[error("must be a whole number from {low} to {high}")]
    NotANumber { low: i64, high: i64 },
    #[error("must be a number of seconds from 0 to {longest}")]
    NotSeconds { longest: u32 },
    #[error("must be one of {}", .known.join(", "))]
    OtherWord { known: Vec<&'static str> },
    #[error("must be one of {}, not {text}", .known.join(", "))]
    OtherAction { known: &'static [&'static str], text: String },
    #[error("must be a list of whole numbers")]
    NotTurns,
    #[error("must be a list of moves such as \"d3\"")]
    NotMoves,
    #[error("must be a text or a list of moves")]
    NeitherTextNorMoves,
    #[error(transparent)]
    NotAMove(#[from] MoveTextError),
    #[error("number {number}: {error}")]
    IllegalAt { number: usize, error: IllegalMove<Point> },
    #[error(transparent)]
    Size(#[from] SizeError),
    #[error("does not fit: the board is {0}")]
    OtherSize(Size),
    #[error(transparent)]
    Position(#[from] Fault),
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    #[error(transparent)]
    Problem(#[from] Problem),
    #[error("is no game")]
    NotAGame,
    #[error(transparent)]
    Illegal(#[from] IllegalMove<Point>),
    #[error("names no turn")]
    NoTurn,
    #[error("has turn {turn}, but the game has only {moves} moves")]
    TurnAfterTheEnd { turn: usize, moves: usize },
    #[error("has turn {0} twice")]
    TurnTwice(usize),
    #[error("names too many turns: at most {0} can wait")]
    TooManyTurns(usize),
    #[error("leaves no move at turn {0}")]
    NoMoveLeft(usize),
    #[error("cannot be given together with {0}")]
    Together(&'static str),
    #[error("belongs to a question that is not answered yet")]
    IdInUse,
}

impl FieldFault {
    /// The fault of the field of this name.
    pub(super) fn of(self, field: &str) -> FieldError {
        FieldError { field: Some(field.to_owned()), fault: self }
    }

    /// The fault of the message as a whole.
    pub(super) fn of_message(self) -> FieldError {
        FieldError { field: None, fault: self }
    }
}
