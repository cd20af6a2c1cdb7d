use std::sync::Arc;

use emilia_eval::{Evaluator, Play, Score};
use emilia_query::Selectivity;
use emilia_rules::{Bitboard, Board, Kernel, Size, Square};

use crate::control::Control;
use crate::endgame::Endgame;
use crate::field::Field;
use crate::table::{Entry, Finding, Table};
use crate::ybwc::{Pool, Split};

/// How near to the window the evaluator's score leaves a board open, where the search ends shortly before the end of the game.
/// Birthplace: hard-20 to 10 and 12 plies, docs/tuning.md.
const OPEN: i32 = 8 * Score::PER_DISC;

/// One thread of a search.
pub(crate) struct Worker<'s, K, E: Evaluator> {
    /// Kernel, board size, and the exact search of the last empty squares.
    pub(crate) end: Endgame<'s, K>,
    pub(crate) evaluator: &'s E,
    pub(crate) table: &'s Table,
    pub(crate) control: &'s Control<'s>,
    /// The threads that share the work, if there are several.
    pub(crate) pool: Option<&'s Pool<E::Features>>,
    /// The innermost split this thread works on.
    pub(crate) current: Option<Arc<Split<E::Features>>>,
    /// The most empty squares of a board that is solved where this step of the search ends, if the evaluator leaves it open: see
    /// [`plan::solved_if_open`](crate::plan::solved_if_open).
    pub(crate) solved_if_open: u32,
    /// Nodes already reported to the control.
    reported: u64,
    /// Report again at so many.
    report_at: u64,
}

/// A position in the search: the discs, what the evaluator carries along, and what it said if it was asked.
#[derive(Clone)]
pub(crate) struct Node<F> {
    pub(crate) own: u64,
    pub(crate) opponent: u64,
    pub(crate) features: F,
    /// Who orders the moves before a position asks the evaluator about it; the search of it need not ask again.
    pub(crate) judged: Option<Judged>,
}

/// What is known of a position once the evaluator was asked.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) score: Score,
    /// Legal moves of the side to move.
    pub(crate) moves: u64,
    /// How many moves the side has that has fewer of them.
    pub(crate) fewer_moves: u32,
}

impl<F> Node<F> {
    #[inline(always)]
    pub(crate) fn board(&self) -> Board {
        Board { own: Bitboard(self.own), opponent: Bitboard(self.opponent) }
    }
}

impl<'s, K: Kernel, E: Evaluator> Worker<'s, K, E> {
    pub(crate) fn new(
        kernel: K,
        size: Size,
        evaluator: &'s E,
        table: &'s Table,
        control: &'s Control<'s>,
        pool: Option<&'s Pool<E::Features>>,
    ) -> Worker<'s, K, E> {
        let end = Endgame::new(kernel, Field::of(size), control);
        Worker {
            end,
            evaluator,
            table,
            control,
            pool,
            current: None,
            solved_if_open: 0,
            reported: 0,
            report_at: control.portion(),
        }
    }

    /// Whether this thread's work is of no more use, because the search is over or someone else has settled the
    /// question; reports nodes from time to time. Answers of a search that is over mean nothing.
    #[inline(always)]
    pub(crate) fn is_over(&mut self) -> bool {
        if self.end.nodes >= self.report_at {
            self.report();
        }
        self.control.is_over() || self.is_settled()
    }

    /// Tells the control how many nodes were visited.
    #[cold]
    pub(crate) fn report(&mut self) {
        self.control.add(self.end.nodes - self.reported);
        self.reported = self.end.nodes;
        self.report_at = self.end.nodes + self.control.portion();
    }

    /// The position a search begins with.
    pub(crate) fn node(&self, board: Board) -> Node<E::Features> {
        Node {
            own: board.own.0,
            opponent: board.opponent.0,
            features: self.evaluator.features(board),
            judged: None,
        }
    }

    /// The empty squares of the board.
    #[inline(always)]
    pub(crate) fn empties(&self, node: &Node<E::Features>) -> u64 {
        self.end.field.region & !(node.own | node.opponent)
    }

    /// Legal moves.
    #[inline(always)]
    pub(crate) fn moves(&self, own: u64, opponent: u64) -> u64 {
        self.end.kernel.moves(own, opponent) & self.end.field.region
    }

    /// The position after a move.
    #[inline(always)]
    pub(crate) fn after(&self, node: &Node<E::Features>, square: u32, flips: u64) -> Node<E::Features> {
        let play = Play { square: Square::ALL[square as usize & 63], flips: Bitboard(flips) };
        Node {
            own: node.opponent ^ flips,
            opponent: node.own ^ flips ^ 1 << square,
            features: self.evaluator.after(&node.features, node.board(), play),
            judged: None,
        }
    }

    /// The position after a pass.
    #[inline(always)]
    pub(crate) fn passed(&self, node: &Node<E::Features>) -> Node<E::Features> {
        let features = self.evaluator.pass(&node.features, node.board());
        Node { own: node.opponent, opponent: node.own, features, judged: None }
    }

    /// Asks the evaluator about a position whose legal moves are these, unless it was asked before.
    #[inline(always)]
    pub(crate) fn judged(&self, node: &Node<E::Features>, moves: u64) -> Judged {
        if let Some(judged) = node.judged {
            return judged;
        }
        let theirs = self.moves(node.opponent, node.own).count_ones();
        let mobility = [moves.count_ones(), theirs];
        let (kernel, board) = (self.end.kernel, node.board());
        let score = self.evaluator.score_knowing_mobility(kernel, &node.features, board, mobility);
        Judged { score, moves, fewer_moves: mobility[0].min(mobility[1]) }
    }

    /// The legal moves of the side to move.
    #[inline(always)]
    pub(crate) fn legal(&self, node: &Node<E::Features>) -> u64 {
        // Not by a closure, which would not be compiled for the kind of processor.
        match node.judged {
            Some(judged) => judged.moves,
            None => self.moves(node.own, node.opponent),
        }
    }

    /// The evaluator's score in whole discs, less than a win of all discs.
    #[inline(always)]
    pub(crate) fn judge(&self, node: &Node<E::Features>) -> i32 {
        self.in_discs(self.judged(node, self.legal(node)).score)
    }

    /// The score of a board where the search ends: the evaluator's, unless that leaves the window open and the board is near enough to
    /// the end of the game to be solved.
    #[inline(always)]
    pub(crate) fn judge_within(
        &mut self,
        node: &Node<E::Features>,
        alpha: i32,
        beta: i32,
        empties: u32,
    ) -> i32 {
        let score = self.judged(node, self.legal(node)).score;
        let open = alpha * Score::PER_DISC - OPEN..=beta * Score::PER_DISC + OPEN;
        if empties <= self.solved_if_open && open.contains(&score.0) {
            let horizon = Horizon { depth: empties, selectivity: Selectivity::Certain };
            return self.principal(node, alpha, beta, horizon);
        }
        self.in_discs(score)
    }

    /// A score in whole discs, less than a win of all discs.
    #[inline(always)]
    pub(crate) fn in_discs(&self, score: Score) -> i32 {
        let most = self.end.field.cells - 2;
        score.discs().clamp(-most, most)
    }

    /// What the table knows of a position.
    #[inline(always)]
    pub(crate) fn probe(&self, own: u64, opponent: u64) -> Option<Entry> {
        let wall = self.end.field.wall();
        self.table.probe(own | wall, opponent | wall)
    }

    /// Stores the best score of a search to this horizon with this window, and its move, in the table, unless the search
    /// is over and they mean nothing.
    #[inline(always)]
    pub(crate) fn store(
        &self,
        node: &Node<E::Features>,
        horizon: Horizon,
        (alpha, beta): (i32, i32),
        (score, best): (i32, u8),
        nodes_before: u64,
    ) {
        if !self.control.is_over() && !self.is_settled() {
            let Horizon { depth, selectivity } = horizon;
            let nodes = self.end.nodes - nodes_before;
            let finding = Finding { alpha, beta, score, depth, selectivity, best, nodes };
            let wall = self.end.field.wall();
            self.table.store(node.own | wall, node.opponent | wall, &finding);
        }
    }

    /// Asks for the table's bucket of a position ahead of time.
    #[inline(always)]
    pub(crate) fn prefetch(&self, own: u64, opponent: u64) {
        let wall = self.end.field.wall();
        let bucket = self.table.bucket(own | wall, opponent | wall);
        for end in bucket.ends() {
            self.end.kernel.prefetch(end);
        }
    }
}

