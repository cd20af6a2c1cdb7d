use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use emilia_protocol::{Clocks, Thought};
use emilia_rules::{GridPosition, Move, Point};
use emilia_search::Clock;

use crate::{Fault, Question, analysis};

/// Someone who chooses moves.
///
/// Laws: the move is legal; with no legal move (the game is over) there is no decision; the same player built again
/// from the same name, asked the same questions in the same order, decides the same unless it thinks by the clock.
/// Emilia's own players never fail; a program from outside may, and after that it is no use asking it again.
pub trait Player: Send {
    /// The name it was called by, for tables and records.
    fn name(&self) -> &str;

    /// Chooses a move within these bounds, or nothing when the game is over. Told to stop, it plays the best it has
    /// found so far.
    fn think(&mut self, position: &GridPosition, bounds: Bounds<'_>) -> Result<Option<Decision>, Fault>;

    /// Chooses a move in its own time.
    fn choose(&mut self, position: &GridPosition, stop: &Stop) -> Result<Option<Decision>, Fault> {
        self.think(position, Bounds::new(stop, &mut |_| ControlFlow::Continue(())))
    }

    /// Judges one or several moves. When the game is over there is nothing to judge.
    fn analyse(&mut self, position: &GridPosition, question: Question<'_>) -> Result<Thought, Fault> {
        analysis::analyse(self, position, question)
    }

    /// Gets ready to play, so that what it takes to begin is not taken from its time.
    fn prepare(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Forgets what it remembers of earlier games.
    fn forget(&mut self) {}
}

/// What a player is held to while it thinks, besides its own settings.
pub struct Bounds<'a> {
    /// Ends it early.
    pub stop: &'a Stop,
    /// The most time it may take, if there is a limit.
    pub time: Option<Duration>,
    /// The clocks of the game, if it is played by the clock.
    pub clock: Option<Clocks>,
    /// How the position came about, if that is known.
    pub game: Option<GameSoFar<'a>>,
    /// Told now and then how it goes; the answer can end it. How often depends on the player: some say something
    /// every thousand positions, others after each depth.
    pub watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl<'a> Bounds<'a> {
    /// A player's own time, until it is told to stop.
    pub fn new(stop: &'a Stop, watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Bounds<'a> {
        Bounds { stop, time: None, clock: None, game: None, watch }
    }

    /// Within this time.
    #[must_use]
    pub fn within(self, time: Duration) -> Bounds<'a> {
        Bounds { time: Some(time), ..self }
    }

    /// By these clocks.
    #[must_use]
    pub fn by_the_clock(self, clock: Clocks) -> Bounds<'a> {
        Bounds { clock: Some(clock), ..self }
    }

    /// In this game.
    #[must_use]
    pub fn in_game(self, game: GameSoFar<'a>) -> Bounds<'a> {
        Bounds { game: Some(game), ..self }
    }

    /// The longest it should think about a position with so many empty squares: the time for a move, less a little
    /// for the way there and back, or a sensible part of what the clock has left, whichever is less.
    #[must_use]
    pub fn longest(&self, empties: u32) -> Option<Duration> {
        let share = self.clock.map(|clock| share(clock, empties));
        let time = self.time.map(in_time);
        [time, share].into_iter().flatten().min()
    }
}

/// What is kept back from the time for a move: searches look at the clock about every millisecond, and the system may
/// let somebody else go first.
const RESERVE: Duration = Duration::from_millis(10);

/// How long to think if a move may take so long.
pub(crate) fn in_time(time: Duration) -> Duration {
    time - RESERVE.min(time / 4)
}

/// A sensible part of what a clock has left, for a move with so many empty squares.
pub(crate) fn share(clocks: Clocks, empties: u32) -> Duration {
    Clock { left: clocks.own, increment: clocks.increment }.time_for_move(empties)
}

/// How a position came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameSoFar<'a> {
    /// Where the game began.
    pub start: GridPosition,
    /// What was played since, passes included.
    pub moves: &'a [Move<Point>],
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
