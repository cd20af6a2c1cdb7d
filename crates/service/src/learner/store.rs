use std::collections::HashMap;

use emilia_puzzle::PuzzleId;
use emilia_trainer::{Card, FiledAnswer, FiledAttempt, FiledRun, Kind, Prompt, Rating, RunKind, Schedule};

use crate::error::ServiceError;

/// Answers that are kept of one card; the earliest are forgotten, their effect on the schedule stays.
pub const ANSWERS_EACH: usize = 30;
/// Attempts and runs that are kept of one learner; the earliest are forgotten.
pub const ATTEMPTS_EACH: usize = 1000;
pub const RUNS_EACH: usize = 200;
/// Puzzles tried last that are not to come again soon.
pub const SOON: usize = 500;

/// A card with the number by which the interface knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberedCard {
    pub id: i64,
    pub card: Card,
}

/// Which cards are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub kind: Option<Kind>,
    /// Only those that are due at this moment.
    pub due: Option<u64>,
    pub most: usize,
}

/// All cards of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeckSummary {
    pub kind: Kind,
    pub cards: u64,
    pub due: u64,
    /// When the next one is due that is not yet.
    pub next: Option<u64>,
    /// Answers so far.
    pub right: u64,
    pub missed: u64,
}

/// An answer with the card that it was given to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastAnswer {
    pub card: i64,
    pub kind: Kind,
    pub answer: FiledAnswer,
}

/// What one learner has, wherever it is kept. Each function is one step; whoever calls them sees to it that all are kept or
/// none. What was kept is found again as it was, in the order that a function promises; the law is `law::keeps`.
pub trait LearnerStore {
    /// Why a step is not done: the place where things are kept fails, or a rule forbids it.
    type Error: From<ServiceError>;

    /// How many cards there may be.
    fn room(&self) -> usize;

    /// What the learner is called, and when the profile was made.
    fn named(&self) -> Result<(String, u64), Self::Error>;
    fn rename(&mut self, name: &str) -> Result<(), Self::Error>;
    /// Notes that somebody was here.
    fn touch(&mut self, now: u64) -> Result<(), Self::Error>;
    /// Deletes all there is.
    fn delete(&mut self) -> Result<(), Self::Error>;

    /// How the cards of a kind stand.
    fn deck(&self, kind: Kind, now: u64) -> Result<DeckSummary, Self::Error>;
    /// Cards, those that have been due for longest in front, equal ones by number.
    fn cards(&self, wanted: Wanted) -> Result<Vec<NumberedCard>, Self::Error>;
    fn card(&self, id: i64) -> Result<Option<NumberedCard>, Self::Error>;
    /// The card of this kind about this position, if there is one.
    fn card_about(&self, kind: Kind, prompt: &Prompt) -> Result<Option<NumberedCard>, Self::Error>;
    fn card_count(&self) -> Result<usize, Self::Error>;
    /// Adds a card about a position that no other card of its kind is about. No number comes twice.
    fn insert(&mut self, card: Card) -> Result<NumberedCard, Self::Error>;
    /// Gives a card the answers of this prompt, which is about the same position.
    fn set_answers(&mut self, id: i64, prompt: &Prompt) -> Result<(), Self::Error>;
    fn set_schedule(&mut self, id: i64, schedule: &Schedule) -> Result<(), Self::Error>;
    /// Removes a card with its history, and says whether there was one.
    fn remove(&mut self, id: i64) -> Result<bool, Self::Error>;

    /// Adds to the history of a card, unless that has an answer of the same moment, and forgets what is too long ago. Says
    /// whether it is new.
    fn note_answer(&mut self, id: i64, answer: &FiledAnswer) -> Result<bool, Self::Error>;
    /// What was answered to a card, the earliest first.
    fn answers(&self, id: i64) -> Result<Vec<FiledAnswer>, Self::Error>;
    /// What was answered lately, the latest in front.
    fn history(&self, most: usize) -> Result<Vec<PastAnswer>, Self::Error>;

    /// How strong somebody is at what, by name.
    fn ratings(&self) -> Result<Vec<(String, Rating)>, Self::Error>;
    fn rate(&mut self, subject: &str, rating: &Rating) -> Result<(), Self::Error>;

    /// The puzzles tried last, the latest first, as many as are not to come again soon.
    fn recent(&self) -> Result<Vec<PuzzleId>, Self::Error>;
    /// A number that grows with every attempt, forgotten ones too: no two answers to "what comes next" are drawn alike.
    fn tried(&self) -> Result<u64, Self::Error>;
    /// Every attempt that is kept, the earliest first.
    fn attempts(&self) -> Result<Vec<FiledAttempt>, Self::Error>;
    /// Adds an attempt, unless it is known, and forgets what is too long ago.
    fn note_attempt(&mut self, attempt: &FiledAttempt) -> Result<(), Self::Error>;
    /// Every run that is kept, the earliest first.
    fn runs(&self) -> Result<Vec<FiledRun>, Self::Error>;
    /// Adds a run, unless it is known. The best of each kind stays, of the others the latest.
    fn add_run(&mut self, run: &FiledRun) -> Result<(), Self::Error>;
    /// The best run of each kind: how many puzzles were solved.
    fn best_runs(&self) -> Result<HashMap<RunKind, u32>, Self::Error>;

    /// How hard this puzzle has turned out to be, if anybody has answered it.
    fn puzzle(&self, id: PuzzleId) -> Result<Option<Rating>, Self::Error>;
    /// How hard all puzzles have turned out to be that somebody has answered.
    fn puzzles(&self) -> Result<HashMap<PuzzleId, f64>, Self::Error>;
    fn rate_puzzle(&mut self, id: PuzzleId, rating: &Rating) -> Result<(), Self::Error>;
}
