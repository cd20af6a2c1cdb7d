use std::sync::atomic::{AtomicBool, Ordering};

use emilia_query::Limits;
use emilia_rules::{Kernel, Move, Objective, Playable, Point, SquareSet};
use web_time::Instant;

use super::evaluator::Geometry;
use super::table::{Entry, Table, bound};
use super::{PER_DISC, WIN};

/// Says that the search has to end now.
pub(super) struct Stopped;

/// A depth-first walk through the tree of moves.
pub(super) struct Walk<'w, P: Playable, K> {
    kernel: K,
    geometry: &'w Geometry<P>,
    table: &'w mut Table<P>,
    objective: Objective,
    stop: &'w AtomicBool,
    deadline: Option<Instant>,
    most_nodes: u64,
    nodes: u64,
    /// Nodes between two looks at the clock.
    interval: u64,
    /// The ply up to which a side with few discs is searched a ply further.
    horizon: usize,
    /// Whether the current depth used an evaluation or left something out anywhere.
    inexact: bool,
    /// The best move of the last complete depth; the table may have forgotten it.
    root_move: Option<P::Square>,
    /// Moves of the positions on the way down; kept to spare allocations.
    moves: Vec<Moves<P>>,
}

/// The moves of a position.
struct Moves<P: Playable> {
    /// What they promise, what they are, and which of the known positions they lead to. Best looking first.
    order: Vec<(i32, P::Square, Option<u16>)>,
    /// Positions that were looked at for the order, with their moves.
    known: Vec<(P, P::Set)>,
}

impl<P: Playable> Default for Moves<P> {
    fn default() -> Moves<P> {
        Moves { order: Vec::new(), known: Vec::new() }
    }
}

/// Plies that are left before a move late in the order is searched less deep.
const REDUCE_FROM_DEPTH: u32 = 3;
/// Moves searched to the full depth before others are searched less deep.
const FULL_DEPTH_MOVES: usize = 4;
/// Plies that are left before a move even later in the order is searched two plies less deep.
const REDUCE_FURTHER_FROM_DEPTH: u32 = 4;
/// Moves searched to the full depth or one ply less.
const REDUCED_ONCE_MOVES: usize = 12;
/// Plies left before moves are ordered by the answers they leave; nearer the leaves that costs more than it saves.
const ORDER_BY_ANSWERS: u32 = 2;
/// Plies left before moves are ordered by what the positions are worth that they lead to.
const ORDER_BY_SCORE: u32 = 3;
/// How much an answer that is left to the opponent counts in the order, in hundredths of a disc.
const ANSWER: i32 = 100;
/// Plies from the root after which no line is followed further, to keep the stack small. Only lines with hardly any
/// choice get there.
const DEEPEST: usize = 64;
const INFINITY: i32 = 2 * WIN;
/// How far outside the window what a position is worth by itself must be to stand for a search of one ply and of two plies, in
/// usual errors of such a guess.
const GUESS_MARGINS: [f32; 2] = [1.4, 1.6];
/// How far outside the window a shallower search must be to stand for a deeper one, in usual errors.
const SEARCH_MARGIN: f32 = 1.0;
/// Discs that each side must have, and of so many discs one, for a search to be left out.
const FEWEST_DISCS: u32 = 10;
const FEWEST_SHARE: u32 = 4;
/// Plies that such a search is shallower.
const SHALLOWER: u32 = 2;
/// So many plies more than the search is deep are looked at where a side may be wiped out by the next move. With it a move that is late
/// in the order is searched no less deep than the first.
const FURTHER_PLIES: usize = 1;

/// Plies by which the move with this number in the order is searched less deep.
fn reduction(depth: u32, number: usize) -> u32 {
    if depth < REDUCE_FROM_DEPTH || number < FULL_DEPTH_MOVES {
        0
    } else if depth < REDUCE_FURTHER_FROM_DEPTH || number < REDUCED_ONCE_MOVES {
        1
    } else {
        2
    }
}

