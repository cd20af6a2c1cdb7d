//! The order in which moves are tried: the sooner the best comes, the less is searched.

use arrayvec::ArrayVec;
use emilia_eval::{Evaluator, Score};
use emilia_query::Selectivity;
use emilia_rules::{Bitboard, Kernel, SquareSet};

use crate::move_values::{LEAST_EMPTIES, LateMove};
use crate::null_window::EXACT_FAST;
use crate::table::{Entry, NO_SQUARE};
use crate::worker::{Horizon, Node, Worker};

/// A move, the position it leads to, and how soon it is to be tried.
pub(crate) struct Child<F> {
    pub(crate) order: i32,
    pub(crate) square: u8,
    pub(crate) node: Node<F>,
}

/// The moves of a position: at most one per empty square.
pub(crate) type Children<F> = ArrayVec<Child<F>, 62>;

/// A move that the table names comes before all others.
const TABLE_MOVE: i32 = 1 << 28;

/// What a reply of the opponent counts in the order of moves, in 128ths of a disc: in searches that do not see the end of the
/// game, and in others, where few replies make small trees.
/// Birthplace: docs/tuning.md.
const REPLY: i32 = 64;
const REPLY_TO_THE_END: i32 = 256;
/// What a move into an odd quarter counts, likewise.
const ODD_QUARTER: i32 = 64;
/// What else counts in searches to the end on 8×8, likewise: a unit of what was learned of moves near the end, which knows of
/// corners and of odd quarters too; an empty square beside own discs, where the opponent may soon have a move; and an own disc.
/// Birthplace: tournament positions of 23 empty squares, FFO #45, #48 and #49, docs/tuning.md.
const LEARNED_UNIT: i32 = 10;
const OPEN_SQUARE: i32 = 200;
const OWN_DISC: i32 = 80;

/// The least depth at which moves are ordered by a search instead of by the evaluator alone, but in a proof, and how many plies of
/// depth give one ply more to that search.
/// Birthplace: FFO #45–#52, docs/tuning.md.
const SORT_FROM: u32 = 24;
const SORT_STEP: u32 = 3;
/// No search that orders moves is deeper.
const SORT_MOST: u32 = 6;

