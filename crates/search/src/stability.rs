//! Discs that can never be flipped again: they bound what is left to win.

use std::sync::LazyLock;

use emilia_rules::Kernel;

use crate::field::Field;

/// Own stable discs on an edge of eight squares, by own discs in the lower byte and the opponent's in the higher one: see
/// [`Kernel::edges`].
pub(crate) struct EdgeTable(Box<[u8; 1 << 16]>);

static EDGES: LazyLock<EdgeTable> = LazyLock::new(EdgeTable::build);

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const ROW_1: u64 = 0xff;
/// The squares that are not on an edge of the 8×8 board.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

impl EdgeTable {
    /// The one table there is.
    pub(crate) fn shared() -> &'static EdgeTable {
        &EDGES
    }

    fn build() -> EdgeTable {
        let mut table = EdgeTable(Box::new([0; 1 << 16]));
        // A line with more discs is needed for those with fewer, so full lines come first.
        for discs in (0..=8).rev() {
            for own in 0..=255u8 {
                for opponent in (0..=255u8).filter(|opponent| opponent & own == 0) {
                    if (own | opponent).count_ones() == discs {
                        let stable = table.after_every_move(own, opponent);
                        table.0[usize::from(own) | usize::from(opponent) << 8] = stable;
                    }
                }
            }
        }
        table
    }

    /// Own discs that are stable whatever is placed next, by either side, with or without flips on this line.
    fn after_every_move(&self, own: u8, opponent: u8) -> u8 {
        let mut stable = own;
        for place in 0..8u32 {
            let bit = 1u8 << place;
            if (own | opponent) & bit != 0 {
                continue;
            }
            let flips = line_flips(own, opponent, place);
            stable &= self.own(own | bit | flips, opponent & !flips);
            let flips = line_flips(opponent, own, place);
            stable &= self.own(own & !flips, opponent | bit | flips);
        }
        stable
    }

    #[inline(always)]
    fn own(&self, own: u8, opponent: u8) -> u8 {
        self.0[usize::from(own) | usize::from(opponent) << 8]
    }

    /// Stable own discs on the four edges of the 8×8 board.
    #[inline(always)]
    fn edges(&self, kernel: impl Kernel, own: u64, opponent: u64) -> u64 {
        let [top, bottom, left, right] =
            kernel.edges(own, opponent).map(|edge| usize::from(self.0[usize::from(edge)]));
        top as u64 | (bottom as u64) << 56 | COLUMNS[left & 0xff] | COLUMNS[right & 0xff] << 7
    }
}

/// What a disc on this empty place of a line of eight flips along the line.
fn line_flips(own: u8, opponent: u8, place: u32) -> u8 {
    let mut all = 0;
    for up in [true, false] {
        let mut flips = 0u8;
        let mut bit = 1u8 << place;
        loop {
            bit = if up { bit << 1 } else { bit >> 1 };
            if bit & opponent == 0 {
                break;
            }
            flips |= bit;
        }
        if bit & own != 0 {
            all |= flips;
        }
    }
    all
}

/// Squares of column a by the bits of a byte, row 1 in the lowest. Not by a multiplication: compilers put two of them into one
/// instruction that takes some processors four times as long.
static COLUMNS: [u64; 256] = {
    let mut table = [0; 256];
    let mut line = 0;
    while line < 256 {
        let mut row = 0;
        while row < 8 {
            table[line] |= (line as u64 >> row & 1) << (8 * row);
            row += 1;
        }
        line += 1;
    }
    table
};

/// Squares whose line is full in each of the four directions: along rows, columns, and the two diagonals.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut row = occupied & occupied >> 1;
    row &= row >> 2;
    row &= row >> 4;
    let row = (row & COLUMN_A).wrapping_mul(ROW_1);
    let mut column = occupied & occupied.rotate_right(8);
    column &= column.rotate_right(16);
    column &= column.rotate_right(32);
    // A diagonal ends where the next step would leave the board; such squares count as full beyond.
    const EAST: [u64; 3] = [COLUMN_A << 7, COLUMN_A * 0xc0, COLUMN_A * 0xf0];
    const WEST: [u64; 3] = [COLUMN_A, COLUMN_A * 0x03, COLUMN_A * 0x0f];
    const SOUTH: [u64; 3] = [ROW_1 << 56, 0xffff << 48, 0xffff_ffff << 32];
    const NORTH: [u64; 3] = [ROW_1, 0xffff, 0xffff_ffff];
    let mut down = occupied;
    let mut up = occupied;
    let mut anti_down = occupied;
    let mut anti_up = occupied;
    let mut step = 0;
    while step < 3 {
        down &= down >> (9 << step) | EAST[step] | SOUTH[step];
        up &= up << (9 << step) | WEST[step] | NORTH[step];
        anti_down &= anti_down >> (7 << step) | WEST[step] | SOUTH[step];
        anti_up &= anti_up << (7 << step) | EAST[step] | NORTH[step];
        step += 1;
    }
    [row, column, down & up, anti_down & anti_up]
}

