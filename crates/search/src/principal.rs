//! Searching with an open window: the positions on the way to the answer, and a few beside it.

use emilia_eval::Evaluator;
use emilia_query::Selectivity;
use emilia_rules::Kernel;

use crate::null_window::EXACT_FAST;
use crate::order::{Children, pick};
use crate::table::NO_SQUARE;
use crate::worker::{Horizon, Node, Worker};

impl<K: Kernel, E: Evaluator> Worker<'_, K, E> {
    /// The score of a position: exact between `alpha` and `beta`, a bound outside.
    pub(crate) fn principal(
        &mut self,
        node: &Node<E::Features>,
        alpha: i32,
        beta: i32,
        horizon: Horizon,
    ) -> i32 {
        if beta - alpha <= 1 {
            return self.null_window(node, alpha, horizon);
        }
        let kernel = self.end.kernel;
        kernel.enter(
            #[inline(always)]
            move || self.principal_node(node, alpha, beta, horizon),
        )
    }

    #[inline(always)]
    fn principal_node(
        &mut self,
        node: &Node<E::Features>,
        alpha: i32,
        beta: i32,
        mut horizon: Horizon,
    ) -> i32 {
        // 1. The end of the search: the end of the game, by the evaluator, or broken off.
        self.end.nodes += 1;
        let empties = self.empties(node).count_ones();
        let to_the_end = horizon.depth >= empties;
        horizon.depth = horizon.depth.min(empties);
        if horizon.depth == 0 {
            return if empties == 0 {
                self.end.field.final_score(node.own, node.opponent)
            } else {
                self.judge_within(node, alpha, beta, empties)
            };
        }
        if self.is_over() {
            return alpha;
        }
        // 2. Legal moves, or a pass.
        let moves = self.legal(node);
        if moves == 0 {
            if self.moves(node.opponent, node.own) == 0 {
                return self.end.field.final_score(node.own, node.opponent);
            }
            let passed = self.passed(node);
            return -self.principal(&passed, -beta, -alpha, horizon);
        }
        // 3. A position seen before.
        let known = self.probe(node.own, node.opponent);
        if let Some(entry) = known
            && let Some(score) = entry.cutoff(horizon, alpha, beta).or_else(|| entry.exact(horizon))
        {
            return score;
        }
        // 4. The moves, the most promising first.
        let mut children = Children::new();
        if !self.list(node, moves, &mut children) {
            return self.end.field.cells;
        }
        let nodes_before = self.end.nodes;
        self.order(node, &mut children, known, horizon, to_the_end);
        let best = self.best_within_window(&mut children, alpha, beta, horizon);
        // 5. What was found is kept.
        if to_the_end && empties <= EXACT_FAST {
            horizon.selectivity = Selectivity::Certain;
        }
        self.store(node, horizon, (alpha, beta), best, nodes_before);
        best.0
    }

    /// The score and the square of the best move: the first is searched with the open window, the others only to see
    /// whether they are better.
    #[inline(always)]
    fn best_within_window(
        &mut self,
        children: &mut Children<E::Features>,
        alpha: i32,
        beta: i32,
        horizon: Horizon,
    ) -> (i32, u8) {
        let mut best = (-self.end.field.cells - 1, NO_SQUARE);
        for at in 0..children.len() {
            let child = pick(children);
            let floor = alpha.max(best.0);
            let mut score = if at == 0 {
                -self.principal(&child.node, -beta, -floor, horizon.next())
            } else {
                -self.null_window(&child.node, -floor - 1, horizon.next())
            };
            if at > 0 && score > floor && score < beta {
                score = -self.principal(&child.node, -beta, -floor, horizon.next());
            }
            if score > best.0 {
                best = (score, child.square);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}
