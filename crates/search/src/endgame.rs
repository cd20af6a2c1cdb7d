//! Exact search of the last dozen empty squares with a null window: fast ordering, no evaluator.

use std::sync::atomic::AtomicBool;

use arrayvec::ArrayVec;
use emilia_rules::{Bitboard, Board, Kernel, Size, Task, Tier};

use crate::control::{Control, PORTION};
use crate::field::{Field, SquareValues, squares};
use crate::move_values::{LEAST_EMPTIES, LateMove, MoveValues};
use crate::null_window::EXACT_FAST;
use crate::small_table::{Found, SmallEntry, SmallTable};
use crate::stability::{EdgeTable, stable_discs};

/// One thread's tools for exact endgames.
pub(crate) struct Endgame<'s, K> {
    pub(crate) kernel: K,
    /// What says when to break off.
    control: &'s Control<'s>,
    pub(crate) field: &'s Field,
    edges: &'static EdgeTable,
    /// What moves are worth on 8×8.
    pub(crate) values: Option<&'static MoveValues>,
    /// Boards near the leaves, and those above them, which are worth more and would be pushed out.
    near: SmallTable,
    far: SmallTable,
    /// Positions looked at: searched, or judged to order moves.
    pub(crate) nodes: u64,
    /// The clock is due at so many.
    look_at: u64,
}

/// The fewest empty squares at which the search can be broken off: what is below takes a small part of a millisecond,
/// while a board of 13 empty squares may take five.
/// Birthplace: docs/tuning.md.
const BREAK_OFF: u32 = 10;
/// The fewest empty squares at which the boards after each move are looked up before any is searched.
/// Birthplace: FFO #41–#44, docs/tuning.md.
const LOOK_AHEAD: u32 = 9;
/// The fewest empty squares of boards in the far table.
const FAR: u32 = 10;
/// The fewest empty squares at which moves are tried in the order that was learned.
/// Birthplace: FFO #40–#44 and #46–#48, docs/tuning.md.
const LEARNED: u32 = 8;
const _: () = assert!(LEARNED >= LEAST_EMPTIES);
/// Binary logarithms of the tables' sizes: 0.4 and 1.5 MB, which fit the second and the third level of caches.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const NEAR_SLOTS_LOG2: u32 = 14;
const FAR_SLOTS_LOG2: u32 = 16;

/// The lowest `alpha` at which stable discs are worth counting, by empty squares: below it they hardly ever cut.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const STABILITY_ALPHA: [i32; 64] = {
    let mut table = [64; 64];
    let mut empties = 0;
    while empties < 64 {
        table[empties] = match empties {
            0..=3 => 64,
            4 => 12,
            5..=6 => 12,
            7..=8 => 8,
            9..=12 => 12,
            13..=18 => 18,
            19..=24 => 24,
            25..=30 => 30,
            _ => 40,
        };
        empties += 1;
    }
    table
};

/// The most moves that a board left to this search can have: one for each empty square. A power of two.
const MOST_MOVES: usize = 16;
const _: () = assert!(EXACT_FAST as usize <= MOST_MOVES);

/// A move worth trying, and the board after it as the opponent sees it.
struct Child {
    square: u8,
    /// The opponent's legal moves.
    replies: u64,
    own: u64,
    opponent: u64,
}

/// The moves of a board, at most one per empty square, and how soon to try each.
struct Children {
    moves: ArrayVec<Child, MOST_MOVES>,
    /// The higher, the sooner; the lowest four bits tell which move it is. By themselves, so that they are compared all at once.
    orders: [i32; MOST_MOVES],
    /// The highest of them, before any move was picked.
    first: i32,
}

impl Children {
    #[inline(always)]
    fn new() -> Children {
        Children { moves: ArrayVec::new(), orders: [PICKED; MOST_MOVES], first: PICKED }
    }

    #[inline(always)]
    fn push(&mut self, order: i32, child: Child) {
        let at = self.moves.len() % MOST_MOVES;
        let order = order << 4 | at as i32;
        self.orders[at] = order;
        self.first = self.first.max(order);
        self.moves.push(child);
    }

    /// The most promising of the moves that were not picked before.
    #[inline(always)]
    fn pick(&mut self, number: usize) -> &Child {
        // Which one comes first is known without a look at what has just been written.
        let top = if number == 0 { self.first } else { self.orders.into_iter().fold(PICKED, i32::max) };
        let at = top as usize % MOST_MOVES;
        self.orders[at] = PICKED;
        &self.moves[at]
    }
}

