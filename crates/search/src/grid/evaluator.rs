use emilia_rules::{Direction, Objective, Playable, Point, Size, SquareSet};

use super::tables::GridTables;
use super::weights;

/// What an evaluation on a board of any size is made of: how far the side to move is ahead in each of these, as a
/// share, so that a figure means about the same on every board. Most lie between −1 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridFeatures(pub [f32; GridFeatures::COUNT]);

impl GridFeatures {
    /// How many there are.
    pub const COUNT: usize = 16;

    /// What they are called, in their order.
    pub const NAMES: [&'static str; GridFeatures::COUNT] = [
        "turn",
        "mobility",
        "frontier",
        "discs",
        "thin",
        "corners",
        "x_squares",
        "c_squares",
        "a_squares",
        "anchored",
        "edges",
        "second_ring",
        "exposed_ring",
        "third_ring",
        "fourth_ring",
        "stable",
    ];

    /// Those of a position in which somebody can still move.
    #[must_use]
    pub fn of<P: Playable>(position: &P) -> GridFeatures {
        let mobility = [position, &position.passed()].map(|side| side.placements().count());
        Geometry::judging(position.size(), Objective::Most, None).features(position, mobility)
    }
}

/// So many discs of the opponent ask for one of one's own: who has hardly any left is soon wiped out, which on large
/// boards no search sees coming.
const THIN_SHARE: i32 = 6;
/// So many discs of the opponent ask for one of one's own, but not for more than the board has columns, on the boards that have a
/// price for few discs: with tables alone a side with 2 discs against 40 believes itself far ahead, until a few plies before
/// the end of the game.
const FEW_SHARE: f32 = 2.0;
/// The same on large boards, and the side of the smallest of them.
const FEW_SHARE_LARGE: f32 = 3.0;
const LARGE_FROM_SIDE: u8 = 18;
/// The answer leaves so great a part of a few discs to who has just moved, on 18×18. That is the largest board that is judged by tables
/// from the first move on: searches that end with one's own move, by which 5 discs have become 16, did not see the danger.
/// Birthplace: docs/tuning.md, "18×18: as after the answer".
const LEFT_BY_ANSWER: f32 = 0.6;
const ANSWERED_SIDE: u8 = 18;
/// Who has so many discs less than the board has columns may be wiped out by the next move…
const FEW_IN_DANGER: u32 = 4;
/// … but not who has more than so many.
const MOST_IN_DANGER: u32 = 12;
/// The side of the smallest board with a price for few discs.
const FEW_FROM_SIDE: u8 = 12;
/// The side of the smallest board with an opening, in which tables do not count: who plays by them with so little on so large a
/// board is wiped out now and then.
const OPENING_FROM_SIDE: u8 = 20;
/// The opening lasts until the board is so full, in hundredths, …
const OPENING_FILLED: u32 = 12;
/// … and as long as a side has fewer discs than so many tenths of the board's columns.
const OPENING_FEWER: u32 = 7;
/// Rings inwards from the border in which stable discs are looked for.
const STABLE_RINGS: usize = 3;

/// What makes squares good or bad on a board of this size, whatever stands on them.
pub(super) struct Geometry<P: Playable> {
    size: Size,
    board: P::Set,
    corners: P::Set,
    /// The squares diagonally next to a corner, which give it away.
    x_squares: P::Set,
    /// The border squares next to a corner.
    c_squares: P::Set,
    /// The border squares next to those.
    a_squares: P::Set,
    /// The border without the corners.
    edges: P::Set,
    /// The rings inside the border.
    rings: [P::Set; 3],
    /// For the four kinds of lines, the squares where such a line ends at the border.
    line_ends: [P::Set; 4],
    /// What the shares are taken of: the squares of each kind.
    squares_in: SquareCounts,
    /// For every number of discs on the board what each feature is worth, in hundredths of a disc.
    weights: Vec<[f32; GridFeatures::COUNT]>,
    /// What discs near the corners and along the borders are worth, where that was learned.
    tables: Option<&'static GridTables>,
    /// For every number of discs on the board how much each stage counts.
    stages: Vec<[f32; GridTables::STAGES]>,
    /// For every number of discs on the board the usual error of the evaluation; nothing where there are no tables.
    errors: Vec<f32>,
    /// What few discs cost, where they are a danger.
    few: Option<PriceOfFew>,
}

