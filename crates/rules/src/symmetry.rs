use crate::{Bitboard, Grid, Point, Size, SquareSet};

/// One of the eight ways to turn or mirror a square board onto itself.
///
/// ```
/// use emilia_rules::{Point, Size, Symmetry};
/// let b1 = Point::new(1, 0).unwrap();
/// assert_eq!(Symmetry::Rotate90.point(b1, Size::EIGHT).to_string(), "h2");
/// for symmetry in Symmetry::ALL {
///     assert_eq!(symmetry.inverse().point(symmetry.point(b1, Size::EIGHT), Size::EIGHT), b1);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Leave everything where it is.
    Identity,
    /// Mirror along the main diagonal a1–h8: columns become rows.
    Transpose,
    /// Mirror left and right.
    MirrorColumns,
    /// A quarter turn clockwise.
    Rotate90,
    /// Mirror top and bottom.
    MirrorRows,
    /// A quarter turn counter-clockwise.
    Rotate270,
    /// Half a turn.
    Rotate180,
    /// Mirror along the other diagonal.
    AntiTranspose,
}

impl Symmetry {
    /// All eight; the first is the identity.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Transpose,
        Symmetry::MirrorColumns,
        Symmetry::Rotate90,
        Symmetry::MirrorRows,
        Symmetry::Rotate270,
        Symmetry::Rotate180,
        Symmetry::AntiTranspose,
    ];

    /// Every symmetry is: transpose or not, then mirror the columns or not, then the rows or not.
    const fn parts(self) -> (bool, bool, bool) {
        let code = self as u8;
        (code & 1 != 0, code & 2 != 0, code & 4 != 0)
    }

    const fn from_parts(transpose: bool, columns: bool, rows: bool) -> Symmetry {
        Symmetry::ALL[transpose as usize | (columns as usize) << 1 | (rows as usize) << 2]
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        let (transpose, columns, rows) = self.parts();
        if transpose { Symmetry::from_parts(true, rows, columns) } else { self }
    }

    /// First this one, then the other.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        let (transpose, mut columns, mut rows) = self.parts();
        let (next_transpose, next_columns, next_rows) = next.parts();
        if next_transpose {
            (columns, rows) = (rows, columns);
        }
        Symmetry::from_parts(transpose != next_transpose, columns != next_columns, rows != next_rows)
    }

    /// Where the point goes.
    #[must_use]
    pub const fn point(self, point: Point, size: Size) -> Point {
        let (transpose, columns, rows) = self.parts();
        let last = size.get() - 1;
        let (mut column, mut row) = (point.column(), point.row());
        if transpose {
            (column, row) = (row, column);
        }
        if columns {
            column = last - column;
        }
        if rows {
            row = last - row;
        }
        Point::at(column, row)
    }

    /// Where a set of squares of a board of at most 8×8 goes.
    #[must_use]
    pub fn bitboard(self, set: Bitboard, size: Size) -> Bitboard {
        let (transpose, columns, rows) = self.parts();
        // A smaller board lies in the top left of the frame, so a mirrored one has to be pushed back there.
        let gap = u32::from(8 - size.get().min(8));
        let mut word = set.0;
        if transpose {
            word = transposed(word);
        }
        if columns {
            word = mirrored_columns(word) >> gap;
        }
        if rows {
            word = word.swap_bytes() >> (8 * gap);
        }
        Bitboard(word)
    }

    /// Where a set of squares of any board goes.
    #[must_use]
    pub fn grid(self, set: Grid, size: Size) -> Grid {
        if size.is_compact() {
            return Grid::from_word(self.bitboard(Bitboard(set.word()), size).0);
        }
        (set & Grid::board(size)).into_iter().map(|point| self.point(point, size)).collect()
    }
}

const fn mirrored_columns(word: u64) -> u64 {
    word.swap_bytes().reverse_bits()
}

/// Mirrors along the main diagonal by exchanging ever larger blocks.
const fn transposed(word: u64) -> u64 {
    const fn exchange(word: u64, distance: u32, mask: u64) -> u64 {
        let moved = (word ^ (word >> distance)) & mask;
        word ^ moved ^ (moved << distance)
    }
    let word = exchange(word, 7, 0x00aa_00aa_00aa_00aa);
    let word = exchange(word, 14, 0x0000_cccc_0000_cccc);
    exchange(word, 28, 0x0000_0000_f0f0_f0f0)
}