/// The order of a move that was picked before, or that does not exist.
const PICKED: i32 = i32::MIN;

impl<'s, K: Kernel> Endgame<'s, K> {
    pub(crate) fn new(kernel: K, field: &'s Field, control: &'s Control<'s>) -> Endgame<'s, K> {
        Endgame {
            kernel,
            control,
            field,
            edges: EdgeTable::shared(),
            values: (field.cells == 64).then(MoveValues::embedded),
            near: SmallTable::new(NEAR_SLOTS_LOG2),
            far: SmallTable::new(FAR_SLOTS_LOG2),
            nodes: 0,
            look_at: PORTION,
        }
    }

    /// Whether to break off; looks at the clock from time to time, but leaves counting nodes to others.
    #[inline(always)]
    fn is_over(&mut self) -> bool {
        if self.nodes >= self.look_at {
            self.control.look();
            self.look_at = self.nodes + PORTION;
        }
        self.control.is_over()
    }

    /// The most the side to move can get, if the opponent's stable discs keep it at or below `alpha`.
    #[inline(always)]
    pub(crate) fn stability_bound(&self, own: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
        if alpha < STABILITY_ALPHA[empties as usize & 63] {
            return None;
        }
        let needed = (self.field.cells - alpha + 1) / 2;
        let stable = stable_discs(self.kernel, self.edges, self.field, opponent, own, needed)?;
        Some(self.field.cells - 2 * stable)
    }

    /// The score of a position, exact on its side of the null window `alpha`, `alpha + 1`. It means nothing once the
    /// control says that the search is over.
    #[inline(always)]
    pub(crate) fn solve(&mut self, own: u64, opponent: u64, alpha: i32) -> i32 {
        let empties = self.field.region & !(own | opponent);
        let moves = self.kernel.moves(own, opponent) & self.field.region;
        self.search(own, opponent, alpha, empties.count_ones(), moves, self.field.odd_quarters(empties))
    }

    /// Likewise, told the number of empty squares, the legal moves, and which quarters have an odd number of empty
    /// squares.
    #[inline(always)]
    fn search(&mut self, own: u64, opponent: u64, alpha: i32, empties: u32, moves: u64, odd: u64) -> i32 {
        match empties {
            0..=4 => self.few(own, opponent, alpha),
            5 => self.five(own, opponent, alpha, odd),
            6 => self.six(own, opponent, alpha, moves, odd),
            _ => self.by_mobility(own, opponent, alpha, moves, odd),
        }
    }

    /// The most that a board can be worth, if it was searched here not long ago.
    #[inline(always)]
    pub(crate) fn at_most(&self, own: u64, opponent: u64) -> Option<i8> {
        self.far.probe(own, opponent).map(Found::upper)
    }

    /// A side that cannot move passes, unless the game is over.
    #[cold]
    fn pass(&mut self, own: u64, opponent: u64, alpha: i32, odd: u64) -> i32 {
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            move || {
                let moves = kernel.moves(opponent, own) & self.field.region;
                if moves == 0 {
                    return self.field.final_score(own, opponent);
                }
                let empties = (self.field.region & !(own | opponent)).count_ones();
                -self.search(opponent, own, -alpha - 1, empties, moves, odd)
            },
        )
    }

    /// What the small table knows: an answer, or the move to try first.
    #[inline(always)]
    fn probe(table: &SmallTable, own: u64, opponent: u64, alpha: i32) -> Result<i32, u8> {
        match table.probe(own, opponent) {
            Some(found) if i32::from(found.lower()) > alpha => Ok(i32::from(found.lower())),
            Some(found) if i32::from(found.upper()) <= alpha => Ok(i32::from(found.upper())),
            Some(found) => Err(found.best()),
            None => Err(SmallEntry::NO_MOVE),
        }
    }

