//! Writes the steps of a search down while it is being searched.

use std::collections::HashMap;

use emilia_query::Bound;
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Position};

use super::{CutReason, NO_MOVE, PASS, Steps, reason};
use crate::control::Stopped;
use crate::listener::{Entry, Leaf, Listener, Lot, RandomGame};
use crate::tree::{Kind, WindowEnd};

pub(crate) struct StepRecorder {
    steps: Steps,
    most: usize,
    /// Nodes so far.
    nodes: usize,
    /// The nodes from the root to the current one.
    open: Vec<Open>,
    next: Option<(Move<Point>, Entry)>,
    /// What is known about the value of the child that was left last.
    last: Bound,
    /// The move that leads to each node, where the tree grows by itself.
    moves: Vec<Option<Move<Point>>>,
    /// The node of each position of the tree, if the search has transpositions.
    seen: Option<HashMap<Key, usize>>,
}

/// A position, as small as its board allows: a tree has many.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Compact(Position),
    Large(Box<GridPosition>),
}

impl Key {
    fn of(position: &GridPosition) -> Key {
        Position::try_from(position).map_or_else(|_| Key::Large(Box::new(*position)), Key::Compact)
    }
}

/// A node that has been entered and not yet left.
struct Open {
    node: usize,
    position: GridPosition,
    kind: Kind,
    entry: Entry,
    /// The window it was entered with, and how it has become.
    entered: Window,
    window: Window,
    best: Option<Bound>,
}

#[derive(Clone, Copy, PartialEq)]
struct Window {
    alpha: f64,
    beta: f64,
}

impl Window {
    fn end(self, end: WindowEnd) -> f64 {
        match end {
            WindowEnd::Alpha => self.alpha,
            WindowEnd::Beta => self.beta,
        }
    }

