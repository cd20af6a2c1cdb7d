use emilia_query::{Report, Value};
use emilia_rules::{Kernel, Move, Objective, Playable, Point, SquareSet};

use super::beam::Ranked;
use super::table::Table;
use super::{MAX_DEPTH, Method, Search, first_move};
use crate::control::{Found, Meter, Stopped};
use crate::listener::{Entry, Leaf, Listening};
use crate::{Dice, Ending, Order};

/// What an evaluator says about a position, given the legal moves there. It is asked by its address: so the walk is compiled once for
/// each board and kind of processor, not once more for each evaluator.
pub(super) type Judgement<'e, P> = &'e dyn Fn(&P, <P as Playable>::Set) -> f64;

/// A depth-first walk through the game tree, and what it carries along.
///
/// Values are seen by the side to move in a node (negamax): a child's value changes its sign on the way up.
pub(super) struct Walk<'e, 'j, 'c, 'a, P: Playable, K> {
    pub(super) kernel: K,
    pub(super) evaluator: Judgement<'e, P>,
    pub(super) ending: Ending,
    pub(super) objective: Objective,
    pub(super) meter: Meter<'c, 'a>,
    pub(super) listener: Listening<'j>,
    pub(super) dice: &'j mut Dice,
    /// The squares to try first, next and last.
    pub(super) groups: [P::Set; 3],
    pub(super) pruning: Pruning,
    /// Whether the best looking moves are tried first.
    pub(super) looks_first: bool,
    /// Whether all moves but the first are asked only whether they are better (negascout).
    pub(super) scouting: bool,
    /// The positions searched already, if they are kept.
    pub(super) table: Option<Table<P>>,
    /// Moves kept at a node that has more.
    pub(super) width: usize,
    /// The best line found below the current node of each ply, filled from the bottom up.
    pub(super) lines: Vec<Vec<Move<Point>>>,
    /// Children being ranked, of all nodes on the way to the current one.
    pub(super) ranked: Vec<Ranked<P>>,
    /// The best value among the moves at the root that were searched completely.
    pub(super) root_value: Option<f64>,
    /// Whether a position was evaluated, that is, not every line was followed to the end of the game.
    pub(super) evaluated: bool,
}

/// More moves than any position has.
const MANY: usize = usize::MAX;

/// Whether branches that cannot matter are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pruning {
    On,
    Off,
}

impl<'e, 'j, 'c, 'a, P: Playable, K: Kernel> Walk<'e, 'j, 'c, 'a, P, K> {
    pub(super) fn new(
        kernel: K,
        evaluator: Judgement<'e, P>,
        groups: [P::Set; 3],
        search: &Search,
        meter: Meter<'c, 'a>,
        listener: Listening<'j>,
        dice: &'j mut Dice,
    ) -> Self {
        Walk {
            kernel,
            evaluator,
            ending: search.ending,
            objective: search.objective,
            meter,
            listener,
            dice,
            groups,
            pruning: Pruning::On,
            looks_first: search.order == Order::Looks,
            scouting: matches!(search.method, Method::Negascout { .. }),
            table: search.transpositions.then(Table::default),
            width: MANY,
            lines: Vec::new(),
            ranked: Vec::new(),
            root_value: None,
            evaluated: false,
        }
    }

    /// Minimax or alpha-beta to one depth. If it is stopped, the best of the moves searched completely counts.
    pub(super) fn fixed_depth(&mut self, position: &P, depth: u32, pruning: Pruning) -> Report {
        self.pruning = pruning;
        let result = self.search_to(position, depth.min(MAX_DEPTH));
        let exact = result.is_ok() && !self.evaluated;
        if let Ok(value) = result {
            // The search is over: it makes no difference whether the watcher would stop it.
            let _ = self.meter.complete(depth.min(MAX_DEPTH), self.found(position, Some(value), exact));
        }
        self.report(position, result.is_err(), exact)
    }

    /// Searches from the root with an open window.
    pub(super) fn search_to(&mut self, position: &P, depth: u32) -> Result<f64, Stopped> {
        self.lines.resize_with(self.lines.len().max(depth as usize + 2), Vec::new);
        self.lines[0].clear();
        self.ranked.clear();
        self.root_value = None;
        self.evaluated = false;
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.node(position, depth, 0, f64::NEG_INFINITY, f64::INFINITY)
    }