    /// Five empty squares: moves into odd quarters first.
    fn five(&mut self, own: u64, opponent: u64, alpha: i32, odd: u64) -> i32 {
        let kernel = self.kernel;
        kernel.enter_with(
            #[inline(always)]
            |this: &mut Self, own, opponent, alpha, odd, _| {
                this.nodes += 1;
                // 1. No more than the opponent's stable discs leave.
                if let Some(bound) = this.stability_bound(own, opponent, alpha, 5) {
                    return bound;
                }
                // 2. Legal moves, or a pass.
                let moves = this.kernel.moves(own, opponent) & this.field.region;
                if moves == 0 {
                    return this.pass(own, opponent, alpha, odd);
                }
                // 3. Odd quarters, then the others.
                let mut best = -this.field.cells;
                for mut group in [moves & odd, moves & !odd] {
                    while group != 0 {
                        let square = group.trailing_zeros();
                        group &= group - 1;
                        let flips = this.kernel.flips(own, opponent, square);
                        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << square);
                        let next_odd = this.field.odd_after(odd, square);
                        best = best.max(-this.four(next_own, next_opponent, -alpha - 1, next_odd));
                        if best > alpha {
                            return best;
                        }
                    }
                }
                best
            },
            self,
            own,
            opponent,
            alpha,
            odd,
            0,
        )
    }

    /// Six empty squares: likewise, with a table.
    fn six(&mut self, own: u64, opponent: u64, alpha: i32, moves: u64, odd: u64) -> i32 {
        let kernel = self.kernel;
        kernel.enter_with(
            #[inline(always)]
            |this: &mut Self, own, opponent, alpha, moves, odd| {
                this.nodes += 1;
                // 1. No more than the opponent's stable discs leave.
                if let Some(bound) = this.stability_bound(own, opponent, alpha, 6) {
                    return bound;
                }
                // 2. A pass.
                if moves == 0 {
                    return this.pass(own, opponent, alpha, odd);
                }
                // 3. A board seen before.
                let known = match Self::probe(&this.near, own, opponent, alpha) {
                    Ok(score) => return score,
                    Err(best) => best,
                };
                // 4. The known move, then odd quarters, then the others.
                let first = if known < 64 { moves & 1 << known } else { 0 };
                let mut best = -this.field.cells - 1;
                let mut best_move = SmallEntry::NO_MOVE;
                'moves: for mut group in [first, moves & odd & !first, moves & !odd & !first] {
                    while group != 0 {
                        let square = group.trailing_zeros();
                        group &= group - 1;
                        let flips = this.kernel.flips(own, opponent, square);
                        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << square);
                        let next_odd = this.field.odd_after(odd, square);
                        let score = -this.five(next_own, next_opponent, -alpha - 1, next_odd);
                        if score > best {
                            (best, best_move) = (score, square as u8);
                            if score > alpha {
                                break 'moves;
                            }
                        }
                    }
                }
                this.near.store(own, opponent, best, alpha, best_move);
                best
            },
            self,
            own,
            opponent,
            alpha,
            moves,
            odd,
        )
    }

    /// More empty squares: moves that leave the opponent the least to play first.
    fn by_mobility(&mut self, own: u64, opponent: u64, alpha: i32, moves: u64, odd: u64) -> i32 {
        let kernel = self.kernel;
        kernel.enter_with(
            #[inline(always)]
            |this: &mut Self, own, opponent, alpha, moves, odd| {
                this.nodes += 1;
                let empties = (this.field.region & !(own | opponent)).count_ones();
                let far = empties >= FAR;
                if empties >= BREAK_OFF && this.is_over() {
                    return alpha;
                }
                // 1. No more than the opponent's stable discs leave.
                if let Some(bound) = this.stability_bound(own, opponent, alpha, empties) {
                    return bound;
                }
                // 2. A pass.
                if moves == 0 {
                    return this.pass(own, opponent, alpha, odd);
                }
                // 3. A board seen before.
                let known = match Self::probe(if far { &this.far } else { &this.near }, own, opponent, alpha)
                {
                    Ok(score) => return score,
                    Err(best) => u32::from(best),
                };
                // 4. Fastest first.
                let mut children = Children::new();
                if !this.list(own, opponent, moves, odd, known, &mut children) {
                    return this.field.cells;
                }
                // 5. A move to a board that is known to be good enough.
                if let Some(score) = this.known_after(&children, alpha, empties) {
                    return score;
                }
                // 6. One after the other, the most promising of those left each time.
                let mut best = -this.field.cells - 1;
                let mut best_move = SmallEntry::NO_MOVE;
                for number in 0..children.moves.len() {
                    let &Child { own, opponent, replies, square } = children.pick(number);
                    let next_odd = this.field.odd_after(odd, u32::from(square));
                    let score = -this.search(own, opponent, -alpha - 1, empties - 1, replies, next_odd);
                    if score > best {
                        best = score;
                        best_move = square;
                        if score > alpha {
                            break;
                        }
                    }
                }
                if far { &mut this.far } else { &mut this.near }.store(own, opponent, best, alpha, best_move);
                best
            },
            self,
            own,
            opponent,
            alpha,
            moves,
            odd,
        )
    }

    /// Lists the boards after each move, unordered. False if a move takes the opponent's last disc: no other is worth a
    /// look then.
    #[inline(always)]
    fn list(
        &mut self,
        own: u64,
        opponent: u64,
        moves: u64,
        odd: u64,
        known: u32,
        children: &mut Children,
    ) -> bool {
        let empties = (self.field.region & !(own | opponent)).count_ones();
        let learned = self.values.filter(|_| empties >= LEARNED);
        let mut rest = moves;
        while rest != 0 {
            let square = rest.trailing_zeros();
            rest &= rest - 1;
            let flips = self.kernel.flips(own, opponent, square);
            if flips == opponent {
                return false;
            }
            let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << square);
            // The table's answer is wanted soon: it is fetched while the other moves are looked at.
            self.kernel.prefetch(self.table_after(empties).entry(next_own, next_opponent));
            let replies = self.kernel.moves(next_own, next_opponent) & self.field.region;
            let order = if square == known {
                i32::MAX >> 4
            } else if let Some(values) = learned {
                self.nodes += 1;
                let odd = odd >> square & 1 != 0;
                values.of(
                    self.kernel,
                    &LateMove { square, own: next_opponent, opponent: next_own, replies, odd, empties },
                )
            } else {
                self.nodes += 1;
                self.fast_order(replies, square, odd)
            };
            let child = Child { square: square as u8, replies, own: next_own, opponent: next_opponent };
            children.push(order, child);
        }
        true
    }

    /// The table with the boards after a move of a board with so many empty squares.
    #[inline(always)]
    fn table_after(&self, empties: u32) -> &SmallTable {
        if empties > FAR { &self.far } else { &self.near }
    }

    /// The score of a move to a board that is known to be good enough.
    #[inline(always)]
    fn known_after(&self, children: &Children, alpha: i32, empties: u32) -> Option<i32> {
        if empties < LOOK_AHEAD {
            return None;
        }
        let table = self.table_after(empties);
        for child in &children.moves {
            if let Some(found) = table.probe(child.own, child.opponent)
                && -i32::from(found.upper()) > alpha
            {
                return Some(-i32::from(found.upper()));
            }
        }
        None
    }

    /// How soon to try a move that leaves the opponent these replies: the fewer, corners counted twice, the better; then
    /// parity and the square itself.
    #[inline(always)]
    fn fast_order(&self, replies: u64, square: u32, odd: u64) -> i32 {
        let mobility = (replies.count_ones() + (replies & self.field.corners).count_ones()) as i32;
        let parity = (odd >> square & 1) as i32;
        i32::from(self.field.square_value[square as usize & 63]) + parity * ORDER_PARITY
            - mobility * ORDER_MOBILITY
    }
}