/// One divided by how many squares of a kind there are.
struct SquareCounts {
    edges: f32,
    rings: [f32; 3],
}

/// The four kinds of lines through a square, by one of the two ways to follow them.
const LINES: [(Direction, Direction); 4] = [
    (Direction::North, Direction::South),
    (Direction::East, Direction::West),
    (Direction::NorthEast, Direction::SouthWest),
    (Direction::NorthWest, Direction::SouthEast),
];

impl<P: Playable> Geometry<P> {
    /// How a search that begins at this position judges all that it meets: values of two kinds cannot be compared.
    /// Birthplace of the opening: docs/tuning.md, "18×18 to 26×26".
    pub(super) fn at(position: &P, objective: Objective) -> Geometry<P> {
        let size = position.size();
        let (own, opponent) = (position.own().count(), position.opponent().count());
        let opening = size.get() >= OPENING_FROM_SIDE
            && (100 * (own + opponent) < OPENING_FILLED * size.cells() as u32
                || 10 * own.min(opponent) < OPENING_FEWER * u32::from(size.get()));
        if opening { Geometry::judging(size, objective, None) } else { Geometry::new(size, objective) }
    }

    /// By the tables for boards of this size, if there are any.
    pub(super) fn new(size: Size, objective: Objective) -> Geometry<P> {
        Geometry::judging(size, objective, GridTables::embedded(size, objective))
    }

    /// The same by these tables, or by the few weights that every board has.
    fn judging(size: Size, objective: Objective, tables: Option<&'static GridTables>) -> Geometry<P> {
        let side = size.get();
        let from_end = |index: u8| index.min(side - 1 - index);
        let set = |wanted: &dyn Fn(u8, u8) -> bool| -> P::Set {
            let wanted = |square: &P::Square| {
                let point: Point = (*square).into();
                let (column, row) = (from_end(point.column()), from_end(point.row()));
                // The board is symmetric: only the distances from the two nearest borders count.
                wanted(column.min(row), column.max(row))
            };
            P::Set::board(size).into_iter().filter(wanted).collect()
        };
        let board = P::Set::board(size);
        let edges = set(&|near, far| near == 0 && far > 0);
        let rings = [1, 2, 3].map(|ring| set(&|near, _| near == ring));
        let share = |set: P::Set| 1.0 / set.count().max(1) as f32;
        Geometry {
            size,
            board,
            corners: set(&|near, far| (near, far) == (0, 0)),
            x_squares: set(&|near, far| (near, far) == (1, 1)),
            c_squares: set(&|near, far| (near, far) == (0, 1)),
            a_squares: set(&|near, far| (near, far) == (0, 2)),
            edges,
            rings,
            line_ends: LINES.map(|(one, other)| board - (board.shifted(one) & board.shifted(other))),
            squares_in: SquareCounts { edges: share(edges), rings: rings.map(share) },
            weights: weights::by_discs(size, objective, tables),
            tables,
            errors: tables.map_or_else(Vec::new, |_| usual_errors(size, objective)),
            stages: stages(size, tables),
            few: PriceOfFew::new(size, objective, tables),
        }
    }

    /// What the position is worth to the side to move, in hundredths of a disc. The mobility is how many moves that side
    /// has, and how many the other would have.
    #[inline(always)]
    pub(super) fn score(&self, position: &P, mobility: [u32; 2]) -> i32 {
        let features = self.features(position, mobility);
        let (own, opponent) = (position.own().count(), position.opponent().count());
        let discs = (own + opponent) as usize;
        let mut score: f32 =
            features.0.iter().zip(&self.weights[discs]).map(|(feature, weight)| feature * weight).sum();
        if let Some(tables) = self.tables {
            let sums = tables.sums(position);
            let stages = &self.stages[discs];
            score += sums.iter().zip(stages).map(|(sum, share)| *sum as f32 * share).sum::<f32>();
        }
        if let Some(few) = &self.few {
            score += few.balance(own, opponent);
        }
        let most = (self.size.cells() * 100) as f32;
        score.clamp(-most, most) as i32
    }

