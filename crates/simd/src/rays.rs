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
