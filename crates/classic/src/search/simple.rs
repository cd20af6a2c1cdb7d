//! Players that do not look ahead: what every other player should beat.

use emilia_query::Report;
use emilia_rules::{Move, Objective, Playable, Point, SquareSet};

use super::first_move;
use crate::Dice;
use crate::control::{Found, Meter};

/// Any legal move, all equally likely.
pub(super) fn random<P: Playable>(position: &P, dice: &mut Dice, meter: Meter<'_, '_>) -> Report {
    answer(any_placement(position.placements(), dice), position, meter)
}

/// One of these squares, all equally likely.
#[inline(always)]
pub(super) fn any_placement<S: SquareSet>(placements: S, dice: &mut Dice) -> Option<S::Square> {
    let which = dice.below(placements.count());
    placements.into_iter().nth(which as usize)
}

/// The first legal move in row-major order.
pub(super) fn first<P: Playable>(position: &P, meter: Meter<'_, '_>) -> Report {
    answer(None, position, meter)
}

/// The move that flips most discs, or fewest where the fewest discs win; of several the one in the upper row, then in
/// the left column.
pub(super) fn greedy<P: Playable>(position: &P, objective: Objective, meter: Meter<'_, '_>) -> Report {
    let gain = |square: &P::Square| {
        let flips = position.flips(*square).count() as i32;
        match objective {
            Objective::Most => flips,
            Objective::Fewest => -flips,
        }
    };
    // The last of equal ones wins in `max_by_key`, so the squares are gone through backwards.
    let squares: Vec<P::Square> = position.placements().into_iter().collect();
    answer(squares.into_iter().rev().max_by_key(gain), position, meter)
}

/// A report that names the move, or the first legal one if there is no choice or none was made.
fn answer<P: Playable>(square: Option<P::Square>, position: &P, mut meter: Meter<'_, '_>) -> Report {
    // Only the root is looked at; a player so quick need not be stopped.
    let _ = meter.node(0);
    let chosen: Option<Move<Point>> = square.map(|square| Move::Place(square.into()));
    meter.report(Found::new(Vec::new(), chosen.or_else(|| first_move(position)), None, false), false)
}