/// A lower bound of the number of own discs that can never be flipped, if it is at least `needed`.
#[inline(always)]
pub(crate) fn stable_discs(
    kernel: impl Kernel,
    edges: &EdgeTable,
    field: &Field,
    own: u64,
    opponent: u64,
    needed: i32,
) -> Option<i32> {
    // Most boards are settled by counting alone: there are too few discs, or too few beside those on the edges.
    if (own.count_ones() as i32) < needed {
        return None;
    }
    let stable = if field.cells == 64 {
        let edges = edges.edges(kernel, own, opponent);
        if ((edges | own & INNER).count_ones() as i32) < needed {
            return None;
        }
        stable_on_full_board(edges, own, opponent)
    } else {
        stable_on_small_board(field.region, own, opponent)
    };
    let count = stable.count_ones() as i32;
    (count >= needed).then_some(count)
}

/// Stable own discs, given those on the edges.
#[inline(always)]
fn stable_on_full_board(edges: u64, own: u64, opponent: u64) -> u64 {
    let full = full_lines(own | opponent);
    let inner = own & INNER;
    let mut stable = edges | inner & full[0] & full[1] & full[2] & full[3];
    if stable == 0 {
        return 0;
    }
    // A disc is stable if on each of its lines the line is full or a neighbour is stable.
    loop {
        let before = stable;
        let rows = stable << 1 | stable >> 1 | full[0];
        let columns = stable << 8 | stable >> 8 | full[1];
        let diagonals = stable << 9 | stable >> 9 | full[2];
        let anti_diagonals = stable << 7 | stable >> 7 | full[3];
        stable |= inner & rows & columns & diagonals & anti_diagonals;
        if stable == before {
            return stable;
        }
    }
}

