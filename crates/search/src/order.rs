//! The order in which moves are tried: the sooner the best comes, the less is searched.

use arrayvec::ArrayVec;
use emilia_eval::{Evaluator, Score};
use emilia_query::Selectivity;
use emilia_rules::Kernel;

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

/// What a reply of the opponent counts in the order of moves of searches that do not see the end of the game, in 128ths of
/// a disc; [`Field`](crate::field::Field) has what it counts in others, where few replies make small trees.
/// Birthplace: docs/tuning.md.
const REPLY: i32 = 64;
/// What a move into an odd quarter counts, likewise.
const ODD_QUARTER: i32 = 64;

/// The least depth at which moves are ordered by a search instead of by the evaluator alone, and how many plies
/// of depth give one ply more to that search.
/// Birthplace: FFO #45–#49, docs/tuning.md.
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
        let reply = if to_the_end { self.end.field.reply_to_the_end } else { REPLY };
        let sort_depth = if horizon.depth < SORT_FROM {
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
            let mobility = (replies.count_ones() + (replies & self.end.field.corners).count_ones()) as i32;
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
            let parity = (odd >> child.square & 1) as i32;
            child.order = parity * ODD_QUARTER - score - reply * mobility;
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
    use emilia_rules::{Portable, Position, Size};

    use super::*;
    use crate::control::Control;
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
}