    /// With how many discs a side may be wiped out by the next move, where few discs have a price.
    pub(super) fn discs_in_danger(&self) -> Option<u32> {
        self.few.as_ref().map(|few| (few.wanted as u32 - FEW_IN_DANGER).min(MOST_IN_DANGER))
    }

    /// Whether learned tables say what discs are worth.
    pub(super) fn has_tables(&self) -> bool {
        self.tables.is_some()
    }

    /// By how much what a position with so many discs is worth usually differs from a search of a few plies, in hundredths of a
    /// disc, where that was measured.
    #[inline(always)]
    pub(super) fn error(&self, discs: u32) -> Option<f32> {
        self.errors.get(discs as usize).copied()
    }

    /// How far the side to move is ahead in each respect.
    #[inline(always)]
    fn features(&self, position: &P, [moves, replies]: [u32; 2]) -> GridFeatures {
        let (own, opponent) = (position.own(), position.opponent());
        let empty = self.board - (own | opponent);
        let (own_count, opponent_count) = (own.count() as i32, opponent.count() as i32);
        let exposed = empty.grown();
        let lacking = |few: i32, many: i32| (many - THIN_SHARE * few).max(0);
        let thin = lacking(own_count, opponent_count) - lacking(opponent_count, own_count);

        // X-, C- and A-squares are special only as long as their corner is empty.
        let open_corners = self.corners & empty;
        let (mut x_squares, mut c_squares, mut a_squares) = (0.0, 0.0, 0.0);
        if !open_corners.is_empty() {
            let open = open_corners.grown();
            x_squares = ahead::<P>(own, opponent, self.x_squares & open);
            c_squares = ahead::<P>(own, opponent, self.c_squares & open);
            a_squares = ahead::<P>(own, opponent, self.a_squares & open.grown());
        }
        let (mut corners, mut anchored, mut stable) = (0.0, 0.0, 0.0);
        if open_corners != self.corners {
            corners = ahead::<P>(own, opponent, self.corners);
            let (own_anchored, opponent_anchored) = (self.anchored(own), self.anchored(opponent));
            anchored = own_anchored.count() as f32 - opponent_anchored.count() as f32;
            let inside = |discs, anchored| self.stable(discs, anchored).count() as f32;
            stable = inside(own, own_anchored) - inside(opponent, opponent_anchored);
        }
        let edge = self.squares_in.edges;
        let ring = self.squares_in.rings;
        GridFeatures([
            1.0,
            share(moves as i32, replies as i32),
            share((opponent & exposed).count() as i32, (own & exposed).count() as i32),
            share(own_count, opponent_count),
            thin as f32 / (own_count + opponent_count).max(1) as f32,
            corners / 4.0,
            x_squares / 4.0,
            c_squares / 8.0,
            a_squares / 8.0,
            anchored * edge,
            ahead::<P>(own, opponent, self.edges) * edge,
            ahead::<P>(own, opponent, self.rings[0]) * ring[0],
            ahead::<P>(own, opponent, self.rings[0] & (empty & self.edges).grown()) * ring[0],
            ahead::<P>(own, opponent, self.rings[1]) * ring[1],
            ahead::<P>(own, opponent, self.rings[2]) * ring[2],
            stable * edge,
        ])
    }

    /// Border discs joined to a corner of the same colour by an unbroken run, corners not counted.
    #[inline(always)]
    fn anchored(&self, discs: P::Set) -> P::Set {
        let corners = discs & self.corners;
        if corners.is_empty() {
            return P::Set::EMPTY;
        }
        let border = discs & self.edges;
        run::<P>(corners, border, Direction::North)
            | run::<P>(corners, border, Direction::East)
            | run::<P>(corners, border, Direction::South)
            | run::<P>(corners, border, Direction::West)
    }

    /// Discs inside the border that nobody can flip any more, as far as they follow from what is anchored there.
    #[inline(always)]
    fn stable(&self, discs: P::Set, anchored: P::Set) -> P::Set {
        if anchored.is_empty() {
            return P::Set::EMPTY;
        }
        let border = anchored | (discs & self.corners);
        let mut stable = border;
        for _ in 0..STABLE_RINGS {
            // Four calls, not a loop: each line then has its directions built in.
            let safe = discs
                & self.held(stable, 0)
                & self.held(stable, 1)
                & self.held(stable, 2)
                & self.held(stable, 3);
            if (safe - stable).is_empty() {
                break;
            }
            stable |= safe;
        }
        stable - border
    }

