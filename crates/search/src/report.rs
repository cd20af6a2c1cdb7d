use std::ops::ControlFlow;
use std::time::Duration;

use emilia_eval::Score;
use emilia_rules::Move;

use crate::Confidence;

/// How far a search has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Plies looked ahead.
    pub depth: u32,
    /// How sure the selective part of the search is.
    pub confidence: Confidence,
    /// Whether the score is proven to the end of the game.
    pub exact: bool,
    /// The best lines found, best first; at least one unless the game is over.
    pub lines: Vec<Line>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

/// A move with its score and the moves that are expected to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score for the side to move, empty squares to the winner.
    pub score: Score,
    /// The move and its continuation.
    pub moves: Vec<Move>,
}

impl Report {
    /// The best line's score; zero only before anything was searched.
    #[must_use]
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::default(), |line| line.score)
    }

    /// The best move, unless the game is over.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// Positions visited per second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-6)
    }
}

/// Someone who is told how far a search has come, and may end it.
pub trait Observer {
    /// Called after each completed depth.
    fn report(&mut self, report: &Report) -> ControlFlow<()>;
}

/// Nobody: the search goes on to its limits.
impl Observer for () {
    fn report(&mut self, _report: &Report) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Report) -> ControlFlow<()>> Observer for F {
    fn report(&mut self, report: &Report) -> ControlFlow<()> {
        self(report)
    }
}
