use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A puzzle that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FiledAttempt {
    /// Its name: eight small letters and digits.
    pub puzzle: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Whether it was solved at once.
    pub solved: bool,
    /// How strong the learner was after it, if it counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
}

/// One puzzle after the other, as far as one comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FiledRun {
    /// What ended it.
    pub kind: RunKind,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Puzzles that were solved.
    pub solved: u32,
    /// Puzzles that were not.
    pub missed: u32,
}

/// What ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// Three minutes.
    Clock,
    /// The third mistake.
    Strikes,
}

/// A word that is no kind of run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no kind of run; there are clock and strikes")]
pub struct UnknownRun(String);

/// Why an attempt of a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AttemptError {
    /// No name of a puzzle.
    #[error("{0:?} is no name of a puzzle")]
    Puzzle(String),
    /// No rating.
    #[error("a rating lies between -10000 and 10000")]
    Rating,
}

impl RunKind {
    /// Every kind.
    pub const ALL: [RunKind; 2] = [RunKind::Clock, RunKind::Strikes];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RunKind::Clock => "clock",
            RunKind::Strikes => "strikes",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RunKind {
    type Err = UnknownRun;

    fn from_str(text: &str) -> Result<RunKind, UnknownRun> {
        let known = RunKind::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| UnknownRun(text.chars().take(40).collect()))
    }
}

impl FiledAttempt {
    /// Whether it can be: puzzles have names of eight small letters and digits.
    pub(crate) fn check(&self) -> Result<(), AttemptError> {
        let is_digit =
            |byte: u8| byte.is_ascii_digit() || byte.is_ascii_lowercase() && !b"ilou".contains(&byte);
        if self.puzzle.len() != 8 || !self.puzzle.bytes().all(is_digit) {
            return Err(AttemptError::Puzzle(self.puzzle.chars().take(20).collect()));
        }
        let possible = self.rating.is_none_or(|rating| (-10_000.0..=10_000.0).contains(&rating));
        possible.then_some(()).ok_or(AttemptError::Rating)
    }
}