    /// What a table may keep of a value that was found within this window.
    fn bound(self, value: f64) -> Bound {
        match value {
            value if value <= self.alpha => Bound::Upper,
            value if value >= self.beta => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

impl Kind {
    /// A value of the side to move here, as Max sees it. Adding 0 turns -0 into 0.
    fn value(self, value: f64) -> f64 {
        if self == Kind::Max { value + 0.0 } else { 0.0 - value }
    }

    fn other(self) -> Kind {
        if self == Kind::Max { Kind::Min } else { Kind::Max }
    }
}

impl StepRecorder {
    pub(crate) fn new(root: GridPosition, most: usize, transpositions: bool) -> StepRecorder {
        let steps = Steps { root, letters: Vec::new(), numbers: Vec::new() };
        let (open, moves) = (Vec::new(), vec![None]);
        let seen = transpositions.then(HashMap::new);
        StepRecorder { steps, most, nodes: 0, open, next: None, last: Bound::Exact, moves, seen }
    }

    pub(crate) fn finish(self) -> Steps {
        self.steps
    }

    fn step(&mut self, letter: u8, numbers: &[f64]) {
        self.steps.letters.push(letter);
        self.steps.numbers.extend_from_slice(numbers);
    }

    fn list(&mut self, squares: impl ExactSizeIterator<Item = f64>) {
        self.steps.numbers.push(squares.len() as f64);
        self.steps.numbers.extend(squares);
    }

    fn square(&self, point: Point) -> f64 {
        f64::from(
            u16::from(point.row()) * u16::from(self.steps.root.size().get()) + u16::from(point.column()),
        )
    }

    fn mv(&self, mv: Move<Point>) -> f64 {
        match mv {
            Move::Place(point) => self.square(point),
            Move::Pass => PASS,
        }
    }

    fn moves(&self, moves: &[Move<Point>]) -> Vec<f64> {
        moves.iter().map(|mv| self.mv(*mv)).collect()
    }

    /// The discs that a move turns.
    fn flips(&self, position: &GridPosition, mv: Move<Point>) -> Vec<f64> {
        match mv {
            Move::Place(point) => position.flips(point).into_iter().map(|point| self.square(point)).collect(),
            Move::Pass => Vec::new(),
        }
    }

    /// The number of the node of a position: of the one that has it already, or the next.
    fn number(&mut self, position: &GridPosition) -> usize {
        let next = self.nodes;
        self.seen.as_mut().map_or(next, |seen| *seen.entry(Key::of(position)).or_insert(next))
    }

    fn has_room(&self) -> Result<(), Stopped> {
        if self.steps.letters.len() < self.most { Ok(()) } else { Err(Stopped) }
    }

    /// The node above that made the bound that cuts the current one off, and why it holds there.
    fn holder(&self, end: WindowEnd, limit: f64) -> (usize, CutReason) {
        // The bound was handed down unchanged from the node that made it, whose own window was wider.
        let above = self.open.iter().rposition(|open| open.entered.end(end) != limit).unwrap_or(0);
        let scouted = self.open.get(above + 1).is_some_and(|below| below.entry == Entry::Scout);
        let made_up = match self.open[above].kind {
            Kind::Max => WindowEnd::Beta,
            Kind::Min => WindowEnd::Alpha,
        };
        let reason = if scouted && made_up == end { CutReason::Scout } else { CutReason::Elsewhere };
        (self.open[above].node, reason)
    }

    fn close(&mut self, bound: Bound) {
        self.last = bound;
        self.open.pop();
    }
}

/// How a bound is written.
fn sign(bound: Bound) -> f64 {
    match bound {
        Bound::Upper => -1.0,
        Bound::Exact => 0.0,
        Bound::Lower => 1.0,
    }
}

impl Listener for StepRecorder {
    fn deeper(&mut self, depth: u32) {
        self.open.clear();
        if let Some(seen) = &mut self.seen {
            seen.clear();
        }
        self.step(b'i', &[f64::from(depth)]);
    }

    fn announce(&mut self, mv: Move<Point>, entry: Entry) {
        self.next = Some((mv, entry));
    }

    fn enter(&mut self, _: Color, alpha: f64, beta: f64) -> Result<(), Stopped> {
        self.has_room()?;
        let above = self.open.last().map(|open| (open.position, open.kind.other()));
        let (mut position, kind) = above.unwrap_or((self.steps.root, Kind::Max));
        let (mut mv, mut flips, mut entry) = (NO_MOVE, Vec::new(), Entry::Full);
        if let Some((made, how)) = self.next.take() {
            (mv, flips, entry) = (self.mv(made), self.flips(&position, made), how);
            position = position.played(made);
        }
        let node = self.number(&position);
        let window = match kind {
            Kind::Max => Window { alpha, beta },
            Kind::Min => Window { alpha: -beta, beta: -alpha },
        };
        if node < self.nodes {
            self.step(b'j', &[node as f64, reason(entry), mv, window.alpha, window.beta]);
        } else {
            let letter = match entry {
                Entry::Full => b'e',
                Entry::Scout => b's',
                Entry::Again => b'r',
            };
            self.step(letter, &[mv, window.alpha, window.beta]);
            self.list(flips.into_iter());
            self.nodes += 1;
        }
        self.open.push(Open { node, position, kind, entry, entered: window, window, best: None });
        Ok(())
    }

    fn ranked(&mut self, moves: &mut dyn Iterator<Item = (Move<Point>, f64)>) {
        let Some(kind) = self.open.last().map(|open| open.kind) else { return };
        let ranked: Vec<f64> = moves.flat_map(|(mv, looks)| [self.mv(mv), kind.value(looks)]).collect();
        self.step(b'm', &[ranked.len() as f64 / 2.0]);
        self.steps.numbers.extend(ranked);
    }

    fn drawn(&mut self, lots: &[Lot]) {
        let Some(kind) = self.open.last().map(|open| open.kind) else { return };
        self.step(b'd', &[lots.len() as f64]);
        for lot in lots {
            let drawn = f64::from(u8::from(lot.drawn));
            let numbers = [self.mv(lot.mv), kind.value(lot.looks), f64::from(lot.lots), drawn];
            self.steps.numbers.extend(numbers);
        }
    }

    fn note_best(&mut self, value: f64, window_moves: bool) {
        let last = self.last;
        let Some(open) = self.open.last_mut() else { return };
        let value = open.kind.value(value);
        open.best = Some(last);
        if window_moves {
            match open.kind {
                Kind::Max => open.window.alpha = open.window.alpha.max(value),
                Kind::Min => open.window.beta = open.window.beta.min(value),
            }
        }
        let Window { alpha, beta } = open.window;
        self.step(b'b', &[value, alpha, beta]);
    }

    fn known(&mut self, value: f64, bound: Bound) {
        let Some(open) = self.open.last() else { return };
        let kind = open.kind;
        // A finished game is worth what it is worth, whatever the table may keep of it.
        let bound = if open.position.is_over() { Bound::Exact } else { kind.seen(bound) };
        self.step(b't', &[kind.value(value), sign(bound)]);
        self.close(bound);
    }

    fn leave_leaf(&mut self, value: f64, leaf: Leaf) {
        let Some(kind) = self.open.last().map(|open| open.kind) else { return };
        let letter = if leaf == Leaf::Over { b'o' } else { b'l' };
        self.step(letter, &[kind.value(value)]);
        self.close(Bound::Exact);
    }

    fn leave(&mut self, value: f64, pruned: Option<Vec<Move<Point>>>) {
        let Some(open) = self.open.last() else { return };
        let (kind, entered) = (open.kind, open.entered);
        // A forced pass has one child, which is the best.
        let mut bound = open.best.unwrap_or(self.last);
        // A cut-off at the last move leaves nothing out and is none.
        if let Some(pruned) = pruned.filter(|pruned| !pruned.is_empty()) {
            let (end, letter) = match kind {
                Kind::Max => (WindowEnd::Beta, b'c'),
                Kind::Min => (WindowEnd::Alpha, b'a'),
            };
            let limit = entered.end(end);
            let (held_by, reason) = self.holder(end, limit);
            self.step(letter, &[limit, f64::from(u8::from(reason == CutReason::Scout)), held_by as f64]);
            let untried = self.moves(&pruned);
            self.list(untried.into_iter());
            bound = if kind == Kind::Max { Bound::Lower } else { Bound::Upper };
        }
        let value = kind.value(value);
        // Whether a node that is reached again is searched again depends on what the table keeps of it, not on what else is known.
        if self.seen.is_some() {
            bound = entered.bound(value);
        }
        self.step(b'v', &[value, sign(bound)]);
        self.close(bound);
    }

    fn grow(&mut self, moves: &mut dyn Iterator<Item = Move<Point>>) {
        let moves: Vec<Move<Point>> = moves.collect();
        let Some(position) = self.open.last().map(|open| open.position) else { return };
        self.step(b'g', &[moves.len() as f64]);
        for mv in &moves {
            self.steps.numbers.push(self.mv(*mv));
            let flips = self.flips(&position, *mv);
            self.list(flips.into_iter());
        }
        self.nodes += moves.len();
        self.moves.extend(moves.into_iter().map(Some));
    }

    fn select(&mut self, node: usize) -> Result<(), Stopped> {
        // Only whole games are written down.
        if self.open.len() == 1 {
            self.has_room()?;
        }
        let mv = self.moves.get(node).copied().flatten().unwrap_or(Move::Pass);
        let Some(open) = self.open.last() else { return Ok(()) };
        let (position, kind, window) = (open.position.played(mv), open.kind.other(), open.window);
        self.step(b'p', &[node as f64]);
        self.open.push(Open {
            node,
            position,
            kind,
            entry: Entry::Full,
            entered: window,
            window,
            best: None,
        });
        Ok(())
    }

    fn played_out(&mut self, game: &RandomGame) {
        let RandomGame { points, discs, plies } = *game;
        self.step(b'w', &[points, f64::from(discs.0), f64::from(discs.1), f64::from(plies)]);
        self.step(b'u', &[]);
        self.open.truncate(1);
    }
}
