use emilia_rules::{GridPosition, Move, Playable, Point, SquareSet};

use crate::reason::{Both, Kind, Reason};
use crate::{HORIZON, Line, region_of};

// What tells bad moves from good ones was measured: crates/insight/examples/mistakes.rs prints how often each reason holds for
// both, docs/insights.md has the figures.

/// A pass decides games once so few squares are empty; before, it hardly matters.
const PASS_EMPTIES: u32 = 12;
/// By how many safe discs the balance of both sides must be worse, while so many squares are empty: at the end every disc is safe.
const STABLE_DISCS: i32 = 6;
const STABLE_EMPTIES: u32 = 13;
/// By how many moves to choose from, in two turns of each side, the balance must be worse.
const MOVES: i32 = 6;
/// How many more discs of the side must be in the open, or flipped; and how many squares must be empty: later discs count.
const OPEN_DISCS: u32 = 3;
const FLIPS: u32 = 3;
const OPEN_EMPTIES: u32 = 21;
/// Regions are counted once so few squares are empty; before, they are still to be formed.
const PARITY_EMPTIES: u32 = 20;
/// How many more squares of the border must be opened to the other side.
const BORDER_SQUARES: u32 = 3;

/// A move that was played and the best one, each with its line, in the same position.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The move that was played.
    pub played: Line,
    /// The best move.
    pub best: Line,
    /// Moves of the lines that are compared: as many as both have.
    plies: usize,
}

impl Comparison {
    /// Follows both lines. Nothing if one of them does not begin with a legal placement.
    #[must_use]
    pub fn new(before: &GridPosition, played: &[Move<Point>], best: &[Move<Point>]) -> Option<Comparison> {
        let (played, best) = (Line::new(before, played)?, Line::new(before, best)?);
        let plies = played.length().min(best.length()).min(HORIZON);
        Some(Comparison { played, best, plies })
    }

    /// The most telling reason that holds.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reasons().next().unwrap_or(Reason::DeepSearch)
    }

    /// Every reason that holds, the most telling first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> {
        Kind::all().filter_map(|kind| self.holds(kind))
    }

    /// A reason of this kind, if it holds.
    #[must_use]
    pub fn holds(&self, kind: Kind) -> Option<Reason> {
        match kind {
            Kind::WipedOut => self.wiped_out(),
            Kind::GaveCorner => self.gave_corner(),
            Kind::MissedCorner => self.missed_corner(),
            Kind::MissedPass => self.missed_pass(),
            Kind::MustPass => self.must_pass(),
            Kind::Stability => self.stability(),
            Kind::Mobility => self.mobility(),
            Kind::Frontier => self.frontier(),
            Kind::Greedy => self.greedy(),
            Kind::Parity => self.parity(),
            Kind::Border => self.border(),
            Kind::DeepSearch => None,
        }
    }

    fn both<T>(&self, count: impl Fn(&Line) -> T) -> Both<T> {
        Both { played: count(&self.played), best: count(&self.best) }
    }

    fn wiped_out(&self) -> Option<Reason> {
        let at_ply = self.played.wiped_out()?;
        self.best.wiped_out().is_none().then_some(Reason::WipedOut { at_ply })
    }

    /// Corners of the side less those of the other, along each line.
    fn corner_balance(&self) -> Both<i32> {
        let side = self.played.before().turn();
        self.both(|line| {
            line.corners(side, self.plies).len() as i32 - line.corners(!side, self.plies).len() as i32
        })
    }

    fn gave_corner(&self) -> Option<Reason> {
        let other = !self.played.before().turn();
        let taken = self.both(|line| line.corners(other, self.plies));
        let balance = self.corner_balance();
        if taken.played.len() <= taken.best.len() || balance.played >= balance.best {
            return None;
        }
        let is_new = |(corner, _): &&(Point, usize)| taken.best.iter().all(|(known, _)| known != corner);
        let (corner, at_ply) = *taken.played.iter().find(is_new)?;
        let corners = Both { played: taken.played.len() as u32, best: taken.best.len() as u32 };
        Some(Reason::GaveCorner { corner, at_ply, corners })
    }

    fn missed_corner(&self) -> Option<Reason> {
        let side = self.played.before().turn();
        let taken = self.both(|line| line.corners(side, self.plies));
        let balance = self.corner_balance();
        if taken.played.len() >= taken.best.len() || balance.played >= balance.best {
            return None;
        }
        let is_missed = |(corner, _): &&(Point, usize)| taken.played.iter().all(|(known, _)| known != corner);
        let (corner, at_ply) = *taken.best.iter().find(is_missed)?;
        Some(Reason::MissedCorner { corner, at_ply })
    }

    fn missed_pass(&self) -> Option<Reason> {
        let can_reply = !self.played.replies().is_empty();
        let is_late = self.empties() <= PASS_EMPTIES;
        (is_late && self.best.leaves_no_reply() && can_reply).then_some(Reason::MissedPass)
    }

    fn must_pass(&self) -> Option<Reason> {
        let side = self.played.before().turn();
        let at_ply = self.played.pass(side, self.plies)?;
        let is_avoided = self.best.pass(side, self.plies).is_none();
        (self.empties() <= PASS_EMPTIES && is_avoided).then_some(Reason::MustPass { at_ply })
    }

    fn stability(&self) -> Option<Reason> {
        let at_ply = self.plies;
        let own = self.both(|line| line.stable(at_ply).0.count());
        let other = self.both(|line| line.stable(at_ply).1.count());
        let worse = (own.best as i32 - other.best as i32) - (own.played as i32 - other.played as i32);
        let holds = self.empties() >= STABLE_EMPTIES && worse >= STABLE_DISCS;
        holds.then_some(Reason::Stability { at_ply, own, other })
    }

    fn mobility(&self) -> Option<Reason> {
        let choices = Both { played: self.played.choices()?, best: self.best.choices()? };
        let other = Both { played: choices.played.0, best: choices.best.0 };
        let own = Both { played: choices.played.1, best: choices.best.1 };
        let worse = (own.best as i32 - other.best as i32) - (own.played as i32 - other.played as i32);
        (worse >= MOVES).then_some(Reason::Mobility { own, other })
    }

    fn frontier(&self) -> Option<Reason> {
        let discs = self.both(|line| line.frontier().count());
        let holds = self.empties() >= OPEN_EMPTIES && discs.played >= discs.best + OPEN_DISCS;
        holds.then_some(Reason::Frontier { discs })
    }

    fn greedy(&self) -> Option<Reason> {
        let flips = self.both(|line| line.flips().count());
        let holds = self.empties() >= OPEN_EMPTIES && flips.played >= flips.best + FLIPS;
        holds.then_some(Reason::Greedy { flips })
    }

    fn parity(&self) -> Option<Reason> {
        let before = self.played.before();
        let region = self.both(|line| region_of(before, line.square()).count());
        let (is_even, is_odd) = (region.played.is_multiple_of(2), !region.best.is_multiple_of(2));
        let holds = self.empties() <= PARITY_EMPTIES && is_even && is_odd;
        holds.then_some(Reason::Parity { region })
    }

    fn border(&self) -> Option<Reason> {
        let reply = self.played.moves().get(1)?.square()?;
        let opened = self.both(|line| line.opened_border());
        let squares = Both { played: opened.played.count(), best: opened.best.count() };
        let is_much = squares.played >= squares.best + BORDER_SQUARES;
        let holds = self.empties() >= OPEN_EMPTIES && is_much && opened.played.contains(reply);
        holds.then_some(Reason::Border { square: reply, squares })
    }

    fn empties(&self) -> u32 {
        self.played.before().empties().count()
    }
}
