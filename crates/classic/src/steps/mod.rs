//! A search written down step by step, so that it can be watched forwards and backwards.

mod json;
mod recorder;

use emilia_query::Bound;
use emilia_rules::{GridPosition, Move, Playable, Point, Size};

pub(crate) use recorder::StepRecorder;

use crate::listener::{Entry, Leaf, Lot, RandomGame};
use crate::tree::WindowEnd;

/// Every step of a search, in a compact form: a letter for each, and the numbers that belong to it.
///
/// Nodes are numbered from 0 in the order in which they are entered first, or grow. In a search with transpositions each
/// position of a tree is one node, whichever order of moves leads to it. All values are seen by the side to move at the root,
/// called Max. What a step is about is the current node: the one entered last and not left yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    root: GridPosition,
    letters: Vec<u8>,
    numbers: Vec<f64>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A new tree begins, to this depth.
    Deeper(u32),
    /// A new node below the current one is entered and becomes the current one.
    Enter {
        /// Why.
        entry: Entry,
        /// The move that leads to it; none for the root.
        mv: Option<Move<Point>>,
        /// What Max is sure of elsewhere.
        alpha: f64,
        /// What Min is sure of elsewhere.
        beta: f64,
        /// The discs that the move turned.
        flips: Vec<Point>,
    },
    /// A move leads to a position that has a node already, which is entered again and becomes the current one.
    Join {
        /// Why.
        entry: Entry,
        /// The node.
        node: usize,
        /// The move.
        mv: Move<Point>,
        /// What Max is sure of elsewhere, this time.
        alpha: f64,
        /// What Min is sure of elsewhere, this time.
        beta: f64,
    },
    /// The moves of the current node in the order in which they are tried, with what they look like.
    Ranked(Vec<(Move<Point>, f64)>),
    /// The moves of the current node, the best looking first, and which of them were drawn.
    Drawn(Vec<Lot>),
    /// The child that was just left is the best so far; the window may be narrower now.
    Best {
        /// Its value.
        value: f64,
        /// What Max is sure of now.
        alpha: f64,
        /// What Min is sure of now.
        beta: f64,
    },
    /// The remaining moves of the current node are not tried.
    Cut {
        /// Beta at a Max node, alpha at a Min node.
        end: WindowEnd,
        /// Its value.
        limit: f64,
        /// Why it holds.
        reason: CutReason,
        /// The node above that holds it.
        held_by: usize,
        /// The moves that were not tried.
        untried: Vec<Move<Point>>,
    },
    /// The current node is left because what was found in it before is enough this time.
    Known {
        /// Its value.
        value: f64,
        /// Whether that is exact.
        bound: Bound,
    },
    /// The current node is left without having children.
    Leaf {
        /// Why.
        leaf: Leaf,
        /// What it is worth.
        value: f64,
    },
    /// The current node is left.
    Leave {
        /// What it is worth.
        value: f64,
        /// Whether that is exact.
        bound: Bound,
    },
    /// The current node of a Monte Carlo tree gets a child for each of these moves, which turn these discs.
    Grow(Vec<(Move<Point>, Vec<Point>)>),
    /// A child of the current node becomes the current one.
    Select(usize),
    /// A random game from the current node has ended.
    Playout(RandomGame),
    /// Every node from the current one up to the root counts the game; the root becomes the current one.
    BackUp,
}

/// Why a bound holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutReason {
    /// A side has something as good elsewhere.
    Elsewhere,
    /// A scout only asked whether a move is better, and has the answer.
    Scout,
}

/// What stands for a pass, and for no move at all, where a square is expected.
const PASS: f64 = -1.0;
const NO_MOVE: f64 = -2.0;

/// How it is written why a node is entered again.
fn reason(entry: Entry) -> f64 {
    match entry {
        Entry::Full => 0.0,
        Entry::Scout => 1.0,
        Entry::Again => 2.0,
    }
}

