use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub};

use crate::{Direction, Size, Square, SquareSet};

/// A set of squares of the 8×8 board in one word: bit 0 is a1, bit 7 h1, bit 63 h8.
///
/// ```
/// use emilia_rules::{Bitboard, Square};
/// let diagonal: Bitboard = [Square::A1, Square::B2, Square::C3].into_iter().collect();
/// assert_eq!(format!("{diagonal}"), "\
/// * . . . . . . .
/// . * . . . . . .
/// . . * . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl Bitboard {
    /// The squares of a board of this size, in its top left part if it is smaller than 8×8.
    #[must_use]
    pub const fn region(size: Size) -> Bitboard {
        match size.get() {
            4 => Bitboard(0x0f0f_0f0f),
            6 => Bitboard(0x3f3f_3f3f_3f3f),
            _ => Bitboard(u64::MAX),
        }
    }
}

impl SquareSet for Bitboard {
    type Square = Square;

    const EMPTY: Bitboard = Bitboard(0);

    #[inline]
    fn board(size: Size) -> Bitboard {
        Bitboard::region(size)
    }

    #[inline]
    fn only(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    #[inline]
    fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    fn row(self, row: usize) -> u32 {
        u32::from(self.0.to_le_bytes()[row % 8])
    }

    #[inline]
    fn column(self, column: usize) -> u32 {
        // The product moves each row's bit to its place in the highest byte.
        (((self.0 >> (column % 8)) & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }

    #[inline]
    fn shifted(self, direction: Direction) -> Bitboard {
        Bitboard(match direction {
            Direction::North => self.0 >> 8,
            Direction::NorthEast => (self.0 & !FILE_H) >> 7,
            Direction::East => (self.0 & !FILE_H) << 1,
            Direction::SouthEast => (self.0 & !FILE_H) << 9,
            Direction::South => self.0 << 8,
            Direction::SouthWest => (self.0 & !FILE_A) << 7,
            Direction::West => (self.0 & !FILE_A) >> 1,
            Direction::NorthWest => (self.0 & !FILE_A) >> 9,
        })
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::only(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The members of a [`Bitboard`] in row-major order.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::ALL[(self.0.trailing_zeros() & 63) as usize];
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            for column in 0..8 {
                f.write_str(if self.0 >> (row * 8 + column) & 1 != 0 { "*" } else { "." })?;
                f.write_str(if column < 7 { " " } else { "\n" })?;
            }
        }
        Ok(())
    }
}
