use std::fmt;

use crate::Point;

/// Declares the 64 squares and, from the same list, the way back from an index.
macro_rules! squares {
    ($($name:ident),+ $(,)?) => {
        /// A square of the 8×8 board (or of the 4×4 and 6×6 boards, which are its top left part).
        ///
        /// Row-major from the top left: `A1` is 0, `H1` is 7, `H8` is 63.
        ///
        /// ```
        /// use emilia_rules::Square;
        /// assert_eq!(Square::D3.to_string(), "d3");
        /// assert_eq!(Square::from_index(19), Some(Square::D3));
        /// assert_eq!((Square::D3.column(), Square::D3.row()), (3, 2));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Square { $($name),+ }

        impl Square {
            /// All squares in row-major order.
            pub const ALL: [Square; 64] = [$(Square::$name),+];
        }
    };
}

#[rustfmt::skip]
squares! {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// The square with this row-major index, if it is below 64.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < 64 { Some(Square::ALL[index as usize]) } else { None }
    }

    /// The square in this column and row, both counted from 0, if there is one.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square::ALL[(row * 8 + column) as usize]) } else { None }
    }

    /// Row-major index, 0…63.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// Column from the left, 0…7.
    #[must_use]
    pub const fn column(self) -> u8 {
        self as u8 % 8
    }

    /// Row from the top, 0…7.
    #[must_use]
    pub const fn row(self) -> u8 {
        self as u8 / 8
    }
}

impl From<Square> for Point {
    fn from(square: Square) -> Point {
        Point::at(square.column(), square.row())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Point::from(*self).fmt(f)
    }
}
