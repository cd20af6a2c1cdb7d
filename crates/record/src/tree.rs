use emilia_rules::{Move, Point};

use crate::Note;

/// Number of a node in its tree; the start of the game is node 0.
pub(crate) type Id = u32;

/// The start of the game. Nobody's continuation, so its number also says "none" where a continuation is meant.
pub(crate) const START: Id = 0;

/// The moves of a game and all its variations, in one block of memory.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    mv: Move<Point>,
    /// Moves from the start.
    depth: u16,
    parent: Id,
    /// The main continuation.
    first: Id,
    /// The next alternative to this move.
    next: Id,
    note: Option<Box<Note>>,
}

impl Tree {
    pub(crate) fn new() -> Tree {
        // The start has no move; a pass fills the place and is never looked at.
        Tree {
            nodes: vec![Node {
                mv: Move::Pass,
                depth: 0,
                parent: START,
                first: START,
                next: START,
                note: None,
            }],
        }
    }

    pub(crate) fn with_capacity(moves: usize) -> Tree {
        let mut tree = Tree::new();
        tree.nodes.reserve_exact(moves);
        tree
    }

    fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// Nodes, the start included.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The move that led here. Of the start, a pass.
    pub(crate) fn mv(&self, id: Id) -> Move<Point> {
        self.node(id).mv
    }

    pub(crate) fn depth(&self, id: Id) -> usize {
        usize::from(self.node(id).depth)
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        (id != START).then(|| self.node(id).parent)
    }

    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let some = |id: Id| (id != START).then_some(id);
        std::iter::successors(some(self.node(id).first), move |id| some(self.node(*id).next))
    }

    pub(crate) fn child(&self, id: Id, mv: Move<Point>) -> Option<Id> {
        self.children(id).find(|child| self.mv(*child) == mv)
    }

    pub(crate) fn note(&self, id: Id) -> &Note {
        static EMPTY: Note = Note::EMPTY;
        self.node(id).note.as_deref().unwrap_or(&EMPTY)
    }

    pub(crate) fn note_mut(&mut self, id: Id) -> &mut Note {
        self.node_mut(id).note.get_or_insert_default()
    }

    /// Adds a last continuation.
    pub(crate) fn add(&mut self, parent: Id, mv: Move<Point>) -> Id {
        let id = Id::try_from(self.nodes.len()).expect("four thousand million moves do not fit in memory");
        let last = self.children(parent).last();
        let depth = self.node(parent).depth + 1;
        self.nodes.push(Node { mv, depth, parent, first: START, next: START, note: None });
        match last {
            Some(last) => self.node_mut(last).next = id,
            None => self.node_mut(parent).first = id,
        }
        id
    }

    /// Takes a node out of its parent's continuations.
    fn unlink(&mut self, id: Id) {
        let Node { parent, next, .. } = *self.node(id);
        let before = self.children(parent).take_while(|child| *child != id).last();
        match before {
            Some(before) => self.node_mut(before).next = next,
            None => self.node_mut(parent).first = next,
        }
    }

    /// Makes this node the main continuation of its parent.
    pub(crate) fn promote(&mut self, id: Id) {
        self.unlink(id);
        let parent = self.node(id).parent;
        self.node_mut(id).next = self.node(parent).first;
        self.node_mut(parent).first = id;
    }

    /// Removes this node and all that follows it. Nodes get new numbers: the list gives for each old one the new.
    pub(crate) fn remove(&mut self, id: Id) -> Vec<Id> {
        self.unlink(id);
        let mut renumbered = vec![START; self.nodes.len()];
        let mut kept = Tree::with_capacity(self.nodes.len());
        kept.nodes[0].note = self.nodes[0].note.take();
        for old in self.preorder().skip(1).collect::<Vec<_>>() {
            let parent = renumbered[self.node(old).parent as usize];
            let new = kept.add(parent, self.mv(old));
            kept.node_mut(new).note = self.node_mut(old).note.take();
            renumbered[old as usize] = new;
        }
        *self = kept;
        renumbered
    }

    /// Every node before its continuations, main continuations first; begins with the start.
    pub(crate) fn preorder(&self) -> impl Iterator<Item = Id> {
        let mut next = Some(START);
        std::iter::from_fn(move || {
            let id = next?;
            next = self.after(id);
            Some(id)
        })
    }

    /// The node that follows in [`Tree::preorder`].
    fn after(&self, id: Id) -> Option<Id> {
        let node = self.node(id);
        if node.first != START {
            return Some(node.first);
        }
        let mut up = id;
        while up != START {
            let node = self.node(up);
            if node.next != START {
                return Some(node.next);
            }
            up = node.parent;
        }
        None
    }
}

impl PartialEq for Tree {
    /// The same moves with the same notes in the same order, however the nodes are numbered.
    fn eq(&self, other: &Tree) -> bool {
        let look = |tree: &Tree, id| (tree.mv(id), tree.depth(id));
        self.len() == other.len()
            && self
                .preorder()
                .zip(other.preorder())
                .all(|(a, b)| look(self, a) == look(other, b) && self.note(a) == other.note(b))
    }
}
