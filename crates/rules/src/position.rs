use std::fmt;

use thiserror::Error;

use crate::{
    Bitboard, Board, Color, GridPosition, Playable, Point, Setup, Size, Square, SquareSet, Symmetry,
};

/// A position on a board of 4×4, 6×6 or 8×8, in 64-bit words: the fast one.
///
/// Smaller boards lie in the top left part of the 8×8 board, so that a1 is always a corner. No disc is ever outside
/// that part, therefore no line runs through it, and the same flips serve all three sizes.
///
/// ```
/// use emilia_rules::{Move, Playable, Position, Square};
/// let position = Position::default().play(Move::Place(Square::F5)).unwrap();
/// assert_eq!(position.counts().to_string(), "4-1");
/// assert_eq!(position.to_string(), "---------------------------OX------XXX-------------------------- O");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    turn: Color,
    size: Size,
}

/// Why a position cannot be kept in 64-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} is larger than 8×8")]
pub struct TooLarge(pub Size);

impl Position {
    /// An 8×8 position. The two sets of the board must not share a square.
    #[must_use]
    pub fn new(board: Board, turn: Color) -> Option<Position> {
        (board.own & board.opponent).is_empty().then_some(Position { board, turn, size: Size::EIGHT })
    }

    /// The discs as the side to move sees them.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The position turned or mirrored.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Position {
        Position { board: self.board.transformed(symmetry, self.size), ..*self }
    }

    /// One representative of the eight positions that differ only by symmetry.
    #[must_use]
    pub fn canonical(&self) -> Position {
        Position { board: self.board.canonical(self.size).0, ..*self }
    }
}

impl Default for Position {
    /// The usual 8×8 start.
    fn default() -> Position {
        Position { board: Board::START, turn: Color::Black, size: Size::EIGHT }
    }
}

impl Playable for Position {
    type Square = Square;
    type Set = Bitboard;

    #[inline(always)]
    fn size(&self) -> Size {
        self.size
    }

    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    fn own(&self) -> Bitboard {
        self.board.own
    }

    #[inline(always)]
    fn opponent(&self) -> Bitboard {
        self.board.opponent
    }

    #[inline(always)]
    fn placements(&self) -> Bitboard {
        self.board.moves() & Bitboard::region(self.size)
    }

    #[inline(always)]
    fn flips(&self, square: Square) -> Bitboard {
        self.board.flips(square)
    }

    #[inline(always)]
    fn placed(&self, square: Square) -> Position {
        Position { board: self.board.play(square), turn: !self.turn, size: self.size }
    }

    #[inline(always)]
    fn passed(&self) -> Position {
        Position { board: self.board.pass(), turn: !self.turn, size: self.size }
    }

    #[inline(always)]
    fn square(&self, point: Point) -> Option<Square> {
        if self.size.contains(point) { point.square() } else { None }
    }
}

impl TryFrom<&GridPosition> for Position {
    type Error = TooLarge;

    fn try_from(position: &GridPosition) -> Result<Position, TooLarge> {
        if !position.size().is_compact() {
            return Err(TooLarge(position.size()));
        }
        let board =
            Board { own: Bitboard(position.own().word()), opponent: Bitboard(position.opponent().word()) };
        Ok(Position { board, turn: position.turn(), size: position.size() })
    }
}

impl fmt::Display for Position {
    /// The cells in row-major order as `X`, `O` and `-`, a blank, and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(GridPosition::from(*self)).fmt(f)
    }
}
