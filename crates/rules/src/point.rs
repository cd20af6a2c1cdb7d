use std::fmt;

use crate::{Size, Square};

/// A square of a board of any size: `a1` is the top left corner, `z26` the farthest there can be.
///
/// ```
/// use emilia_rules::Point;
/// assert_eq!(Point::new(10, 9).unwrap().to_string(), "k10");
/// assert_eq!(Point::new(26, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    // Row first, so that the derived order is row-major.
    row: u8,
    column: u8,
}

impl Point {
    /// The point in this column and row, both counted from 0, if the largest board has it.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Option<Point> {
        if column < Size::MAX.get() && row < Size::MAX.get() { Some(Point { row, column }) } else { None }
    }

    /// For callers that have checked the range.
    pub(crate) const fn at(column: u8, row: u8) -> Point {
        Point { row, column }
    }

    /// Column from the left, from 0.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Row from the top, from 0.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Row-major index on a board of this size.
    #[must_use]
    pub const fn index(self, size: Size) -> usize {
        self.row as usize * size.get() as usize + self.column as usize
    }

    /// The point with this row-major index on a board of this size.
    #[must_use]
    pub fn from_index(index: usize, size: Size) -> Option<Point> {
        let side = usize::from(size.get());
        (index < size.cells()).then(|| Point::at((index % side) as u8, (index / side) as u8))
    }

    /// The point so many columns to the right and rows down, if the largest board has it.
    #[must_use]
    pub fn offset(self, columns: i8, rows: i8) -> Option<Point> {
        Point::new(self.column.checked_add_signed(columns)?, self.row.checked_add_signed(rows)?)
    }

    /// The same square of the 8×8 board, if it lies there.
    #[must_use]
    pub const fn square(self) -> Option<Square> {
        Square::new(self.column, self.row)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}
