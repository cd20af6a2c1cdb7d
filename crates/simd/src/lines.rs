//! The four lines through each square, for counting the flips of the last move by table.

/// The column and the two diagonals through a square, and its place on each of them and on its row.
#[cfg(target_arch = "x86_64")]
#[repr(C, align(32))]
pub(crate) struct Lines {
    /// Squares of the column, of the diagonal towards h8, of the diagonal towards a8.
    pub(crate) masks: [u64; 3],
    /// Index of the square among those of the row, the column, and the two diagonals, counted from a1.
    pub(crate) places: [u8; 4],
}

#[cfg(target_arch = "x86_64")]
pub(crate) static LINES: [Lines; 64] = {
    let mut lines = [const { Lines { masks: [0; 3], places: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
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
                    lines[square].places[line + 1] += (other < square) as u8;
                }
                line += 1;
            }
            other += 1;
        }
        lines[square].places[0] = column as u8;
        square += 1;
    }
    lines
};

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