    /// Squares that cannot be flipped along lines of this kind: beside one that is stable, or where such a line ends.
    #[inline(always)]
    fn held(&self, stable: P::Set, line: usize) -> P::Set {
        let (one, other) = LINES[line];
        stable.shifted(one) | stable.shifted(other) | self.line_ends[line]
    }

    /// The squares around the empty corners.
    #[inline(always)]
    pub(super) fn around_open_corners(&self, position: &P) -> P::Set {
        (self.corners - (position.own() | position.opponent())).grown()
    }

    /// How promising a square looks before anything is searched: higher is better.
    /// `open` are the squares around the empty corners.
    #[inline(always)]
    pub(super) fn square_value(&self, square: P::Square, open: &P::Set) -> i32 {
        if self.corners.contains(square) {
            return CORNER;
        }
        let open_corner = open.contains(square);
        if self.x_squares.contains(square) {
            if open_corner { X_SQUARE } else { 0 }
        } else if self.c_squares.contains(square) {
            if open_corner { C_SQUARE } else { EDGE }
        } else if self.edges.contains(square) {
            EDGE
        } else if self.rings[0].contains(square) {
            -EDGE
        } else {
            0
        }
    }
}

/// For every number of discs on the board how much each stage counts: learned on a larger board, fillings are worth the same share of
/// this one; learned on a smaller one, they decide the less the more lies between the borders.
/// Birthplace of the latter: docs/tuning.md, "18×18 to 26×26".
fn stages(size: Size, tables: Option<&GridTables>) -> Vec<[f32; GridTables::STAGES]> {
    let learned_on = tables.map_or(size, GridTables::size);
    let times = size.cells() as f32 / learned_on.cells() as f32;
    let times = times.min(1.0 / times);
    (0..=size.cells()).map(|discs| weights::at_stages(discs, size).map(|share| share * times)).collect()
}

/// What it costs to have hardly any discs, so that nobody plays for that who does not see where it ends.
struct PriceOfFew {
    /// So many discs are enough, whatever the other side has.
    wanted: f32,
    /// So many discs of the other side ask for one.
    share: f32,
    /// What it costs to lack all of them, in hundredths of a disc.
    all: f32,
    /// The part of its discs that the side not to move is thought to keep.
    left: f32,
}

impl PriceOfFew {
    /// Boards without tables need no such price, and 10×10 has enough of `thin`.
    fn new(size: Size, objective: Objective, tables: Option<&GridTables>) -> Option<PriceOfFew> {
        let priced = objective == Objective::Most && tables.is_some() && size.get() >= FEW_FROM_SIDE;
        let share = if size.get() < LARGE_FROM_SIDE { FEW_SHARE } else { FEW_SHARE_LARGE };
        let left = if size.get() == ANSWERED_SIDE { LEFT_BY_ANSWER } else { 1.0 };
        priced.then(|| PriceOfFew {
            wanted: size.get().into(),
            share,
            all: (size.cells() * 100) as f32,
            left,
        })
    }

    /// What the other side pays, less what the side to move pays.
    #[inline(always)]
    fn balance(&self, own: u32, opponent: u32) -> f32 {
        let (own, opponent) = (own as f32, opponent as f32);
        let taken = (1.0 - self.left) * opponent;
        self.of(self.left * opponent, own + taken) - self.of(own, opponent)
    }

    /// What a side with so few discs pays against so many: the square of the share of the wanted discs that it lacks.
    #[inline(always)]
    fn of(&self, few: f32, many: f32) -> f32 {
        let wanted = (many / self.share).min(self.wanted);
        let share = (wanted - few).max(0.0) / self.wanted;
        share * share * self.all
    }
}

