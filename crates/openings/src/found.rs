//! What the database knows of a position.

use emilia_rules::{Move, Square};

use crate::{Ended, Tally};

/// What people played in a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// All games that reached the position, as the side to move sees them.
    pub total: Tally,
    /// The moves that were played, the most frequent first.
    pub moves: Vec<FoundMove>,
    /// Games that have no move after it.
    pub ended: Tally,
    /// Some of the games, the latest first.
    pub games: Vec<FoundGame>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMove {
    /// The move.
    pub mv: Move,
    /// Other squares of the same move, where the position is its own mirror image.
    pub same: Vec<Square>,
    /// What came of it.
    pub tally: Tally,
}

/// A game that reached the position.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundGame {
    /// Who played Black; empty if that is not known.
    pub black: String,
    /// Who played White; empty if that is not known.
    pub white: String,
    /// The tournament or occasion; empty if that is not known.
    pub event: String,
    /// When.
    pub year: Option<u16>,
    /// How it ended.
    pub ended: Ended,
    /// The squares in order, turned so that the position lies as it was asked for.
    pub squares: Vec<Square>,
    /// How many of them led to the position.
    pub before: usize,
}

/// Which of the games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Games to leave out first.
    pub skip: usize,
    /// Games at most.
    pub most: usize,
}

impl Page {
    /// So many of the latest games.
    #[must_use]
    pub fn first(most: usize) -> Page {
        Page { skip: 0, most }
    }

    /// Games that have to be looked for.
    pub(crate) fn end(self) -> usize {
        self.skip.saturating_add(self.most)
    }
}

impl FoundMove {
    /// A move with its images; of those the one is named that people write: f5 before the others, else the first.
    pub(crate) fn new(mut squares: Vec<Square>, tally: Tally) -> Option<FoundMove> {
        let named = squares.iter().position(|square| *square == Square::F5).unwrap_or(0);
        if squares.is_empty() {
            return None;
        }
        let square = squares.remove(named);
        Some(FoundMove { mv: Move::Place(square), same: squares, tally })
    }
}

impl Found {
    /// Puts the moves in order and adds everything up.
    pub(crate) fn complete(mut self) -> Found {
        self.moves.sort_by(|one, other| {
            other.tally.games.cmp(&one.tally.games).then_with(|| one.mv.cmp(&other.mv))
        });
        self.total = self.ended;
        self.moves.iter().for_each(|found| self.total.merge(&found.tally));
        self
    }
}
