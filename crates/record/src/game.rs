use emilia_rules::{
    Color, GridPosition, IllegalMove, Move, Objective, Playable, Point, Size, SquareSet, Start, Status,
};

use crate::tree::{Id, START, Tree};
use crate::{Clocks, GameResult, Note, Path, Tags};

/// A game with its variations, and a place in it.
///
/// The game is a tree: the main line, and at any move alternatives with alternatives of their own. One position is
/// the current one; playing moves on from there, along an existing continuation if there is one, else by making a new
/// variation. Passes are moves of their own, legal only when forced.
///
/// Two games are equal if they have the same start, moves and notes; where they are being looked at does not matter.
///
/// ```
/// use emilia_record::{Game, Path};
/// use emilia_rules::{parse_move, Playable, Size};
///
/// let mut game = Game::new(Size::EIGHT);
/// for text in ["f5", "d6", "c3"] {
///     game.play(parse_move(text, Size::EIGHT)?)?;
/// }
/// game.undo();
/// game.play(parse_move("c5", Size::EIGHT)?)?;                  // an alternative to c3
/// assert_eq!(game.cursor().to_string(), "/0/0/1");
/// game.promote(&game.cursor());                                // now it is the main line
/// assert_eq!(game.main_line().last().unwrap().to_string(), "c5");
/// assert_eq!(game.position().counts().to_string(), "5-2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: GridPosition,
    /// Who wins when the discs are counted.
    pub objective: Objective,
    /// Who, where, when.
    pub tags: Tags,
    /// How much time there is.
    pub clocks: Clocks,
    /// How the game ended, if it did.
    pub result: Option<GameResult>,
    pub(crate) tree: Tree,
    /// Nodes from the start to the end of the line that undo and redo move along.
    line: Vec<Id>,
    /// Positions of the line from the start to the current one.
    positions: Vec<GridPosition>,
}

impl Game {
    /// A game on a board of this size, from the usual start.
    #[must_use]
    pub fn new(size: Size) -> Game {
        Game::from_position(GridPosition::start(size))
    }

    /// A game from the start in this layout.
    #[must_use]
    pub fn with_start(size: Size, start: Start) -> Game {
        Game::from_position(GridPosition::start_as(size, start))
    }

    /// A game from a set-up position.
    #[must_use]
    pub fn from_position(start: GridPosition) -> Game {
        Game::from_tree(start, Tree::new())
    }

    pub(crate) fn from_tree(start: GridPosition, tree: Tree) -> Game {
        Game {
            start,
            objective: Objective::Most,
            tags: Tags::default(),
            clocks: Clocks::default(),
            result: None,
            tree,
            line: vec![START],
            positions: vec![start],
        }
    }

    /// The board before the first move.
    #[must_use]
    pub fn start(&self) -> &GridPosition {
        &self.start
    }

    /// The side of the board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.start.size()
    }

    /// Whether the game begins as usual.
    #[must_use]
    pub fn is_usual_start(&self) -> bool {
        self.start == GridPosition::start(self.size())
    }

    /// Moves in the main line and all variations together.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.tree.len() - 1
    }
}

/// Where the game is being looked at.
impl Game {
    /// The way from the start to the current position.
    #[must_use]
    pub fn cursor(&self) -> Path {
        self.path(self.here())
    }

    /// Moves made from the start to the current position.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.positions.len() - 1
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &GridPosition {
        self.positions.last().unwrap_or(&self.start)
    }

    /// The moves from the start to the current position.
    pub fn moves(&self) -> impl Iterator<Item = Move<Point>> {
        self.line[1..self.positions.len()].iter().map(|id| self.tree.mv(*id))
    }

    /// The last move made, unless this is the start.
    #[must_use]
    pub fn last_move(&self) -> Option<Move<Point>> {
        (self.here() != START).then(|| self.tree.mv(self.here()))
    }

    /// The recorded continuations of the current position, the main one first.
    pub fn continuations(&self) -> impl Iterator<Item = Move<Point>> {
        self.tree.children(self.here()).map(|id| self.tree.mv(id))
    }

    /// The note at the current position.
    #[must_use]
    pub fn note(&self) -> &Note {
        self.tree.note(self.here())
    }

    /// The note at the current position, to write in.
    pub fn note_mut(&mut self) -> &mut Note {
        self.tree.note_mut(self.here())
    }

    pub(crate) fn here(&self) -> Id {
        self.line[self.positions.len() - 1]
    }
}

/// Moving about and adding moves.
impl Game {
    /// Makes a move: along a recorded continuation, or as a new variation. Refused if it is illegal.
    pub fn play(&mut self, mv: Move<Point>) -> Result<(), IllegalMove<Point>> {
        let here = self.here();
        let (child, position) = match self.tree.child(here, mv) {
            Some(child) => (child, self.position().played(mv)),
            None => {
                let position = self.position().play(mv)?;
                (self.tree.add(here, mv), position)
            }
        };
        if self.line.get(self.positions.len()) != Some(&child) {
            self.line.truncate(self.positions.len());
            self.line.push(child);
        }
        self.positions.push(position);
        Ok(())
    }

    /// Makes a move as records state it: a forced pass before it may be left out, and a pass after the end of the
    /// game means nothing.
    pub(crate) fn follow(&mut self, mv: Move<Point>) -> Result<(), IllegalMove<Point>> {
        match (self.play(mv), mv) {
            (Err(IllegalMove::GameOver), Move::Pass) => Ok(()),
            (Err(error), Move::Place(point)) if self.position().status() == Status::MustPass => {
                let other = self.position().passed();
                if !other.placements().contains(point) {
                    return Err(error);
                }
                self.play(Move::Pass)?;
                self.play(mv)
            }
            (played, _) => played,
        }
    }