/// For every number of discs on a board with tables by how much searches two to four plies apart differ, in hundredths of a disc:
/// the standard deviation, which depends less on the depth than on the stage of the game.
///
/// Birthplace: searches of up to 8 plies in 550 positions of games by `grid_games` on 10×10, in five parts of the game: about
/// 1.2, 1.5, 2.2, 4.0 and 5.5 discs. Where the fewest discs win, searches of up to 10 plies in 250 positions on 8×8, with 16, 24, 32, 40
/// and 48 discs: about 0.5, 0.5, 0.9, 1.2 and 1.7 discs; taken 1.4 times, because large errors are more frequent there (docs/tuning.md).
fn usual_errors(size: Size, objective: Objective) -> Vec<f32> {
    let (at_first, more) = match objective {
        Objective::Most => (100.0, 550.0),
        Objective::Fewest => (42.0, 350.0),
    };
    let filled = |discs: usize| discs as f32 / size.cells() as f32;
    (0..=size.cells()).map(|discs| at_first + more * filled(discs).powi(2)).collect()
}

// For putting moves in order, in hundredths of a disc.
const CORNER: i32 = 1250;
const X_SQUARE: i32 = -450;
const C_SQUARE: i32 = -250;
const EDGE: i32 = 12;

/// The unbroken run of these squares that begins beside one of the others.
#[inline(always)]
fn run<P: Playable>(beside: P::Set, squares: P::Set, direction: Direction) -> P::Set {
    let mut run = P::Set::EMPTY;
    let mut next = beside.shifted(direction) & squares;
    while !next.is_empty() {
        run |= next;
        next = next.shifted(direction) & squares;
    }
    run
}

/// How many more of these squares the first side has than the second.
#[inline(always)]
fn ahead<P: Playable>(own: P::Set, opponent: P::Set, squares: P::Set) -> f32 {
    ((own & squares).count() as i32 - (opponent & squares).count() as i32) as f32
}

