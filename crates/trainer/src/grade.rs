use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How well a card was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Not at all: a wrong move.
    Again,
    /// With trouble.
    Hard,
    /// As it should be.
    Good,
    /// Without thinking.
    Easy,
}

/// A word that is no grade.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no grade; there are again, hard, good and easy")]
pub struct UnknownGrade(String);

impl Grade {
    /// Every grade, the worst first.
    pub const ALL: [Grade; 4] = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Again => "again",
            Grade::Hard => "hard",
            Grade::Good => "good",
            Grade::Easy => "easy",
        }
    }

    /// Whether the answer was right.
    #[must_use]
    pub const fn is_right(self) -> bool {
        !matches!(self, Grade::Again)
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Grade {
    type Err = UnknownGrade;

    fn from_str(text: &str) -> Result<Grade, UnknownGrade> {
        let known = Grade::ALL.into_iter().find(|grade| grade.name() == text);
        known.ok_or_else(|| UnknownGrade(text.chars().take(40).collect()))
    }
}
