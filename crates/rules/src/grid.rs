use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub};

use crate::rows::{Sweep, along_row, flips_in_row};
use crate::{Direction, Point, Size, SquareSet};

/// Words that every board fits: one for each row of the largest, and a few more to fill whole registers.
pub(crate) const ROWS: usize = 32;

/// A set of squares of a board with at most `N` rows (8, 16 or 32): one word a row, bit 0 is column a.
///
/// Without a number it fits every board. Searches use the shortest that fits: rows that a board has not cost time too.
/// Everything is inlined, so that a search that has entered its [`Kernel`](crate::Kernel) is compiled for the processor
/// from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid<const N: usize = ROWS> {
    rows: [u32; N],
}

impl Grid {
    /// Whether every member lies on a board of this size.
    #[must_use]
    pub fn fits(self, size: Size) -> bool {
        (self - Grid::board(size)).is_empty()
    }

    /// The members of an 8×8 set, which lie in the top left part of any larger board.
    #[must_use]
    pub fn from_word(word: u64) -> Grid {
        let mut grid = Grid::EMPTY;
        for (row, byte) in word.to_le_bytes().into_iter().enumerate() {
            grid.rows[row] = u32::from(byte);
        }
        grid
    }

    /// The eight first columns of the eight first rows, as an 8×8 set.
    #[must_use]
    pub fn word(self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|row| self.rows[row] as u8))
    }

    /// The set with these rows from the top, bit 0 of each for column a; what no board has is left out.
    #[must_use]
    pub fn from_rows(rows: impl IntoIterator<Item = u32>) -> Grid {
        let mut grid = Grid::EMPTY;
        for (row, bits) in grid.rows.iter_mut().zip(rows).take(Grid::<ROWS>::SIDE) {
            *row = bits & Grid::<ROWS>::COLUMNS;
        }
        grid
    }

    /// The same squares in fewer words; those in rows beyond drop out.
    #[must_use]
    pub(crate) fn narrowed<const N: usize>(self) -> Grid<N> {
        let mut grid = Grid { rows: [0; N] };
        grid.rows.iter_mut().zip(self.rows).for_each(|(row, from)| *row = from);
        grid
    }
}

impl<const N: usize> Grid<N> {
    /// The side of the frame that members drop out of when they are moved.
    const SIDE: usize = if N < Size::MAX.get() as usize { N } else { Size::MAX.get() as usize };
    const COLUMNS: u32 = (1 << Grid::<N>::SIDE) - 1;

    /// The squares where `self` may place a disc, all lines at once.
    ///
    /// Lines up and down, straight and slanted, are swept a row at a time; lines along a row spread inside the words.
    #[must_use]
    #[inline(always)]
    pub(crate) fn placements(&self, opponent: &Grid<N>, size: Size) -> Grid<N> {
        let side = usize::from(size.get()).min(N);
        let mut found = self.each(*opponent, along_row).rows;
        let (mut down, mut up) = (Sweep::default(), Sweep::default());
        for row in 0..side {
            found[row] |= down.enter(self.rows[row], opponent.rows[row]);
            let row = side - 1 - row;
            found[row] |= up.enter(self.rows[row], opponent.rows[row]);
        }
        Grid { rows: found } & (Grid::board(size) - (*self | *opponent))
    }

    /// The discs that `self` flips by placing on `point`.
    #[must_use]
    #[inline(always)]
    pub(crate) fn flips(&self, opponent: &Grid<N>, point: Point) -> Grid<N> {
        let mut flipped = Grid { rows: [0; N] };
        let row = usize::from(point.row()) % N;
        let column = u32::from(point.column());
        flipped.rows[row] = flips_in_row(self.rows[row], opponent.rows[row], column);
        for columns in [0, 1, -1] {
            self.flip_line(opponent, row, column, (columns, 1), &mut flipped);
            self.flip_line(opponent, row, column, (columns, -1), &mut flipped);
        }
        flipped
    }

    /// Follows a line over opposing discs; if an own disc ends it, adds what it closes in.
    #[inline(always)]
    fn flip_line(
        &self,
        opponent: &Grid<N>,
        start: usize,
        column: u32,
        (columns, rows): (i32, isize),
        flipped: &mut Grid<N>,
    ) {
        let next = |row: usize, bit: u32| {
            let bit = match columns {
                0 => bit,
                1 => bit << 1,
                _ => bit >> 1,
            };
            (row.wrapping_add_signed(rows), bit)
        };
        let (mut row, mut bit) = next(start, 1 << column);
        let mut length = 0;
        while row < N && opponent.rows[row] & bit != 0 {
            (row, bit) = next(row, bit);
            length += 1;
        }
        if length == 0 || row >= N || self.rows[row] & bit == 0 {
            return;
        }
        (row, bit) = (start, 1 << column);
        for _ in 0..length {
            (row, bit) = next(row, bit);
            flipped.rows[row % N] |= bit;
        }
    }

    /// The same on every row of two sets.
    #[inline(always)]
    fn each(mut self, other: Grid<N>, combine: impl Fn(u32, u32) -> u32) -> Grid<N> {
        for row in 0..N {
            self.rows[row] = combine(self.rows[row], other.rows[row]);
        }
        self
    }
}