/// How deep and how sure a search is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Horizon {
    /// Plies; all empty squares or more means to the end of the game.
    pub(crate) depth: u32,
    pub(crate) selectivity: Selectivity,
}

impl Horizon {
    /// The horizon for the position after a move.
    #[inline(always)]
    pub(crate) fn next(self) -> Horizon {
        Horizon { depth: self.depth - 1, ..self }
    }
}

#[cfg(test)]
#[cfg(not(feature = "loom"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use emilia_eval::Mobility;
    use emilia_rules::Portable;

    use super::*;
    use crate::ybwc::tests::split;

    /// What is stored of a position that took ten nodes; `settled` is the split in which it was searched, if it was in one.
    fn stored(over: bool, settled: Option<bool>) -> Option<Entry> {
        let (table, evaluator, stop) =
            (Table::new(1).unwrap(), Mobility::new(Size::EIGHT), AtomicBool::new(false));
        let control = Control::new(&stop, None, None);
        let mut worker = Worker::new(Portable, Size::EIGHT, &evaluator, &table, &control, None);
        let node = worker.node(Board::START);
        let horizon = Horizon { depth: 7, selectivity: Selectivity::Certain };
        worker.end.nodes = 100;
        worker.current = settled.map(split);
        stop.store(over, Relaxed);
        worker.store(&node, horizon, (3, 4), (5, 19), 90);
        worker.probe(node.own, node.opponent)
    }

    #[test]
    fn what_is_stored_is_what_the_table_is_told_with_the_nodes_it_took() {
        let (table, board) = (Table::new(1).unwrap(), Board::START);
        let selectivity = Selectivity::Certain;
        let finding = Finding { alpha: 3, beta: 4, score: 5, depth: 7, selectivity, best: 19, nodes: 10 };
        table.store(board.own.0, board.opponent.0, &finding);
        let told = table.probe(board.own.0, board.opponent.0);
        assert!(told.is_some());
        assert_eq!(stored(false, None), told);
        assert_eq!(stored(false, Some(false)), told);
    }

    /// Scores of a search that is over, or of one that somebody else has settled, mean nothing.
    #[test]
    fn nothing_is_stored_once_the_search_is_over_or_settled() {
        assert_eq!(stored(true, None), None);
        assert_eq!(stored(true, Some(false)), None);
        assert_eq!(stored(false, Some(true)), None);
        assert_eq!(stored(true, Some(true)), None);
    }
}
