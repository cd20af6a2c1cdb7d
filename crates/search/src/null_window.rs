//! Searching with a null window: is the score above `alpha` or not? Nearly all nodes of a search are of this kind.

use emilia_eval::{Evaluator, Score};
use emilia_query::Selectivity;
use emilia_rules::Kernel;

use crate::order::{Children, in_order, pick};
use crate::probcut;
use crate::table::NO_SQUARE;
use crate::worker::{Horizon, Node, Worker};

/// The most empty squares that are left to the exact search without an evaluator.
/// Birthplace: FFO #40–#44, docs/tuning.md.
pub(crate) const EXACT_FAST: u32 = 13;
/// The fewest empty squares at which a search to the end of the game may be selective: below, it is cheap enough
/// to be sure.
const SELECTIVE_END: u32 = 14;
/// The least depth at which the table is asked and filled.
/// Birthplace: docs/tuning.md.
const TABLE_DEPTH: u32 = 2;
/// The least depth at which the positions after each move are looked up before any is searched.
const LOOK_AHEAD_DEPTH: u32 = 6;

impl<K: Kernel, E: Evaluator> Worker<'_, K, E> {
    /// The score of a position: right on its side of the window `alpha`, `alpha + 1`.
    pub(crate) fn null_window(&mut self, node: &Node<E::Features>, alpha: i32, horizon: Horizon) -> i32 {
        let kernel = self.end.kernel;
        kernel.enter(
            #[inline(always)]
            move || self.null_window_node(node, alpha, horizon),
        )
    }

    #[inline(always)]
    fn null_window_node(&mut self, node: &Node<E::Features>, alpha: i32, mut horizon: Horizon) -> i32 {
        // 1. The end of the search: exact, by the evaluator, or broken off.
        let empties = self.empties(node).count_ones();
        let to_the_end = horizon.depth >= empties;
        if to_the_end {
            horizon.depth = empties;
            if empties < SELECTIVE_END {
                horizon.selectivity = Selectivity::Certain;
            }
            if empties <= EXACT_FAST {
                return self.end.solve(node.own, node.opponent, alpha);
            }
        }
        self.end.nodes += 1;
        if horizon.depth == 0 {
            return self.judge_within(node, alpha, alpha + 1, empties);
        }
        if self.is_over() {
            return alpha;
        }
        // 2. No more than the opponent's stable discs leave.
        if let Some(bound) = self.end.stability_bound(node.own, node.opponent, alpha, empties) {
            return bound;
        }
        // 3. Legal moves, or a pass.
        let moves = self.legal(node);
        if moves == 0 {
            if self.moves(node.opponent, node.own) == 0 {
                return self.end.field.final_score(node.own, node.opponent);
            }
            let passed = self.passed(node);
            return -self.null_window(&passed, -alpha - 1, horizon);
        }
        // 4. One or two plies before the evaluator decides: it is so far beyond the window that they would change nothing.
        if let Some(score) = self.settled_without_search(node, alpha, horizon, empties) {
            return score;
        }
        if horizon.depth == 1 {
            return self.last_ply(node, moves, alpha, empties);
        }
        // 5. A position seen before.
        let known = if horizon.depth >= TABLE_DEPTH { self.probe(node.own, node.opponent) } else { None };
        if let Some(score) = known.and_then(|entry| entry.cutoff(horizon, alpha, alpha + 1)) {
            return score;
        }
        // 6. A shallow search far beyond the window.
        if let Some(score) = self.probcut(node, moves, alpha, horizon, empties) {
            return score;
        }
        // 7. A move that takes every disc, or leads to a position that is known to be good enough.
        let mut children = Children::new();
        if !self.list(node, moves, &mut children) {
            return self.end.field.cells;
        }
        let solved_next = to_the_end && empties == EXACT_FAST + 1;
        if let Some(score) = self.known_after(&children, alpha, horizon, solved_next) {
            return score;
        }
        // 8. The moves, the most promising first.
        let nodes_before = self.end.nodes;
        self.order(node, &mut children, known, horizon, to_the_end);
        let best = self.first_above(&mut children, alpha, horizon, to_the_end);
        // 9. What was found is kept.
        if horizon.depth >= TABLE_DEPTH {
            self.store(node, horizon, (alpha, alpha + 1), best, nodes_before);
        }
        best.0
    }

    /// The score and the square of the best move, or of the first that is above `alpha`.
    #[inline(always)]
    fn first_above(
        &mut self,
        children: &mut Children<E::Features>,
        alpha: i32,
        horizon: Horizon,
        to_the_end: bool,
    ) -> (i32, u8) {
        let mut best = (-self.end.field.cells - 1, NO_SQUARE);
        for number in 0..children.len() {
            let child = pick(children);
            let score = -self.null_window(&child.node, -alpha - 1, horizon.next());
            if score > best.0 {
                best = (score, child.square);
                if score > alpha {
                    break;
                }
            }
            // This move did not settle it: idle threads may help with the others.
            if number + 2 < children.len() && self.should_split(horizon.depth, to_the_end) {
                return self.split(in_order(children), alpha, horizon, best);
            }
        }
        best
    }

    /// The score of a move to a position that is known to be good enough. Positions that the exact search without an
    /// evaluator solves are in its own table, others in the shared one.
    #[inline(always)]
    fn known_after(
        &self,
        children: &Children<E::Features>,
        alpha: i32,
        horizon: Horizon,
        solved_next: bool,
    ) -> Option<i32> {
        // Each will be looked up at the latest when it is searched.
        if !solved_next && horizon.depth > TABLE_DEPTH {
            for child in children {
                self.prefetch(child.node.own, child.node.opponent);
            }
        }
        if !solved_next && horizon.depth < LOOK_AHEAD_DEPTH {
            return None;
        }
        for child in children {
            let (own, opponent) = (child.node.own, child.node.opponent);
            let most = if solved_next {
                self.end.at_most(own, opponent)
            } else {
                self.probe(own, opponent)
                    .filter(|entry| entry.serves(horizon.depth - 1, horizon.selectivity))
                    .map(|entry| entry.upper)
            };
            if let Some(most) = most
                && -i32::from(most) > alpha
            {
                return Some(-i32::from(most));
            }
        }
        None
    }

    /// One ply before the evaluator decides.
    #[inline(always)]
    fn last_ply(&mut self, node: &Node<E::Features>, moves: u64, alpha: i32, empties: u32) -> i32 {
        // Corners first, and last what gives them away: more would cost more than it saves.
        let (corners, beside) = (self.end.field.corners, self.end.field.beside_corners);
        let mut best = -self.end.field.cells - 1;
        for mut group in [moves & corners, moves & !(corners | beside), moves & beside] {
            while group != 0 {
                let square = group.trailing_zeros();
                group &= group - 1;
                let flips = self.end.kernel.flips(node.own, node.opponent, square);
                if flips == node.opponent {
                    return self.end.field.cells;
                }
                let next = self.after(node, square, flips);
                self.end.nodes += 1;
                best = best.max(-self.judge_within(&next, -alpha - 1, -alpha, empties - 1));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// The answer that the evaluator by itself predicts, if it was asked when the move before was ordered and is far enough
    /// beyond the window.
    #[inline(always)]
    fn settled_without_search(
        &self,
        node: &Node<E::Features>,
        alpha: i32,
        horizon: Horizon,
        empties: u32,
    ) -> Option<i32> {
        let judged = node.judged?;
        let margin = probcut::margin_without_search(horizon, empties, judged.fewer_moves)?;
        let margin = (margin * Score::PER_DISC) >> 6;
        if judged.score.0 >= (alpha + 1) * Score::PER_DISC + margin {
            return Some(alpha + 1);
        }
        (judged.score.0 <= alpha * Score::PER_DISC - margin).then_some(alpha)
    }

    /// The answer that a shallow search predicts, if it is far enough beyond the window.
    #[inline(always)]
    fn probcut(
        &mut self,
        node: &Node<E::Features>,
        moves: u64,
        alpha: i32,
        horizon: Horizon,
        empties: u32,
    ) -> Option<i32> {
        if horizon.depth < probcut::LEAST_DEPTH || horizon.selectivity == Selectivity::Certain {
            return None;
        }
        let most = self.end.field.cells;
        let shallow = probcut::shallow_depth(horizon.depth);
        let judged = self.judged(node, moves);
        let margin = probcut::margin(horizon, shallow, empties, judged.fewer_moves)?;
        let hope = probcut::hope(empties, shallow);
        let static_score = self.in_discs(judged.score);
        let shallow_horizon = Horizon { depth: shallow, ..horizon };
        let high = alpha + 1 + probcut::margin_by_evaluator(margin, static_score - alpha - 1);
        if high < most && static_score + hope >= high {
            let score = self.null_window(node, high - 1, shallow_horizon);
            if score >= high {
                return Some(alpha + 1);
            }
        }
        let low = alpha - probcut::margin_by_evaluator(margin, alpha - static_score);
        if low > -most && static_score - hope <= low {
            let score = self.null_window(node, low, shallow_horizon);
            if score <= low {
                return Some(alpha);
            }
        }
        None
    }
}
