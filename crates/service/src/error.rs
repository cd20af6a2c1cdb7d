//! Why something is not done, in a sentence, with a code for programs.

use emilia_insight::NameError;
use emilia_puzzle::{AnswerError, BadPuzzleId};
use emilia_rules::{IllegalMove, Point};
use emilia_trainer::{BookLinesError, CourseError, ProfileFileError, PromptError};
use serde::Serialize;
use thiserror::Error;

use crate::game::SavedError;
use crate::learner::{LearnerError, LearnerTextError};
use crate::request_error::{BadFormat, BadMove, BadPlayer, BadPosition, RequestError, Unreadable};
use crate::study::StudyError;

/// Why a request is not done.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The request is something else.
    #[error("the request is not the JSON that is expected: {0}")]
    BadJson(#[from] serde_json::Error),
    /// A value that is not taken.
    #[error(transparent)]
    BadRequest(#[from] RequestError),
    /// No board has this size.
    #[error(transparent)]
    BadSize(#[from] emilia_rules::SizeError),
    /// Nobody of this name can play.
    #[error(transparent)]
    BadPlayer(#[from] BadPlayer),
    /// No position.
    #[error(transparent)]
    BadPosition(#[from] BadPosition),
    /// No move.
    #[error(transparent)]
    BadMove(#[from] BadMove),
    /// No format, or one that cannot hold the game.
    #[error(transparent)]
    BadFormat(#[from] BadFormat),
    /// A file in which there is no game.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// Something about a study.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// No player, or several.
    #[error(transparent)]
    BadName(#[from] NameError),
    /// No opening to be learned.
    #[error(transparent)]
    BadLine(#[from] CourseError),
    /// Nothing that the book knows.
    #[error(transparent)]
    NotInBook(#[from] BookLinesError),
    /// No card.
    #[error(transparent)]
    BadCard(#[from] PromptError),
    /// No profile, or a damaged one.
    #[error(transparent)]
    BadProfile(#[from] ProfileFileError),
    /// Something that a profile does not have, or has no room for.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// No name of a puzzle.
    #[error(transparent)]
    BadPuzzle(#[from] BadPuzzleId),
    /// An answer to a puzzle that cannot be judged.
    #[error(transparent)]
    BadAnswer(#[from] AnswerError),
    /// There is no such puzzle.
    #[error("{0}")]
    NoPuzzle(&'static str),
    /// A token that holds no seat.
    #[error("this token holds no seat in this game")]
    BadToken,
    /// Something that others may do.
    #[error("{0}")]
    NotYourSeat(&'static str),
    /// A move against the rules.
    #[error("{0}")]
    IllegalMove(IllegalMove<Point>),
    /// Too early.
    #[error("it is the other side's turn")]
    NotYourTurn,
    /// Too late.
    #[error("the game is over")]
    GameOver,
    /// Somebody else was faster.
    #[error("this seat is taken")]
    SeatTaken,
    /// The move is not the next one.
    #[error("the game has moved on: the next move is number {0}")]
    Stale(usize),
    /// Something that does not fit to where the game stands.
    #[error("{0}")]
    NotNow(&'static str),
    /// A seat is free.
    #[error("nobody sits on the other side yet")]
    NotStarted,
    /// More than can be shown.
    #[error(
        "a game with more than {0} moves in its variations, or with more text than can be shown, is not taken here"
    )]
    GameTooLarge(usize),
    /// A game that was kept and is none.
    #[error(transparent)]
    Damaged(#[from] SavedError),
    /// What was kept of a profile and is none.
    #[error(transparent)]
    DamagedLearner(#[from] LearnerTextError),
    /// No game, or another one.
    #[error("there is no such game")]
    UnknownGame,
    /// Filters need the games themselves.
    #[error(
        "this is the summary that came with the program; to choose among games, a server that has them is needed"
    )]
    OnlySummary,
    /// A search needs more memory than there is.
    #[error("there is no memory left for this now; try again later")]
    NoMemory,
    /// Something for which one alone is not enough.
    #[error("this needs a server: nobody else is here, and there are no files")]
    NotHere,
}

impl ServiceError {
    /// Status as HTTP has them, and code, as `docs/api.md` lists them.
    #[must_use]
    pub fn kind(&self) -> (u16, &'static str) {
        match self {
            ServiceError::BadJson(_) => (400, "bad_json"),
            ServiceError::BadRequest(_) => (400, "bad_request"),
            ServiceError::BadSize(_) => (400, "bad_size"),
            ServiceError::BadPlayer(_) => (400, "bad_player"),
            ServiceError::BadPosition(_) => (400, "bad_position"),
            ServiceError::BadMove(_) => (400, "bad_move"),
            ServiceError::BadFormat(_) => (400, "bad_format"),
            ServiceError::Unreadable(_) => (400, "unreadable"),
            ServiceError::Study(error) => error.kind(),
            ServiceError::BadName(_) => (400, "bad_name"),
            ServiceError::NotInBook(_) => (404, "not_in_book"),
            ServiceError::BadLine(_) => (400, "bad_line"),
            ServiceError::BadCard(_) => (400, "bad_card"),
            ServiceError::BadProfile(_) | ServiceError::DamagedLearner(_) => (400, "bad_profile"),
            ServiceError::Learner(error) => match error {
                LearnerError::UnknownProfile => (401, "unknown_profile"),
                LearnerError::UnknownCard(_) => (404, "unknown_card"),
                LearnerError::TooManyCards(_) | LearnerError::TooManyProfiles(_) => (409, "full"),
            },
            ServiceError::BadPuzzle(_) => (400, "bad_puzzle"),
            ServiceError::BadAnswer(AnswerError::Stopped) => (429, "too_many"),
            ServiceError::BadAnswer(_) => (409, "illegal_move"),
            ServiceError::NoPuzzle(_) => (404, "no_puzzle"),
            ServiceError::BadToken => (401, "bad_token"),
            ServiceError::NotYourSeat(_) => (403, "not_your_seat"),
            ServiceError::IllegalMove(_) => (409, "illegal_move"),
            ServiceError::NotYourTurn => (409, "not_your_turn"),
            ServiceError::GameOver => (409, "game_over"),
            ServiceError::SeatTaken => (409, "seat_taken"),
            ServiceError::Stale(_) => (409, "stale"),
            ServiceError::NotNow(_) => (409, "not_now"),
            ServiceError::NotStarted => (409, "not_started"),
            ServiceError::GameTooLarge(_) => (413, "too_large"),
            ServiceError::Damaged(_) => (400, "damaged"),
            ServiceError::UnknownGame => (404, "unknown_game"),
            ServiceError::OnlySummary => (409, "no_games"),
            ServiceError::NoMemory => (503, "no_memory"),
            ServiceError::NotHere => (404, "not_here"),
        }
    }
}

impl From<IllegalMove<Point>> for ServiceError {
    fn from(error: IllegalMove<Point>) -> ServiceError {
        match error {
            IllegalMove::GameOver => ServiceError::GameOver,
            other => ServiceError::IllegalMove(other),
        }
    }
}

/// What the one who asked is told.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Error"))]
pub struct ErrorBody {
    error: ErrorDetail,
}

/// `code` is for programs, `message` a sentence for people.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorDetail {
    code: &'static str,
    message: String,
}

impl ErrorBody {
    /// What there is to say.
    #[must_use]
    pub fn new(code: &'static str, message: String) -> ErrorBody {
        ErrorBody { error: ErrorDetail { code, message } }
    }
}
