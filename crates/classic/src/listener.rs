use emilia_query::Bound;
use emilia_rules::{Color, Move, Point};

use crate::control::Stopped;

/// What a search tells while it goes through its tree. Values are seen by the side to move in the current node.
///
/// Law: between the two ends of a node (`enter`, and one of `leave_leaf`, `known` and `leave`) come those of its children,
/// each announced before.
pub(crate) trait Listener {
    /// A new search from the root begins, to this depth.
    fn deeper(&mut self, _depth: u32) {}

    /// The move that leads to the node entered next, and why it is entered.
    fn announce(&mut self, mv: Move<Point>, entry: Entry);

    /// A node is entered with this window. It can be one too many.
    fn enter(&mut self, side: Color, alpha: f64, beta: f64) -> Result<(), Stopped>;

    /// The moves of the current node in the order in which they are tried, with what they look like.
    fn ranked(&mut self, _moves: &mut dyn Iterator<Item = (Move<Point>, f64)>) {}

    /// The moves of the current node, the best looking first, and which of them were drawn.
    fn drawn(&mut self, lots: &[Lot]);

    /// The child that was just left is the best so far, and whether that narrows the window.
    fn note_best(&mut self, value: f64, window_moves: bool);

    /// A node is left because what was found when its position was searched before answers for it.
    fn known(&mut self, value: f64, bound: Bound);

    /// A node without children is left.
    fn leave_leaf(&mut self, value: f64, leaf: Leaf);

    /// A node with children is left; if it was cut off, these moves were not tried.
    fn leave(&mut self, value: f64, pruned: Option<Vec<Move<Point>>>);

    /// The current node of a Monte Carlo tree gets a child for each of these moves.
    fn grow(&mut self, _moves: &mut dyn Iterator<Item = Move<Point>>) {}

    /// The game goes on at this child of the current node. It can be one game too many.
    fn select(&mut self, _node: usize) -> Result<(), Stopped> {
        Ok(())
    }

    /// A random game from the current node has ended, and everybody on the way to it is told.
    fn played_out(&mut self, _game: &RandomGame) {}
}

/// Somebody who listens, or nobody.
pub(crate) type Listening<'l> = Option<&'l mut (dyn Listener + 'static)>;

/// Why a node is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// To know its value, within the window.
    Full,
    /// Only to know whether it is better than the best so far.
    Scout,
    /// It is better, so that it is searched again.
    Again,
}

/// Why a node has no children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// The depth limit: the position was evaluated.
    Evaluated,
    /// The game is over.
    Over,
}

/// A move in the lottery of a random tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lot {
    /// The move.
    pub mv: Move<Point>,
    /// What the position after it looks like to the side that makes it.
    pub looks: f64,
    /// Lots it had: of n moves the best looking has n, the worst one.
    pub lots: u32,
    /// Whether it was drawn.
    pub drawn: bool,
}

/// The end of a random game, seen by the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomGame {
    /// 1 for a win, ½ for a draw, 0 for a loss.
    pub points: f64,
    /// Discs of that side, and of the other.
    pub discs: (u32, u32),
    /// Discs placed at random.
    pub plies: u32,
}
