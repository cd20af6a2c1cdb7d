//! Positions as a book keeps them: one of the eight that are the same but for symmetry, passes left out.

use emilia_rules::{Bitboard, Board, Point, Size, Square, SquareSet, Symmetry};

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// To the end of the game, with this score for the side that moved.
    Over(i8),
    /// To this board, as the opponent sees it, who can move.
    Opponent(Board),
    /// To this board, as the side that moved sees it: the opponent has to pass.
    Again(Board),
}

/// Where a legal move on this square leads.
pub(crate) fn after(board: Board, square: Square) -> After {
    let next = board.play(square);
    if !next.moves().is_empty() {
        After::Opponent(next)
    } else if !next.pass().moves().is_empty() {
        After::Again(next.pass())
    } else {
        After::Over(final_score(next.pass()))
    }
}

impl After {
    /// The board that is to move, unless the game is over.
    pub(crate) fn board(self) -> Option<Board> {
        match self {
            After::Over(_) => None,
            After::Opponent(board) | After::Again(board) => Some(board),
        }
    }
}

/// The score of a game that is over, empty squares to the winner.
fn final_score(board: Board) -> i8 {
    let difference = board.difference();
    let empties = board.empties().count() as i32;
    (difference + difference.signum() * empties) as i8
}

/// The board that stands for this one in a book.
pub(crate) fn key(board: Board) -> Board {
    board.canonical(Size::EIGHT).0
}

/// Where a square goes.
pub(crate) fn turned(square: Square, symmetry: Symmetry) -> Square {
    let point: Point = symmetry.point(square.into(), Size::EIGHT);
    point.square().unwrap_or(square)
}

/// The squares that are the same move as this one, because the board looks the same when it is turned or mirrored.
pub(crate) fn same_moves(board: Board, square: Square) -> Bitboard {
    let unchanged = |symmetry: &&Symmetry| board.transformed(**symmetry, Size::EIGHT) == board;
    Symmetry::ALL.iter().filter(unchanged).map(|symmetry| turned(square, *symmetry)).collect()
}

/// The one of them that a book names.
pub(crate) fn named(board: Board, square: Square) -> Square {
    same_moves(board, square).into_iter().next().unwrap_or(square)
}

/// Whether the board can be in a book: no square twice, and the side to move can move.
pub(crate) fn is_playable(board: Board) -> bool {
    (board.own & board.opponent).is_empty() && !board.moves().is_empty()
}
