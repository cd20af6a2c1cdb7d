use std::ops::ControlFlow;
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

    /// Chooses a move within these bounds, or nothing when the game is over. Told to stop, it plays the best it has
    /// found so far.
    fn think(&mut self, position: &GridPosition, bounds: Bounds<'_>) -> Option<Decision>;

    /// Chooses a move in its own time.
    fn choose(&mut self, position: &GridPosition, stop: &Stop) -> Option<Decision> {
        self.think(position, Bounds { stop, time: None, watch: &mut |_| ControlFlow::Continue(()) })
    }
}

/// What a player is held to while it thinks, besides its own settings.
pub struct Bounds<'a> {
    /// Ends it early.
    pub stop: &'a Stop,
    /// The most time it may take, if there is a limit.
    pub time: Option<Duration>,
    /// Told now and then how it goes; the answer can end it. How often depends on the player: some say something
    /// every thousand positions, others after each depth.
    pub watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

/// How far a player has got with its thoughts.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Plies looked ahead completely.
    pub depth: u32,
    /// Plies to the farthest position looked at.
    pub greatest_depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Since it began.
    pub time: Duration,
    /// What it thinks of its position so far, in its own unit.
    pub score: Option<f64>,
    /// What it expects to be played.
    pub line: Vec<Move<Point>>,
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
    /// Plies looked ahead completely; 0 if it does not look ahead or was stopped before.
    pub depth: u32,
    /// Plies to the farthest position looked at.
    pub greatest_depth: u32,
    /// Whether the score is the result with best play.
    pub exact: bool,
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
