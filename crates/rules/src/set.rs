use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub};

use crate::{Direction, Size};

/// A set of squares: set algebra, counting, iteration in row-major order.
///
/// Laws: iteration yields each member once, in row-major order, `count` of them; `a - b` holds what is in `a`
/// but not in `b`; `shifted` moves every member one step, and members that leave the frame drop out: 8×8, 16×16 or 26×26.
/// A set knows no board size, so after a shift on a smaller board intersect with [`SquareSet::board`].
///
/// ```
/// use emilia_rules::{Bitboard, Direction, Size, Square, SquareSet};
/// let corners: Bitboard = [Square::A1, Square::F1].into_iter().collect();
/// let below = corners.shifted(Direction::South) & Bitboard::board(Size::SIX);
/// assert_eq!(below.into_iter().collect::<Vec<_>>(), [Square::A2, Square::F2]);
/// ```
pub trait SquareSet:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Sub<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + IntoIterator<Item = Self::Square>
    + FromIterator<Self::Square>
    + 'static
{
    /// What the set is made of.
    type Square: Copy + Debug + Eq;

    /// The set without members.
    const EMPTY: Self;

    /// All squares of a board of this size.
    fn board(size: Size) -> Self;

    /// The set with one member.
    fn only(square: Self::Square) -> Self;

    /// Whether the square is a member.
    fn contains(self, square: Self::Square) -> bool;

    /// How many members there are.
    fn count(self) -> u32;

    /// Whether there are none.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Every member moved one step.
    #[must_use]
    fn shifted(self, direction: Direction) -> Self;

    /// The members in this row from the top, counted from 0: bit 0 for column a. The frame must have such a row.
    fn row(self, row: usize) -> u32;

    /// The members in this column from the left, counted from 0: bit 0 for row 1. The frame must have such a column.
    fn column(self, column: usize) -> u32;

    /// The members and their neighbours in all eight directions.
    #[must_use]
    #[inline]
    fn grown(self) -> Self {
        let row = self | self.shifted(Direction::East) | self.shifted(Direction::West);
        row | row.shifted(Direction::North) | row.shifted(Direction::South)
    }
}
