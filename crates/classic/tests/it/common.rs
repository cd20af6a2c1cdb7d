//! Random positions for tests.

use emilia_classic::Dice;
use emilia_rules::{GridPosition, Playable, Size, SquareSet};

/// One random move, or a forced pass; none when the game is over.
pub(crate) fn random_step(position: &GridPosition, dice: &mut Dice) -> Option<GridPosition> {
    let placements = position.placements();
    if placements.is_empty() {
        let passed = position.passed();
        return (!passed.placements().is_empty()).then_some(passed);
    }
    let which = dice.below(placements.count()) as usize;
    placements.into_iter().nth(which).map(|square| position.placed(square))
}

/// A position from anywhere in a random game, the end included.
pub(crate) fn random_position(size: Size, dice: &mut Dice) -> GridPosition {
    let mut position = GridPosition::start(size);
    for _ in 0..dice.below(size.cells() as u32) {
        match random_step(&position, dice) {
            Some(next) => position = next,
            None => break,
        }
    }
    position
}
