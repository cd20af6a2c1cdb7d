/// The squares that can be seen from each square along the eight lines, without the square itself.
///
/// First the four lines towards higher squares (east, south-west, south, south-east), then the four towards lower
/// ones (west, north-east, north, north-west), so that line `i + 4` is line `i` the other way.
#[repr(C, align(64))]
pub(crate) struct Rays(pub(crate) [u64; 8]);

/// How far apart neighbours on a line are; line `i + 4` goes back by what line `i` goes forward.
pub(crate) const STEPS: [u32; 4] = [1, 7, 8, 9];

pub(crate) static RAYS: [Rays; 64] = {
    const DIRECTIONS: [(i32, i32); 8] =
        [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [const { Rays([0; 8]) }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 8 {
            let (columns, rows) = DIRECTIONS[line];
            let mut column = square as i32 % 8 + columns;
            let mut row = square as i32 / 8 + rows;
            while column >= 0 && column < 8 && row >= 0 && row < 8 {
                rays[square].0[line] |= 1 << (row * 8 + column);
                column += columns;
                row += rows;
            }
            line += 1;
        }
        square += 1;
    }
    rays
};

/// All columns but a and h: a run of flipped discs that is not vertical never touches these two.
pub(crate) const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use pairs::{PAIRS, flips_on_row, moves_on_row};

/// For kernels whose registers hold a board and the same board upside down.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod pairs {
    use super::RAYS;

    /// The lines from a square that lead to other rows, by pairs: south-west, south and south-east, each beside the same
    /// line from the square's place on the board upside down.
    #[repr(C, align(16))]
    pub(crate) struct Pairs(pub(crate) [[u64; 2]; 3]);

    pub(crate) static PAIRS: [Pairs; 64] = {
        let mut pairs = [const { Pairs([[0; 2]; 3]) }; 64];
        let mut square = 0;
        while square < 64 {
            let mut line = 0;
            while line < 3 {
                pairs[square].0[line] = [RAYS[square].0[line + 1], RAYS[square ^ 56].0[line + 1]];
                line += 1;
            }
            square += 1;
        }
        pairs
    };

    /// The squares along the rows beyond the runs of `inner` that begin beside `own`.
    #[inline(always)]
    pub(crate) fn moves_on_row(own: u64, inner: u64) -> u64 {
        let mut up = (own << 1) & inner;
        let mut down = (own >> 1) & inner;
        up |= (up << 1) & inner;
        down |= (down >> 1) & inner;
        let up_pairs = inner & (inner << 1);
        let down_pairs = up_pairs >> 1;
        up |= (up << 2) & up_pairs;
        down |= (down >> 2) & down_pairs;
        up |= (up << 2) & up_pairs;
        down |= (down >> 2) & down_pairs;
        (up << 1) | (down >> 1)
    }

    /// The discs of its row that a disc on `square` flips.
    #[inline(always)]
    pub(crate) fn flips_on_row(own: u64, opponent: u64, square: u32) -> u64 {
        let rays = &RAYS[(square & 63) as usize].0;
        let (east, west) = (rays[0], rays[4]);
        let end = east & !opponent;
        let end = end & end.wrapping_neg() & own;
        let flipped_east = east & end.wrapping_sub(u64::from(end != 0));
        let end = west & !opponent;
        let end = (1u64 << 63).checked_shr(end.leading_zeros()).unwrap_or(0) & own;
        flipped_east | west & (end << 1).wrapping_neg()
    }
}
