use std::time::Duration;

use crate::{Level, Selectivity};

/// When to end. What is not set is left to the player's own settings; a search that is asked directly goes on until
/// the position is solved or it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Strength instead of the player's own; what it means depends on the board.
    pub level: Option<Level>,
    /// Plies to look ahead at most; with as many as there are empty squares, or more, the position is solved. So it is, on
    /// boards up to 8×8, where nothing else ends the search and full width would leave no more than eight empty squares after
    /// eight plies or more: that takes about half as long again at most. Where a search ends with ten empty squares or fewer, and no more
    /// than it has plies, boards that the evaluator leaves open are solved.
    pub depth: Option<u32>,
    /// How much the last and deepest search may leave out; nothing if it is not said.
    pub selectivity: Option<Selectivity>,
    /// Positions to look at, at most.
    pub nodes: Option<u64>,
    /// Time to take at most.
    pub time: Option<Duration>,
    /// The clocks of the game, of which the player takes its share.
    pub clocks: Option<Clocks>,
    /// Until the position is solved or somebody says stop, whatever the player's own settings are.
    pub endless: bool,
}

/// The clocks of a game, as they stand when a side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Time left to the side to move.
    pub own: Duration,
    /// Time left to the other side.
    pub opponent: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl Limits {
    /// A search to this depth.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search for this long.
    #[must_use]
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// A search of this strength.
    #[must_use]
    pub fn level(level: Level) -> Limits {
        Limits { level: Some(level), ..Limits::default() }
    }

    /// Until the position is solved or somebody says stop.
    #[must_use]
    pub fn endless() -> Limits {
        Limits { endless: true, ..Limits::default() }
    }

    /// Whether nothing is set.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Limits::default()
    }
}
