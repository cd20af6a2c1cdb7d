use emilia_rules::{Bitboard, Size};

/// What the search must know about a board of 4×4, 6×6 or 8×8. The smaller ones lie in the top left part of the
/// 8×8 board.
#[derive(Debug)]
pub(crate) struct Field {
    /// The squares of the board.
    pub(crate) region: u64,
    /// How many there are.
    pub(crate) cells: i32,
    /// The four quarters of the board. Whoever plays first into a quarter with an odd number of empty squares
    /// tends to play last there as well.
    pub(crate) quarters: [u64; 4],
    /// The quarter of each square.
    pub(crate) quarter_of: [u8; 64],
    /// The four corners.
    pub(crate) corners: u64,
    /// The squares beside them.
    pub(crate) beside_corners: u64,
    /// How much each square is worth as a move.
    pub(crate) square_value: [i8; 64],
}

static FIELDS: [Field; 3] = [
    Field::new(4, &SquareValues::FITTED),
    Field::new(6, &SquareValues::FITTED),
    Field::new(8, &SquareValues::FITTED),
];

/// How much a square is worth as a move near the end of the game, before anything else is known, in 24ths of a reply of
/// the opponent: one number for each kind of square, by its distances from the two nearest borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareValues(pub [i8; SquareValues::KINDS]);

impl SquareValues {
    /// Kinds of squares on 8×8, of which smaller boards have fewer.
    pub const KINDS: usize = 10;

    /// What each kind is called on 8×8, in the order of the values.
    pub const NAMES: [&str; SquareValues::KINDS] =
        ["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"];

    /// The values that the search uses: corners first, the squares diagonally next to them last.
    ///
    /// Birthplace: `square_values`, an example of this crate, on `data/endgame/exact/e09.obf` to `e14.obf`, that is on the
    /// 4552 boards of 8 to 13 empty squares after each of their moves: 23.08 million nodes, 23.78 with all squares alike.
    pub const FITTED: SquareValues = SquareValues([11, 1, -17, 0, -8, -1, -2, 2, 2, 0]);

    pub(crate) const fn kind(column: usize, row: usize, side: usize) -> usize {
        let column = if column < side / 2 { column } else { side - 1 - column };
        let row = if row < side / 2 { row } else { side - 1 - row };
        let (near, far) = if column < row { (column, row) } else { (row, column) };
        far * (far + 1) / 2 + near
    }
}

/// The squares beside each square, off the smaller boards too: no disc is ever there.
pub(crate) static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (columns, rows) = ((square % 8_i32 - other % 8).abs(), (square / 8_i32 - other / 8).abs());
            if columns <= 1 && rows <= 1 && square != other {
                table[square as usize] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

impl Field {
    /// The field of boards of this size, which must be at most 8×8.
    pub(crate) fn of(size: Size) -> &'static Field {
        match size.get() {
            4 => &FIELDS[0],
            6 => &FIELDS[1],
            _ => &FIELDS[2],
        }
    }

    pub(crate) const fn new(side: usize, values: &SquareValues) -> Field {
        let corners = 1 | 1 << (side - 1) | 1 << (8 * (side - 1)) | 1 << (9 * (side - 1));
        let mut field = Field {
            region: 0,
            cells: (side * side) as i32,
            quarters: [0; 4],
            quarter_of: [0; 64],
            corners,
            beside_corners: 0,
            square_value: [0; 64],
        };
        let mut row = 0;
        while row < side {
            let mut column = 0;
            while column < side {
                let square = row * 8 + column;
                let quarter = (2 * row / side) * 2 + 2 * column / side;
                field.region |= 1 << square;
                field.quarters[quarter] |= 1 << square;
                field.quarter_of[square] = quarter as u8;
                field.square_value[square] = values.0[SquareValues::kind(column, row, side)];
                if NEIGHBOURS[square] & corners != 0 {
                    field.beside_corners |= 1 << square;
                }
                column += 1;
            }
            row += 1;
        }
        field
    }

    /// The squares outside the board, as both sides' discs: this keeps boards of different size apart in a table.
    #[inline(always)]
    pub(crate) fn wall(&self) -> u64 {
        !self.region
    }

    /// The squares of all quarters that have an odd number of these empty squares.
    #[inline(always)]
    pub(crate) fn odd_quarters(&self, empties: u64) -> u64 {
        let mut odd = 0;
        for quarter in self.quarters {
            odd |= quarter & u64::from((empties & quarter).count_ones() & 1).wrapping_neg();
        }
        odd
    }

    /// The squares of all odd quarters after a disc was placed on this square.
    #[inline(always)]
    pub(crate) fn odd_after(&self, odd: u64, square: u32) -> u64 {
        odd ^ self.quarters[usize::from(self.quarter_of[square as usize & 63] & 3)]
    }

    /// The final score of a finished game: the disc difference, after the empty squares went to the winner.
    #[inline(always)]
    pub(crate) fn final_score(&self, own: u64, opponent: u64) -> i32 {
        let (own, opponent) = (own.count_ones() as i32, opponent.count_ones() as i32);
        match own.cmp(&opponent) {
            std::cmp::Ordering::Greater => self.cells - 2 * opponent,
            std::cmp::Ordering::Less => 2 * own - self.cells,
            std::cmp::Ordering::Equal => 0,
        }
    }
}

