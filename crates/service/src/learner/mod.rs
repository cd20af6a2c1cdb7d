//! What a learner has and does: cards that come back when they are due, answers, ratings, puzzles, openings; in and out as one
//! file. Where it is kept is said by a [`LearnerStore`].

mod cards;
#[cfg(any(test, feature = "law"))]
pub mod law;
mod lines;
mod memory;
mod opening;
mod profile;
mod puzzles;
mod store;

use thiserror::Error;

pub use cards::{
    AddedCards, AnswerRequest, Answered, CardAnswer, CardFilter, Cards, History, HistoryFilter, NewCards,
    RemovedCards, UnwantedCards,
};
pub use lines::{LinesAnswer, LinesQuestion, LinesRequest};
pub use memory::{LearnerInMemory, LearnerTextError};
pub use opening::{Findings, Missing, OpeningStep, Openings, Purpose, TrainRequest, Training, Valued, Walk};
pub use profile::{
    Deleted, FILE_NAME, ImportedAnswer, ListedProfile, NewProfile, NewProfileAnswer, ProfileAnswer,
    ProfileList, export,
};
pub use puzzles::{
    JudgedPuzzle, PuzzleAnswer, PuzzleAnswerRequest, PuzzleAnswered, PuzzleLearner, PuzzleQuestion,
    PuzzleRequest, Puzzles, RunAnswer, RunRequest,
};
pub use store::{
    ANSWERS_EACH, ATTEMPTS_EACH, DeckSummary, LearnerStore, NumberedCard, PastAnswer, RUNS_EACH, SOON, Wanted,
};

/// Why something is not done to a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LearnerError {
    #[error("this token is of no profile")]
    UnknownProfile,
    #[error("this profile has no card {0}")]
    UnknownCard(i64),
    #[error("a profile has at most {0} cards here")]
    TooManyCards(usize),
    #[error("there are {0} profiles here, and no room for more")]
    TooManyProfiles(usize),
}