/// The same without a table, for boards that leave at least two columns and rows of the 8×8 board free: squares
/// off the board count as stable neighbours and as full.
fn stable_on_small_board(region: u64, own: u64, opponent: u64) -> u64 {
    let full = full_lines(own | opponent | !region);
    let mut stable = 0;
    loop {
        let before = stable;
        let loose = region & !stable;
        let mut firm = own;
        for (line, step) in [1, 8, 9, 7].into_iter().enumerate() {
            firm &= !(loose << step) | !(loose >> step) | full[line];
        }
        stable |= firm;
        if stable == before {
            return stable;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use emilia_rules::{Board, Portable, Size, SquareSet};

    #[test]
    fn edges_known_by_heart() {
        let table = EdgeTable::shared();
        assert_eq!(table.own(0b0000_0001, 0), 0b1, "a corner is stable");
        assert_eq!(table.own(0b0000_0010, 0), 0, "a C square alone is not");
        assert_eq!(table.own(0b0000_0111, 0b1111_1000), 0b111, "a full edge is");
        assert_eq!(table.own(0b0111_1110, 0), 0, "a balanced edge of six can be flipped from both corners");
        assert_eq!(table.own(0b0000_1111, 0b0001_0000), 0b1111, "discs joined to their corner are");
    }

    #[test]
    fn columns_and_bytes_go_back_and_forth() {
        for (byte, column) in (0..=255).zip(COLUMNS) {
            let [.., left, right] = Portable.edges(column, column << 7);
            assert_eq!((left, right), (byte, byte << 8));
            assert_eq!(column & !COLUMN_A, 0);
        }
    }

    #[test]
    fn full_lines_by_hand() {
        for hole in 0..64u32 {
            let full = full_lines(!(1u64 << hole));
            for square in 0..64u32 {
                let (columns, rows) =
                    ((square % 8) as i32 - (hole % 8) as i32, (square / 8) as i32 - (hole / 8) as i32);
                let expected = [rows == 0, columns == 0, columns == rows, columns == -rows];
                for line in 0..4 {
                    assert_eq!(
                        full[line] >> square & 1 == 0,
                        expected[line],
                        "hole {hole} square {square} line {line}"
                    );
                }
            }
        }
    }

    /// Stable discs must stay to the end of every game that follows.
    #[test]
    fn stable_discs_are_never_flipped() {
        let (field, edges) = (Field::of(Size::EIGHT), EdgeTable::shared());
        for seed in 1..300u64 {
            let mut random = seed;
            let mut next = |bound: u32| {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
                (random >> 33) as usize % bound as usize
            };
            let mut board = Board::START;
            let (mut stable_own, mut stable_opponent) = (0, 0);
            let mut passes = 0;
            while passes < 2 {
                assert_eq!(stable_own & !board.own.0, 0, "{board}");
                assert_eq!(stable_opponent & !board.opponent.0, 0, "{board}");
                let (own, opponent) = (board.own.0, board.opponent.0);
                stable_own |= stable_on_full_board(edges.edges(Portable, own, opponent), own, opponent);
                stable_opponent |= stable_on_full_board(edges.edges(Portable, opponent, own), opponent, own);
                let moves = board.moves();
                passes = if moves.is_empty() { passes + 1 } else { 0 };
                board = match moves.into_iter().nth(next(moves.count().max(1))) {
                    Some(square) => board.play(square),
                    None => board.pass(),
                };
                std::mem::swap(&mut stable_own, &mut stable_opponent);
            }
            let discs = board.own.0.count_ones() as i32;
            let stable = stable_discs(Portable, edges, field, board.own.0, board.opponent.0, 0);
            assert!(stable.is_some_and(|stable| stable <= discs));
            assert_eq!(stable_discs(Portable, edges, field, board.own.0, board.opponent.0, discs + 1), None);
        }
    }

    /// The same on smaller boards; and there is something to find on them.
    #[test]
    fn stable_discs_of_small_boards_are_never_flipped() {
        use emilia_rules::{GridPosition, Playable, Position};
        for side in [4, 6] {
            let field = Field::of(Size::new(side).unwrap());
            let (mut random, mut before_the_end) = (7u64, 0);
            for _ in 0..200 {
                let mut position =
                    Position::try_from(&GridPosition::start(Size::new(side).unwrap())).unwrap();
                let (mut stable_own, mut stable_opponent) = (0, 0);
                loop {
                    let (own, opponent) = (position.board().own.0, position.board().opponent.0);
                    assert_eq!((stable_own & !own, stable_opponent & !opponent), (0, 0), "{position}");
                    stable_own |= stable_on_small_board(field.region, own, opponent);
                    stable_opponent |= stable_on_small_board(field.region, opponent, own);
                    if own | opponent == field.region {
                        assert_eq!((stable_own, stable_opponent), (own, opponent), "a full board is");
                    } else {
                        before_the_end += stable_own.count_ones() + stable_opponent.count_ones();
                    }
                    let moves: Vec<_> = position.moves().collect();
                    if moves.is_empty() {
                        break;
                    }
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
                    position = position.play(moves[(random >> 33) as usize % moves.len()]).unwrap();
                    std::mem::swap(&mut stable_own, &mut stable_opponent);
                }
            }
            assert!(before_the_end > 1000, "{before_the_end}");
            // A corner is stable, and a border from it; a square beside an empty corner is not.
            assert_eq!(stable_on_small_board(field.region, 0b111, 0), 0b111);
            assert_eq!(stable_on_small_board(field.region, 0b10, 0), 0);
            assert_eq!(stable_discs(Portable, EdgeTable::shared(), field, 0b111, 0, 3), Some(3));
            assert_eq!(stable_discs(Portable, EdgeTable::shared(), field, 0b111, 0, 4), None);
        }
    }

    /// Stable discs square by square: on each of its four lines a disc has a stable neighbour of its own or the end of the
    /// board beside it, or the line is full. `sure` are those that are known to be.
    fn slow(side: i32, own: u64, opponent: u64, sure: u64) -> u64 {
        let inside = |column: i32, row: i32| (0..side).contains(&column) && (0..side).contains(&row);
        let bit = |column: i32, row: i32| 1u64 << (8 * row + column);
        let mut stable = sure;
        loop {
            let before = stable;
            for square in 0..64 {
                let (column, row) = (square % 8, square / 8);
                if !inside(column, row) || own & bit(column, row) == 0 {
                    continue;
                }
                let held = [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().all(|(east, south)| {
                    let along = |steps: i32| (column + steps * east, row + steps * south);
                    let line = || (-8..=8).map(along).filter(|(column, row)| inside(*column, *row));
                    let full = line().all(|(column, row)| (own | opponent) & bit(column, row) != 0);
                    full || [along(1), along(-1)]
                        .into_iter()
                        .any(|(column, row)| !inside(column, row) || stable & bit(column, row) != 0)
                });
                if held {
                    stable |= bit(column, row);
                }
            }
            if stable == before {
                return stable;
            }
        }
    }

    #[test]
    fn stable_discs_are_those_found_square_by_square() {
        let mut random = 5u64;
        let mut next = || {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            random ^ random >> 31
        };
        for side in [4, 6, 8] {
            let field = Field::of(Size::new(side).unwrap());
            for _ in 0..2000 {
                // Nearly full boards, mostly of one colour.
                let empty = next() & next() & next() & next();
                let own = (next() | next() | next()) & !empty & field.region;
                let opponent = field.region & !empty & !own;
                let (found, sure) = if side == 8 {
                    let edges = EdgeTable::shared().edges(Portable, own, opponent);
                    (stable_on_full_board(edges, own, opponent), edges)
                } else {
                    (stable_on_small_board(field.region, own, opponent), 0)
                };
                // On 8×8 the edges are known by heart, and better so than square by square.
                let border = if side == 8 { !INNER } else { 0 };
                let slow = slow(side as i32, own & !border | sure, opponent | own & border, sure);
                assert_eq!(found, slow, "{own:x} {opponent:x}");
            }
            // Of a full board all discs are stable, no more.
            let discs = |needed| stable_discs(Portable, EdgeTable::shared(), field, field.region, 0, needed);
            assert_eq!((discs(field.cells), discs(field.cells + 1)), (Some(field.cells), None));
        }
    }
}
