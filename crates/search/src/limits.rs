use std::time::Duration;

use crate::Confidence;

/// When a search is to end. The default is: when the position is solved, or when it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead at most; with as many as there are empty squares, or more, the position is solved.
    pub depth: Option<u32>,
    /// How sure the last search must be; [`Confidence::Certain`] if it is not said.
    pub confidence: Option<Confidence>,
    /// Positions to visit at most.
    pub nodes: Option<u64>,
    /// Time to take at most.
    pub time: Option<Duration>,
}

impl Limits {
    /// A search to this depth, in which nothing is left out.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search for this long.
    #[must_use]
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }
}

/// What is to be found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// The score.
    #[default]
    Score,
    /// Only who wins: a score above zero is reported as a win by two discs, one below as a loss by two.
    Outcome,
}