    /// The line at the root, or failing that the first legal move.
    pub(super) fn found(&self, position: &P, value: Option<f64>, exact: bool) -> Option<Found> {
        let line = self.lines.first().cloned().unwrap_or_default();
        Found::new(line, first_move(position), value.map(Value::Points), exact)
    }

    /// What there is to say at the end.
    pub(super) fn report(&self, position: &P, stopped: bool, exact: bool) -> Report {
        let value = self.meter.value().map(Value::number).or(self.root_value);
        self.meter.report(self.found(position, value, exact), stopped)
    }

    /// The value of a position to the side to move, looking so many plies ahead.
    ///
    /// A value above `alpha` and below `beta` is exact. A value at or below `alpha` is an upper bound, one at or
    /// above `beta` a lower bound.
    pub(super) fn node(
        &mut self,
        position: &P,
        depth: u32,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Stopped> {
        // A function that calls itself is not inlined, so each node enters the kernel anew.
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            || self.visit(position, depth, ply, alpha, beta),
        )
    }

    #[inline(always)]
    fn visit(&mut self, position: &P, depth: u32, ply: usize, alpha: f64, beta: f64) -> Result<f64, Stopped> {
        // 1. Count, and look at the clock now and then.
        self.enter_node(position, ply, alpha, beta)?;
        // 2. What was searched before by another order of moves need not be searched again.
        if self.table.is_some() && depth > 0 {
            return self.visit_once(position, depth, ply, (alpha, beta));
        }
        self.visit_below(position, depth, ply, (alpha, beta))
    }

