use std::time::Duration;

use emilia_rules::{GridPosition, IllegalMove, Move, Playable, Point};

/// A position to think about, how it came about, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Where the game began.
    pub start: GridPosition,
    /// What was played since, passes included.
    pub moves: Vec<Move<Point>>,
    /// Where that has led.
    pub position: GridPosition,
    /// When to end.
    pub limits: Limits,
    /// How many of the best moves are to be judged.
    pub lines: usize,
    /// The only moves to consider; all if there is no list.
    pub among: Option<Vec<Move<Point>>>,
    /// Whether whoever asked wants to hear how it goes.
    pub reports: bool,
}

/// When thinking is to end. Nothing set leaves it to the player's own settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Strength from 1 to 30.
    pub level: Option<u32>,
    /// Plies to look ahead at most.
    pub depth: Option<u32>,
    /// Positions to look at, at most.
    pub nodes: Option<u64>,
    /// Time to take at most.
    pub time: Option<Duration>,
    /// The clocks of the game.
    pub clocks: Option<Clocks>,
    /// Until the position is solved or somebody says stop, whatever the player's own settings are.
    pub endless: bool,
    /// Only who wins is to be found out.
    pub outcome_only: bool,
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

impl Task {
    /// One best move of a position, by the player's own settings.
    #[must_use]
    pub fn new(start: GridPosition) -> Task {
        Task {
            start,
            moves: Vec::new(),
            position: start,
            limits: Limits::default(),
            lines: 1,
            among: None,
            reports: false,
        }
    }

    /// Plays on.
    pub fn play(&mut self, mv: Move<Point>) -> Result<(), IllegalMove<Point>> {
        self.position = self.position.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back; whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        self.position = self.moves.iter().fold(self.start, |position, mv| after(&position, *mv));
        true
    }
}

/// The position after a move that was legal when it was made.
fn after(position: &GridPosition, mv: Move<Point>) -> GridPosition {
    match mv {
        Move::Place(point) => position.placed(point),
        Move::Pass => position.passed(),
    }
}
