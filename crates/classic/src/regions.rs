use emilia_rules::{Playable, Point, Size, SquareSet};

/// Where a square lies, in the words of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A corner of the board.
    Corner,
    /// At the border, next to a corner.
    C,
    /// Diagonally next to a corner.
    X,
    /// Elsewhere at the border, so many steps from the nearer corner.
    Border { from_corner: u8 },
    /// In the ring next to the border, so many columns or rows from the nearer corner.
    SecondRing { from_corner: u8 },
    /// One of the four squares in the middle.
    Centre,
    /// Anywhere else.
    Inside,
}

impl Place {
    pub(crate) fn of(point: Point, size: Size) -> Place {
        let last = size.get() - 1;
        let column = point.column().min(last - point.column());
        let row = point.row().min(last - point.row());
        let middle = size.get() / 2 - 1;
        match (column.min(row), column.max(row)) {
            (0, 0) => Place::Corner,
            (0, 1) => Place::C,
            (1, 1) => Place::X,
            (0, from_corner) => Place::Border { from_corner },
            (1, from_corner) => Place::SecondRing { from_corner },
            (near, _) if near == middle => Place::Centre,
            _ => Place::Inside,
        }
    }
}

/// How many rings lie between a square and the border: 0 at the border.
pub(crate) fn ring(point: Point, size: Size) -> u8 {
    let last = size.get() - 1;
    point.column().min(last - point.column()).min(point.row()).min(last - point.row())
}

/// The squares of a board for which the test holds.
pub(crate) fn squares_where<P: Playable>(size: Size, test: impl Fn(Point) -> bool) -> P::Set {
    P::Set::board(size).into_iter().filter(|square| test((*square).into())).collect()
}

/// The four corners.
pub(crate) fn corners<P: Playable>(size: Size) -> P::Set {
    squares_where::<P>(size, |point| Place::of(point, size) == Place::Corner)
}

/// The four squares diagonally next to the corners.
pub(crate) fn x_squares<P: Playable>(size: Size) -> P::Set {
    squares_where::<P>(size, |point| Place::of(point, size) == Place::X)
}