/// What a finished game is worth to the side to move.
pub(super) fn finished<P: Playable>(position: &P, objective: Objective) -> i32 {
    let (own, opponent) = (position.own().count() as i32, position.opponent().count() as i32);
    let empty = position.size().cells() as i32 - own - opponent;
    let sign = match objective {
        Objective::Most => 1,
        Objective::Fewest => -1,
    };
    let difference = own - opponent;
    let margin = difference + difference.signum() * empty;
    sign * (margin * PER_DISC + difference.signum() * WIN)
}

impl<'w, P: Playable, K: Kernel> Walk<'w, P, K> {
    pub(super) fn new(
        kernel: K,
        geometry: &'w Geometry<P>,
        table: &'w mut Table<P>,
        objective: Objective,
        limits: &Limits,
        stop: &'w AtomicBool,
        began: Instant,
    ) -> Walk<'w, P, K> {
        Walk {
            kernel,
            geometry,
            table,
            objective,
            stop,
            deadline: limits.time.and_then(|time| began.checked_add(time)),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            interval: 1,
            horizon: 0,
            inexact: false,
            root_move: None,
            moves: Vec::new(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the last depth followed every line to the end of the game.
    pub(super) fn exact(&self) -> bool {
        !self.inexact
    }

    /// Searches to this depth.
    pub(super) fn root(&mut self, position: &P, depth: u32) -> Result<i32, Stopped> {
        // On small boards a node is so quick that the clock is read only now and then.
        self.interval = if position.size().is_compact() { 256 } else { 8 };
        self.inexact = false;
        self.horizon = depth as usize + FURTHER_PLIES;
        self.node(position, position.placements(), depth, 0, -INFINITY, INFINITY)
    }

    /// The value of a position with these moves, as far as the window asks.
    fn node(
        &mut self,
        position: &P,
        placements: P::Set,
        depth: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            || {
                // 1. Time, nodes, stop.
                self.nodes += 1;
                if self.nodes.is_multiple_of(self.interval) {
                    self.check()?;
                }
                // 2. No move: pass, or the end of the game.
                if placements.is_empty() {
                    return self.pass(position, depth, ply, alpha, beta);
                }
                // 3. Far enough, but for one ply more where the next move may end the game.
                let depth = if depth == 0 && self.in_danger(position, ply) { 1 } else { depth };
                if depth == 0 || ply >= DEEPEST {
                    return Ok(self.evaluate(position, placements));
                }
                // 4. What is known of the position. At the root a move is wanted, not only a value.
                let mut known_best = None;
                if let Some(known) = self.table.probe(position) {
                    known_best = known.best;
                    if known.depth >= depth && ply > 0 && known.settles(alpha, beta) {
                        self.inexact |= known.depth != Entry::<P>::TO_THE_END;
                        return Ok(known.score);
                    }
                }
                // 5. A shallower search that is far outside the window settles it, too.
                if beta - alpha == 1
                    && ply > 0
                    && let Some(score) = self.probcut(position, placements, depth, ply, alpha)?
                {
                    return Ok(score);
                }
                // 6. The moves, as long as they may be better.
                let inexact_before = std::mem::replace(&mut self.inexact, false);
                let mut moves = self.moves.get_mut(ply).map(std::mem::take).unwrap_or_default();
                let found =
                    self.try_moves(position, placements, depth, ply, (alpha, beta), known_best, &mut moves);
                if self.moves.len() <= ply {
                    self.moves.resize_with(ply + 1, Moves::default);
                }
                self.moves[ply] = moves;
                let (best, best_move) = found?;
                // 7. Remember it.
                if ply == 0 {
                    self.root_move = best_move;
                }
                let bound = bound(best, alpha, beta);
                let reached = if self.inexact { depth } else { Entry::<P>::TO_THE_END };
                self.table.store(Entry::new(position, reached, best, bound, best_move));
                self.inexact |= inexact_before;
                Ok(best)
            },
        )
    }

    /// Whether a side has so few discs that the search goes on, if it was not longer already.
    #[inline(always)]
    fn in_danger(&self, position: &P, ply: usize) -> bool {
        let Some(discs) = self.geometry.discs_in_danger() else { return false };
        ply < self.horizon && position.own().count().min(position.opponent().count()) <= discs
    }

    /// A value outside this null window that was guessed from a shallower search or from none at all (ProbCut), if the guess
    /// is far enough outside.
    #[inline(always)]
    fn probcut(
        &mut self,
        position: &P,
        placements: P::Set,
        depth: u32,
        ply: usize,
        alpha: i32,
    ) -> Result<Option<i32>, Stopped> {
        let (own, opponent) = (position.own().count(), position.opponent().count());
        let (discs, fewer) = (own + opponent, own.min(opponent));
        let Some(error) = self.geometry.error(discs) else { return Ok(None) };
        // Who has hardly any discs may be wiped out by the next move, whatever the position is worth by itself; where the fewest
        // discs win, nobody does that to the other.
        let thin =
            self.objective == Objective::Most && (fewer < FEWEST_DISCS || FEWEST_SHARE * fewer < discs);
        let to_the_end = discs + depth >= position.size().cells() as u32;
        if thin || to_the_end || alpha.abs() >= WIN / 2 {
            return Ok(None);
        }
        let beta = alpha + 1;
        let now = self.score(position, placements);
        if let Some(margin) = GUESS_MARGINS.get(depth as usize - 1) {
            let margin = (error * margin) as i32;
            let settled = now >= beta + margin || now <= alpha - margin;
            self.inexact |= settled;
            return Ok(settled.then_some(now));
        }
        // Which of both ends of the window is asked about follows from what the position is worth by itself.
        let (inexact, margin) = (self.inexact, (error * SEARCH_MARGIN) as i32);
        let above = now >= beta;
        let low = if above { alpha + margin } else { alpha - margin };
        let score = self.node(position, placements, depth - SHALLOWER, ply, low, low + 1)?;
        if (score > low) == above {
            return Ok(Some(score));
        }
        self.inexact = inexact;
        Ok(None)
    }

    /// The value of a position without a move for the side whose turn it is.
    fn pass(&mut self, position: &P, depth: u32, ply: usize, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let passed = position.passed();
        let answers = self.placements(&passed);
        if answers.is_empty() {
            return Ok(finished(position, self.objective));
        }
        if depth == 0 || ply >= DEEPEST {
            return Ok(self.evaluate(position, P::Set::EMPTY));
        }
        // A pass is no choice and costs no depth: so many plies as there are empty squares lead to the end of the game.
        Ok(-self.node(&passed, answers, depth, ply + 1, -beta, -alpha)?)
    }

    /// The best score and its move: the first move with the whole window, the others with the question whether they are
    /// better. A move that is known to be good needs no others beside it until it was tried.
    #[expect(clippy::too_many_arguments, reason = "they are the state of one step of the walk")]
    #[inline(always)]
    fn try_moves(
        &mut self,
        position: &P,
        placements: P::Set,
        depth: u32,
        ply: usize,
        (alpha, beta): (i32, i32),
        known_best: Option<P::Square>,
        moves: &mut Moves<P>,
    ) -> Result<(i32, Option<P::Square>), Stopped> {
        moves.order.clear();
        moves.known.clear();
        match known_best {
            Some(square) => moves.order.push((INFINITY, square, None)),
            None => self.order(position, placements, depth, moves),
        }
        let empties = position.size().cells() as u32 - (position.own() | position.opponent()).count();
        let (mut best, mut best_move, mut low) = (-INFINITY, None, alpha);
        let mut number = 0;
        while number < moves.order.len() {
            let (_, square, known) = moves.order[number];
            let less = if depth >= empties { 0 } else { reduction(depth, number) };
            let score = match known {
                Some(at) => {
                    let (next, answers) = &moves.known[usize::from(at)];
                    self.child(next, *answers, depth, ply, low, beta, number > 0, less)?
                }
                None => {
                    let next = self.placed(position, square);
                    let answers = self.placements(&next);
                    self.child(&next, answers, depth, ply, low, beta, number > 0, less)?
                }
            };
            if score > best {
                (best, best_move) = (score, Some(square));
            }
            low = low.max(best);
            if low >= beta {
                break;
            }
            number += 1;
            if number == 1 && known_best.is_some() {
                self.order(position, placements - P::Set::only(square), depth, moves);
            }
        }
        Ok((best, best_move))
    }

    /// The value of a move, seen by the side that makes it.
    #[expect(clippy::too_many_arguments, reason = "they are the state of one step of the walk")]
    fn child(
        &mut self,
        next: &P,
        answers: P::Set,
        depth: u32,
        ply: usize,
        low: i32,
        beta: i32,
        probe: bool,
        less: u32,
    ) -> Result<i32, Stopped> {
        if !probe {
            return Ok(-self.node(next, answers, depth - 1, ply + 1, -beta, -low)?);
        }
        self.inexact |= less > 0;
        let mut score = -self.node(next, answers, depth - 1 - less, ply + 1, -low - 1, -low)?;
        if less > 0 && score > low {
            score = -self.node(next, answers, depth - 1, ply + 1, -low - 1, -low)?;
        }
        if score > low && score < beta {
            score = -self.node(next, answers, depth - 1, ply + 1, -beta, -low)?;
        }
        Ok(score)
    }

    fn evaluate(&mut self, position: &P, placements: P::Set) -> i32 {
        self.inexact = true;
        self.score(position, placements)
    }

    /// Adds these moves, best looking first.
    fn order(&self, position: &P, placements: P::Set, depth: u32, moves: &mut Moves<P>) {
        self.kernel.enter(
            #[inline(always)]
            || self.order_here(position, placements, depth, moves),
        );
    }

    #[inline(always)]
    fn order_here(&self, position: &P, placements: P::Set, depth: u32, moves: &mut Moves<P>) {
        let open = self.geometry.around_open_corners(position);
        let sign = match self.objective {
            Objective::Most => 1,
            Objective::Fewest => -1,
        };
        let before = moves.order.len();
        for square in placements {
            if depth < ORDER_BY_ANSWERS {
                moves.order.push((sign * self.geometry.square_value(square, &open), square, None));
                continue;
            }
            let next = self.placed(position, square);
            let answers = self.placements(&next);
            let value = if depth < ORDER_BY_SCORE {
                sign * (self.geometry.square_value(square, &open) - ANSWER * answers.count() as i32)
            } else {
                -self.score(&next, answers)
            };
            moves.order.push((value, square, Some(moves.known.len() as u16)));
            moves.known.push((next, answers));
        }
        // Stable, so that equal moves stay in row-major order.
        moves.order[before..].sort_by_key(|(value, ..)| -value);
    }

    // What follows is compiled for the processor, but once: inlined wherever it is needed it would be too much.

    fn placements(&self, position: &P) -> P::Set {
        self.kernel.enter(
            #[inline(always)]
            || position.placements(),
        )
    }

    fn placed(&self, position: &P, square: P::Square) -> P {
        self.kernel.enter(
            #[inline(always)]
            || position.placed(square),
        )
    }

    fn score(&self, position: &P, placements: P::Set) -> i32 {
        let replies = self.placements(&position.passed());
        self.kernel.enter(
            #[inline(always)]
            || self.geometry.score(position, [placements.count(), replies.count()]),
        )
    }

    /// The moves both sides are expected to play, as far as the table remembers them.
    pub(super) fn line(&self, position: &P, depth: u32) -> Vec<Move<Point>> {
        let mut line = Vec::new();
        let mut here = position.clone();
        let mut placed = 0;
        while placed < depth {
            let known = if line.is_empty() { self.root_move } else { None };
            let known = known.or_else(|| self.table.probe(&here).and_then(|entry| entry.best));
            // Where no move is known, only a pass that is forced goes on; any other is illegal. It costs no depth.
            let mv = known.map_or(Move::Pass, Move::Place);
            let Ok(next) = here.play(mv) else { break };
            here = next;
            line.push(mv.map(Into::into));
            placed += u32::from(mv != Move::Pass);
        }
        line
    }

    fn check(&self) -> Result<(), Stopped> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.nodes >= self.most_nodes || self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::LazyLock;

    use emilia_rules::{GridPosition, Portable, Size};

    use super::*;
    use crate::grid::game;

    /// What is found on a board of 10×10, with a table of its own.
    fn walking<T>(find: impl FnOnce(&mut Walk<'_, GridPosition, Portable>) -> T) -> T {
        static GEOMETRY: LazyLock<Geometry<GridPosition>> =
            LazyLock::new(|| Geometry::new(Size::new(10).unwrap(), Objective::Most));
        let objective = Objective::Most;
        let (mut table, stop) = (Table::new(1), AtomicBool::new(false));
        let limits = Limits::default();
        let mut walk = Walk::new(Portable, &GEOMETRY, &mut table, objective, &limits, &stop, Instant::now());
        find(&mut walk)
    }

    /// Whether this null window is settled without a search.
    fn guessed(position: &GridPosition, depth: u32, alpha: i32) -> Option<i32> {
        walking(|walk| {
            let found = walk.probcut(position, position.placements(), depth, 1, alpha).ok().unwrap();
            // What is guessed is not exact; what is not leaves everything as it was.
            assert_eq!((walk.inexact, walk.nodes), (found.is_some(), 0), "{position}");
            found
        })
    }

    fn discs(position: &GridPosition) -> (u32, u32) {
        (position.own().count(), position.opponent().count())
    }

    #[test]
    fn a_guess_stands_for_a_ply_or_two_if_it_is_beyond_the_window_by_its_margin() {
        let mut some = 0;
        for position in game(10, 1)[40..80].iter().step_by(3) {
            let (own, opponent) = discs(position);
            let found = walking(|walk| {
                let error = walk.geometry.error(own + opponent)?;
                Some((walk.score(position, position.placements()), error))
            });
            let Some((score, error)) = found else { continue };
            if own.min(opponent) < 10 || 4 * own.min(opponent) < own + opponent {
                continue;
            }
            for (depth, times) in [(1, 1.4), (2, 1.6)] {
                let margin = (error * times) as i32;
                let guess = |alpha: i32| guessed(position, depth, alpha);
                // Above the window from alpha to alpha + 1, and below it.
                assert_eq!(guess(score - margin - 1), Some(score), "{position}");
                assert_eq!(guess(score - margin), None, "{position}");
                assert_eq!(guess(score + margin - 1), None, "{position}");
                assert_eq!(guess(score + margin), Some(score), "{position}");
            }
            some += 1;
        }
        assert!(some > 3, "{some}");
    }

    /// Nobody guesses about who has won, about the end of the game, or where a side has hardly any discs.
    #[test]
    fn nothing_is_guessed_where_that_goes_wrong() {
        let (mut few, mut share, mut late) = ([0; 2], [0; 2], [0; 2]);
        for position in (0..200).flat_map(|seed| game(10, seed)) {
            let (own, opponent) = discs(&position);
            let (all, fewer) = (own + opponent, own.min(opponent));
            let measured = walking(|walk| walk.geometry.error(all)).is_some();
            if position.placements().is_empty() || !measured {
                continue;
            }
            // So far away that any guess settles it.
            let guess = |depth, alpha| guessed(&position, depth, alpha).is_some();
            let far = WIN / 2 - 1;
            if all < 80 && fewer.abs_diff(10) < 2 && 4 * fewer >= all {
                assert_eq!(guess(1, far), fewer >= 10, "{position}");
                few[usize::from(fewer >= 10)] += 1;
            }
            if all < 80 && fewer >= 10 && (4 * fewer).abs_diff(all) < 3 {
                assert_eq!(guess(1, far), 4 * fewer >= all, "{position}");
                share[usize::from(4 * fewer >= all)] += 1;
            }
            if fewer >= 25 && all >= 97 {
                for depth in [1, 2] {
                    let to_the_end = all + depth >= 100;
                    assert_eq!(guess(depth, far), !to_the_end, "{position}");
                    late[usize::from(to_the_end)] += 1;
                }
            }
            if fewer >= 20 && all == 60 {
                for alpha in [far, -far] {
                    assert!(guess(1, alpha) && !guess(1, alpha + alpha.signum()), "{position}");
                }
            }
        }
        assert!(
            [few, share, late].iter().all(|counts| counts.iter().all(|count| *count > 2)),
            "{few:?} {share:?} {late:?}"
        );
    }

    /// A move that is searched less deep is searched again only if it seems better than what is known.
    #[test]
    fn what_is_no_better_is_not_searched_again() {
        let mut less_deep = 0;
        for position in game(10, 3)[20..60].iter().step_by(4) {
            let next = position.played(position.moves().next().unwrap());
            let answers = next.placements();
            if answers.is_empty() {
                continue;
            }
            for less in [1, 2] {
                let depth = 3 + less;
                let shallow = |low: i32| {
                    walking(|walk| {
                        walk.horizon = 9;
                        let score = -walk.node(&next, answers, 2, 1, -low - 1, -low).ok().unwrap();
                        (score, walk.nodes)
                    })
                };
                // The least that a shallower search does not find to be better, by halves.
                let (mut above, mut low) = (-WIN, WIN);
                while low - above > 1 {
                    let middle = (low + above) / 2;
                    if shallow(middle).0 > middle { above = middle } else { low = middle }
                }
                let child = |low: i32| {
                    walking(|walk| {
                        walk.horizon = 9;
                        let score =
                            walk.child(&next, answers, depth, 0, low, low + 1, true, less).ok().unwrap();
                        assert!(walk.inexact);
                        (score, walk.nodes)
                    })
                };
                assert_eq!(child(low), shallow(low), "{position}");
                less_deep += u32::from(shallow(low).0 == low);
                let (_, nodes) = child(above);
                assert!(nodes > shallow(above).1, "{position}");
            }
        }
        assert!(less_deep > 3, "{less_deep}");
    }

    /// Where a side may be wiped out by the next move, one ply more than the search is deep is looked at, and no second one.
    #[test]
    fn who_is_in_danger_is_followed_one_ply_further_and_no_more() {
        let geometry = Geometry::<GridPosition>::new(Size::new(12).unwrap(), Objective::Most);
        let in_danger = geometry.discs_in_danger().unwrap();
        let (stop, limits, objective) = (AtomicBool::new(false), Limits::default(), Objective::Most);
        let (mut in_time, mut just_not) = (0, 0);
        for position in (0..4).flat_map(|seed| game(12, seed)).take(160) {
            if position.placements().is_empty() {
                continue;
            }
            let (own, opponent) = discs(&position);
            let fewer = own.min(opponent);
            for ply in [2, 3, 4] {
                let mut table = Table::new(1);
                let mut walk =
                    Walk::new(Portable, &geometry, &mut table, objective, &limits, &stop, Instant::now());
                walk.horizon = 3;
                assert!(walk.node(&position, position.placements(), 0, ply, -INFINITY, INFINITY).is_ok());
                assert_eq!(walk.nodes > 1, ply < 3 && fewer <= in_danger, "{position}");
            }
            in_time += u32::from(fewer == in_danger);
            just_not += u32::from(fewer == in_danger + 1);
        }
        assert!(in_time > 0 && just_not > 0, "{in_time} {just_not}");
    }

    /// Whoever leaves something out does not know that nothing was there.
    #[test]
    fn what_is_searched_less_deep_is_not_exact_even_where_the_game_is_over() {
        let end = *game(10, 3).last().unwrap();
        for (before, less) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
            walking(|walk| {
                walk.inexact = before;
                let score = walk.child(&end, end.placements(), 5, 0, 0, 1, true, less).ok().unwrap();
                assert_eq!(score, -finished(&end, Objective::Most));
                assert_eq!(walk.inexact, before || less > 0);
            });
        }
    }
}
