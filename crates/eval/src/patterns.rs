use emilia_rules::{Board, Kernel};

use crate::fillings::{Fillings, Tables, tables};
use crate::layout::{Layout, empties, phase};
use crate::weights::{Weights, WeightsError};
use crate::{Evaluator, Play, Score};

/// The score of a board as a sum over shapes: what stands on each edge, corner, row and diagonal has a weight,
/// which depends on the phase of the game.
///
/// ```
/// use emilia_eval::layout::{Layout, PHASES};
/// use emilia_eval::{Evaluator, Patterns, Score, Weights};
/// use emilia_rules::{Board, Portable};
///
/// // Nothing is worth anything but the move: one disc.
/// let bias = [Score::PER_DISC as i16; 65];
/// let weights = Weights { phases: vec![vec![0; Layout::shared().weights()]; PHASES], bias };
/// let patterns = Patterns::new(&weights);
/// let features = patterns.features(Board::START);
/// assert_eq!(patterns.score(Portable, &features, Board::START).discs(), 1);
/// ```
#[derive(Debug)]
pub struct Patterns {
    layout: &'static Layout,
    /// Per phase the weights of all shapes.
    tables: Vec<Tables<i16>>,
    /// What the number of empty squares alone is worth to the side to move.
    bias: [i16; 65],
}

impl Patterns {
    /// The evaluator with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Patterns {
        let layout = Layout::shared();
        let weight = |phase: &[i16], at: usize| phase[layout.canonical[at] as usize];
        let tables = weights.phases.iter().map(|phase| tables(0, |at| weight(phase, at))).collect();
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
        Fillings::of(self.layout, board)
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, _board: Board, play: Play) -> Fillings {
        features.after(self.layout, play)
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, _board: Board) -> Fillings {
        features.passed(self.layout)
    }

    #[inline(always)]
    fn score<K: Kernel>(&self, _kernel: K, features: &Fillings, board: Board) -> Score {
        let empties = empties(board);
        let tables = &self.tables[phase(empties)];
        let mut sum = i32::from(self.bias[empties.min(64)]);
        for weight in features.select(tables) {
            sum += i32::from(*weight);
        }
        const MOST: i32 = 64 * Score::PER_DISC;
        Score(sum.clamp(-MOST, MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use crate::weights::tests::scattered;

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(&Patterns::new(&scattered()), 200);
    }
}