/// How much larger the first number is, as a share of both.
#[inline(always)]
fn share(own: i32, opponent: i32) -> f32 {
    (own - opponent) as f32 / (own + opponent).max(1) as f32
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::*;
    use emilia_rules::{Color, GridPosition, Kernel, Portable, Position, Symmetry, Task, Tier, parse_move};
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    /// The positions of a game of random moves.
    pub(crate) fn game(side: usize, seed: u64) -> Vec<GridPosition> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut positions = vec![GridPosition::start(Size::new(side).unwrap())];
        while let Some(here) = positions.last().filter(|here| !here.is_over()) {
            let moves: Vec<_> = here.moves().collect();
            positions.push(here.play(moves[random.random_range(0..moves.len())]).unwrap());
        }
        positions
    }

    #[test]
    fn a_turned_or_mirrored_board_is_worth_the_same() {
        let most = [4, 6, 10, 12, 14, 16, 20, 26].map(|side| (side, Objective::Most));
        for (side, objective) in most.into_iter().chain([(8, Objective::Fewest)]) {
            let geometry = Geometry::new(Size::new(side).unwrap(), objective);
            for position in game(side, 1).iter().step_by(7) {
                let score = |position: &GridPosition| {
                    let mobility = [*position, position.passed()].map(|side| side.placements().count());
                    geometry.score(position, mobility)
                };
                for symmetry in Symmetry::ALL {
                    assert_eq!(
                        score(&position.transformed(symmetry)),
                        score(position),
                        "{symmetry:?}: {position}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_one_side_is_ahead_the_other_is_behind() {
        for side in [4, 6, 10, 16, 26] {
            for position in game(side, 2).iter().step_by(5) {
                let [turn, own @ ..] = GridFeatures::of(position).0;
                let [other_turn, opponent @ ..] = GridFeatures::of(&position.passed()).0;
                assert_eq!((turn, own), (other_turn, opponent.map(|feature| -feature)), "{position}");
            }
        }
    }

    #[test]
    fn fewer_discs_never_cost_less_and_enough_cost_nothing() {
        for (side, share) in [(12, 2), (14, 2), (16, 2), (18, 3), (26, 3)] {
            let size = Size::new(side).unwrap();
            let tables = GridTables::embedded(size, Objective::Most);
            let price = PriceOfFew::new(size, Objective::Most, tables).unwrap();
            let cost = |few: u32, many: u32| price.of(few as f32, many as f32);
            for (few, many) in (0..100).flat_map(|few| (0..200).map(move |many| (few, many))) {
                assert!(cost(few, many) >= cost(few + 1, many), "{few} {many}");
                assert!(cost(few, many + 1) >= cost(few, many), "{few} {many}");
                let enough = few >= side as u32 || share * few >= many;
                assert_eq!(cost(few, many) == 0.0, enough, "{few} {many}");
            }
            // Nobody pays more than the whole board, and nobody for few discs where the fewest win.
            assert_eq!(cost(0, 1000), (side * side * 100) as f32);
            assert!(PriceOfFew::new(size, Objective::Fewest, tables).is_none());
        }
    }

    /// On 18×18 10 discs against 50 are 6 against 54 once the other has moved; elsewhere it does not matter whose turn it is.
    #[test]
    fn who_has_just_moved_pays_as_after_the_answer_on_18x18() {
        for side in [12, 16, 18, 20] {
            let size = Size::new(side).unwrap();
            let tables = GridTables::embedded(size, Objective::Most);
            let price = PriceOfFew::new(size, Objective::Most, tables).unwrap();
            let (paid_before_own_move, paid_after_it) = (-price.balance(10, 50), price.balance(50, 10));
            assert_eq!(paid_before_own_move, price.of(10.0, 50.0), "{size}");
            let expected = if side == 18 { price.of(6.0, 54.0) } else { paid_before_own_move };
            assert_eq!(paid_after_it, expected, "{size}");
        }
    }

    /// Black of this game on 12×12, who played by tables with too low a price for few discs, believed himself up to 50 discs ahead until
    /// he saw, five plies before its end, that he would have no disc left.
    pub(in crate::grid) const WIPED_OUT: &str = "f5 e5 g8 h6 g5 h8 h7 f8 h5 h4 g9 g10 i8 f4 e4 e3 g4 j9 e6 g3 i5 j5 i6 e7 e9 d10 i4 j3 d5 c5 f3 f2 \
        d6 j7 i9 c6 i7 h9 f10 j8 d4 c3 j6 k6 h3 h2 g2 g1 d8 c9 c7 b8 d7 e8 f9 e10 i3 j2 e2 d1 i2 i1 j10 k11 b7 a7";

    #[test]
    fn who_has_hardly_any_discs_is_not_ahead() {
        let size = Size::new(12).unwrap();
        let priced = Geometry::<GridPosition>::new(size, Objective::Most);
        let unpriced = Geometry { few: None, ..Geometry::<GridPosition>::new(size, Objective::Most) };
        let mut here = GridPosition::start(size);
        let (mut seen, mut taken_in) = (0, 0);
        for mv in WIPED_OUT.split_whitespace() {
            if here.own().count() <= 5 && here.opponent().count() >= 15 {
                let score = |geometry: &Geometry<GridPosition>| {
                    geometry.score(&here, [here, here.passed()].map(|side| side.placements().count()))
                };
                assert!(score(&priced) < 0, "{here}");
                taken_in += usize::from(score(&unpriced) > 0);
                seen += 1;
            }
            here = here.play(parse_move(mv, size).unwrap()).unwrap();
        }
        assert!(here.is_over() && here.discs(Color::Black).is_empty(), "{here}");
        assert!(seen > 20 && taken_in > 0, "{seen} positions, {taken_in} good without the price");
    }

    #[test]
    fn fillings_are_worth_the_same_share_of_smaller_boards_and_less_on_larger_ones() {
        let sizes = [14, 20, 24].map(|side| Size::new(side).unwrap());
        let tables = GridTables::embedded(sizes[0], Objective::Most);
        // A full board: the last stage alone counts.
        let full = sizes.map(|size| stages(size, tables).last().copied());
        assert_eq!(full, [196.0 / 400.0, 1.0, 400.0 / 576.0].map(|times| Some([0.0, 0.0, 0.0, times])));
    }

    /// Until the board is filled by 12 in 100 and both sides have seven discs for ten columns; smaller boards have no opening.
    #[test]
    fn large_boards_have_an_opening_without_tables() {
        let (mut with, mut without) = (0, 0);
        for (side, position) in [12, 18, 20, 26].into_iter().flat_map(|side| {
            (0..4).flat_map(move |seed| game(side, seed)).map(move |position| (side, position))
        }) {
            let (own, opponent) = (position.own().count() as usize, position.opponent().count() as usize);
            let few = 25 * (own + opponent) < 3 * side * side || 10 * own.min(opponent) < 7 * side;
            let geometry = Geometry::at(&position, Objective::Most);
            assert_eq!(geometry.has_tables(), side < 20 || !few, "{position}");
            if side < 20 {
                continue;
            }
            if few {
                without += 1
            } else {
                with += 1
            }
            // What goes with them goes without them.
            assert_eq!(geometry.discs_in_danger().is_some(), !few, "{position}");
            assert_eq!(geometry.error(20).is_some(), !few, "{position}");
        }
        assert!(with > 100 && without > 100, "{with} {without}");
    }

    /// A score, found by one kind of processor.
    struct Scored<'s>(&'s Geometry<GridPosition>, &'s GridPosition);

    impl Task for Scored<'_> {
        type Output = i32;

        fn run<K: Kernel>(self, kernel: K) -> i32 {
            let Scored(geometry, position) = self;
            kernel.enter(
                #[inline(always)]
                || {
                    let mobility = [*position, position.passed()].map(|side| side.placements().count());
                    geometry.score(position, mobility)
                },
            )
        }
    }

    #[test]
    fn every_kind_of_processor_finds_the_same_score() {
        let most = [6, 10, 12, 14, 20].map(|side| (side, Objective::Most));
        for (side, objective) in most.into_iter().chain([(8, Objective::Fewest)]) {
            let geometry = Geometry::new(Size::new(side).unwrap(), objective);
            for position in game(side, 4).iter().step_by(5) {
                let portable = Scored(&geometry, position).run(Portable);
                for tier in Tier::available() {
                    assert_eq!(tier.run(Scored(&geometry, position)), portable, "{tier:?}: {position}");
                }
            }
        }
    }

    #[test]
    fn small_boards_and_boards_of_every_size_agree() {
        for side in [4, 6] {
            for position in game(side, 3) {
                let small = Position::try_from(&position).unwrap();
                assert_eq!(GridFeatures::of(&small), GridFeatures::of(&position), "{position}");
            }
        }
    }

    #[test]
    fn discs_called_stable_or_anchored_stay() {
        let mut found = 0;
        for (side, seed) in [(6, 1), (6, 2), (8, 3), (10, 4), (10, 5), (12, 6), (14, 7)] {
            let geometry = Geometry::<GridPosition>::new(Size::new(side).unwrap(), Objective::Most);
            let game = game(side, seed);
            for color in [Color::Black, Color::White] {
                let end = game.last().unwrap().discs(color);
                for position in &game {
                    let discs = position.discs(color);
                    let anchored = geometry.anchored(discs);
                    let stable = geometry.stable(discs, anchored);
                    assert!(((anchored | stable) - end).is_empty(), "{position}");
                    found += stable.count();
                }
            }
        }
        assert!(found > 0);
    }
    /// By the next move alone: with so many discs, and only where few discs have a price.
    #[test]
    fn few_discs_are_a_danger_where_they_have_a_price() {
        let in_danger = |side: usize, objective: Objective| {
            Geometry::<GridPosition>::new(Size::new(side).unwrap(), objective).discs_in_danger()
        };
        let most = [8, 10, 12, 14, 16, 18, 26].map(|side| in_danger(side, Objective::Most));
        assert_eq!(most, [None, None, Some(8), Some(10), Some(12), Some(12), Some(12)]);
        assert_eq!([8, 12].map(|side| in_danger(side, Objective::Fewest)), [None; 2]);
    }

    /// Errors grow with the square of the share of the board that is filled, as they were measured.
    #[test]
    fn errors_are_largest_at_the_end() {
        let ten = Size::new(10).unwrap();
        for (objective, written) in
            [(Objective::Most, [100.0, 237.5, 650.0]), (Objective::Fewest, [42.0, 129.5, 392.0])]
        {
            let errors = usual_errors(ten, objective);
            assert_eq!(errors.len(), 101);
            assert_eq!([0, 50, 100].map(|discs| errors[discs]), written);
            assert!(errors.windows(2).all(|pair| pair[0] < pair[1]));
        }
        // Where there are no tables, nothing was measured.
        let error = |side: usize| {
            Geometry::<GridPosition>::new(Size::new(side).unwrap(), Objective::Most).error(20).is_some()
        };
        assert_eq!([6, 8, 10, 12].map(error), [false, false, true, true]);
    }
}
