use emilia_rules::rows::{Sweep, along_row, flips_in_row};
use emilia_rules::{Color, GridPosition, Playable, Point, Size, SquareSet};

use super::rows::{Cell, Rows};

/// A position on a board with more than 8 and at most `N` rows, as the search plays on it.
///
/// Law: it does what [`GridPosition`] does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wide<const N: usize> {
    own: Rows<N>,
    opponent: Rows<N>,
    turn: Color,
    size: Size,
}

impl<const N: usize> From<&GridPosition> for Wide<N> {
    /// The board must not have more rows than there is room for.
    fn from(position: &GridPosition) -> Wide<N> {
        let rows = |squares: emilia_rules::Grid| squares.into_iter().map(Cell::from).collect();
        Wide {
            own: rows(position.own()),
            opponent: rows(position.opponent()),
            turn: position.turn(),
            size: position.size(),
        }
    }
}

impl<const N: usize> Playable for Wide<N> {
    type Square = Cell;
    type Set = Rows<N>;

    #[inline(always)]
    fn size(&self) -> Size {
        self.size
    }

    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    fn own(&self) -> Rows<N> {
        self.own
    }

    #[inline(always)]
    fn opponent(&self) -> Rows<N> {
        self.opponent
    }

    /// Lines up and down, straight and slanted, are swept a row at a time; lines along a row spread inside the words.
    #[inline(always)]
    fn placements(&self) -> Rows<N> {
        let (own, opponent) = (&self.own.0, &self.opponent.0);
        let side = usize::from(self.size.get()).min(N);
        let mut found = [0; N];
        for row in 0..N {
            found[row] = along_row(own[row], opponent[row]);
        }
        let (mut down, mut up) = (Sweep::default(), Sweep::default());
        for row in 0..side {
            found[row] |= down.enter(own[row], opponent[row]);
            let row = side - 1 - row;
            found[row] |= up.enter(own[row], opponent[row]);
        }
        Rows(found) & (Rows::board(self.size) - (self.own | self.opponent))
    }

    #[inline(always)]
    fn flips(&self, cell: Cell) -> Rows<N> {
        let (own, opponent) = (&self.own.0, &self.opponent.0);
        let side = usize::from(self.size.get()).min(N);
        let start = usize::from(cell.row) % N;
        let mut flips = [0; N];
        flips[start] = flips_in_row(own[start], opponent[start], u32::from(cell.column));
        // The three lines down, then the three lines up: a bit in each row as long as opposing discs go on.
        for down in [true, false] {
            for columns in [0i32, 1, -1] {
                let mut bit = 1u32 << cell.column;
                let mut row = start;
                let step = |row: usize| if down { row + 1 } else { row.wrapping_sub(1) };
                let mut length = 0;
                loop {
                    row = step(row);
                    bit = match columns {
                        0 => bit,
                        1 => bit << 1,
                        _ => bit >> 1,
                    };
                    if row >= side || opponent[row] & bit == 0 {
                        break;
                    }
                    length += 1;
                }
                if length == 0 || row >= side || own[row] & bit == 0 {
                    continue;
                }
                let (mut bit, mut row) = (1u32 << cell.column, start);
                for _ in 0..length {
                    row = step(row);
                    bit = match columns {
                        0 => bit,
                        1 => bit << 1,
                        _ => bit >> 1,
                    };
                    flips[row % N] |= bit;
                }
            }
        }
        Rows(flips)
    }

    #[inline(always)]
    fn placed(&self, cell: Cell) -> Wide<N> {
        let flips = self.flips(cell);
        let mut opponent = self.own | flips;
        opponent.0[usize::from(cell.row) % N] |= 1 << cell.column;
        Wide { own: self.opponent - flips, opponent, turn: !self.turn, size: self.size }
    }

    #[inline(always)]
    fn passed(&self) -> Wide<N> {
        Wide { own: self.opponent, opponent: self.own, turn: !self.turn, size: self.size }
    }

    fn square(&self, point: Point) -> Option<Cell> {
        self.size.contains(point).then(|| point.into())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::grid::evaluator::tests::game;

    fn same_as_the_slow_twin<const N: usize>(side: usize) {
        for position in game(side, 5) {
            let fast = Wide::<N>::from(&position);
            let points = |rows: Rows<N>| rows.into_iter().map(Point::from).collect::<Vec<_>>();
            let expected: Vec<Point> = position.placements().into_iter().collect();
            assert_eq!(points(fast.placements()), expected, "{position}");
            for point in expected {
                let next = Wide::<N>::from(&position.placed(point));
                assert_eq!(fast.placed(point.into()), next, "{point} in {position}");
            }
            assert_eq!(fast.passed(), Wide::<N>::from(&position.passed()));
        }
    }

    #[test]
    fn wide_boards_are_played_like_boards_of_every_size() {
        same_as_the_slow_twin::<16>(10);
        same_as_the_slow_twin::<16>(16);
        same_as_the_slow_twin::<32>(18);
        same_as_the_slow_twin::<32>(26);
    }
}
