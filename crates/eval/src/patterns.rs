use std::sync::LazyLock;

use emilia_rules::Board;

use crate::layout::{LANES, Layout, empties, phase};
use crate::shape::{PLACES_OF_SHAPES, SHAPES};
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
    /// Per phase one table a shape.
    tables: Vec<[Box<Table>; SHAPES.len()]>,
    /// What the number of empty squares alone is worth to the side to move.
    bias: [i16; 65],
}

/// The weights of a shape by its filling. Longer than needed, so that no filling is ever out of its bounds; what
/// is never used takes no memory.
type Table = [i16; 1 << 16];

/// The fillings of all places, as the side to move sees them: base three, 0 for the opponent's disc, 1 for an
/// empty square, 2 for an own disc. So the other side's view is the greatest filling minus this one.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Fillings([u16; LANES]);

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
        let mut fillings = self.layout.empty;
        for (discs, sign) in [(board.own, 1), (board.opponent, 1u16.wrapping_neg())] {
            for square in discs {
                let steps = &self.layout.steps[usize::from(square.index())];
                for lane in 0..LANES {
                    fillings[lane] = fillings[lane].wrapping_add(steps[lane].wrapping_mul(sign));
                }
            }
        }
        Fillings(fillings)
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, _board: Board, play: Play) -> Fillings {
        let Layout { steps, empty, .. } = self.layout;
        // What the mover gains: an own disc for an empty square counts one step, for the opponent's disc two.
        let placed = &steps[usize::from(play.square.index())];
        let mut flipped = [0u16; LANES];
        for square in play.flips {
            let step = &steps[usize::from(square.index())];
            for lane in 0..LANES {
                flipped[lane] = flipped[lane].wrapping_add(step[lane]);
            }
        }
        // Seen by the other side.
        let mut next = [0; LANES];
        for lane in 0..LANES {
            let gain = placed[lane].wrapping_add(flipped[lane] << 1);
            next[lane] = (empty[lane] << 1).wrapping_sub(features.0[lane]).wrapping_sub(gain);
        }
        Fillings(next)
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, _board: Board) -> Fillings {
        let empty = &self.layout.empty;
        Fillings(std::array::from_fn(|lane| (empty[lane] << 1).wrapping_sub(features.0[lane])))
    }

    #[inline(always)]
    fn score(&self, features: &Fillings, board: Board) -> Score {
        let empties = empties(board);
        let tables = &self.tables[phase(empties)];
        let mut sum = i32::from(self.bias[empties.min(64)]);
        let mut place = 0;
        for (table, places) in tables.iter().zip(PLACES_OF_SHAPES) {
            for _ in 0..places {
                sum += i32::from(table[usize::from(features.0[place])]);
                place += 1;
            }
        }
        const MOST: i32 = 64 * Score::PER_DISC;
        Score(sum.clamp(-MOST, MOST))
    }
}

/// The weights of a phase, one table a shape.
fn tables(layout: &Layout, canonical: &[i16]) -> [Box<Table>; SHAPES.len()] {
    let mut start = 0;
    std::array::from_fn(|number| {
        let shape = &SHAPES[number];
        let mut table: Box<Table> =
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

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(Patterns::embedded(), 200);
    }
}
