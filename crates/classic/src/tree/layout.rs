//! Where the parts of a tree go in a picture.

use super::Tree;

/// Something to draw below a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// A node of the tree.
    Node(usize),
    /// A move that was left out.
    LeftOut(String),
    /// So much more that is not drawn one by one.
    More(String),
}

/// A part and its place: how deep, and how far along.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) part: Part,
    /// Where its parent is in the list; none for the root.
    pub(super) parent: Option<usize>,
    pub(super) depth: u32,
    /// Along the breadth of the tree, in slots; a leaf takes one.
    pub(super) along: f64,
}

/// What a move that was left out takes, compared with a leaf.
const SMALL_SLOT: f64 = 0.62;
/// Left-out moves of a node that are drawn one by one.
const MOST_LEFT_OUT: usize = 3;

/// Places every part; returns them, parents before their children, and the breadth of the whole tree in slots.
pub(super) fn place(tree: &Tree) -> (Vec<Placed>, f64) {
    let mut layout = Layout { tree, placed: Vec::new(), cursor: 0.0 };
    if !tree.nodes.is_empty() {
        layout.node(0, None, 0);
    }
    (layout.placed, layout.cursor)
}

struct Layout<'t> {
    tree: &'t Tree,
    placed: Vec<Placed>,
    cursor: f64,
}

impl Layout<'_> {
    /// Places a node in the middle above what is below it; returns where.
    fn node(&mut self, index: usize, parent: Option<usize>, depth: u32) -> f64 {
        let at = self.placed.len();
        self.placed.push(Placed { part: Part::Node(index), parent, depth, along: 0.0 });
        let node = &self.tree.nodes[index];
        let mut below = Vec::new();
        for child in &node.children {
            below.push(self.node(*child, Some(at), depth + 1));
        }
        let left_out: Vec<String> =
            node.pruned.iter().chain(&node.undrawn).map(ToString::to_string).collect();
        for mv in left_out.iter().take(MOST_LEFT_OUT) {
            below.push(self.stub(Part::LeftOut(mv.clone()), at, depth + 1));
        }
        if left_out.len() > MOST_LEFT_OUT {
            let more = format!("+{}", left_out.len() - MOST_LEFT_OUT);
            below.push(self.stub(Part::LeftOut(more), at, depth + 1));
        }
        let in_children: u64 = node.children.iter().map(|child| self.tree.nodes[*child].unrecorded).sum();
        let hidden = node.unrecorded.saturating_sub(in_children);
        if hidden > 0 {
            below.push(self.stub(Part::More(format!("{hidden} more")), at, depth + 1));
        }
        let along = match (below.first(), below.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => self.slot(1.0),
        };
        self.placed[at].along = along;
        along
    }

    fn stub(&mut self, part: Part, parent: usize, depth: u32) -> f64 {
        let along = self.slot(SMALL_SLOT);
        self.placed.push(Placed { part, parent: Some(parent), depth, along });
        along
    }

    /// Takes the next piece of the breadth; returns its middle.
    fn slot(&mut self, breadth: f64) -> f64 {
        let middle = self.cursor + breadth / 2.0;
        self.cursor += breadth;
        middle
    }
}
