use std::time::Duration;

use emilia_rules::{Move, Point};

use crate::control::Progress;

/// What a search found, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The move to play; none if the game is over. A side that can only pass is told to pass.
    pub best: Option<Move<Point>>,
    /// What the position is worth to the side to move; none if the player does not look ahead, or was stopped before
    /// it knew.
    pub score: Option<f64>,
    /// The moves that both sides are expected to play, beginning with `best`.
    pub line: Vec<Move<Point>>,
    /// Positions looked at, the root included.
    pub nodes: u64,
    /// Plies from the root to the farthest of them.
    pub greatest_depth: u32,
    /// The last depth searched completely; 0 if there is none.
    pub completed_depth: u32,
    /// How long it took.
    pub time: Duration,
    /// Whether the search ended before it was done: time was up, or somebody said stop.
    pub stopped: bool,
    /// Whether every line was followed to the end of the game, so that the score is the result with best play.
    pub solved: bool,
}

impl Report {
    /// A report without a result yet.
    pub(crate) fn of(progress: Progress) -> Report {
        Report {
            best: progress.best,
            score: progress.score,
            line: Vec::new(),
            nodes: progress.nodes,
            greatest_depth: progress.greatest_depth,
            completed_depth: progress.completed_depth,
            time: progress.time,
            stopped: false,
            solved: false,
        }
    }
}
