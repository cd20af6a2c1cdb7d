use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub};

use emilia_rules::{Direction, Point, Size, SquareSet};

/// A set of squares of a board with at most `N` rows: one word a row, bit 0 is column a.
///
/// The fast twin of [`emilia_rules::Grid`]: everything is inlined into the search, which is compiled for the processor,
/// and a board of at most 16 rows carries no rows that it has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rows<const N: usize>(pub(super) [u32; N]);

/// A square by its column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub(super) column: u8,
    pub(super) row: u8,
}

/// The columns of the largest board.
const COLUMNS: u32 = (1 << Size::MAX.get()) - 1;

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point::new(cell.column, cell.row).expect("a cell is made from a set on a board")
    }
}

impl From<Point> for Cell {
    fn from(point: Point) -> Cell {
        Cell { column: point.column(), row: point.row() }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Point::from(*self).fmt(f)
    }
}

impl<const N: usize> Rows<N> {
    /// Every member so many columns to the right, or to the left if negative, in the row above or below or its own.
    #[inline(always)]
    fn moved(self, columns: i32, rows: isize) -> Rows<N> {
        let row =
            |at: usize| at.checked_add_signed(-rows).and_then(|from| self.0.get(from)).map_or(0, |row| *row);
        Rows(std::array::from_fn(
            #[inline(always)]
            |at| match columns {
                1 => (row(at) << 1) & COLUMNS,
                -1 => row(at) >> 1,
                _ => row(at),
            },
        ))
    }
}

impl<const N: usize> Default for Rows<N> {
    fn default() -> Rows<N> {
        Rows([0; N])
    }
}

impl<const N: usize> SquareSet for Rows<N> {
    type Square = Cell;

    const EMPTY: Rows<N> = Rows([0; N]);

    #[inline(always)]
    fn board(size: Size) -> Rows<N> {
        let side = usize::from(size.get());
        Rows(std::array::from_fn(
            #[inline(always)]
            |row| if row < side { (1 << side) - 1 } else { 0 },
        ))
    }

    #[inline(always)]
    fn only(cell: Cell) -> Rows<N> {
        let mut rows = Rows::EMPTY;
        rows.0[usize::from(cell.row) % N] = 1 << cell.column;
        rows
    }

    #[inline(always)]
    fn contains(self, cell: Cell) -> bool {
        self.0[usize::from(cell.row) % N] >> cell.column & 1 != 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let mut count = 0;
        for row in self.0 {
            count += row.count_ones();
        }
        count
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let mut any = 0;
        for row in self.0 {
            any |= row;
        }
        any == 0
    }

    #[inline(always)]
    fn shifted(self, direction: Direction) -> Rows<N> {
        match direction {
            Direction::North => self.moved(0, -1),
            Direction::South => self.moved(0, 1),
            Direction::East => self.moved(1, 0),
            Direction::West => self.moved(-1, 0),
            Direction::NorthEast => self.moved(1, -1),
            Direction::NorthWest => self.moved(-1, -1),
            Direction::SouthEast => self.moved(1, 1),
            Direction::SouthWest => self.moved(-1, 1),
        }
    }

    #[inline(always)]
    fn grown(self) -> Rows<N> {
        let row = self | self.moved(1, 0) | self.moved(-1, 0);
        row | row.moved(0, 1) | row.moved(0, -1)
    }
}

/// The same on every row of two sets.
#[inline(always)]
fn each<const N: usize>(one: Rows<N>, other: Rows<N>, combine: impl Fn(u32, u32) -> u32) -> Rows<N> {
    let mut rows = one;
    for (row, other) in rows.0.iter_mut().zip(other.0) {
        *row = combine(*row, other);
    }
    rows
}

impl<const N: usize> BitAnd for Rows<N> {
    type Output = Rows<N>;
    #[inline(always)]
    fn bitand(self, other: Rows<N>) -> Rows<N> {
        each(self, other, |one, other| one & other)
    }
}

impl<const N: usize> BitOr for Rows<N> {
    type Output = Rows<N>;
    #[inline(always)]
    fn bitor(self, other: Rows<N>) -> Rows<N> {
        each(self, other, |one, other| one | other)
    }
}

impl<const N: usize> BitXor for Rows<N> {
    type Output = Rows<N>;
    #[inline(always)]
    fn bitxor(self, other: Rows<N>) -> Rows<N> {
        each(self, other, |one, other| one ^ other)
    }
}

impl<const N: usize> Sub for Rows<N> {
    type Output = Rows<N>;
    #[inline(always)]
    fn sub(self, other: Rows<N>) -> Rows<N> {
        each(self, other, |one, other| one & !other)
    }
}

impl<const N: usize> BitAndAssign for Rows<N> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Rows<N>) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Rows<N> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Rows<N>) {
        *self = *self | other;
    }
}

impl<const N: usize> FromIterator<Cell> for Rows<N> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Rows<N> {
        cells.into_iter().fold(Rows::EMPTY, |rows, cell| rows | Rows::only(cell))
    }
}

impl<const N: usize> IntoIterator for Rows<N> {
    type Item = Cell;
    type IntoIter = Cells<N>;
    #[inline(always)]
    fn into_iter(self) -> Cells<N> {
        Cells { rows: self, row: 0 }
    }
}

/// The members of [`Rows`] in row-major order.
pub(super) struct Cells<const N: usize> {
    rows: Rows<N>,
    row: usize,
}

impl<const N: usize> Iterator for Cells<N> {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        while let Some(bits) = self.rows.0.get_mut(self.row) {
            if *bits != 0 {
                let column = bits.trailing_zeros() as u8;
                *bits &= *bits - 1;
                return Some(Cell { column, row: self.row as u8 });
            }
            self.row += 1;
        }
        None
    }
}
