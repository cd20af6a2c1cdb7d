//! A search tree written down, for people to look at: as text, JSON, SVG or a Graphviz graph.

mod dot;
mod json;
mod layout;
mod svg;
mod text;

use emilia_query::Bound;
use emilia_rules::{Color, Move, Playable, Point, SquareSet};

use crate::Ending;

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
    pub bound: Bound,
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

/// One of the two ends of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowEnd {
    /// What Max is sure of elsewhere.
    Alpha,
    /// What Min is sure of elsewhere.
    Beta,
}

/// Why the remaining moves of a node were not tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Beta at a Max node, alpha at a Min node.
    pub end: WindowEnd,
    /// Its value.
    pub limit: f64,
    /// The child that reached or crossed the bound, if it was kept.
    pub by: Option<usize>,
    /// The move that leads to it.
    pub by_move: Option<Move<Point>>,
    /// The node above that has something as good elsewhere, and will not let it come to this.
    pub held_by: Option<usize>,
}

impl Tree {
    /// The tree as lines of text, with indented branches.
    ///
    /// ```
    /// use emilia_classic::{Control, Dice, Evaluator, Search, TraceLimits};
    /// use emilia_rules::{GridPosition, Size};
    ///
    /// let search = Search { evaluator: Evaluator::Disc, ..Search::alphabeta(2) };
    /// let start = GridPosition::start(Size::MIN);
    /// let (_, tree) = search.trace(&start, TraceLimits::default(), &mut Dice::new(0), &mut Control::unlimited());
    /// assert!(tree.to_text().contains("cut: 0 <= alpha 0"));
    /// assert!(tree.to_svg("4x4, two plies").starts_with("<svg"));
    /// assert!(tree.to_dot("4x4, two plies").starts_with("digraph"));
    /// assert!(tree.to_json().starts_with("{"));
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        text::draw(self)
    }

    /// The tree as JSON: the counts, and the list of nodes, which name each other by their place in it.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// The tree as a picture that is readable on a projector: Max nodes point up, Min nodes down, what was left out
    /// is dashed and grey, and the best line is thick.
    #[must_use]
    pub fn to_svg(&self, title: &str) -> String {
        svg::draw(self, title)
    }

    /// The tree as a graph for Graphviz.
    #[must_use]
    pub fn to_dot(&self, title: &str) -> String {
        dot::draw(self, title)
    }

    /// Whether a node lies on the best line.
    #[must_use]
    pub fn is_on_best_line(&self, index: usize) -> bool {
        let mut at = Some(0);
        while let Some(node) = at {
            if node == index {
                return true;
            }
            at = self.nodes.get(node).and_then(|node| node.best);
        }
        false
    }

    /// How many nodes were visited, and how many minimax would have: `visited 61 nodes; minimax 244 (4.0 times)`.
    #[must_use]
    pub fn effort(&self) -> String {
        let plural = if self.visited == 1 { "" } else { "s" };
        let mut effort = format!("visited {} node{plural}", self.visited);
        if let Some(unpruned) = self.unpruned {
            let times = unpruned as f64 / self.visited.max(1) as f64;
            effort += &format!("; minimax {unpruned} ({times:.1} times)");
        }
        if self.unrecorded > 0 {
            effort += &format!("; {} not shown", self.unrecorded);
        }
        effort
    }
}

impl TreeNode {
    /// The value with what is known about it: `5`, `>= 5`, `<= 5`, or `?`.
    fn spelled_value(&self) -> String {
        let Some(value) = self.value else { return "?".to_owned() };
        let value = Ending::spell(value);
        match self.bound {
            Bound::Exact => value,
            Bound::Lower => format!(">= {value}"),
            Bound::Upper => format!("<= {value}"),
        }
    }

    /// Why the node was cut off: `5 >= beta 3`.
    fn spelled_cut(&self) -> Option<String> {
        let cut = self.cut?;
        let value = self.value.map(Ending::spell)?;
        let limit = Ending::spell(cut.limit);
        Some(match cut.end {
            WindowEnd::Beta => format!("{value} >= beta {limit}"),
            WindowEnd::Alpha => format!("{value} <= alpha {limit}"),
        })
    }

    /// The value as a picture has room for it.
    fn brief_value(&self) -> String {
        let Some(value) = self.value.map(brief) else { return "?".to_owned() };
        match self.bound {
            Bound::Exact => value,
            Bound::Lower => format!("≥ {value}"),
            Bound::Upper => format!("≤ {value}"),
        }
    }

    /// Why the node was cut off, as a picture has room for it.
    fn brief_cut(&self) -> Option<String> {
        let cut = self.cut?;
        let (value, limit) = (brief(self.value?), brief(cut.limit));
        Some(match cut.end {
            WindowEnd::Beta => format!("{value} ≥ β {limit}"),
            WindowEnd::Alpha => format!("{value} ≤ α {limit}"),
        })
    }

    /// The move that leads here; empty at the root.
    fn spelled_move(&self) -> String {
        self.mv.map(|mv| mv.to_string()).unwrap_or_default()
    }
}

impl Kind {
    /// What is known about a value, as Max sees it, from what the side to move knows.
    pub(crate) fn seen(self, bound: Bound) -> Bound {
        match (self, bound) {
            (Kind::Max, bound) => bound,
            (Kind::Min, Bound::Lower) => Bound::Upper,
            (Kind::Min, Bound::Upper) => Bound::Lower,
            (Kind::Min, Bound::Exact) => Bound::Exact,
        }
    }

    /// `MAX` or `MIN`.
    fn word(self) -> &'static str {
        match self {
            Kind::Max => "MAX",
            Kind::Min => "MIN",
        }
    }
}

/// A value with five digits or so.
fn brief(value: f64) -> String {
    if Ending::is_decided(value) || value.fract() == 0.0 {
        Ending::spell(value)
    } else if value.abs() >= 100.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// Moves one after the other, separated by blanks.
fn spelled_moves(moves: &[Move<Point>]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
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
