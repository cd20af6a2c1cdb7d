//! Searching with an open window: the positions on the way to the answer, and a few beside it.

use emilia_eval::Evaluator;
use emilia_query::Selectivity;
use emilia_rules::Kernel;

use crate::order::{Candidates, pick};
use crate::table::{Finding, NO_SQUARE};
use crate::worker::{Effort, Node, Worker};

impl<K: Kernel, E: Evaluator> Worker<'_, K, E> {
    /// The score of a position: exact between `alpha` and `beta`, a bound outside.
    pub(crate) fn principal(
        &mut self,
        node: &Node<E::Features>,
        alpha: i32,
        beta: i32,
        effort: Effort,
    ) -> i32 {
        if beta - alpha <= 1 {
            return self.null_window(node, alpha, effort);
        }
        let kernel = self.end.kernel;
        kernel.enter(
            #[inline(always)]
            move || {
                // 1. The end of the search: the end of the game, by the evaluator, or broken off.
                self.end.nodes += 1;
                let empties = self.empties(node).count_ones();
                let to_the_end = effort.depth >= empties;
                let mut effort = effort;
                effort.depth = effort.depth.min(empties);
                if effort.depth == 0 {
                    return if empties == 0 {
                        self.end.field.final_score(node.own, node.opponent)
                    } else {
                        self.judge(node)
                    };
                }
                if self.is_over() {
                    return alpha;
                }
                // 2. Legal moves, or a pass.
                let moves = self.moves(node.own, node.opponent);
                if moves == 0 {
                    if self.moves(node.opponent, node.own) == 0 {
                        return self.end.field.final_score(node.own, node.opponent);
                    }
                    let passed = self.passed(node);
                    return -self.principal(&passed, -beta, -alpha, effort);
                }
                // 3. A position seen before.
                let known = self.probe(node.own, node.opponent);
                if let Some(entry) = known
                    && entry.serves(effort.depth, effort.selectivity)
                {
                    let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                    if lower >= beta || lower == upper {
                        return lower;
                    }
                    if upper <= alpha {
                        return upper;
                    }
                }
                // 4. The moves, the most promising first: the first with the open window, the others only to see whether
                //    they are better.
                let mut candidates = Candidates::new();
                if !self.list(node, moves, &mut candidates) {
                    return self.end.field.cells;
                }
                let nodes_before = self.end.nodes;
                self.order(node, &mut candidates, known, effort, to_the_end);
                let mut best = -self.end.field.cells - 1;
                let mut best_move = NO_SQUARE;
                for at in 0..candidates.len() {
                    let candidate = pick(&mut candidates);
                    let floor = alpha.max(best);
                    let mut score = if at == 0 {
                        -self.principal(&candidate.node, -beta, -floor, effort.next())
                    } else {
                        -self.null_window(&candidate.node, -floor - 1, effort.next())
                    };
                    if at > 0 && score > floor && score < beta {
                        score = -self.principal(&candidate.node, -beta, -floor, effort.next());
                    }
                    if score > best {
                        best = score;
                        best_move = candidate.square;
                        if score >= beta {
                            break;
                        }
                    }
                }
                // 5. What was found is kept.
                let Effort { depth, selectivity } = effort;
                let nodes = self.end.nodes - nodes_before;
                let selectivity = if depth == empties && empties <= crate::null_window::EXACT_FAST {
                    Selectivity::Certain
                } else {
                    selectivity
                };
                self.store(
                    node,
                    &Finding { alpha, beta, score: best, depth, selectivity, best: best_move, nodes },
                );
                best
            },
        )
    }
}
