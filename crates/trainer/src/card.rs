use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Prompt, Schedule};

/// Where a card comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A move of an opening that one wants to know.
    Opening,
    /// A mistake in one's own game.
    Mistake,
    /// A puzzle.
    Puzzle,
}

/// A word that is no kind of card.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no kind of card; there are opening, mistake and puzzle")]
pub struct UnknownKind(String);

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::Opening, Kind::Mistake, Kind::Puzzle];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Opening => "opening",
            Kind::Mistake => "mistake",
            Kind::Puzzle => "puzzle",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Kind, UnknownKind> {
        let known = Kind::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| UnknownKind(text.chars().take(40).collect()))
    }
}

/// A question that comes back until it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Where it comes from.
    pub kind: Kind,
    /// What it asks.
    pub prompt: Prompt,
    /// When it was made, in milliseconds since 1970.
    pub added: u64,
    /// When it is due.
    pub schedule: Schedule,
}

impl Card {
    /// One that was never asked.
    #[must_use]
    pub const fn new(kind: Kind, prompt: Prompt, now: u64) -> Card {
        Card { kind, prompt, added: now, schedule: Schedule::new(now) }
    }
}
