use emilia_rules::Size;

use super::evaluator::GridFeatures;

/// A weight for each of the [`GridFeatures`], as a share of the board: 0.1 means a tenth of all squares in the final
/// result.
type Weights = [f32; GridFeatures::COUNT];
/// Weights for an empty board, a half full one and a full one.
type Stages = [Weights; 3];

/// For every number of discs on a board of this size, the weights in hundredths of a disc.
pub(super) fn by_discs(size: Size) -> Vec<Weights> {
    let [empty, half, full] = stages(size);
    let cells = size.cells() as f32;
    let weights = |discs: usize| {
        let filled = 2.0 * discs as f32 / cells;
        if filled < 1.0 { between(&empty, &half, filled) } else { between(&half, &full, filled - 1.0) }
    };
    (0..=size.cells()).map(|discs| weights(discs).map(|weight| weight * cells * 100.0)).collect()
}

/// The weights for a board of this size: those that were fitted for it, between those of the next smaller and the next
/// larger one, or those of the smallest or largest.
fn stages(size: Size) -> Stages {
    let side = size.get();
    let last = FITTED.len() - 1;
    let above = FITTED.iter().position(|(known, _)| *known >= side).unwrap_or(last);
    let below = FITTED.iter().rposition(|(known, _)| *known <= side).unwrap_or(0);
    let ((low, below), (high, above)) = (&FITTED[below], &FITTED[above]);
    let along = if low == high { 0.0 } else { f32::from(side - low) / f32::from(high - low) };
    std::array::from_fn(|stage| between(&below[stage], &above[stage], along))
}

/// The point so far along the way from one to the other.
fn between(one: &Weights, other: &Weights, along: f32) -> Weights {
    std::array::from_fn(|at| one[at] + (other[at] - one[at]) * along)
}

/// Birthplace: `grid_fit`, an example of this crate (docs/tuning.md).
#[rustfmt::skip]
const FITTED: [(u8, Stages); 4] = [
    // 1000 games of 600 nodes a move; 0.675 of the spread explained.
    (6, [
        [0.023, 0.056, -0.003, 0.260, -0.030, 1.509, -1.298, -0.293, 0.182, 0.539, -0.043, -0.248, -0.418, -0.060, 0.000, 0.010],
        [-0.007, 0.313, 0.315, 0.231, -0.191, 0.955, -0.486, -0.271, 0.500, 1.234, -0.667, 0.124, -0.210, 0.005, 0.000, 0.378],
        [0.010, 0.156, 0.014, -0.076, 0.050, -0.053, 0.086, 0.063, -0.200, 0.438, 0.097, 0.243, -0.132, 0.085, 0.000, 0.292],
    ]),
    // 400 games of 600 nodes a move; 0.314 of the spread explained.
    (10, [
        [-0.016, 0.058, -0.016, -0.094, 0.027, 0.355, -0.153, -0.100, 0.128, 0.049, 0.082, -0.078, -0.198, -0.091, -0.062, -0.002],
        [-0.019, 0.305, 0.249, 0.027, 0.067, 0.678, -0.515, -0.390, 0.150, 0.035, 0.020, 0.018, -0.212, -0.030, -0.039, 0.183],
        [-0.007, 0.117, 0.015, 0.178, 0.011, 0.031, -0.126, 0.009, -0.094, 0.306, -0.016, 0.136, -0.408, 0.031, 0.108, 0.296],
    ]),
    // 200 games of 600 nodes a move; 0.219 of the spread explained.
    (14, [
        [-0.005, 0.003, -0.022, -0.064, -0.020, 0.028, -0.005, -0.074, -0.013, 0.012, -0.068, -0.053, -0.071, -0.010, -0.071, 0.000],
        [-0.005, 0.157, 0.161, 0.074, -0.060, 0.501, -0.373, -0.361, 0.063, 0.336, -0.086, -0.006, -0.289, -0.013, 0.024, 0.147],
        [-0.006, 0.102, 0.023, 0.128, 0.000, 0.056, -0.019, -0.117, 0.041, 0.259, -0.053, 0.093, -0.308, 0.065, 0.040, 0.228],
    ]),
    // 150 games of 500 nodes a move; 0.149 of the spread explained.
    (20, [
        [-0.000, -0.011, -0.019, -0.010, -0.188, 0.018, -0.003, -0.019, 0.018, 0.002, 0.001, -0.036, -0.049, -0.001, -0.012, 0.000],
        [-0.001, 0.010, 0.050, 0.028, -0.014, 0.142, -0.123, -0.281, 0.038, 0.271, 0.032, -0.109, -0.155, -0.026, -0.007, 0.018],
        [-0.003, 0.043, 0.070, 0.393, 0.000, 0.005, -0.068, -0.079, -0.026, 0.170, -0.016, 0.034, -0.241, -0.045, -0.004, 0.144],
    ]),
];
