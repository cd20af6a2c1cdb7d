use std::time::Duration;

use emilia_rules::{Move, Point};

/// What an engine thinks of a position, while it searches or at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The moves it has an opinion on, best first.
    pub moves: Vec<Judged>,
    /// Plies looked ahead completely.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Since it began.
    pub time: Duration,
}

/// A move and what is thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The move.
    pub mv: Move<Point>,
    /// Its value for the side that makes it, in discs (or the player's own unit); players that do not judge have none.
    pub value: Option<f64>,
    /// What the value says about the truth.
    pub bound: Bound,
    /// Plies looked ahead.
    pub depth: u32,
    /// How sure a selective search is, in percent; 100 leaves nothing out.
    pub confidence: u32,
    /// Whether the value is proven to the end of the game.
    pub exact: bool,
    /// Where it comes from.
    pub source: Source,
    /// What is expected to be played, this move first.
    pub line: Vec<Move<Point>>,
}

/// What a value says about the truth at its depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The move is worth at least that.
    Lower,
    /// The move is worth at most that.
    Upper,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Looking ahead.
    #[default]
    Search,
    /// A book of openings.
    Book,
    /// Looking ahead to the end of the game, with nothing left out.
    Solved,
}

impl Thought {
    /// What is thought best.
    #[must_use]
    pub fn best(&self) -> Option<&Judged> {
        self.moves.first()
    }
}

impl Judged {
    /// A bare move.
    #[must_use]
    pub fn new(mv: Move<Point>) -> Judged {
        Judged {
            mv,
            value: None,
            bound: Bound::Exact,
            depth: 0,
            confidence: 100,
            exact: false,
            source: Source::Search,
            line: vec![mv],
        }
    }
}

impl Bound {
    /// Its word in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }

    /// The same bound seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Bound {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }
}

impl Source {
    /// Its word in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Source::Search => "search",
            Source::Book => "book",
            Source::Solved => "solved",
        }
    }
}
