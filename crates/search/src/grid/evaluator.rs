use emilia_rules::{Direction, Playable, Point, Size, SquareSet};

use super::GridReport;

/// What makes squares good or bad on a board of this size, whatever stands on them.
pub(super) struct Geometry<P: Playable> {
    size: Size,
    board: P::Set,
    corners: P::Set,
    /// The squares diagonally next to a corner, which give it away.
    x_squares: P::Set,
    /// The border squares next to a corner.
    c_squares: P::Set,
    /// The border without the corners.
    edges: P::Set,
    /// The ring inside the border: discs there open the border.
    second_ring: P::Set,
}

// Weights in hundredths of a disc, found by matches of `emilia match` on 6×6, 10×10 and 14×14 (docs/tuning.md).

/// A square the side can play to, at the start and at the end of a game.
const MOBILITY: (i32, i32) = (110, 60);
/// An empty square next to an opposing disc: a move to come.
const POTENTIAL: (i32, i32) = (35, 15);
/// A corner.
const CORNER: i32 = 1400;
/// A disc on an X-square while the corner is empty.
const X_SQUARE: i32 = -550;
/// A disc on a C-square while the corner is empty.
const C_SQUARE: i32 = -180;
/// A border disc that can never be flipped along the border, because the run from the corner is unbroken.
const ANCHORED: i32 = 220;
/// Another border disc.
const EDGE: i32 = 40;
/// A disc on the ring inside the border.
const SECOND_RING: i32 = -25;
/// A disc, at the start and at the end of a game.
const DISC: (i32, i32) = (-12, 60);
/// To move: having the turn is worth a little.
const TEMPO: i32 = 40;

impl<P: Playable> Geometry<P> {
    pub(super) fn new(size: Size) -> Geometry<P> {
        let side = size.get();
        let ring = |point: Point| {
            let (column, row) = (point.column(), point.row());
            column.min(row).min(side - 1 - column).min(side - 1 - row)
        };
        let set = |wanted: &dyn Fn(Point) -> bool| -> P::Set {
            P::Set::board(size).into_iter().filter(|square| wanted((*square).into())).collect()
        };
        let at_end = |index: u8| index == 0 || index == side - 1;
        let near_end = |index: u8| index == 1 || index == side - 2;
        let is_corner = |point: Point| at_end(point.column()) && at_end(point.row());
        Geometry {
            size,
            board: P::Set::board(size),
            corners: set(&is_corner),
            x_squares: set(&|point| near_end(point.column()) && near_end(point.row())),
            c_squares: set(&|point| {
                at_end(point.column()) && near_end(point.row())
                    || near_end(point.column()) && at_end(point.row())
            }),
            edges: set(&|point| ring(point) == 0 && !is_corner(point)),
            second_ring: set(&|point| ring(point) == 1),
        }
    }

    /// What the position is worth to the side to move, in hundredths of a disc.
    pub(super) fn score(&self, position: &P, placements: P::Set) -> i32 {
        let (own, opponent) = (position.own(), position.opponent());
        let empty = self.board - (own | opponent);
        let cells = self.size.cells() as i32;
        let filled = cells - empty.count() as i32;
        // Between the weight for the start and the weight for the end, by how full the board is.
        let phased = |(start, end): (i32, i32)| start + (end - start) * filled / cells;
        let difference = |own: P::Set, opponent: P::Set| own.count() as i32 - opponent.count() as i32;

        let mobility = difference(placements, position.passed().placements());
        let potential = difference(opponent.grown() & empty, own.grown() & empty);
        let mut score = TEMPO + phased(MOBILITY) * mobility + phased(POTENTIAL) * potential;
        score += phased(DISC) * difference(own, opponent);

        let corners = self.corners - empty;
        if !corners.is_empty() {
            score += CORNER * difference(own & corners, opponent & corners);
            score += ANCHORED * difference(self.anchored(own), self.anchored(opponent));
        }
        // X- and C-squares are bad only as long as their corner is empty.
        let open = (self.corners & empty).grown();
        score += X_SQUARE * difference(own & self.x_squares & open, opponent & self.x_squares & open);
        score += C_SQUARE * difference(own & self.c_squares & open, opponent & self.c_squares & open);
        score += EDGE * difference(own & self.edges, opponent & self.edges);
        score += SECOND_RING * difference(own & self.second_ring, opponent & self.second_ring);
        score.clamp(-GridReport::WIN / 4, GridReport::WIN / 4)
    }

    /// Border discs joined to a corner of the same colour by an unbroken run.
    fn anchored(&self, discs: P::Set) -> P::Set {
        let border = discs & (self.edges | self.corners);
        let mut anchored = P::Set::EMPTY;
        for direction in [Direction::North, Direction::East, Direction::South, Direction::West] {
            let mut run = discs & self.corners;
            while !run.is_empty() {
                anchored |= run;
                run = run.shifted(direction) & border;
            }
        }
        anchored - self.corners
    }

    /// How promising a square looks before anything is searched: higher is better.
    pub(super) fn square_value(&self, square: P::Square, empty: P::Set) -> i32 {
        if self.corners.contains(square) {
            return CORNER;
        }
        let open_corner = (self.corners & empty).grown().contains(square);
        if self.x_squares.contains(square) {
            if open_corner { X_SQUARE } else { 0 }
        } else if self.c_squares.contains(square) {
            if open_corner { C_SQUARE } else { EDGE }
        } else if self.edges.contains(square) {
            EDGE
        } else if self.second_ring.contains(square) {
            SECOND_RING
        } else {
            0
        }
    }
}
