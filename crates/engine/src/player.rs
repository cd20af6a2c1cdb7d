use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use emilia_rules::{GridPosition, Move, Point};

/// Someone who chooses moves.
///
/// Laws: the move is legal; with no legal move (the game is over) there is no decision; the same player built again
/// from the same name, asked the same questions in the same order, decides the same unless it thinks by the clock.
pub trait Player: Send {
    /// The name it was called by, for tables and records.
    fn name(&self) -> &str;

    /// Chooses a move, or nothing when the game is over.
    fn choose(&mut self, position: &GridPosition, stop: &Stop) -> Option<Decision>;
}

/// A move and what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub mv: Move<Point>,
    /// What the player thinks of it, in its own unit, for itself; players that do not judge have none.
    pub score: Option<f64>,
    /// Positions looked at.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// How long it thought.
    pub time: Duration,
    /// What it expects to follow, this move first.
    pub line: Vec<Move<Point>>,
}

/// A request to stop thinking soon, shared between threads.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Asks whoever holds this to come to an end.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether that was asked.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for searches that watch it.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
