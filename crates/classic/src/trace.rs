use emilia_query::{Bound, Report};
use emilia_rules::{Color, Move, Point};

use crate::control::Stopped;
use crate::listener::{Entry, Leaf, Listener, Lot};
use crate::tree::{Cut, Kind, Tree, TreeNode, WindowEnd};

/// How much of a search tree is kept. The rest is only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceLimits {
    /// Nodes at most, in the order in which they are visited.
    pub nodes: usize,
    /// Plies below the root at most.
    pub depth: u32,
}

impl Default for TraceLimits {
    /// A thousand nodes, however deep.
    fn default() -> TraceLimits {
        TraceLimits { nodes: 1000, depth: u32::MAX }
    }
}

/// Writes a search tree down while it is being searched.
pub(crate) struct Recorder {
    root_side: Color,
    limits: TraceLimits,
    nodes: Vec<TreeNode>,
    visited: u64,
    /// The nodes from the root to the current one.
    open: Vec<Open>,
    next_move: Option<Move<Point>>,
    /// The child that was left last.
    last: Option<Child>,
}

/// A node that has been entered and not yet left.
struct Open {
    /// Where it is kept, if it is.
    index: Option<usize>,
    mv: Option<Move<Point>>,
    best: Option<Child>,
    undrawn: Vec<Move<Point>>,
    visited_before: u64,
}

#[derive(Clone, Copy)]
struct Child {
    index: Option<usize>,
    mv: Option<Move<Point>>,
    bound: Bound,
}

impl Recorder {
    pub(crate) fn new(root_side: Color, limits: TraceLimits) -> Recorder {
        let (nodes, open) = (Vec::new(), Vec::new());
        Recorder { root_side, limits, nodes, visited: 0, open, next_move: None, last: None }
    }

    fn close(&mut self, value: f64, bound: Bound, complete: impl FnOnce(&mut TreeNode)) {
        let Some(open) = self.open.pop() else { return };
        self.last = Some(Child { index: open.index, mv: open.mv, bound });
        let Some(node) = open.index.and_then(|index| self.nodes.get_mut(index)) else { return };
        // Adding 0 turns -0 into 0.
        node.value = Some(if node.kind == Kind::Max { value } else { -value } + 0.0);
        node.bound = bound;
        let below = self.visited - open.visited_before;
        node.unrecorded = below;
        complete(node);
    }

    /// The tree, when the search is over.
    pub(crate) fn finish(mut self, report: &Report) -> Tree {
        // So far `unrecorded` counts every node below; take away those that were kept.
        for index in (1..self.nodes.len()).rev() {
            let mut parent = self.nodes[index].parent;
            while let Some(at) = parent {
                self.nodes[at].unrecorded = self.nodes[at].unrecorded.saturating_sub(1);
                parent = self.nodes[at].parent;
            }
        }
        for index in 0..self.nodes.len() {
            let held_by = self.bound_holder(index);
            if let Some(cut) = &mut self.nodes[index].cut {
                cut.held_by = held_by;
            }
        }
        if self.nodes.is_empty() {
            let _ = self.enter(self.root_side, f64::NEG_INFINITY, f64::INFINITY);
            self.visited = report.nodes;
        }
        let unrecorded = self.visited.saturating_sub(self.nodes.len() as u64);
        Tree {
            nodes: self.nodes,
            visited: self.visited,
            unrecorded,
            line: report.line().to_vec(),
            unpruned: None,
        }
    }

    /// The node whose best move so far made the bound that cut this node off.
    fn bound_holder(&self, index: usize) -> Option<usize> {
        let limit_of = |node: &TreeNode, end: WindowEnd| match end {
            WindowEnd::Alpha => node.alpha,
            WindowEnd::Beta => node.beta,
        };
        let Cut { end, limit, .. } = self.nodes[index].cut?;
        // The bound was handed down unchanged from the node that made it, whose own window was wider.
        let mut at = self.nodes[index].parent;
        while let Some(ancestor) = at {
            if limit_of(&self.nodes[ancestor], end) != limit {
                return Some(ancestor);
            }
            at = self.nodes[ancestor].parent;
        }
        None
    }
}