impl Steps {
    /// The steps, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Step> + '_ {
        let mut numbers = Numbers { size: self.root.size(), rest: self.numbers.iter() };
        self.letters.iter().map(move |letter| numbers.step(*letter))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The steps as JSON: the root, a text with a letter for each step, and the list of all numbers; null is an open end of
    /// a window. `docs/api.md` says what belongs to each letter.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::write(self)
    }
}

/// The numbers that are still to be read.
struct Numbers<'s> {
    size: Size,
    rest: std::slice::Iter<'s, f64>,
}

impl Numbers<'_> {
    fn step(&mut self, letter: u8) -> Step {
        match letter {
            b'i' => Step::Deeper(self.number() as u32),
            b'e' => self.enter(Entry::Full),
            b's' => self.enter(Entry::Scout),
            b'r' => self.enter(Entry::Again),
            b'j' => Step::Join {
                node: self.number() as usize,
                entry: self.entry(),
                mv: self.mv(),
                alpha: self.number(),
                beta: self.number(),
            },
            b'm' => Step::Ranked(self.list(|this| (this.mv(), this.number()))),
            b'd' => Step::Drawn(self.list(|this| Lot {
                mv: this.mv(),
                looks: this.number(),
                lots: this.number() as u32,
                drawn: this.number() != 0.0,
            })),
            b'b' => Step::Best { value: self.number(), alpha: self.number(), beta: self.number() },
            b'a' => self.cut(WindowEnd::Alpha),
            b'c' => self.cut(WindowEnd::Beta),
            b't' => Step::Known { value: self.number(), bound: self.bound() },
            b'l' => Step::Leaf { leaf: Leaf::Evaluated, value: self.number() },
            b'o' => Step::Leaf { leaf: Leaf::Over, value: self.number() },
            b'v' => Step::Leave { value: self.number(), bound: self.bound() },
            b'g' => Step::Grow(self.list(|this| (this.mv(), this.list(Numbers::point)))),
            b'p' => Step::Select(self.number() as usize),
            b'w' => Step::Playout(RandomGame {
                points: self.number(),
                discs: (self.number() as u32, self.number() as u32),
                plies: self.number() as u32,
            }),
            _ => Step::BackUp,
        }
    }

    fn enter(&mut self, entry: Entry) -> Step {
        let mv = self.number();
        Step::Enter {
            entry,
            mv: (mv != NO_MOVE).then(|| self.move_of(mv)),
            alpha: self.number(),
            beta: self.number(),
            flips: self.list(Numbers::point),
        }
    }

    fn entry(&mut self) -> Entry {
        match self.number() {
            number if number == reason(Entry::Scout) => Entry::Scout,
            number if number == reason(Entry::Again) => Entry::Again,
            _ => Entry::Full,
        }
    }

    fn cut(&mut self, end: WindowEnd) -> Step {
        let limit = self.number();
        let reason = if self.number() == 0.0 { CutReason::Elsewhere } else { CutReason::Scout };
        let held_by = self.number() as usize;
        Step::Cut { end, limit, reason, held_by, untried: self.list(Numbers::mv) }
    }

    /// Only what the recorder wrote is read, so that there is always one more.
    fn number(&mut self) -> f64 {
        self.rest.next().copied().unwrap_or_default()
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number() as usize).map(|_| one(self)).collect()
    }

    fn bound(&mut self) -> Bound {
        match self.number() {
            number if number < 0.0 => Bound::Upper,
            number if number > 0.0 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    fn mv(&mut self) -> Move<Point> {
        let number = self.number();
        self.move_of(number)
    }

    fn move_of(&self, number: f64) -> Move<Point> {
        if number == PASS { Move::Pass } else { Move::Place(self.point_at(number)) }
    }

    fn point(&mut self) -> Point {
        let number = self.number();
        self.point_at(number)
    }

    fn point_at(&self, number: f64) -> Point {
        let side = self.size.get();
        let at = number as u16;
        Point::new((at % u16::from(side)) as u8, (at / u16::from(side)) as u8).expect("a square was written")
    }
}