    /// A node that was entered: its value from what is below it.
    #[inline(always)]
    pub(super) fn visit_below(
        &mut self,
        position: &P,
        depth: u32,
        ply: usize,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Stopped> {
        // 3. The end of the game and passes come before the depth limit.
        let placements = position.placements();
        if placements.is_empty() {
            let passed = position.passed();
            if passed.placements().is_empty() {
                return Ok(self.over(position));
            }
            if depth > 0 {
                self.announce(Move::Pass, Entry::Full);
                let value = -self.node(&passed, depth - 1, ply + 1, -beta, -alpha)?;
                self.keep_line(ply, Move::Pass, value);
                return Ok(self.leave(value, Cutoff::None));
            }
        }
        // 4. The depth limit.
        if depth == 0 {
            return Ok(self.evaluate(position, placements));
        }
        // 5. The moves: all of them, in their order or the best looking first, or those drawn.
        let drawn = self.width < MANY && placements.count() as usize > self.width;
        if drawn || self.looks_first {
            self.visit_ranked(position, placements, depth, ply, (alpha, beta))
        } else {
            self.visit_all(position, placements, depth, ply, (alpha, beta))
        }
    }

    #[inline(always)]
    fn visit_all(
        &mut self,
        position: &P,
        placements: P::Set,
        depth: u32,
        ply: usize,
        (mut alpha, beta): (f64, f64),
    ) -> Result<f64, Stopped> {
        let mut best = f64::NEG_INFINITY;
        for group in 0..self.groups.len() {
            for square in placements & self.groups[group] {
                let mv = Move::Place(square.into());
                let first = best == f64::NEG_INFINITY;
                let value = self.child(&position.placed(square), mv, first, depth, ply, (alpha, beta))?;
                if value > best {
                    best = value;
                    if best > alpha {
                        self.keep_line(ply, mv, best);
                    }
                    self.note_best(best);
                }
                if self.pruning == Pruning::On {
                    alpha = alpha.max(best);
                    if alpha >= beta {
                        return Ok(self.leave(best, Cutoff::After { placements, group, square }));
                    }
                }
            }
        }
        Ok(self.leave(best, Cutoff::None))
    }

    /// The value of a move to the side that makes it: that of the position it leads to, with the sign changed.
    #[inline(always)]
    pub(super) fn child(
        &mut self,
        child: &P,
        mv: Move<Point>,
        first: bool,
        depth: u32,
        ply: usize,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Stopped> {
        // Where the next ply is the last, a scout would do all the work there is.
        if self.scouting && !first && depth > 1 && alpha.next_up() < beta {
            return self.scout(child, mv, depth, ply, (alpha, beta));
        }
        self.announce(mv, Entry::Full);
        Ok(-self.node(child, depth - 1, ply + 1, -beta, -alpha)?)
    }

    /// Asks of a move only whether it is better than the best so far, with a window that holds no value; only if it is,
    /// and nobody above objects, is it searched again to know by how much.
    #[inline(never)]
    fn scout(
        &mut self,
        child: &P,
        mv: Move<Point>,
        depth: u32,
        ply: usize,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Stopped> {
        self.announce(mv, Entry::Scout);
        let value = -self.node(child, depth - 1, ply + 1, -alpha.next_up(), -alpha)?;
        if value <= alpha || value >= beta {
            return Ok(value);
        }
        self.announce(mv, Entry::Again);
        Ok(-self.node(child, depth - 1, ply + 1, -beta, -alpha)?)
    }

    /// What every node begins with.
    #[inline(always)]
    pub(super) fn enter_node(
        &mut self,
        position: &P,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> Result<(), Stopped> {
        self.meter.node(ply)?;
        self.lines[ply].clear();
        match &mut self.listener {
            Some(listener) => listener.enter(position.turn(), alpha, beta),
            None => Ok(()),
        }
    }

    /// The value of a finished game.
    #[inline(always)]
    pub(super) fn over(&mut self, position: &P) -> f64 {
        let value = self.goal(self.ending.worth(position));
        if let Some(listener) = &mut self.listener {
            listener.leave_leaf(value, Leaf::Over);
        }
        value
    }

    /// The value of a position where the search goes no further.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &P, placements: P::Set) -> f64 {
        self.evaluated = true;
        let value = self.judgement(position, placements);
        if let Some(listener) = &mut self.listener {
            listener.leave_leaf(value, Leaf::Evaluated);
        }
        value
    }

    /// What the evaluator says.
    #[inline(always)]
    pub(super) fn judgement(&self, position: &P, placements: P::Set) -> f64 {
        self.goal((self.evaluator)(position, placements))
    }

    /// A value as the game is meant: where the fewest discs win, what is good is bad.
    #[inline(always)]
    pub(super) fn goal(&self, value: f64) -> f64 {
        match self.objective {
            Objective::Most => value,
            // Taken from 0 so that an even position is never -0.
            Objective::Fewest => 0.0 - value,
        }
    }

    /// Tells the listener which move leads to the next node.
    #[inline(always)]
    pub(super) fn announce(&mut self, mv: Move<Point>, entry: Entry) {
        if let Some(listener) = &mut self.listener {
            listener.announce(mv, entry);
        }
    }

    /// Tells the listener that the child just left is the best so far, and what it is worth here.
    #[inline(always)]
    pub(super) fn note_best(&mut self, value: f64) {
        if let Some(listener) = &mut self.listener {
            let window_moves = self.pruning == Pruning::On;
            listener.note_best(value, window_moves);
        }
    }

    /// This move, and after it the line of the child.
    #[inline(always)]
    pub(super) fn keep_line(&mut self, ply: usize, mv: Move<Point>, value: f64) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (above.last_mut(), below.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(rest);
        }
        if ply == 0 {
            self.root_value = Some(value);
        }
    }

    /// What every node with children ends with.
    #[inline(always)]
    pub(super) fn leave(&mut self, value: f64, cutoff: Cutoff<P>) -> f64 {
        if let Some(listener) = &mut self.listener {
            match cutoff {
                Cutoff::None => listener.leave(value, None),
                Cutoff::After { placements, group, square } => {
                    let later = |other: &P::Square| Into::<Point>::into(*other) > square.into();
                    let same = (placements & self.groups[group]).into_iter().filter(later);
                    let rest = self.groups[group + 1..].iter().flat_map(|group| placements & *group);
                    let pruned = same.chain(rest).map(|square| Move::Place(square.into())).collect();
                    listener.leave(value, Some(pruned));
                }
                Cutoff::Drawn(pruned) => listener.leave(value, Some(pruned)),
            }
        }
        value
    }
}

/// Whether a node was left before all its moves were tried.
pub(super) enum Cutoff<P: Playable> {
    /// All were tried.
    None,
    /// This was the last one tried.
    After { placements: P::Set, group: usize, square: P::Square },
    /// These were drawn but not tried.
    Drawn(Vec<Move<Point>>),
}
