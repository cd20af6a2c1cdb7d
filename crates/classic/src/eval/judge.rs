use emilia_rules::{Direction, Playable, Size, SquareSet};

use super::difference;
use crate::{Component, Evaluate, View, regions};

/// The evaluator that came with a 6×6 course exercise: how well discs are backed up, corners, X-squares.
///
/// A disc counts 1, and 1 more for each of its four lines on which it is joined to the border, on one side at least,
/// by discs of its own colour alone.
#[derive(Clone, Debug)]
pub struct Judge<P: Playable> {
    corners: P::Set,
    x_squares: P::Set,
    /// For each axis the squares at whose two ends the board ends.
    borders: [(P::Set, P::Set); 4],
}

impl<P: Playable> Judge<P> {
    /// For boards of this size.
    #[must_use]
    pub fn new(size: Size) -> Judge<P> {
        let board = P::Set::board(size);
        let borders =
            Direction::AXES.map(|axis| (board - board.shifted(axis.opposite()), board - board.shifted(axis)));
        Judge { corners: regions::corners::<P>(size), x_squares: regions::x_squares::<P>(size), borders }
    }

    /// One point for each disc and for each of its lines that is backed up.
    #[inline(always)]
    fn backing(&self, view: &View<'_, P>) -> (i32, i32) {
        let mut points = view.discs();
        for backed in self.backed(view) {
            let (own, opponent) = view.count_on(backed);
            points = (points.0 + own, points.1 + opponent);
        }
        points
    }

    /// The discs of both sides that are backed up on each axis.
    #[inline(always)]
    pub(crate) fn backed(&self, view: &View<'_, P>) -> [P::Set; 4] {
        std::array::from_fn(|at| {
            let (axis, (front, back)) = (Direction::AXES[at], self.borders[at]);
            joined_to(front, view, axis) | joined_to(back, view, axis.opposite())
        })
    }
}

/// The discs from which a walk in this direction meets only discs of their own colour until it arrives at the border.
#[inline(always)]
fn joined_to<P: Playable>(border: P::Set, view: &View<'_, P>, direction: Direction) -> P::Set {
    let back = direction.opposite();
    // Both colours at once: a disc goes on the chain if the disc ahead is on it and has the same colour.
    let like_the_next = (view.own & view.own.shifted(back)) | (view.opponent & view.opponent.shifted(back));
    let mut joined = (view.own | view.opponent) & border;
    loop {
        let longer = joined | (joined.shifted(back) & like_the_next);
        if longer == joined {
            return joined;
        }
        joined = longer;
    }
}

impl<P: Playable> Evaluate<P> for Judge<P> {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        each(Component::of("backing", self.backing(view), difference, 1.0));
        each(Component::of("corners", view.count_on(self.corners), difference, 64.0));
        each(Component::of("x-squares", view.count_on(self.x_squares), difference, -32.0));
    }
}