/// Weight of a reply of the opponent in the order of moves, in the unit of [`SquareValues`].
/// Birthplace: FFO #40–#44, docs/tuning.md.
pub(crate) const ORDER_MOBILITY: i32 = 24;
/// Weight of an odd quarter, likewise.
pub(crate) const ORDER_PARITY: i32 = 10;

/// Nodes that the exact search of the last empty squares takes with these values of squares: for each board of 8×8 with
/// its score, to prove that the score is no lower, and that it is no higher. Boards must have at most 13 empty squares.
#[must_use]
pub fn endgame_nodes(boards: &[(Board, i32)], values: &SquareValues) -> u64 {
    struct Prove<'a>(&'a [(Board, i32)], &'a SquareValues);
    impl Task for Prove<'_> {
        type Output = u64;
        fn run<K: Kernel>(self, kernel: K) -> u64 {
            let Prove(boards, values) = self;
            let (stop, field) = (AtomicBool::new(false), Field::new(8, values));
            let control = Control::new(&stop, None, None);
            let mut end = Endgame::new(kernel, &field, &control);
            end.values = None;
            for (board, score) in boards {
                for alpha in [score - 1, score + 1] {
                    end.solve(board.own.0, board.opponent.0, alpha);
                }
            }
            end.nodes
        }
    }
    Tier::best().run(Prove(boards, values))
}

