use emilia_rules::{Direction, Playable, Point, Size, SquareSet};

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

/// A share of the legal moves, in percent, by which one side has more.
const MOBILITY: i32 = 5;
/// A share of the frontier discs, in percent, by which one side has fewer.
const FRONTIER: i32 = 5;
/// A share of the discs, in percent, by which one side has more: at the start and at the end of a game.
const DISCS: (i32, i32) = (0, 4);
/// A disc that one side lacks to have at least one for every [`THIN_SHARE`] of the other's: who has hardly any left is
/// soon wiped out, which on large boards no search sees coming.
const THIN: i32 = -60;
/// So many discs of the opponent ask for one of one's own.
const THIN_SHARE: i32 = 6;
/// A corner.
const CORNER: i32 = 1250;
/// A disc on an X-square while the corner is empty.
const X_SQUARE: i32 = -450;
/// A disc on a C-square while the corner is empty.
const C_SQUARE: i32 = -250;
/// A border disc that can never be flipped along the border, because the run from the corner is unbroken.
const ANCHORED: i32 = 120;
/// Another border disc.
const EDGE: i32 = 12;

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
    #[inline(always)]
    pub(super) fn score(&self, position: &P, placements: P::Set) -> i32 {
        let (own, opponent) = (position.own(), position.opponent());
        let empty = self.board - (own | opponent);
        let (own_count, opponent_count) = (own.count() as i32, opponent.count() as i32);
        let cells = self.size.cells() as i32;
        let filled = own_count + opponent_count;
        let difference = |own: P::Set, opponent: P::Set| own.count() as i32 - opponent.count() as i32;

        let mobility = share(placements.count() as i32, position.passed().placements().count() as i32);
        let exposed = empty.grown();
        let frontier = share((opponent & exposed).count() as i32, (own & exposed).count() as i32);
        // Between the weight for the start and the weight for the end, by how full the board is.
        let discs_weight = DISCS.0 + (DISCS.1 - DISCS.0) * filled / cells;
        let mut score =
            MOBILITY * mobility + FRONTIER * frontier + discs_weight * share(own_count, opponent_count);

        let lacking = |few: i32, many: i32| (many / THIN_SHARE - few).max(0);
        score += THIN * (lacking(own_count, opponent_count) - lacking(opponent_count, own_count));

        let corners = self.corners - empty;
        if !corners.is_empty() {
            score += CORNER * difference(own & corners, opponent & corners);
            score += ANCHORED * difference(self.anchored(own), self.anchored(opponent));
        }
        // X- and C-squares are bad only as long as their corner is empty.
        let open = (self.corners & empty).grown();
        if !open.is_empty() {
            let (x_squares, c_squares) = (self.x_squares & open, self.c_squares & open);
            score += X_SQUARE * difference(own & x_squares, opponent & x_squares);
            score += C_SQUARE * difference(own & c_squares, opponent & c_squares);
        }
        score + EDGE * difference(own & self.edges, opponent & self.edges)
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
            -EDGE
        } else {
            0
        }
    }
}

/// How much larger the first number is, as a share of both in percent: 0 if they are equal, else at least 50 either
/// way, because being ahead at all is what counts.
fn share(own: i32, opponent: i32) -> i32 {
    match own - opponent {
        0 => 0,
        lead if lead > 0 => 100 * own / (own + opponent),
        _ => -100 * opponent / (own + opponent),
    }
}