impl<const N: usize> Default for Grid<N> {
    fn default() -> Grid<N> {
        Grid::EMPTY
    }
}

impl<const N: usize> SquareSet for Grid<N> {
    type Square = Point;

    const EMPTY: Grid<N> = Grid { rows: [0; N] };

    #[inline(always)]
    fn board(size: Size) -> Grid<N> {
        let side = usize::from(size.get());
        let mut grid = Grid::EMPTY;
        for row in 0..N {
            grid.rows[row] = if row < side { (1 << side) - 1 } else { 0 };
        }
        grid
    }

    #[inline(always)]
    fn only(point: Point) -> Grid<N> {
        let mut grid = Grid::EMPTY;
        grid.rows[usize::from(point.row()) % N] = 1 << point.column();
        grid
    }

    #[inline(always)]
    fn contains(self, point: Point) -> bool {
        self.rows[usize::from(point.row()) % N] >> point.column() & 1 != 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let mut count = 0;
        for pair in 0..N / 2 {
            // Two rows at a time: that is what processors count.
            let rows = u64::from(self.rows[2 * pair]) | u64::from(self.rows[2 * pair + 1]) << 32;
            count += rows.count_ones();
        }
        count
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let mut any = 0;
        for row in 0..N {
            any |= self.rows[row];
        }
        any == 0
    }

    #[inline(always)]
    fn row(self, row: usize) -> u32 {
        self.rows[row % N]
    }

    #[inline(always)]
    fn column(self, column: usize) -> u32 {
        let mut found = 0;
        for row in 0..N {
            found |= (self.rows[row] >> (column % 32) & 1) << row;
        }
        found
    }

    #[inline(always)]
    fn shifted(self, direction: Direction) -> Grid<N> {
        let (columns, rows) = direction.step();
        let mut grid = Grid::EMPTY;
        for row in 0..Grid::<N>::SIDE {
            let from = match rows {
                -1 if row + 1 < N => self.rows[row + 1],
                1 if row > 0 => self.rows[row - 1],
                0 => self.rows[row],
                _ => 0,
            };
            grid.rows[row] = match columns {
                -1 => from >> 1,
                1 => (from << 1) & Grid::<N>::COLUMNS,
                _ => from,
            };
        }
        grid
    }

    #[inline(always)]
    fn grown(self) -> Grid<N> {
        let row = self | self.shifted(Direction::East) | self.shifted(Direction::West);
        row | row.shifted(Direction::North) | row.shifted(Direction::South)
    }
}

impl<const N: usize> BitAnd for Grid<N> {
    type Output = Grid<N>;
    #[inline(always)]
    fn bitand(self, other: Grid<N>) -> Grid<N> {
        self.each(other, |one, other| one & other)
    }
}

impl<const N: usize> BitOr for Grid<N> {
    type Output = Grid<N>;
    #[inline(always)]
    fn bitor(self, other: Grid<N>) -> Grid<N> {
        self.each(other, |one, other| one | other)
    }
}

impl<const N: usize> BitXor for Grid<N> {
    type Output = Grid<N>;
    #[inline(always)]
    fn bitxor(self, other: Grid<N>) -> Grid<N> {
        self.each(other, |one, other| one ^ other)
    }
}

impl<const N: usize> Sub for Grid<N> {
    type Output = Grid<N>;
    #[inline(always)]
    fn sub(self, other: Grid<N>) -> Grid<N> {
        self.each(other, |one, other| one & !other)
    }
}

impl<const N: usize> BitAndAssign for Grid<N> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Grid<N>) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Grid<N> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Grid<N>) {
        *self = *self | other;
    }
}

impl<const N: usize> FromIterator<Point> for Grid<N> {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Grid<N> {
        points.into_iter().fold(Grid::EMPTY, |grid, point| grid | Grid::only(point))
    }
}

impl<const N: usize> IntoIterator for Grid<N> {
    type Item = Point;
    type IntoIter = Points<N>;
    #[inline(always)]
    fn into_iter(self) -> Points<N> {
        Points { grid: self, row: 0 }
    }
}

/// The members of a [`Grid`] in row-major order.
#[derive(Clone, Debug)]
pub struct Points<const N: usize = ROWS> {
    grid: Grid<N>,
    row: usize,
}

impl<const N: usize> Iterator for Points<N> {
    type Item = Point;

    #[inline(always)]
    fn next(&mut self) -> Option<Point> {
        while let Some(bits) = self.grid.rows.get_mut(self.row) {
            if *bits != 0 {
                let column = bits.trailing_zeros() as u8;
                *bits &= *bits - 1;
                return Some(Point::at(column, self.row as u8));
            }
            self.row += 1;
        }
        None
    }
}

impl fmt::Display for Grid {
    /// As many rows and columns as the smallest board that holds every member.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = Size::all().find(|size| self.fits(*size)).unwrap_or(Size::MAX);
        for point in size.points() {
            f.write_str(if self.contains(point) { "*" } else { "." })?;
            f.write_str(if point.column() + 1 < size.get() { " " } else { "\n" })?;
        }
        Ok(())
    }
}
