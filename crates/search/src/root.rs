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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use emilia_eval::{Learned, Mobility};
    use emilia_query::{Selectivity, Stop};
    use emilia_rules::{Playable, Portable, Position, Setup, Size};

    use super::*;
    use crate::control::Control;
    use crate::field::Field;
    use crate::{Search, Table};

    /// The best of all moves is the score of a position; the best of some says nothing about it.
    #[test]
    fn a_position_is_remembered_only_if_all_its_moves_were_tried() {
        let (table, stop) = (Table::new(1).unwrap(), Stop::default());
        let size = Size::new(4).unwrap();
        let game = crate::grid::game(4, 1);
        let positions = game.iter().map(|position| Position::try_from(position).unwrap());
        let mut some = 0;
        for position in positions.filter(|position| position.placements().count() > 1) {
            let (board, wall) = (position.board(), Field::of(size).wall());
            let mut search = Search::new(Learned::embedded(), &table, &stop);
            let remembered = || {
                let entry = table.probe(board.own.0 | wall, board.opponent.0 | wall)?;
                entry.exact(Horizon { depth: position.counts().empty, selectivity: Selectivity::Certain })
            };
            table.clear();
            let found = search.run(&position, &mut ()).discs().unwrap();
            assert_eq!(remembered(), Some(found as i32), "{position}");
            // However many moves get a score of their own.
            table.clear();
            search.lines = usize::MAX;
            search.run(&position, &mut ());
            assert_eq!(remembered(), Some(found as i32), "{position}");
            for square in position.placements() {
                table.clear();
                search.among = Some(Bitboard(1 << square.index()));
                search.run(&position, &mut ());
                assert_eq!(remembered(), None, "{position}");
                some += 1;
            }
        }
        assert!(some > 10, "{some}");
    }

    /// Positions of 6×6, X to move, who loses all discs within four plies whatever is played, …
    const LOST: [&str; 3] = [
        "OOOOOO-OOOOO--OXOO-OOOOO--O-OO--O-XO",
        "-----O----OO-OOOO-OXOOOOOXOOOOOOOO--",
        "OO---O-OOO-O--OOOOOOOOXO--O-OO-XO-XO",
    ];
    /// … or takes all of O's within three, but not at once.
    const WON: [&str; 3] = [
        "XXXXXX-XXXXX--XOXX-XOXXX-OX-XX--X-OX",
        "XXXXXXXXXXXXXXXXOOXXXO---X-O--XXX---",
        "--X-----X-X-O-XXO-XXXOXXXXO-X-XXXXXX",
    ];

    fn six(board: &str) -> Position {
        let position = format!("{board} X").parse::<Setup>().unwrap().position().unwrap();
        Position::try_from(&position).unwrap()
    }

    /// What is found in a position of 6×6 where this score is expected, with a table of its own; and the nodes it took.
    fn expecting<T>(
        position: &Position,
        expected: i32,
        find: impl FnOnce(&mut Worker<'_, Portable, Mobility>, &mut Root<()>) -> T,
    ) -> (T, u64) {
        let (table, stop) = (Table::new(1).unwrap(), AtomicBool::new(false));
        let (control, mobility) = (Control::new(&stop, None, None), Mobility::new(Size::SIX));
        let mut worker = Worker::new(Portable, Size::SIX, &mobility, &table, &control, None);
        let mut root = worker.root(position.board(), None);
        root.moves[0].score = expected;
        (find(&mut worker, &mut root), worker.end.nodes)
    }

    fn certain(depth: u32) -> Horizon {
        Horizon { depth, selectivity: Selectivity::Certain }
    }

    /// Where a window reaches the end of the scale, nothing is beyond it: nobody looks again.
    #[test]
    fn all_discs_are_the_most_that_can_be_lost_or_won() {
        for (boards, depth, score) in [(LOST, 4, -36i32), (WON, 3, 36)] {
            for board in boards {
                // Three discs away, so that the first window ends there.
                let near = score - 3 * score.signum();
                let found = expecting(&six(board), near, |worker, root| {
                    worker.best_from(root, 0, None, certain(depth))
                });
                let once = expecting(&six(board), near, |worker, root| {
                    worker.best_within(root, 0, near - 3, near + 3, certain(depth))
                });
                assert_eq!((found, found.0), (once, score), "{board}");
            }
        }
    }

    /// Who loses everything knows that as exactly as any other score, and so does who wins everything after the first move.
    #[test]
    fn a_loss_of_all_discs_is_an_exact_score() {
        let mut exact = 0;
        for (board, first) in LOST.into_iter().flat_map(|board| (0..2).map(move |first| (board, first))) {
            expecting(&six(board), -34, |worker, root| {
                root.moves.swap(0, first);
                root.moves[0].score = -34;
                assert_eq!(worker.best_from(root, 0, None, certain(4)), -36, "{board}");
                let known = |node: &Node<()>, depth| {
                    worker.probe(node.own, node.opponent).map(|entry| entry.exact(certain(depth)))
                };
                assert_eq!(known(&root.node, 4), Some(Some(-36)), "{board}");
                // Who wins everything at once need not remember it.
                if let Some(score) = known(&root.moves[0].node, 3) {
                    assert_eq!(score, Some(36), "{board}");
                    exact += 1;
                }
            });
        }
        assert!(exact > 0);
    }

    /// A move that is only known to be no better than what was asked for is no improvement, even if it is better than the first.
    #[test]
    fn only_a_move_above_the_window_is_an_improvement() {
        let mut changed = 0;
        let positions = (0..4).flat_map(|seed| crate::grid::game(6, seed)[3..20].to_vec());
        for position in positions.map(|position| Position::try_from(&position).unwrap()) {
            if position.placements().is_empty() {
                continue;
            }
            let within = |alpha: i32, beta: i32| {
                let find = |worker: &mut Worker<'_, Portable, Mobility>, root: &mut Root<()>| {
                    let first = root.moves[0].square;
                    let score = worker.best_within(root, 0, alpha, beta, certain(3));
                    (score, root.improved, root.moves[0].square != first)
                };
                expecting(&position, 0, find).0
            };
            let (score, improved, other) = within(-37, 37);
            assert_eq!(improved, other, "{position}");
            let (same, improved, other) = within(score, score + 2);
            assert_eq!((same, improved), (score, false), "{position}");
            changed += u32::from(other);
        }
        assert!(changed > 5, "{changed}");
    }
}