impl<K: Kernel, E: Evaluator> Worker<'_, K, E> {
    /// Lists all moves of a position with the positions they lead to, unordered. False if one of them takes the
    /// opponent's last disc: no other is worth a look then.
    #[inline(always)]
    pub(crate) fn list(
        &self,
        node: &Node<E::Features>,
        moves: u64,
        children: &mut Children<E::Features>,
    ) -> bool {
        let mut rest = moves;
        while rest != 0 {
            let square = rest.trailing_zeros();
            rest &= rest - 1;
            let flips = self.end.kernel.flips(node.own, node.opponent, square);
            if flips == node.opponent {
                return false;
            }
            let next = self.after(node, square, flips);
            children.push(Child { order: 0, square: square as u8, node: next });
        }
        true
    }

    /// Says how soon each move is to be tried.
    #[inline(always)]
    pub(crate) fn order(
        &mut self,
        node: &Node<E::Features>,
        children: &mut Children<E::Features>,
        known: Option<Entry>,
        horizon: Horizon,
        to_the_end: bool,
    ) {
        let (best, second) = known.map_or((NO_SQUARE, NO_SQUARE), |entry| (entry.best, entry.second));
        let odd = self.end.field.odd_quarters(self.empties(node));
        let reply = if to_the_end { REPLY_TO_THE_END } else { REPLY };
        let learned = self.end.values.filter(|_| to_the_end);
        // A proof wants small trees, and what finds the best move leads it into larger ones.
        let proof = to_the_end && horizon.selectivity == Selectivity::Certain;
        let sort_depth = if proof || horizon.depth < SORT_FROM {
            0
        } else {
            (1 + (horizon.depth - SORT_FROM) / SORT_STEP).min(SORT_MOST)
        };
        // While one position is judged, what the next ones need is on its way.
        if sort_depth == 0 {
            for child in children.iter() {
                self.evaluator.prefetch(self.end.kernel, &child.node.features, child.node.board());
            }
        }
        for child in children {
            if child.square == best {
                child.order = TABLE_MOVE + 1;
                continue;
            }
            if child.square == second {
                child.order = TABLE_MOVE;
                continue;
            }
            let next = &mut child.node;
            let replies = self.moves(next.own, next.opponent);
            let score = if sort_depth == 0 {
                self.end.nodes += 1;
                let judged = self.judged(next, replies);
                next.judged = Some(judged);
                judged.score.0
            } else {
                let horizon = Horizon { depth: sort_depth, selectivity: Selectivity::Likely };
                let most = self.end.field.cells;
                self.principal(next, -most, most, horizon) * Score::PER_DISC
            };
            let odd = odd >> child.square & 1;
            let answers = replies.count_ones() as i32;
            child.order = if let Some(values) = learned {
                let (own, opponent, square) = (next.opponent, next.own, child.square.into());
                let empties = horizon.depth.clamp(LEAST_EMPTIES, EXACT_FAST);
                let late = LateMove { square, own, opponent, replies, odd: odd != 0, empties };
                let open = Bitboard(own).grown().0 & !(own | opponent);
                LEARNED_UNIT * values.of(self.end.kernel, &late)
                    - score
                    - reply * answers
                    - OPEN_SQUARE * open.count_ones() as i32
                    - OWN_DISC * own.count_ones() as i32
            } else {
                let mobility = answers + (replies & self.end.field.corners).count_ones() as i32;
                odd as i32 * ODD_QUARTER - score - reply * mobility
            };
        }
    }
}

/// The most promising of the moves that were not picked before.
#[inline(always)]
pub(crate) fn pick<F>(children: &mut Children<F>) -> &Child<F> {
    let mut top = 0;
    for other in 1..children.len() {
        if children[other].order > children[top].order {
            top = other;
        }
    }
    children[top].order = i32::MIN;
    &children[top]
}

