use std::fmt;

use thiserror::Error;

use crate::Point;

/// The side of a board: an even number from 4 to 26.
///
/// ```
/// use emilia_rules::Size;
/// assert_eq!(Size::new(6).unwrap().cells(), 36);
/// assert_eq!(Size::new(7).unwrap_err().to_string(), "a board is an even number of squares wide, from 4 to 26, not 7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

/// A number that is not the side of any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board is an even number of squares wide, from 4 to 26, not {0}")]
pub struct SizeError(pub usize);

impl Size {
    /// The smallest board.
    pub const MIN: Size = Size(4);
    /// The board of 6×6.
    pub const SIX: Size = Size(6);
    /// The board everybody knows.
    pub const EIGHT: Size = Size(8);
    /// The largest board: columns a to z.
    pub const MAX: Size = Size(26);

    /// Checks that the number is the side of a board.
    pub const fn new(side: usize) -> Result<Size, SizeError> {
        if side.is_multiple_of(2) && side >= 4 && side <= 26 {
            Ok(Size(side as u8))
        } else {
            Err(SizeError(side))
        }
    }

    /// The board with so many squares, if there is one.
    #[must_use]
    pub fn with_cells(cells: usize) -> Option<Size> {
        Size::all().find(|size| size.cells() == cells)
    }

    /// Every size, smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Size> {
        (2..=13).map(|half| Size(half * 2))
    }

    /// Squares along one side.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Squares on the whole board.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether the board fits the 64-bit representation of [`Position`](crate::Position).
    #[must_use]
    pub const fn is_compact(self) -> bool {
        self.0 <= 8
    }

    /// Whether the point lies on the board.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.column() < self.0 && point.row() < self.0
    }

    /// All points of the board in row-major order.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.0).flat_map(move |row| (0..self.0).map(move |column| Point::at(column, row)))
    }
}

impl Default for Size {
    fn default() -> Size {
        Size::EIGHT
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.0)
    }
}
