//! The four lines through each square, for counting the flips of the last move by table.

use crate::rays::RAYS;

/// The column and the two diagonals through a square, and what a disc there flips on each of them and on its row.
#[cfg(target_arch = "x86_64")]
#[repr(C, align(64))]
pub(crate) struct Lines {
    /// Squares of the column, of the diagonal towards h8, of the diagonal towards a8.
    pub(crate) masks: [u64; 3],
    /// [`FLIPS_ON_FULL_LINE`] by the place of the square on the row, the column, and the two diagonals, counted from a1.
    pub(crate) flips: [&'static [u8; 256]; 4],
}

#[cfg(target_arch = "x86_64")]
pub(crate) static LINES: [Lines; 64] = {
    let mut lines = [const { Lines { masks: [0; 3], flips: [&FLIPS_ON_FULL_LINE[0]; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let mut places = [column, 0, 0, 0];
        let mut other = 0;
        while other < 64 {
            let (other_column, other_row) = (other % 8, other / 8);
            let on_line = [
                other_column == column,
                other_column + row == column + other_row,
                other_column + other_row == column + row,
            ];
            let mut line = 0;
            while line < 3 {
                if on_line[line] {
                    lines[square].masks[line] |= 1 << other;
                    places[line + 1] += (other < square) as usize;
                }
                line += 1;
            }
            other += 1;
        }
        let mut line = 0;
        while line < 4 {
            lines[square].flips[line] = &FLIPS_ON_FULL_LINE[places[line]];
            line += 1;
        }
        square += 1;
    }
    lines
};

/// The diagonals through each square: towards h8, towards a8.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &RAYS[square].0;
        diagonals[square] = [rays[3] | rays[7] | 1 << square, rays[1] | rays[5] | 1 << square];
        square += 1;
    }
    diagonals
};

/// Counts the flips of the last move by table, on processors that do not gather bits, or not all of them quickly: a
/// multiplication gathers those of a line, by columns on diagonals and by rows on a column.
#[inline(always)]
pub(crate) fn last_flips_by_products(own: u64, square: u32) -> u32 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    const A1_H8: u64 = 0x8040_2010_0804_0201;
    let (square, column, row) = ((square & 63) as usize, square & 7, square >> 3 & 7);
    let count =
        |place: u32, discs: u64| u32::from(FLIPS_ON_FULL_LINE[place as usize & 7][(discs & 0xff) as usize]);
    let by_columns = |line: u64| (own & line).wrapping_mul(A_FILE) >> 56;
    // The multiplication gathers a column from h8's end: its first row comes last.
    let on_column = (own >> column & A_FILE).wrapping_mul(A1_H8) >> 56;
    let [falling, rising] = DIAGONALS[square];
    count(column, own >> (8 * row))
        + count(7 - row, on_column)
        + count(column, by_columns(falling))
        + count(column, by_columns(rising))
}

/// Flips along one line when all its other squares are occupied, by the place of the move and the own discs as bits.
/// Places beyond the end of a shorter line hold no own disc, so nothing is flipped towards them.
pub(crate) static FLIPS_ON_FULL_LINE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0usize;
        while own < 256 {
            let above = (own >> place) >> 1;
            let below = own & ((1 << place) - 1);
            if above != 0 {
                table[place][own] += above.trailing_zeros() as u8;
            }
            if below != 0 {
                table[place][own] += place as u8 - 1 - below.ilog2() as u8;
            }
            own += 1;
        }
        place += 1;
    }
    table
};