impl Listener for Recorder {
    fn announce(&mut self, mv: Move<Point>, _: Entry) {
        self.next_move = Some(mv);
    }

    fn enter(&mut self, side: Color, alpha: f64, beta: f64) -> Result<(), Stopped> {
        self.visited += 1;
        let mv = self.next_move.take();
        let ply = self.open.len() as u32;
        let parent = self.open.last().and_then(|open| open.index);
        // A node is kept only if its parent is, so that the tree holds together.
        let room = self.nodes.len() < self.limits.nodes.max(1) && ply <= self.limits.depth;
        let index = (room && (parent.is_some() || ply == 0)).then_some(self.nodes.len());
        if let Some(index) = index {
            let kind = if side == self.root_side { Kind::Max } else { Kind::Min };
            let (alpha, beta) = match kind {
                Kind::Max => (alpha, beta),
                Kind::Min => (-beta, -alpha),
            };
            self.nodes.push(TreeNode {
                parent,
                mv,
                side,
                kind,
                ply,
                visit: self.visited,
                alpha,
                beta,
                value: None,
                bound: Bound::Exact,
                is_over: false,
                best: None,
                children: Vec::new(),
                pruned: Vec::new(),
                undrawn: Vec::new(),
                cut: None,
                unrecorded: 0,
            });
            if let Some(parent) = parent {
                self.nodes[parent].children.push(index);
            }
        }
        self.open.push(Open { index, mv, best: None, undrawn: Vec::new(), visited_before: self.visited });
        Ok(())
    }

    fn note_best(&mut self, _: f64, _: bool) {
        let last = self.last;
        if let Some(open) = self.open.last_mut() {
            open.best = last;
        }
    }

    fn drawn(&mut self, lots: &[Lot]) {
        if let Some(open) = self.open.last_mut() {
            open.undrawn = lots.iter().filter(|lot| !lot.drawn).map(|lot| lot.mv).collect();
        }
    }

    fn leave_leaf(&mut self, value: f64, leaf: Leaf) {
        self.close(value, Bound::Exact, |node| node.is_over = leaf == Leaf::Over);
    }

    fn known(&mut self, value: f64, bound: Bound) {
        let kind = if (self.open.len() - 1).is_multiple_of(2) { Kind::Max } else { Kind::Min };
        self.close(value, kind.seen(bound), |_| ());
    }

    fn leave(&mut self, value: f64, pruned: Option<Vec<Move<Point>>>) {
        let Some(open) = self.open.last_mut() else { return };
        // A forced pass has one child, which is the best.
        let best = open.best.or(self.last);
        let undrawn = std::mem::take(&mut open.undrawn);
        let kind = if (self.open.len() - 1).is_multiple_of(2) { Kind::Max } else { Kind::Min };
        let cut_short = pruned.as_ref().is_some_and(|pruned| !pruned.is_empty());
        let bound = match (cut_short, kind) {
            (true, Kind::Max) => Bound::Lower,
            (true, Kind::Min) => Bound::Upper,
            (false, _) => best.map_or(Bound::Exact, |best| best.bound),
        };
        let last = self.last;
        self.close(value, bound, |node| {
            node.best = best.and_then(|best| best.index);
            node.undrawn = undrawn;
            // A cut-off at the last move leaves nothing out and is none.
            if let Some(pruned) = pruned.filter(|pruned| !pruned.is_empty()) {
                let (end, limit) = match kind {
                    Kind::Max => (WindowEnd::Beta, node.beta),
                    Kind::Min => (WindowEnd::Alpha, node.alpha),
                };
                let (by, by_move) = last.map_or((None, None), |last| (last.index, last.mv));
                node.cut = Some(Cut { end, limit, by, by_move, held_by: None });
                node.pruned = pruned;
            }
        });
    }
}
