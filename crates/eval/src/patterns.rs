use std::sync::LazyLock;

use emilia_rules::Board;

use crate::layout::{LANES, Layout, empties, phase};
use crate::shape::PLACES;
use crate::weights::{Weights, WeightsError};
use crate::{Evaluator, Play, Score};

/// The score of a board as a sum over shapes: what stands on each edge, corner, row and diagonal has a weight,
/// which depends on the phase of the game.
///
/// ```
/// use emilia_eval::{Evaluator, Patterns};
/// use emilia_rules::Board;
/// let patterns = Patterns::embedded();
/// let features = patterns.features(Board::START);
/// assert!(patterns.score(&features, Board::START).discs().abs() < 10);
/// ```
#[derive(Debug)]
pub struct Patterns {
    layout: &'static Layout,
    /// Per phase, the weights as seen by the side that was to move when the features were made from scratch, and
    /// as seen by the other side.
    tables: Vec<[Vec<i16>; 2]>,
    /// What the number of empty squares alone is worth to the side to move.
    bias: [i16; 65],
}

/// The fillings of all places, in the eyes of one side.
#[derive(Clone, Debug)]
pub struct Fillings {
    fillings: [u16; LANES],
    /// Whether the side to move is not the one whose discs count as own.
    exchanged: bool,
}

static EMBEDDED: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(&Weights::read(include_bytes!("../weights/patterns.bin")).expect("a test reads this file"))
});

impl Patterns {
    /// The evaluator that comes with the program. `weights/patterns.txt` says how its weights were made.
    #[must_use]
    pub fn embedded() -> &'static Patterns {
        &EMBEDDED
    }

    /// The evaluator with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Patterns {
        let layout = Layout::shared();
        let tables = weights
            .phases
            .iter()
            .map(|canonical| {
                let own: Vec<i16> = layout.canonical.iter().map(|at| canonical[*at as usize]).collect();
                let other = layout.exchanged.iter().map(|at| own[*at as usize]).collect();
                [own, other]
            })
            .collect();
        Patterns { layout, tables, bias: weights.bias }
    }

    /// The evaluator with the weights in this file.
    pub fn read(bytes: &[u8]) -> Result<Patterns, WeightsError> {
        Ok(Patterns::new(&Weights::read(bytes)?))
    }
}

impl Evaluator for Patterns {
    type Features = Fillings;

    fn features(&self, board: Board) -> Fillings {
        Fillings { fillings: self.layout.fillings(board), exchanged: false }
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, _board: Board, play: Play) -> Fillings {
        let mut next = features.fillings;
        let steps = &self.layout.steps;
        // A square counts 0 when empty, 1 when ours, 2 when the other side's.
        let placed = &steps[usize::from(play.square.index())];
        if features.exchanged {
            for lane in 0..LANES {
                next[lane] = next[lane].wrapping_add(placed[lane] << 1);
            }
            for square in play.flips {
                let flipped = &steps[usize::from(square.index())];
                for lane in 0..LANES {
                    next[lane] = next[lane].wrapping_add(flipped[lane]);
                }
            }
        } else {
            for lane in 0..LANES {
                next[lane] = next[lane].wrapping_add(placed[lane]);
            }
            for square in play.flips {
                let flipped = &steps[usize::from(square.index())];
                for lane in 0..LANES {
                    next[lane] = next[lane].wrapping_sub(flipped[lane]);
                }
            }
        }
        Fillings { fillings: next, exchanged: !features.exchanged }
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, _board: Board) -> Fillings {
        Fillings { fillings: features.fillings, exchanged: !features.exchanged }
    }

    #[inline(always)]
    fn score(&self, features: &Fillings, board: Board) -> Score {
        let empties = empties(board);
        let weights = &self.tables[phase(empties)][usize::from(features.exchanged)];
        let mut sum = i32::from(self.bias[empties.min(64)]);
        for place in 0..PLACES {
            let at = self.layout.starts[place] as usize + usize::from(features.fillings[place]);
            sum += i32::from(weights[at]);
        }
        const MOST: i32 = 64 * Score::PER_DISC;
        Score(sum.clamp(-MOST, MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(Patterns::embedded(), 200);
    }
}
