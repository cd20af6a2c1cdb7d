//! The root of a search: its moves, their scores, and the line of best play.

use emilia_eval::Evaluator;
use emilia_rules::{Bitboard, Board, Kernel, Move, Square, SquareSet};

use crate::table::NO_SQUARE;
use crate::worker::{Horizon, Node, Worker};

/// A move at the root.
pub(crate) struct RootMove<F> {
    pub(crate) square: Square,
    pub(crate) node: Node<F>,
    /// The last score: exact if the move was best, else a bound.
    pub(crate) score: i32,
}

/// A position whose moves are ranked.
pub(crate) struct Root<F> {
    pub(crate) node: Node<F>,
    /// The moves, best first as far as is known.
    pub(crate) moves: Vec<RootMove<F>>,
    /// Whether these are all the legal moves, so that the best of them is the position's score.
    whole: bool,
    /// Whether the first move was found better, by the search that goes on, than the one that was first when it began.
    pub(crate) improved: bool,
}

/// Half the width of the first window around the expected score, in discs: for a search to the end of the game,
/// where scores are even and the expectation is good, and for others.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const WINDOW_TO_THE_END: i32 = 1;
const WINDOW: i32 = 3;
/// A line of best play is completed by exact search where at most so many squares are empty.
const COMPLETE: u32 = 12;

impl<K: Kernel, E: Evaluator> Worker<'_, K, E> {
    /// The root for a position on which the side to move can move, with these moves if any of them is legal.
    pub(crate) fn root(&self, board: Board, among: Option<Bitboard>) -> Root<E::Features> {
        let node = self.node(board);
        let legal = Bitboard(self.moves(node.own, node.opponent));
        let chosen = among.map(|among| legal & among).filter(|chosen| !chosen.is_empty()).unwrap_or(legal);
        let mut moves: Vec<_> = chosen
            .into_iter()
            .map(|square| {
                let index = u32::from(square.index());
                let flips = self.end.kernel.flips(node.own, node.opponent, index);
                let next = self.after(&node, index, flips);
                let score = -self.judge(&next);
                RootMove { square, node: next, score }
            })
            .collect();
        moves.sort_by_key(|mv| -mv.score);
        Root { node, moves, whole: chosen == legal, improved: false }
    }

    /// Finds the best of the root's moves from number `from` on, brings it there, and gives its score. Beginning
    /// near the expected score, the window is widened until the score lies inside.
    pub(crate) fn best_from(
        &mut self,
        root: &mut Root<E::Features>,
        from: usize,
        window: Option<(i32, i32)>,
        horizon: Horizon,
    ) -> i32 {
        let most = self.end.field.cells;
        let to_the_end = horizon.depth >= self.empties(&root.node).count_ones();
        root.improved = false;
        if let Some((alpha, beta)) = window {
            return self.best_within(root, from, alpha, beta, horizon);
        }
        let mut width = if to_the_end { WINDOW_TO_THE_END } else { WINDOW };
        let mut guess = root.moves[from].score;
        if to_the_end {
            guess = 2 * (guess.clamp(-most, most) / 2);
        }
        let (mut alpha, mut beta) = (guess - width, guess + width);
        // A selective search may find a score too low once the window is raised, and the other way round: then it
        // lies between both.
        let (mut raised, mut lowered) = (false, false);
        loop {
            let score = self.best_within(root, from, alpha.max(-most - 1), beta.min(most + 1), horizon);
            width *= 2;
            if self.control.is_over() {
                return score;
            } else if score <= alpha && alpha > -most && !raised {
                lowered = true;
                root.improved = false;
                beta = score + 1;
                alpha = score - width + i32::from(to_the_end);
            } else if score >= beta && beta < most && !lowered {
                raised = true;
                alpha = score - 1;
                beta = score + width - i32::from(to_the_end);
            } else {
                return score;
            }
        }
    }

    fn best_within(
        &mut self,
        root: &mut Root<E::Features>,
        from: usize,
        alpha: i32,
        beta: i32,
        horizon: Horizon,
    ) -> i32 {
        self.end.nodes += 1;
        let nodes_before = self.end.nodes;
        let mut best = -self.end.field.cells - 1;
        for at in from..root.moves.len() {
            let floor = alpha.max(best);
            let next = &root.moves[at].node;
            let mut score = if at == from {
                -self.principal(next, -beta, -floor, horizon.next())
            } else {
                -self.null_window(next, -floor - 1, horizon.next())
            };
            if at > from && score > floor && score < beta {
                score = -self.principal(next, -beta, -floor, horizon.next());
            }
            if self.control.is_over() {
                return best;
            }
            root.moves[at].score = score;
            if score > best {
                root.improved |= at > from && score > floor;
                best = score;
                root.moves[from..=at].rotate_right(1);
                if score >= beta {
                    break;
                }
            }
        }
        if from == 0 && root.whole {
            let best_move = root.moves.first().map_or(NO_SQUARE, |mv| mv.square.index());
            self.store(&root.node, horizon, (alpha, beta), (best, best_move), nodes_before);
        }
        best
    }

    /// The moves that follow a root move, as the table remembers them, completed by exact search near the end as long
    /// as there is time.
    pub(crate) fn line(&mut self, first: &RootMove<E::Features>, depth: u32, exact: bool) -> Vec<Move> {
        let mut line = vec![Move::Place(first.square)];
        let mut node = first.node.clone();
        let mut known_score = exact.then_some(-first.score);
        // A pass is no choice and costs no depth.
        let mut placed = 1;
        while placed < depth {
            let moves = self.moves(node.own, node.opponent);
            if moves == 0 {
                if self.moves(node.opponent, node.own) == 0 {
                    break;
                }
                line.push(Move::Pass);
                node = self.passed(&node);
                known_score = known_score.map(|score| -score);
                continue;
            }
            let known = self.probe(node.own, node.opponent).map_or(NO_SQUARE, |entry| entry.best);
            let square = match known_score {
                Some(score) if !self.control.is_over() && self.empties(&node).count_ones() <= COMPLETE => {
                    self.move_that_scores(&node, score)
                }
                _ => (known < 64 && moves >> known & 1 != 0).then_some(u32::from(known)),
            };
            let Some(square) = square else { break };
            line.push(Move::Place(Square::ALL[square as usize & 63]));
            placed += 1;
            let flips = self.end.kernel.flips(node.own, node.opponent, square);
            node = self.after(&node, square, flips);
            known_score = known_score.map(|score| -score);
        }
        line
    }

    /// The first move that reaches a score known to be exact, unless the search is over before it is found.
    fn move_that_scores(&mut self, node: &Node<E::Features>, score: i32) -> Option<u32> {
        let moves = self.moves(node.own, node.opponent);
        let found = crate::field::squares(moves).find(|square| {
            let flips = self.end.kernel.flips(node.own, node.opponent, *square);
            let next = self.after(node, *square, flips);
            -self.end.solve(next.own, next.opponent, -score) >= score
        });
        found.filter(|_| !self.control.is_over())
    }
}
