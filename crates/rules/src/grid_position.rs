use std::fmt;

use crate::{Color, Grid, Playable, Point, Position, Setup, Size, SquareSet, Symmetry};

/// A position on a board of any even size from 4×4 to 26×26.
///
/// It is what front ends and records hold. Where speed counts on a board of at most 8×8, convert it to a
/// [`Position`].
///
/// ```
/// use emilia_rules::{GridPosition, Playable, Size};
/// let start = GridPosition::start(Size::new(4).unwrap());
/// assert_eq!(start.to_string(), "-----OX--XO----- X");
/// assert_eq!(start.placements().to_string(), "\
/// . * . .
/// * . . .
/// . . . *
/// . . * .
/// ");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridPosition {
    own: Grid,
    opponent: Grid,
    turn: Color,
    size: Size,
}

/// How the four discs in the middle lie when a game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// White on the diagonal from the top left: d4 and e5.
    #[default]
    Standard,
    /// Black on that diagonal: the mirror image.
    Mirrored,
}

impl GridPosition {
    /// The usual start on a board of this size, Black to move.
    #[must_use]
    pub fn start(size: Size) -> GridPosition {
        GridPosition::start_as(size, Start::Standard)
    }

    /// The start in this layout, Black to move.
    #[must_use]
    pub fn start_as(size: Size, start: Start) -> GridPosition {
        let high = size.get() / 2;
        let low = high - 1;
        let white: Grid = [Point::at(low, low), Point::at(high, high)].into_iter().collect();
        let black: Grid = [Point::at(high, low), Point::at(low, high)].into_iter().collect();
        let (own, opponent) = match start {
            Start::Standard => (black, white),
            Start::Mirrored => (white, black),
        };
        GridPosition { own, opponent, turn: Color::Black, size }
    }

    /// From discs that a [`Setup`] has checked.
    pub(crate) fn from_checked(black: Grid, white: Grid, turn: Color, size: Size) -> GridPosition {
        let (own, opponent) = match turn {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        GridPosition { own, opponent, turn, size }
    }

    /// The position turned or mirrored.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> GridPosition {
        GridPosition {
            own: symmetry.grid(self.own, self.size),
            opponent: symmetry.grid(self.opponent, self.size),
            ..*self
        }
    }

    /// One representative of the eight positions that differ only by symmetry.
    #[must_use]
    pub fn canonical(&self) -> GridPosition {
        Symmetry::ALL
            .iter()
            .map(|symmetry| self.transformed(*symmetry))
            .min_by_key(|position| (position.own, position.opponent))
            .unwrap_or(*self)
    }
}

impl Playable for GridPosition {
    type Square = Point;
    type Set = Grid;

    #[inline]
    fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    fn own(&self) -> Grid {
        self.own
    }

    #[inline]
    fn opponent(&self) -> Grid {
        self.opponent
    }

    #[inline]
    fn placements(&self) -> Grid {
        self.own.placements(&self.opponent, self.size)
    }

    #[inline]
    fn flips(&self, point: Point) -> Grid {
        self.own.flips(&self.opponent, point)
    }

    #[inline]
    fn placed(&self, point: Point) -> GridPosition {
        let flips = self.flips(point);
        GridPosition {
            own: self.opponent - flips,
            opponent: self.own | flips | Grid::only(point),
            turn: !self.turn,
            size: self.size,
        }
    }

    #[inline]
    fn passed(&self) -> GridPosition {
        GridPosition { own: self.opponent, opponent: self.own, turn: !self.turn, size: self.size }
    }

    #[inline]
    fn square(&self, point: Point) -> Option<Point> {
        self.size.contains(point).then_some(point)
    }
}

impl Default for GridPosition {
    /// The usual 8×8 start.
    fn default() -> GridPosition {
        GridPosition::start(Size::EIGHT)
    }
}

impl From<Position> for GridPosition {
    fn from(position: Position) -> GridPosition {
        GridPosition {
            own: Grid::from_word(position.own().0),
            opponent: Grid::from_word(position.opponent().0),
            turn: position.turn(),
            size: position.size(),
        }
    }
}

impl fmt::Display for GridPosition {
    /// The cells in row-major order as `X`, `O` and `-`, a blank, and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(*self).fmt(f)
    }
}