/// What became of a move that was searched with a null window, for those who learn [`MoveValues`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The move.
    pub late: LateMove,
    /// Whether it is above the window.
    pub refutes: bool,
    /// Nodes that it took to find out.
    pub nodes: u64,
}

impl Refutation {
    /// The board after the move, as the other side sees it.
    #[must_use]
    pub fn after(&self) -> Board {
        Board { own: Bitboard(self.late.opponent), opponent: Bitboard(self.late.own) }
    }
}

/// Searches every move of a board of 8×8 by itself with the null window `alpha`, `alpha + 1`, in the order of moves that
/// needs no learned values. The board must have 8 to 13 empty squares.
#[must_use]
pub fn refutations(board: Board, alpha: i32) -> Vec<Refutation> {
    struct Search(Board, i32);
    impl Task for Search {
        type Output = Vec<Refutation>;
        fn run<K: Kernel>(self, kernel: K) -> Vec<Refutation> {
            let (Search(Board { own, opponent }, alpha), stop) = (self, AtomicBool::new(false));
            let (control, field) = (Control::new(&stop, None, None), Field::of(Size::EIGHT));
            let mut end = Endgame::new(kernel, field, &control);
            // Nothing may be known from the move before: small tables are forgotten sooner.
            (end.values, end.near, end.far) = (None, SmallTable::new(10), SmallTable::new(10));
            let (empties, odd) = (!(own.0 | opponent.0), field.odd_quarters(!(own.0 | opponent.0)));
            let search = |square| {
                let flips = kernel.flips(own.0, opponent.0, square);
                let (next_own, next_opponent) = (opponent.0 ^ flips, own.0 ^ flips ^ 1 << square);
                end.near.clear();
                end.far.clear();
                let before = end.nodes;
                let refutes = -end.solve(next_own, next_opponent, -alpha - 1) > alpha;
                let late = LateMove {
                    square,
                    own: next_opponent,
                    opponent: next_own,
                    replies: kernel.moves(next_own, next_opponent),
                    odd: odd >> square & 1 != 0,
                    empties: empties.count_ones(),
                };
                Refutation { late, refutes, nodes: end.nodes - before }
            };
            squares(kernel.moves(own.0, opponent.0)).map(search).collect()
        }
    }
    Tier::best().run(Search(board, alpha))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use emilia_rules::{GridPosition, Playable, Position, Status};

    use super::*;

    /// Nodes of the largest search that is not broken off: well below a millisecond's worth.
    const UNBROKEN: u64 = 20_000;

    /// Positions with so many empty squares from games at random.
    fn positions(size: Size, empties: u32) -> Vec<Position> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut any = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let mut game = |_| {
            let mut position = Position::try_from(&GridPosition::start(size)).ok()?;
            while position.counts().empty > empties {
                let moves: Vec<_> = position.moves().collect();
                position = position.play(*moves.get(any(moves.len().max(1)))?).ok()?;
            }
            Some(position)
        };
        (0..100).filter_map(&mut game).collect()
    }

    /// Nodes that the solver takes for a board.
    struct Count {
        board: Board,
        stop: bool,
        time: Option<Duration>,
    }

    impl Task for Count {
        type Output = u64;

        fn run<K: Kernel>(self, kernel: K) -> u64 {
            let stop = AtomicBool::new(self.stop);
            let control = Control::new(&stop, self.time, None);
            let mut end = Endgame::new(kernel, Field::of(Size::EIGHT), &control);
            end.solve(self.board.own.0, self.board.opponent.0, 0);
            // The next look at the clock is a portion away, no more and no less.
            let over = end.is_over();
            assert!(over || (end.nodes < end.look_at && end.look_at <= end.nodes + PORTION));
            end.nodes
        }
    }

    fn most(empties: u32, stop: bool, time: Option<Duration>) -> u64 {
        positions(Size::EIGHT, empties)
            .into_iter()
            .map(|position| Tier::best().run(Count { board: position.board(), stop, time }))
            .max()
            .unwrap_or_default()
    }

    #[test]
    fn a_raised_flag_is_seen_at_once() {
        for empties in BREAK_OFF..=EXACT_FAST {
            assert_eq!(most(empties, true, None), 1);
        }
    }

    #[test]
    fn the_clock_is_looked_at_on_the_way() {
        let most = most(EXACT_FAST, false, Some(Duration::ZERO));
        assert!(most > PORTION && most < PORTION + UNBROKEN, "{most}");
    }

    #[test]
    fn the_clock_is_looked_at_again_when_as_many_nodes_have_passed() {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let control = Control::new(&stop, None, None);
        let mut end = Endgame::new(emilia_rules::Portable, Field::of(Size::EIGHT), &control);
        let first = PORTION + 7;
        for (nodes, next) in
            [(PORTION - 1, PORTION), (first, first + PORTION), (first + PORTION - 1, first + PORTION)]
        {
            end.nodes = nodes;
            assert!(!end.is_over());
            assert_eq!(end.look_at, next, "{nodes}");
        }
    }

    #[test]
    fn what_is_not_broken_off_is_small() {
        let most = most(BREAK_OFF - 1, false, None);
        assert!(most > 1000 && most < UNBROKEN, "{most}");
        // One empty square, or none, is one node.
        assert_eq!([0, 1].map(|empties| self::most(empties, false, None)), [1, 1]);
    }

    /// The score for the side to move by trying everything.
    fn slow(position: &Position) -> i32 {
        match position.status() {
            Status::ToPlace => {
                position.moves().map(|mv| -slow(&position.played(mv))).max().unwrap_or_default()
            }
            Status::MustPass => -slow(&position.passed()),
            Status::Over(_) => {
                let (own, opponent) = (position.own().0.count_ones(), position.opponent().0.count_ones());
                let margin = own as i32 - opponent as i32;
                margin + margin.signum() * position.counts().empty as i32
            }
        }
    }

    #[test]
    fn moves_are_searched_by_themselves_and_judged_as_without_learning_to_begin_with() {
        let (stop, field) = (AtomicBool::new(false), Field::of(Size::EIGHT));
        let control = Control::new(&stop, None, None);
        let mut end = Endgame::new(emilia_rules::Portable, field, &control);
        let plain = MoveValues::plain();
        for position in positions(Size::EIGHT, LEARNED) {
            let board = position.board();
            let odd = field.odd_quarters(board.empties().0);
            for Refutation { late, refutes, nodes } in refutations(board, 3) {
                assert_eq!(
                    plain.of(emilia_rules::Portable, &late),
                    end.fast_order(late.replies, late.square, odd)
                );
                let after = board.play(emilia_rules::Square::ALL[late.square as usize]);
                assert_eq!((after.own.0, after.opponent.0), (late.opponent, late.own));
                assert_eq!((late.replies, late.empties), (after.moves().0, LEARNED));
                assert_eq!(refutes, -end.solve(after.own.0, after.opponent.0, -4) > 3);
                assert!(nodes > 0);
            }
        }
    }

    #[test]
    fn what_was_learned_is_for_boards_of_eight_by_eight() {
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, None, None);
        for (side, learned) in [(4, false), (6, false), (8, true)] {
            let field = Field::of(Size::new(side).unwrap());
            let end = Endgame::new(emilia_rules::Portable, field, &control);
            assert_eq!(end.values.is_some(), learned);
        }
    }

    /// Asks about every window, and holds the answers to the score.
    struct Ask<'p>(Size, &'p [Position]);

    impl Task for Ask<'_> {
        type Output = ();

        fn run<K: Kernel>(self, kernel: K) {
            let Ask(size, positions) = self;
            let (stop, field) = (AtomicBool::new(false), Field::of(size));
            let control = Control::new(&stop, None, None);
            let mut end = Endgame::new(kernel, field, &control);
            for position in positions {
                let (score, board) = (slow(position), position.board());
                for alpha in -field.cells..field.cells {
                    let found = end.solve(board.own.0, board.opponent.0, alpha);
                    let right = if found > alpha { found <= score } else { score <= found };
                    assert!(right, "{position}: {score}, but {found} with {alpha}");
                }
            }
        }
    }

    #[test]
    fn every_window_is_answered_as_by_trying_everything() {
        let mut wiped_out = 0;
        for (side, most) in [(4, 9), (6, 7), (8, 7)] {
            let size = Size::new(side).unwrap();
            for empties in 0..=most {
                let positions = positions(size, empties);
                let some = &positions[..positions.len().min(if empties < 7 { 30 } else { 10 })];
                Tier::best().run(Ask(size, some));
                wiped_out +=
                    some.iter().filter(|one| slow(one).unsigned_abs() as usize == size.cells()).count();
            }
        }
        assert!(wiped_out > 10, "{wiped_out}");
    }
}
