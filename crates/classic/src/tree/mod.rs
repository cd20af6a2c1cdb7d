//! A search tree written down, for people to look at: as text, JSON, SVG or a Graphviz graph.

use emilia_rules::{Color, Move, Playable, Point, SquareSet};

/// The tree that a search went through, or its first part.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The nodes kept, in the order in which they were visited; the first is the root.
    pub nodes: Vec<TreeNode>,
    /// How many nodes were visited.
    pub visited: u64,
    /// How many of them were not kept.
    pub unrecorded: u64,
    /// How many nodes minimax visits to the same depth, if that was counted.
    pub unpruned: Option<u64>,
    /// The moves that both sides are expected to play.
    pub line: Vec<Move<Point>>,
}

/// One position of a search tree. All values are seen by the side to move at the root, called Max.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The node it comes from; none for the root.
    pub parent: Option<usize>,
    /// The move that leads to it; none for the root.
    pub mv: Option<Move<Point>>,
    /// Whose turn it is here.
    pub side: Color,
    /// Whether the side to move wants a high or a low value.
    pub kind: Kind,
    /// Plies from the root.
    pub ply: u32,
    /// The how-manieth node of the whole search it is, from 1.
    pub visit: u64,
    /// What Max was sure of when the node was entered.
    pub alpha: f64,
    /// What Min was sure of when the node was entered.
    pub beta: f64,
    /// Its value; none if the search was stopped before it was known.
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub precision: Precision,
    /// Whether the game is over here.
    pub is_over: bool,
    /// The best child, if it was kept.
    pub best: Option<usize>,
    /// The children kept, in the order in which they were visited.
    pub children: Vec<usize>,
    /// The moves that were not tried because of a cut-off.
    pub pruned: Vec<Move<Point>>,
    /// The moves that a random tree left out.
    pub undrawn: Vec<Move<Point>>,
    /// The cut-off, if there was one.
    pub cut: Option<Cut>,
    /// How many nodes below it were visited but not kept.
    pub unrecorded: u64,
}

/// What the side to move in a node wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The highest value: the side to move at the root.
    Max,
    /// The lowest value: its opponent.
    Min,
}

/// What is known about the true value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// It is this value.
    Exact,
    /// It is this value or more.
    AtLeast,
    /// It is this value or less.
    AtMost,
}

/// One of the two ends of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// What Max is sure of elsewhere.
    Alpha,
    /// What Min is sure of elsewhere.
    Beta,
}

/// Why the remaining moves of a node were not tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Beta at a Max node, alpha at a Min node.
    pub bound: Bound,
    /// Its value.
    pub limit: f64,
    /// The child that reached or crossed the bound, if it was kept.
    pub by: Option<usize>,
    /// The move that leads to it.
    pub by_move: Option<Move<Point>>,
    /// The node above that has something as good elsewhere, and will not let it come to this.
    pub held_by: Option<usize>,
}

/// How many nodes minimax visits to this depth, the root included; none if counting takes more than `most` steps.
///
/// ```
/// use emilia_classic::tree::minimax_nodes;
/// use emilia_rules::Position;
/// assert_eq!(minimax_nodes(&Position::default(), 3, 1000), Some(73));
/// assert_eq!(minimax_nodes(&Position::default(), 30, 1000), None);
/// ```
#[must_use]
pub fn minimax_nodes<P: Playable>(position: &P, depth: u32, most: u64) -> Option<u64> {
    let mut steps = most;
    count(position, depth, &mut steps)
}

fn count<P: Playable>(position: &P, depth: u32, steps: &mut u64) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    *steps = steps.checked_sub(1)?;
    let placements = position.placements();
    if placements.is_empty() {
        let passed = position.passed();
        let over = passed.placements().is_empty();
        return if over { Some(1) } else { Some(1 + count(&passed, depth - 1, steps)?) };
    }
    if depth == 1 {
        return Some(1 + u64::from(placements.count()));
    }
    placements
        .into_iter()
        .try_fold(1, |nodes, square| Some(nodes + count(&position.placed(square), depth - 1, steps)?))
}
