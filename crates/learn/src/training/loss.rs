use emilia_eval::layout::{PHASES, phase};
use emilia_eval::{Evaluator, Score};
use emilia_rules::Portable;

use crate::data::{Labelled, Origin};

/// How far an evaluator is from scored positions of one phase, in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Positions.
    pub positions: usize,
    /// Root of the mean squared error.
    pub root_mean_square: f64,
    /// Mean absolute error.
    pub mean_absolute: f64,
}

/// How far the evaluator is from these positions, per phase. Mere results of games are left out where a phase has better
/// scores.
#[must_use]
pub fn losses<E: Evaluator>(evaluator: &E, positions: &[Labelled]) -> [Loss; PHASES] {
    let mut of = [[Loss::default(); PHASES]; 2];
    for labelled in positions {
        let score = evaluator.score(Portable, &evaluator.features(labelled.board), labelled.board);
        let error = f64::from(score.0 - i32::from(labelled.score)) / f64::from(Score::PER_DISC);
        let poor = matches!(labelled.origin, Origin::Result | Origin::Unknown);
        let loss = &mut of[usize::from(poor)][phase(labelled.empties().into())];
        loss.positions += 1;
        loss.root_mean_square += error * error;
        loss.mean_absolute += error.abs();
    }
    let [good, poor] = of;
    std::array::from_fn(|number| {
        let Loss { positions, root_mean_square, mean_absolute } =
            if good[number].positions > 0 { good[number] } else { poor[number] };
        let count = positions.max(1) as f64;
        Loss {
            positions,
            root_mean_square: (root_mean_square / count).sqrt(),
            mean_absolute: mean_absolute / count,
        }
    })
}