/// The squares of a set, lowest first.
#[inline(always)]
pub(crate) fn squares(set: u64) -> impl Iterator<Item = u32> {
    Bitboard(set).into_iter().map(|square| u32::from(square.index()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{SquareSet, Symmetry};

    #[test]
    fn quarters_part_the_board() {
        for side in [4, 6, 8] {
            let field = Field::of(Size::new(side).unwrap());
            assert_eq!(field.quarters.iter().fold(0, |all, quarter| all ^ quarter), field.region);
            assert!(field.quarters.iter().all(|quarter| quarter.count_ones() as usize == side * side / 4));
            assert_eq!(field.odd_quarters(field.region), if side == 6 { field.region } else { 0 });
            assert_eq!(
                field.odd_quarters(1 << 63 & field.region | 1),
                field.quarters[0] | if side == 8 { field.quarters[3] } else { 0 }
            );
        }
    }

    #[test]
    fn three_squares_are_beside_each_corner() {
        for side in [4, 6, 8] {
            let field = Field::of(Size::new(side).unwrap());
            assert_eq!((field.corners.count_ones(), field.beside_corners.count_ones()), (4, 12));
            assert_eq!(field.beside_corners & (field.corners | !field.region), 0);
        }
        assert_eq!(Field::of(Size::EIGHT).beside_corners, 0x42c3_0000_0000_c342);
    }

    #[test]
    fn empty_squares_go_to_the_winner() {
        let field = Field::of(Size::EIGHT);
        assert_eq!(field.final_score(0b111, 0b1000), 62);
        assert_eq!(field.final_score(0b1, 0b1010), -62);
        assert_eq!(field.final_score(0b1111, 0b111_0000), 58);
        assert_eq!(field.final_score(0b111, 0b1111_0000), -58);
        assert_eq!(field.final_score(0b1, 0b10), 0);
    }

    #[test]
    fn neighbours_are_all_around_a_square() {
        for (square, neighbours) in NEIGHBOURS.into_iter().enumerate() {
            let alone = 1u64 << square;
            assert_eq!(neighbours, Bitboard(alone).grown().0 & !alone, "{square}");
        }
    }

    /// Each kind of square has the value that stands in its place, on all sides of the board.
    #[test]
    fn squares_have_the_value_of_their_kind() {
        let values = SquareValues([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for side in [4, 6, 8] {
            let (size, field) = (Size::new(side).unwrap(), Field::new(side, &values));
            let mut seen = 0;
            for (kind, name) in SquareValues::NAMES.into_iter().enumerate() {
                let named = name.as_bytes();
                let (column, row) = (usize::from(named[0] - b'a'), usize::from(named[1] - b'1'));
                if column.max(row) >= side / 2 {
                    continue;
                }
                let square = Bitboard(1 << (row * 8 + column));
                for symmetry in Symmetry::ALL {
                    let turned = symmetry.bitboard(square, size).0;
                    assert_eq!(field.square_value[turned.trailing_zeros() as usize], kind as i8, "{name}");
                    seen |= turned;
                }
            }
            assert_eq!(seen, field.region);
            assert_eq!((field.cells, field.wall()), ((side * side) as i32, !field.region));
        }
        let SquareValues(fitted) = SquareValues::FITTED;
        assert_eq!(fitted.iter().max(), Some(&fitted[0]), "a corner");
        assert_eq!(fitted.iter().min(), Some(&fitted[2]), "an X-square");
    }

    #[test]
    fn a_disc_makes_its_quarter_odd_or_even() {
        for side in [4, 6, 8] {
            let field = Field::of(Size::new(side).unwrap());
            let mut empties = field.region;
            for square in squares(field.region) {
                let odd = field.odd_quarters(empties);
                empties &= !(1 << square);
                assert_eq!(field.odd_after(odd, square), field.odd_quarters(empties));
            }
            assert_eq!(empties, 0);
        }
    }
}