/// The moves that were not picked yet, the most promising first.
pub(crate) fn in_order<F: Clone>(children: &mut Children<F>) -> Vec<Child<F>> {
    let mut rest: Vec<_> = children.drain(..).filter(|child| child.order != i32::MIN).collect();
    rest.sort_by_key(|child| std::cmp::Reverse(child.order));
    rest
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use emilia_eval::Mobility;
    use emilia_rules::{Playable, Portable, Position, Size};

    use super::*;
    use crate::control::Control;
    use crate::field::{NEIGHBOURS, squares};
    use crate::move_values::MoveValues;
    use crate::table::Table;

    fn working<T>(find: impl FnOnce(&mut Worker<'_, Portable, Mobility>) -> T) -> T {
        let (table, stop) = (Table::new(1).unwrap(), AtomicBool::new(false));
        let (control, mobility) = (Control::new(&stop, None, None), Mobility::new(Size::EIGHT));
        find(&mut Worker::new(Portable, Size::EIGHT, &mobility, &table, &control, None))
    }

    /// From 24 plies on, a move is worth what a search of one ply finds after it, and of one more for every three plies, up to six.
    #[test]
    fn moves_of_a_deep_search_are_put_in_order_by_shallow_ones() {
        let position = Position::try_from(&crate::grid::game(8, 1)[8]).unwrap();
        for (depth, shallow) in [(24, 1), (26, 1), (27, 2), (35, 4), (39, 6), (45, 6)] {
            let listed = |worker: &mut Worker<'_, Portable, Mobility>| {
                let node = worker.node(position.board());
                let (mut children, moves) = (Children::new(), worker.legal(&node));
                assert!(worker.list(&node, moves, &mut children));
                (node, children)
            };
            let found: Vec<i32> = working(|worker| {
                let (node, mut children) = listed(worker);
                let horizon = Horizon { depth, selectivity: Selectivity::Certain };
                worker.order(&node, &mut children, None, horizon, false);
                children.iter().map(|child| child.order).collect()
            });
            let expected: Vec<i32> = working(|worker| {
                let (node, children) = listed(worker);
                let odd = worker.end.field.odd_quarters(worker.empties(&node));
                let order = |child: &Child<()>| {
                    let next = &child.node;
                    let horizon = Horizon { depth: shallow, selectivity: Selectivity::Likely };
                    let score = worker.principal(next, -64, 64, horizon);
                    let replies = worker.moves(next.own, next.opponent);
                    let corners = (replies & worker.end.field.corners).count_ones();
                    let parity = if odd >> child.square & 1 != 0 { ODD_QUARTER } else { 0 };
                    parity - 128 * score - REPLY * (replies.count_ones() + corners) as i32
                };
                children.iter().map(order).collect()
            });
            assert!(found.len() > 3);
            assert_eq!(found, expected, "{depth}");
        }
    }

    /// Where the end is seen, what makes trees small counts: on 8×8 by what was learned, with the squares and discs that it does not
    /// know of; on 6×6 by replies and odd quarters alone.
    #[test]
    fn moves_of_a_search_to_the_end_are_put_in_order_by_the_trees_they_leave() {
        let mut seen = [0; 2];
        for (at, side) in [6, 8].into_iter().enumerate() {
            let game = crate::grid::game(side, 3);
            let positions = game.iter().map(|position| Position::try_from(position).unwrap());
            for position in positions.filter(|position| (4..=20).contains(&position.counts().empty)) {
                let (size, empties) = (Size::new(side).unwrap(), position.counts().empty);
                let (table, stop) = (Table::new(1).unwrap(), AtomicBool::new(false));
                let (control, mobility) = (Control::new(&stop, None, None), Mobility::new(size));
                let mut worker = Worker::new(Portable, size, &mobility, &table, &control, None);
                let node = worker.node(position.board());
                let (mut children, moves) = (Children::new(), worker.legal(&node));
                if !worker.list(&node, moves, &mut children) {
                    continue;
                }
                let horizon = Horizon { depth: empties, selectivity: Selectivity::Certain };
                worker.order(&node, &mut children, None, horizon, true);
                for child in &children {
                    let after = child.node.board();
                    let replies = worker.moves(after.own.0, after.opponent.0);
                    let score = mobility.score(Portable, &(), after).0;
                    let free = worker.empties(&node);
                    let quarter =
                        worker.end.field.quarters.into_iter().find(|it| it >> child.square & 1 != 0);
                    let odd = (quarter.unwrap() & free).count_ones() % 2 == 1;
                    let expected = if side == 8 {
                        let late = LateMove {
                            square: child.square.into(),
                            own: after.opponent.0,
                            opponent: after.own.0,
                            replies,
                            odd,
                            empties: empties.clamp(8, 13),
                        };
                        let values = late.numbers().map(|number| MoveValues::embedded().value(number));
                        let learned: i32 = values.into_iter().map(i32::from).sum();
                        let beside = |square: &u32| NEIGHBOURS[*square as usize] & after.opponent.0 != 0;
                        let open = squares(after.empties().0).filter(beside).count() as i32;
                        let own = after.opponent.0.count_ones() as i32;
                        10 * learned - score - 256 * replies.count_ones() as i32 - 200 * open - 80 * own
                    } else {
                        let corners = (replies & worker.end.field.corners).count_ones();
                        64 * i32::from(odd) - score - 256 * (replies.count_ones() + corners) as i32
                    };
                    assert_eq!(child.order, expected, "{position}");
                    seen[at] += 1;
                }
            }
        }
        assert!(seen.iter().all(|seen| *seen > 20), "{seen:?}");
    }
}
