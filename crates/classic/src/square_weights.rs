use emilia_rules::{Playable, Point, Size, SquareSet};

use crate::{View, regions::Place};

/// A value for every square of a board: the squares that share a value form one class.
///
/// ```
/// use emilia_classic::SquareWeights;
/// use emilia_rules::{Point, Position, Size};
///
/// let table = SquareWeights::<Position>::positional(Size::SIX);
/// let first_row: Vec<i32> = (0..6).map(|column| table.value(Point::new(column, 0).unwrap())).collect();
/// assert_eq!(first_row, [20, -3, 11, 11, -3, 20]);
/// ```
#[derive(Clone, Debug)]
pub struct SquareWeights<P: Playable> {
    size: Size,
    value: fn(Point, Size) -> i32,
    classes: [(i32, P::Set); CLASSES],
    used: usize,
}

/// More than the distinct values of any table here.
const CLASSES: usize = 8;

impl<P: Playable> SquareWeights<P> {
    /// The table of Kukreja's program on 8×8 and of the duel on 6×6, continued to every size by the distance of a
    /// square from the border and the corners.
    #[must_use]
    pub fn positional(size: Size) -> SquareWeights<P> {
        SquareWeights::new(size, positional)
    }

    /// The static weights that programs citing Sannidhanam and Annamalai use on 8×8, continued to every size: inside
    /// the two outer rings the long diagonals count 1, other squares nothing.
    #[must_use]
    pub fn fixed(size: Size) -> SquareWeights<P> {
        SquareWeights::new(size, fixed)
    }

    fn new(size: Size, value: fn(Point, Size) -> i32) -> SquareWeights<P> {
        let mut table = SquareWeights { size, value, classes: [(0, P::Set::EMPTY); CLASSES], used: 0 };
        let board = P::Set::board(size);
        for square in board {
            let value = value(square.into(), size);
            let known = table.classes[..table.used].iter().position(|(other, _)| *other == value);
            let class = known.unwrap_or_else(|| {
                table.used += 1;
                table.used - 1
            });
            table.classes[class].0 = value;
            table.classes[class].1 |= P::Set::only(square);
        }
        table
    }

    /// The value of a square; 0 if it is not on the board.
    #[must_use]
    pub fn value(&self, point: Point) -> i32 {
        if self.size.contains(point) { (self.value)(point, self.size) } else { 0 }
    }

    /// The values under the discs of the side to move, and of the other side, added up.
    #[must_use]
    #[inline(always)]
    pub fn sums(&self, view: &View<'_, P>) -> (i32, i32) {
        let mut sums = (0, 0);
        for (value, squares) in &self.classes[..self.used] {
            let (own, opponent) = view.count_on(*squares);
            sums = (sums.0 + value * own, sums.1 + value * opponent);
        }
        sums
    }
}

fn positional(point: Point, size: Size) -> i32 {
    match Place::of(point, size) {
        Place::Corner => 20,
        Place::C => -3,
        Place::X => -7,
        Place::Border { from_corner: 2 } => 11,
        Place::Border { .. } => 8,
        Place::SecondRing { from_corner: 2 } => -4,
        Place::SecondRing { .. } => 1,
        Place::Centre if size >= Size::EIGHT => -3,
        Place::Centre | Place::Inside => 2,
    }
}

fn fixed(point: Point, size: Size) -> i32 {
    let on_diagonal = point.row() == point.column() || point.row() + point.column() == size.get() - 1;
    match Place::of(point, size) {
        Place::Corner => 4,
        Place::C => -3,
        Place::X => -4,
        Place::Border { .. } => 2,
        Place::SecondRing { .. } => -1,
        Place::Centre | Place::Inside => i32::from(on_diagonal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::GridPosition;

    fn rows(table: &SquareWeights<GridPosition>) -> Vec<Vec<i32>> {
        let side = usize::from(table.size.get());
        let values: Vec<i32> = table.size.points().map(|point| table.value(point)).collect();
        values.chunks(side).map(<[i32]>::to_vec).collect()
    }

    #[test]
    fn the_published_tables_come_out() {
        let eight = rows(&SquareWeights::positional(Size::EIGHT));
        assert_eq!(eight[0], [20, -3, 11, 8, 8, 11, -3, 20]);
        assert_eq!(eight[1], [-3, -7, -4, 1, 1, -4, -7, -3]);
        assert_eq!(eight[2], [11, -4, 2, 2, 2, 2, -4, 11]);
        assert_eq!(eight[3], [8, 1, 2, -3, -3, 2, 1, 8]);
        let six = rows(&SquareWeights::positional(Size::SIX));
        assert_eq!(six[..3], [[20, -3, 11, 11, -3, 20], [-3, -7, -4, -4, -7, -3], [11, -4, 2, 2, -4, 11]]);
        let fixed = rows(&SquareWeights::fixed(Size::EIGHT));
        assert_eq!(fixed[0], [4, -3, 2, 2, 2, 2, -3, 4]);
        assert_eq!(fixed[1], [-3, -4, -1, -1, -1, -1, -4, -3]);
        assert_eq!(fixed[2], [2, -1, 1, 0, 0, 1, -1, 2]);
        assert_eq!(fixed[3], [2, -1, 0, 1, 1, 0, -1, 2]);
        for table in [eight, six, fixed] {
            let mirrored: Vec<Vec<i32>> = table.iter().rev().cloned().collect();
            assert_eq!(table, mirrored);
        }
    }

    #[test]
    fn the_classes_cover_the_board_once() {
        for size in Size::all() {
            for table in [SquareWeights::<GridPosition>::positional(size), SquareWeights::fixed(size)] {
                let squares: u32 = table.classes[..table.used].iter().map(|(_, set)| set.count()).sum();
                assert_eq!(squares as usize, size.cells());
            }
        }
    }
}
