use emilia_classic::{Stability, View};
use emilia_rules::{Color, Grid, GridPosition, Move, Playable, Point, SquareSet};

/// Plies of a line that are looked at, the move itself the first. What happens later is not blamed on it.
pub const HORIZON: usize = 8;

/// A move, what is expected to follow, and the positions on the way, as far as they are legal.
#[derive(Clone, Debug)]
pub struct Line {
    side: Color,
    square: Point,
    moves: Vec<Move<Point>>,
    /// The position before the move, and after each.
    positions: Vec<GridPosition>,
}

/// A move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Which one, from 1: the move itself.
    pub(crate) ply: usize,
    pub(crate) side: Color,
    pub(crate) square: Option<Point>,
}

impl Line {
    /// The line of a placement. Nothing if it begins with a pass or with an illegal move.
    #[must_use]
    pub fn new(before: &GridPosition, moves: &[Move<Point>]) -> Option<Line> {
        let square = moves.first()?.square()?;
        let mut positions = vec![*before];
        let mut legal = Vec::new();
        for mv in moves.iter().take(HORIZON) {
            let Ok(next) = positions.last()?.play(*mv) else { break };
            positions.push(next);
            legal.push(*mv);
        }
        (!legal.is_empty()).then_some(Line { side: before.turn(), square, moves: legal, positions })
    }

    /// Where the disc is placed.
    #[must_use]
    pub fn square(&self) -> Point {
        self.square
    }

    /// The moves, the first one included.
    #[must_use]
    pub fn moves(&self) -> &[Move<Point>] {
        &self.moves
    }

    /// The position before the move.
    #[must_use]
    pub fn before(&self) -> &GridPosition {
        &self.positions[0]
    }

    /// The position after so many moves, or after the last one.
    #[must_use]
    pub fn after(&self, plies: usize) -> &GridPosition {
        &self.positions[plies.min(self.moves.len())]
    }

    /// How many moves are known; a game that ends within it goes on for ever.
    #[must_use]
    pub fn length(&self) -> usize {
        if self.after(self.moves.len()).is_over() { HORIZON } else { self.moves.len() }
    }

    pub(crate) fn steps(&self, plies: usize) -> impl Iterator<Item = Step> {
        let step = |(index, mv): (usize, &Move<Point>)| Step {
            ply: index + 1,
            side: self.positions[index].turn(),
            square: mv.square(),
        };
        self.moves.iter().take(plies).enumerate().map(step)
    }

    /// The corners that a side takes within so many moves, with the number of the move.
    pub(crate) fn corners(&self, side: Color, plies: usize) -> Vec<(Point, usize)> {
        let last = self.before().size().get() - 1;
        let is_corner =
            |point: &Point| [point.column(), point.row()].iter().all(|line| [0, last].contains(line));
        let taken = self.steps(plies).filter(|step| step.side == side);
        taken.filter_map(|step| Some((step.square.filter(is_corner)?, step.ply))).collect()
    }

    /// The number of the first move within so many at which a side has to pass.
    pub(crate) fn pass(&self, side: Color, plies: usize) -> Option<usize> {
        self.steps(plies).find(|step| step.side == side && step.square.is_none()).map(|step| step.ply)
    }

    /// Whether the other side has to pass at once.
    pub(crate) fn leaves_no_reply(&self) -> bool {
        let next = self.after(1);
        next.placements().is_empty() && !next.passed().placements().is_empty()
    }

    /// The number of the first move after which the side has no disc left.
    pub(crate) fn wiped_out(&self) -> Option<usize> {
        (1..=self.moves.len()).find(|plies| self.after(*plies).discs(self.side).is_empty())
    }

    /// Discs that the move flips.
    pub(crate) fn flips(&self) -> Grid {
        self.before().flips(self.square)
    }

    /// Where the other side can reply.
    pub(crate) fn replies(&self) -> Grid {
        self.after(1).placements()
    }

    /// Squares of the border, corners aside, where the other side can reply and could not have gone before.
    pub(crate) fn opened_border(&self) -> Grid {
        let before = self.before();
        let last = before.size().get() - 1;
        let is_border = |point: &Point| {
            [point.column(), point.row()].iter().filter(|line| [0, last].contains(line)).count() == 1
        };
        (self.replies() - before.passed().placements()).into_iter().filter(is_border).collect()
    }

    /// Moves to choose from in the next two turns of the other side, and in the next two of the side; nothing if the line
    /// is too short to tell.
    pub(crate) fn choices(&self) -> Option<(u32, u32)> {
        let choice = |plies: usize, side: Color| {
            let position = self.after(plies);
            let own = if position.turn() == side { *position } else { position.passed() };
            own.placements().count()
        };
        let turns = |first: usize, side: Color| choice(first, side) + choice(first + 2, side);
        (self.length() >= 4).then(|| (turns(1, !self.side), turns(2, self.side)))
    }

    /// Discs of the side beside an empty square, after the move.
    pub(crate) fn frontier(&self) -> Grid {
        let next = self.after(1);
        next.discs(self.side) & next.empties().grown()
    }

    /// Discs of the side, and of the other, that nothing can flip any more after so many moves.
    pub(crate) fn stable(&self, plies: usize) -> (Grid, Grid) {
        let position = self.after(plies);
        let (to_move, other) = Stability::both(&View::new(position));
        if position.turn() == self.side {
            (to_move.stable, other.stable)
        } else {
            (other.stable, to_move.stable)
        }
    }
}
