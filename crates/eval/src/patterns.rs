use emilia_rules::{Board, Kernel};

use crate::fillings::Fillings;
use crate::layout::{Layout, empties, phase};
use crate::shape::SHAPES;
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
    /// Per phase one table a shape.
    tables: Vec<[Box<ShapeWeights>; SHAPES.len()]>,
    /// What the number of empty squares alone is worth to the side to move.
    bias: [i16; 65],
}

/// The weights of a shape by its filling. Longer than needed, so that no filling is ever out of its bounds; what
/// is never used takes no memory.
type ShapeWeights = [i16; 1 << 16];

impl Patterns {
    /// The evaluator with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Patterns {
        let layout = Layout::shared();
        let tables = weights.phases.iter().map(|phase| tables(layout, phase)).collect();
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

/// The weights of a phase, one table a shape.
fn tables(layout: &Layout, canonical: &[i16]) -> [Box<ShapeWeights>; SHAPES.len()] {
    let mut start = 0;
    std::array::from_fn(|number| {
        let shape = &SHAPES[number];
        let mut table: Box<ShapeWeights> =
            vec![0; 1 << 16].into_boxed_slice().try_into().expect("it has as many weights as a table");
        for filling in 0..shape.fillings() {
            let weight = layout.canonical[start + shape.from_balanced(filling)];
            table[filling] = canonical[weight as usize];
        }
        start += shape.fillings();
        table
    })
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
