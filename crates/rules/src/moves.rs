use std::fmt;

use thiserror::Error;

use crate::Square;

/// What a player does in a turn. A pass is a move like any other, legal only when forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move<S = Square> {
    /// Put a disc on this square.
    Place(S),
    /// Let the opponent go on.
    Pass,
}

impl<S> Move<S> {
    /// The square, unless it is a pass.
    pub fn square(self) -> Option<S> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }

    /// The same move on another kind of square.
    pub fn map<T>(self, change: impl FnOnce(S) -> T) -> Move<T> {
        match self {
            Move::Place(square) => Move::Place(change(square)),
            Move::Pass => Move::Pass,
        }
    }
}

impl<S: fmt::Display> fmt::Display for Move<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// Why a move was refused. The position stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove<S = Square> {
    /// The square is not on this board.
    #[error("{0} is not on the board")]
    OffBoard(S),
    /// There is a disc already.
    #[error("{0} is occupied")]
    Occupied(S),
    /// No line of opposing discs is closed.
    #[error("{0} flips nothing")]
    FlipsNothing(S),
    /// Passing is allowed only to a side that cannot place a disc.
    #[error("a pass is legal only without another move")]
    NeedlessPass,
    /// Neither side can place a disc.
    #[error("the game is over")]
    GameOver,
}