    /// Goes one move back. At the start there is nothing to take back.
    pub fn undo(&mut self) -> bool {
        if self.ply() == 0 {
            return false;
        }
        self.positions.pop();
        true
    }

    /// Goes one move on: the move taken back last, else the main continuation.
    pub fn redo(&mut self) -> bool {
        let next = match self.line.get(self.positions.len()) {
            Some(next) => *next,
            None => match self.tree.children(self.here()).next() {
                Some(next) => {
                    self.line.push(next);
                    next
                }
                None => return false,
            },
        };
        self.positions.push(self.position().played(self.tree.mv(next)));
        true
    }

    /// Goes to the start of the game.
    pub fn to_start(&mut self) {
        self.line = vec![START];
        self.positions = vec![self.start];
    }

    /// Goes to the end of the line: first the moves taken back, then main continuations.
    pub fn to_end(&mut self) {
        while self.redo() {}
    }

    /// Goes to this position, if there is such a path.
    pub fn go(&mut self, path: &Path) -> bool {
        match self.id(path) {
            Some(id) => {
                self.go_to(id);
                true
            }
            None => false,
        }
    }

    /// Goes to this node by way of the nearest position shared with the current line.
    pub(crate) fn go_to(&mut self, id: Id) {
        let mut ahead = Vec::new();
        let mut shared = id;
        while self.line.get(self.tree.depth(shared)) != Some(&shared) {
            ahead.push(shared);
            shared = self.tree.parent(shared).unwrap_or(START);
        }
        let depth = self.tree.depth(shared);
        if !ahead.is_empty() {
            self.line.truncate(depth + 1);
            self.line.extend(ahead.iter().rev());
        }
        self.positions.truncate(depth + 1);
        while self.here() != id {
            self.redo();
        }
    }
}

/// The tree, addressed by path.
impl Game {
    /// The moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = Move<Point>> {
        self.main_ids().skip(1).map(|id| self.tree.mv(id))
    }

    /// The moves of the main line with the side that makes each and what is noted beside it.
    pub fn annotated_line(&self) -> impl Iterator<Item = (Color, Move<Point>, &Note)> {
        self.main_ids().skip(1).map(|id| (self.mover(id), self.tree.mv(id), self.tree.note(id)))
    }

    /// The position there, if there is such a path.
    #[must_use]
    pub fn position_at(&self, path: &Path) -> Option<GridPosition> {
        let mut id = START;
        let mut position = self.start;
        for step in path.steps() {
            id = self.tree.children(id).nth(*step as usize)?;
            position = position.played(self.tree.mv(id));
        }
        Some(position)
    }

    /// The recorded continuations there, the main one first; none if there is no such path.
    #[must_use]
    pub fn continuations_at(&self, path: &Path) -> Vec<Move<Point>> {
        match self.id(path) {
            Some(id) => self.tree.children(id).map(|child| self.tree.mv(child)).collect(),
            None => Vec::new(),
        }
    }

    /// The note there, if there is such a path.
    #[must_use]
    pub fn note_at(&self, path: &Path) -> Option<&Note> {
        self.id(path).map(|id| self.tree.note(id))
    }

    /// The note there, to write in.
    pub fn note_at_mut(&mut self, path: &Path) -> Option<&mut Note> {
        self.id(path).map(|id| self.tree.note_mut(id))
    }

    /// Removes a move and all that follows it. The current position moves out of the way. Neither the start nor a
    /// path that does not exist can be removed.
    pub fn delete(&mut self, path: &Path) -> bool {
        let Some(id) = self.id(path).filter(|id| *id != START) else {
            return false;
        };
        let depth = self.tree.depth(id);
        if self.line.get(depth) == Some(&id) {
            self.line.truncate(depth);
            self.positions.truncate(depth);
        }
        let renumbered = self.tree.remove(id);
        for id in &mut self.line {
            *id = renumbered[*id as usize];
        }
        true
    }

    /// Makes a variation the main continuation at its move. Nothing happens to the start, or without such a path.
    pub fn promote(&mut self, path: &Path) -> bool {
        match self.id(path).filter(|id| *id != START) {
            Some(id) => {
                self.tree.promote(id);
                true
            }
            None => false,
        }
    }

    /// Every position of the game: its path, the move that led there (none at the start), and its note. Main
    /// continuations come first.
    pub fn walk(&self) -> impl Iterator<Item = (Path, Option<Move<Point>>, &Note)> {
        self.tree
            .preorder()
            .map(|id| (self.path(id), (id != START).then(|| self.tree.mv(id)), self.tree.note(id)))
    }

    pub(crate) fn main_ids(&self) -> impl Iterator<Item = Id> {
        std::iter::successors(Some(START), |id| self.tree.children(*id).next())
    }

    /// The side that made the move which led to this node.
    pub(crate) fn mover(&self, id: Id) -> Color {
        // Passes are moves, so the sides alternate.
        if self.tree.depth(id) % 2 == 1 { self.start.turn() } else { !self.start.turn() }
    }

    fn id(&self, path: &Path) -> Option<Id> {
        path.steps().iter().try_fold(START, |id, step| self.tree.children(id).nth(*step as usize))
    }

    fn path(&self, id: Id) -> Path {
        let place = |id: Id, parent: Id| {
            self.tree.children(parent).take_while(|sibling| *sibling != id).count() as u32
        };
        let chain: Vec<Id> = std::iter::successors(Some(id), |id| self.tree.parent(*id)).collect();
        chain.windows(2).rev().map(|pair| place(pair[0], pair[1])).collect()
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.start == other.start
            && self.objective == other.objective
            && self.tags == other.tags
            && self.clocks == other.clocks
            && self.result == other.result
            && self.tree == other.tree
    }
}
