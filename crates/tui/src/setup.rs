use std::time::Duration;

use emilia_engine::{Candidate, FileReader, PlayerError};
use emilia_record::Game;

/// What a session begins with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game: a new one, or one to be looked at.
    pub game: Game,
    /// Who plays, Black first.
    pub seats: [Seat; 2],
    /// How much time each side has, if any is set.
    pub timing: Option<Timing>,
    /// Who gives hints, analyses and reviews.
    pub judge: Candidate,
    /// Whose search trees are shown; the depth is added.
    pub tree: Candidate,
    /// How things are drawn.
    pub look: Look,
    /// Where the dice begin of players that throw some.
    pub seed: u64,
    /// How long a move of a player stays on the board before the other player answers, so that it can be followed.
    pub pace: Duration,
}

/// Who sits at one side of the board.
#[derive(Clone, Debug)]
pub enum Seat {
    /// Somebody at the keyboard.
    Person,
    /// A player by name.
    Player(Candidate),
}

/// How much time each side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// For all its moves.
    pub time: Duration,
    /// Added after each of them.
    pub increment: Duration,
}

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours; without them letters stand for discs.
    pub colors: bool,
    /// More than ASCII.
    pub unicode: bool,
}

/// Who judges unless somebody else is named.
const JUDGE: &str = "emilia";
/// Whose trees are shown unless somebody else is named.
const TREE: &str = "alphabeta";
/// How long a move of a player can be looked at.
const PACE: Duration = Duration::from_millis(600);

impl Setup {
    /// Two people and this game.
    pub fn new(game: Game, read: FileReader<'_>) -> Result<Setup, PlayerError> {
        Ok(Setup {
            game,
            seats: [Seat::Person, Seat::Person],
            timing: None,
            judge: Candidate::parse(JUDGE, read)?,
            tree: Candidate::parse(TREE, read)?,
            look: Look { colors: true, unicode: true },
            seed: 0,
            pace: PACE,
        })
    }
}

impl Seat {
    /// Whether somebody at the keyboard sits there.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }
}
