use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub};

use crate::rows::{Sweep, along_row, flips_in_row};
use crate::{Direction, Point, Size, SquareSet};

/// Rows of the largest board.
const ROWS: usize = Size::MAX.get() as usize;
/// The columns of the largest board.
const COLUMNS: u32 = (1 << ROWS) - 1;

/// A set of squares of a board of any size: one word a row, bit 0 is column a.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    rows: [u32; ROWS],
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

    /// The squares where `self` may place a disc, all lines at once.
    ///
    /// Up and down (straight and slanted) lines are swept a row at a time: `run` holds the ends of unbroken
    /// runs of opposing discs that began beside an own disc. Lines along a row spread inside the word.
    #[must_use]
    #[inline]
    pub(crate) fn placements(&self, opponent: &Grid, size: Size) -> Grid {
        let side = usize::from(size.get());
        let columns = (1u32 << side) - 1;
        let mut found = Grid::EMPTY;
        for row in 0..side {
            found.rows[row] = along_row(self.rows[row], opponent.rows[row]);
        }
        let mut sweep = Sweep::default();
        for row in 0..side {
            found.rows[row] |= sweep.enter(self.rows[row], opponent.rows[row]);
        }
        let mut sweep = Sweep::default();
        for row in (0..side).rev() {
            found.rows[row] |= sweep.enter(self.rows[row], opponent.rows[row]);
        }
        for row in 0..side {
            found.rows[row] &= !(self.rows[row] | opponent.rows[row]) & columns;
        }
        found
    }

    /// The discs that `self` flips by placing on `point`.
    #[must_use]
    #[inline]
    pub(crate) fn flips(&self, opponent: &Grid, point: Point) -> Grid {
        let mut flipped = Grid::EMPTY;
        let row = usize::from(point.row());
        let column = u32::from(point.column());
        flipped.rows[row] = flips_in_row(self.rows[row], opponent.rows[row], column);
        for columns in [-1, 0, 1] {
            self.flip_line(opponent, 1 << column, columns, row + 1..ROWS, &mut flipped);
            self.flip_line(opponent, 1 << column, columns, (0..row).rev(), &mut flipped);
        }
        flipped
    }

    /// Follows a line over the opposing discs in these rows; if an own disc ends it, adds what it closes in.
    #[inline]
    fn flip_line(
        &self,
        opponent: &Grid,
        start: u32,
        columns: i8,
        rows: impl Iterator<Item = usize> + Clone,
        flipped: &mut Grid,
    ) {
        let steps = rows.zip(line(start, columns));
        let run = steps.clone().take_while(|(row, bit)| opponent.rows[*row] & bit != 0).count();
        let closed = steps.clone().nth(run).is_some_and(|(row, bit)| self.rows[row] & bit != 0);
        if closed {
            steps.take(run).for_each(|(row, bit)| flipped.rows[row] |= bit);
        }
    }
}

/// One line that leaves a square towards the rows above or below: the single bit it has reached in each row.
#[inline(always)]
fn line(start: u32, columns: i8) -> impl Iterator<Item = u32> + Clone {
    std::iter::successors(Some(start), move |bit| {
        Some(match columns {
            -1 => bit >> 1,
            1 => (bit << 1) & COLUMNS,
            _ => *bit,
        })
    })
    .skip(1)
}

impl SquareSet for Grid {
    type Square = Point;

    const EMPTY: Grid = Grid { rows: [0; ROWS] };

    #[inline]
    fn board(size: Size) -> Grid {
        let side = usize::from(size.get());
        let mut grid = Grid::EMPTY;
        grid.rows[..side].fill((1 << side) - 1);
        grid
    }

    #[inline]
    fn only(point: Point) -> Grid {
        let mut grid = Grid::EMPTY;
        grid.rows[usize::from(point.row())] = 1 << point.column();
        grid
    }

    #[inline]
    fn contains(self, point: Point) -> bool {
        self.rows[usize::from(point.row())] >> point.column() & 1 != 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    #[inline]
    fn shifted(self, direction: Direction) -> Grid {
        let (columns, rows) = direction.step();
        let mut grid = Grid::EMPTY;
        match rows {
            -1 => grid.rows[..ROWS - 1].copy_from_slice(&self.rows[1..]),
            1 => grid.rows[1..].copy_from_slice(&self.rows[..ROWS - 1]),
            _ => grid = self,
        }
        match columns {
            -1 => grid.rows.iter_mut().for_each(|row| *row >>= 1),
            1 => grid.rows.iter_mut().for_each(|row| *row = (*row << 1) & COLUMNS),
            _ => {}
        }
        grid
    }
}

impl BitAnd for Grid {
    type Output = Grid;
    #[inline]
    fn bitand(mut self, other: Grid) -> Grid {
        self &= other;
        self
    }
}

impl BitOr for Grid {
    type Output = Grid;
    #[inline]
    fn bitor(mut self, other: Grid) -> Grid {
        self |= other;
        self
    }
}

impl BitXor for Grid {
    type Output = Grid;
    #[inline]
    fn bitxor(mut self, other: Grid) -> Grid {
        self.rows.iter_mut().zip(other.rows).for_each(|(row, other)| *row ^= other);
        self
    }
}

impl Sub for Grid {
    type Output = Grid;
    #[inline]
    fn sub(mut self, other: Grid) -> Grid {
        self.rows.iter_mut().zip(other.rows).for_each(|(row, other)| *row &= !other);
        self
    }
}

impl BitAndAssign for Grid {
    #[inline]
    fn bitand_assign(&mut self, other: Grid) {
        self.rows.iter_mut().zip(other.rows).for_each(|(row, other)| *row &= other);
    }
}

impl BitOrAssign for Grid {
    #[inline]
    fn bitor_assign(&mut self, other: Grid) {
        self.rows.iter_mut().zip(other.rows).for_each(|(row, other)| *row |= other);
    }
}

impl FromIterator<Point> for Grid {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Grid {
        points.into_iter().fold(Grid::EMPTY, |mut grid, point| {
            grid.rows[usize::from(point.row())] |= 1 << point.column();
            grid
        })
    }
}

impl IntoIterator for Grid {
    type Item = Point;
    type IntoIter = Points;
    fn into_iter(self) -> Points {
        Points { grid: self, row: 0 }
    }
}

/// The members of a [`Grid`] in row-major order.
#[derive(Clone, Debug)]
pub struct Points {
    grid: Grid,
    row: usize,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
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
