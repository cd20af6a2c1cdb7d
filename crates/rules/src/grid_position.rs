use std::fmt;

use crate::grid::ROWS;
use crate::{Color, Grid, Playable, Point, Position, Setup, Size, SquareSet, Symmetry};

/// A position on a board of any even size from 4×4 to 26×26.
///
/// It is what front ends and records hold. Where speed counts, convert it to a [`Position`] if the board has at most 8×8
/// squares, and to one with as many rows as it needs otherwise.
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
pub struct GridPosition<const N: usize = ROWS> {
    own: Grid<N>,
    opponent: Grid<N>,
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

    /// A position with these discs; nothing if a square has two, one lies off the board, or there is none at all.
    ///
    /// ```
    /// use emilia_rules::{Color, Grid, GridPosition, Size};
    /// let (d4_e5, e4_d5) = (Grid::from_rows([0, 0, 0, 8, 16]), Grid::from_rows([0, 0, 0, 16, 8]));
    /// let start = GridPosition::new(e4_d5, d4_e5, Color::Black, Size::EIGHT);
    /// assert_eq!(start, Some(GridPosition::default()));
    /// assert_eq!(GridPosition::new(d4_e5, d4_e5, Color::Black, Size::EIGHT), None);
    /// ```
    #[must_use]
    pub fn new(own: Grid, opponent: Grid, turn: Color, size: Size) -> Option<GridPosition> {
        let all = own | opponent;
        let sound = (own & opponent).is_empty() && all.fits(size) && !all.is_empty();
        sound.then_some(GridPosition { own, opponent, turn, size })
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

    /// The same position with as many rows as are needed, if there are enough of them.
    ///
    /// ```
    /// use emilia_rules::{GridPosition, Playable, Size};
    /// let start = GridPosition::start(Size::new(10).unwrap());
    /// assert_eq!(start.narrowed::<16>().unwrap().counts(), start.counts());
    /// assert_eq!(start.narrowed::<8>(), None);
    /// ```
    #[must_use]
    pub fn narrowed<const N: usize>(&self) -> Option<GridPosition<N>> {
        let &GridPosition { own, opponent, turn, size } = self;
        let (own, opponent) = (own.narrowed(), opponent.narrowed());
        (usize::from(size.get()) <= N).then_some(GridPosition { own, opponent, turn, size })
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

impl<const N: usize> Playable for GridPosition<N> {
    type Square = Point;
    type Set = Grid<N>;

    #[inline(always)]
    fn size(&self) -> Size {
        self.size
    }

    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    fn own(&self) -> Grid<N> {
        self.own
    }

    #[inline(always)]
    fn opponent(&self) -> Grid<N> {
        self.opponent
    }

    #[inline(always)]
    fn placements(&self) -> Grid<N> {
        self.own.placements(&self.opponent, self.size)
    }

    #[inline(always)]
    fn flips(&self, point: Point) -> Grid<N> {
        self.own.flips(&self.opponent, point)
    }

    #[inline(always)]
    fn placed(&self, point: Point) -> GridPosition<N> {
        let flips = self.flips(point);
        GridPosition {
            own: self.opponent - flips,
            opponent: self.own | flips | Grid::only(point),
            turn: !self.turn,
            size: self.size,
        }
    }

    #[inline(always)]
    fn passed(&self) -> GridPosition<N> {
        GridPosition { own: self.opponent, opponent: self.own, turn: !self.turn, size: self.size }
    }

    #[inline(always)]
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
