//! Searching with a null window: is the score above `alpha` or not? Nearly all nodes of a search are of this kind.

use emilia_eval::Evaluator;
use emilia_query::Selectivity;
use emilia_rules::Kernel;

use crate::order::{Candidates, in_order, pick};
use crate::probcut;
use crate::table::{Finding, NO_SQUARE};
use crate::worker::{Effort, Node, Worker};

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
    pub(crate) fn null_window(&mut self, node: &Node<E::Features>, alpha: i32, effort: Effort) -> i32 {
        let kernel = self.end.kernel;
        kernel.enter(
            #[inline(always)]
            move || {
                // 1. The end of the search: exact, by the evaluator, or broken off.
                let empties = self.empties(node).count_ones();
                let to_the_end = effort.depth >= empties;
                let mut effort = effort;
                if to_the_end {
                    effort.depth = empties;
                    if empties < SELECTIVE_END {
                        effort.selectivity = Selectivity::Certain;
                    }
                    if empties <= EXACT_FAST {
                        return self.end.solve(node.own, node.opponent, alpha);
                    }
                }
                self.end.nodes += 1;
                if effort.depth == 0 {
                    return self.judge(node);
                }
                if self.is_over() {
                    return alpha;
                }
                // 2. No more than the opponent's stable discs leave.
                if let Some(bound) = self.end.stability_bound(node.own, node.opponent, alpha, empties) {
                    return bound;
                }
                // 3. Legal moves, or a pass.
                let moves = self.moves(node.own, node.opponent);
                if moves == 0 {
                    if self.moves(node.opponent, node.own) == 0 {
                        return self.end.field.final_score(node.own, node.opponent);
                    }
                    let passed = self.passed(node);
                    return -self.null_window(&passed, -alpha - 1, effort);
                }
                if effort.depth == 1 {
                    return self.last_ply(node, moves, alpha);
                }
                // 4. A position seen before.
                let known =
                    if effort.depth >= TABLE_DEPTH { self.probe(node.own, node.opponent) } else { None };
                if let Some(entry) = known
                    && entry.serves(effort.depth, effort.selectivity)
                {
                    if i32::from(entry.lower) > alpha {
                        return i32::from(entry.lower);
                    }
                    if i32::from(entry.upper) <= alpha {
                        return i32::from(entry.upper);
                    }
                }
                // 5. A shallow search far beyond the window.
                if let Some(score) = self.probcut(node, alpha, effort, empties) {
                    return score;
                }
                // 6. A move that takes every disc, or leads to a position that is known to be good enough.
                let mut candidates = Candidates::new();
                if !self.list(node, moves, &mut candidates) {
                    return self.end.field.cells;
                }
                let solved_next = to_the_end && empties == EXACT_FAST + 1;
                if let Some(score) = self.known_after(&candidates, alpha, effort, solved_next) {
                    return score;
                }
                // 7. The moves, the most promising first.
                let nodes_before = self.end.nodes;
                self.order(node, &mut candidates, known, effort, to_the_end);
                let mut best = -self.end.field.cells - 1;
                let mut best_move = NO_SQUARE;
                for number in 0..candidates.len() {
                    let candidate = pick(&mut candidates);
                    let score = -self.null_window(&candidate.node, -alpha - 1, effort.next());
                    if score > best {
                        best = score;
                        best_move = candidate.square;
                        if score > alpha {
                            break;
                        }
                    }
                    // This move did not settle it: idle threads may help with the others.
                    if number + 2 < candidates.len() && self.should_split(effort.depth, to_the_end) {
                        let rest = in_order(&mut candidates);
                        (best, best_move) = self.split(rest, alpha, effort, (best, best_move));
                        break;
                    }
                }
                // 8. What was found is kept.
                if effort.depth >= TABLE_DEPTH {
                    let Effort { depth, selectivity } = effort;
                    let nodes = self.end.nodes - nodes_before;
                    let finding = Finding {
                        alpha,
                        beta: alpha + 1,
                        score: best,
                        depth,
                        selectivity,
                        best: best_move,
                        nodes,
                    };
                    self.store(node, &finding);
                }
                best
            },
        )
    }

    /// The score of a move to a position that is known to be good enough. Positions that the exact search without an
    /// evaluator solves are in its own table, others in the shared one.
    #[inline(always)]
    fn known_after(
        &self,
        candidates: &Candidates<E::Features>,
        alpha: i32,
        effort: Effort,
        solved_next: bool,
    ) -> Option<i32> {
        // Each will be looked up at the latest when it is searched.
        if !solved_next && effort.depth > TABLE_DEPTH {
            for candidate in candidates {
                self.prefetch(candidate.node.own, candidate.node.opponent);
            }
        }
        if !solved_next && effort.depth < LOOK_AHEAD_DEPTH {
            return None;
        }
        for candidate in candidates {
            let (own, opponent) = (candidate.node.own, candidate.node.opponent);
            let most = if solved_next {
                self.end.at_most(own, opponent)
            } else {
                self.probe(own, opponent)
                    .filter(|entry| entry.serves(effort.depth - 1, effort.selectivity))
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
    fn last_ply(&mut self, node: &Node<E::Features>, moves: u64, alpha: i32) -> i32 {
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
                best = best.max(-self.judge(&next));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// The answer that a shallow search predicts, if it is far enough beyond the window.
    #[inline(always)]
    fn probcut(&mut self, node: &Node<E::Features>, alpha: i32, effort: Effort, empties: u32) -> Option<i32> {
        let deviations = probcut::deviations(effort.selectivity)?;
        if effort.depth < probcut::LEAST_DEPTH {
            return None;
        }
        let most = self.end.field.cells;
        let shallow = probcut::shallow_depth(effort.depth);
        // Both factors are in 64ths.
        let margin = (deviations * probcut::deviation(empties, effort.depth, shallow)) >> 12;
        let hope = probcut::deviation(empties, shallow.max(1), 0) >> 6;
        let static_score = self.judge(node);
        let shallow_effort = Effort { depth: shallow, ..effort };
        let high = alpha + 1 + margin;
        if high < most && static_score + hope >= high {
            let score = self.null_window(node, high - 1, shallow_effort);
            if score >= high {
                return Some(alpha + 1);
            }
        }
        let low = alpha - margin;
        if low > -most && static_score - hope <= low {
            let score = self.null_window(node, low, shallow_effort);
            if score <= low {
                return Some(alpha);
            }
        }
        None
    }
}
