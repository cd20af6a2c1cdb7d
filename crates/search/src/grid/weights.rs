use emilia_rules::{Objective, Size};

use super::evaluator::GridFeatures;
use super::tables::GridTables;

/// A weight for each of the [`GridFeatures`], as a share of the board: 0.1 means a tenth of all squares in the final
/// result.
type Weights = [f32; GridFeatures::COUNT];
/// Weights for an empty board, a half full one and a full one.
type Stages = [Weights; 3];

/// For every number of discs on a board of this size, the weights in hundredths of a disc: those of the tables if there
/// are any.
pub(super) fn by_discs(size: Size, objective: Objective, tables: Option<&GridTables>) -> Vec<Weights> {
    let cells = size.cells() as f32;
    let discs = 0..=size.cells();
    if let Some(tables) = tables {
        return discs
            .map(|discs| {
                let stages = at_stages(discs, size);
                std::array::from_fn(|at| {
                    let parts =
                        tables.features.iter().zip(stages).map(|(weights, share)| weights[at] * share);
                    parts.sum::<f32>() * cells * 100.0
                })
            })
            .collect();
    }
    let [empty, half, full] = fitted(size, objective);
    let weights = |discs: usize| {
        let filled = 2.0 * discs as f32 / cells;
        if filled < 1.0 { between(&empty, &half, filled) } else { between(&half, &full, filled - 1.0) }
    };
    discs.map(|discs| weights(discs).map(|weight| weight * cells * 100.0)).collect()
}

/// The weights without tables on a board of this size at the stages that [`GridTables`] have.
pub(super) fn at_four_stages(size: Size, objective: Objective) -> [Weights; GridTables::STAGES] {
    let [empty, half, full] = fitted(size, objective);
    [empty, between(&empty, &half, 2.0 / 3.0), between(&half, &full, 1.0 / 3.0), full]
}

/// How much each stage that [`GridTables`] have weights for counts with so many discs on the board: all of the nearest two,
/// the more the nearer.
pub(super) fn at_stages(discs: usize, size: Size) -> [f32; GridTables::STAGES] {
    let along = discs as f32 / size.cells() as f32 * (GridTables::STAGES - 1) as f32;
    std::array::from_fn(|stage| (1.0 - (along - stage as f32).abs()).max(0.0))
}

fn fitted(size: Size, objective: Objective) -> Stages {
    match objective {
        Objective::Most => stages(size, &FITTED),
        Objective::Fewest => stages(size, &FITTED_FEWEST),
    }
}

/// The weights for a board of this size: those that were fitted for it, between those of the next smaller and the next
/// larger one, or those of the smallest or largest.
fn stages(size: Size, fitted: &[(u8, Stages)]) -> Stages {
    let side = size.get();
    let last = fitted.len() - 1;
    let above = fitted.iter().position(|(known, _)| *known >= side).unwrap_or(last);
    let below = fitted.iter().rposition(|(known, _)| *known <= side).unwrap_or(0);
    let ((low, below), (high, above)) = (&fitted[below], &fitted[above]);
    let along = if low == high { 0.0 } else { f32::from(side - low) / f32::from(high - low) };
    std::array::from_fn(|stage| between(&below[stage], &above[stage], along))
}

/// The point so far along the way from one to the other.
fn between(one: &Weights, other: &Weights, along: f32) -> Weights {
    std::array::from_fn(|at| one[at] + (other[at] - one[at]) * along)
}

/// Birthplace: `grid_fit`, an example of this crate; but `thin` of the rows for 10 and 14 is the price that was found for
/// 20, because games in which somebody is wiped out are rare among equals (docs/tuning.md).
#[rustfmt::skip]
const FITTED: [(u8, Stages); 4] = [
    // 6: 3000 games each, 800 nodes a move; 0.722 of the spread explained.
    (6, [
        [0.011, 0.152, 0.112, 0.215, 0.015, 1.810, -1.480, -0.640, 0.189, 0.639, -0.045, -0.322, -0.340, 0.017, 0.000, 0.012],
        [-0.017, 0.305, 0.216, 0.227, -0.255, 0.993, -0.473, -0.334, 0.455, 1.069, -0.558, 0.063, -0.384, -0.017, 0.000, 0.322],
        [0.001, 0.153, 0.057, -0.039, 0.039, -0.084, 0.041, 0.166, -0.164, 0.444, 0.103, 0.217, -0.086, 0.077, 0.000, 0.315],
    ]),
    // 10: 600 games each, 1000 nodes a move; 0.263 of the spread explained.
    (10, [
        [-0.014, 0.038, 0.071, -0.016, -0.190, 0.071, -0.173, -0.003, 0.084, 0.000, 0.051, -0.144, -0.236, -0.139, -0.022, 0.000],
        [-0.022, 0.293, 0.187, -0.038, -0.100, 0.579, -0.499, -0.421, 0.146, 0.253, 0.017, -0.055, -0.259, 0.021, -0.032, 0.198],
        [-0.005, 0.107, 0.013, -0.016, 0.014, 0.098, -0.046, -0.066, 0.028, 0.365, -0.096, 0.175, -0.376, 0.104, 0.068, 0.368],
    ]),
    // 14, 12, 16: 110 games each, 800 nodes a move; 0.189 of the spread explained.
    (14, [
        [-0.001, -0.016, 0.001, -0.017, -0.190, 0.017, -0.015, -0.018, -0.004, 0.000, -0.016, -0.014, -0.022, -0.064, -0.030, 0.000],
        [-0.006, 0.188, 0.040, -0.010, -0.100, 0.390, -0.334, -0.539, -0.059, 0.475, 0.042, -0.168, -0.255, -0.085, -0.012, 0.067],
        [-0.006, 0.075, 0.032, 0.448, 0.000, 0.077, -0.075, -0.161, 0.026, 0.166, -0.085, 0.059, -0.461, -0.041, 0.067, 0.198],
    ]),
    // 20: 150 games each, 500 nodes a move; 0.149 of the spread explained.
    (20, [
        [0.000, -0.011, -0.019, -0.010, -0.188, 0.018, -0.003, -0.019, 0.018, 0.002, 0.001, -0.036, -0.049, -0.001, -0.012, 0.000],
        [-0.001, 0.010, 0.050, 0.028, -0.014, 0.142, -0.123, -0.281, 0.038, 0.271, 0.032, -0.109, -0.155, -0.026, -0.007, 0.018],
        [-0.003, 0.043, 0.070, 0.393, 0.000, 0.005, -0.068, -0.079, -0.026, 0.170, -0.016, 0.034, -0.241, -0.045, -0.004, 0.144],
    ]),
];

/// The same, for playing for the fewest discs: there too it is good to have many moves, but not to have corners.
///
/// Birthplace: `grid_fit` with the word `fewest`.
#[rustfmt::skip]
const FITTED_FEWEST: [(u8, Stages); 3] = [
    // 6: 1500 games each, 600 nodes a move; 0.375 of the spread explained.
    (6, [
        [-0.023, -0.112, 0.047, -0.046, 0.000, -0.406, -0.121, 0.030, -0.153, -0.060, -0.026, 0.100, 0.078, 0.013, 0.000, -0.001],
        [-0.014, 0.138, 0.205, 0.083, -0.027, -0.450, -0.014, 0.155, -0.093, -0.443, -0.081, 0.014, 0.026, 0.011, 0.000, -0.089],
        [-0.065, -0.002, -0.032, -0.211, -0.008, -0.168, 0.084, 0.053, 0.025, -0.256, 0.033, -0.185, -0.155, -0.010, 0.000, -0.061],
    ]),
    // 10: 250 games each, 800 nodes a move; 0.144 of the spread explained.
    (10, [
        [-0.005, -0.006, -0.003, -0.013, 0.014, -0.143, 0.063, 0.059, -0.004, -0.024, -0.018, 0.004, 0.016, -0.019, 0.019, 0.000],
        [0.001, 0.030, 0.107, 0.069, -0.045, -0.147, 0.002, 0.021, -0.064, -0.428, -0.013, -0.059, 0.042, 0.019, 0.006, -0.019],
        [-0.027, -0.004, -0.077, -0.101, -0.018, -0.022, 0.045, 0.005, -0.058, -0.256, -0.075, -0.236, 0.144, -0.100, -0.019, 0.140],
    ]),
    // 16, 20: 25 games each, 600 nodes a move; 0.161 of the spread explained.
    (16, [
        [-0.002, 0.009, -0.012, -0.013, -0.002, -0.075, 0.026, 0.105, -0.003, -0.058, -0.050, 0.001, 0.004, -0.015, 0.015, -0.001],
        [0.001, -0.016, -0.013, -0.050, -0.002, -0.037, -0.005, 0.050, -0.011, -0.237, -0.043, -0.081, 0.081, 0.008, 0.018, 0.001],
        [-0.005, -0.043, -0.054, -0.073, 0.000, -0.018, -0.029, 0.135, -0.006, -0.119, -0.080, -0.121, 0.229, -0.075, -0.074, 0.082],
    ]),
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn size(side: usize) -> Size {
        Size::new(side).unwrap()
    }

    /// The weights as thousandths, each counted as often as its place says: no two slips of the pen are likely to make up for
    /// each other.
    fn sum(fitted: &[(u8, Stages)]) -> i64 {
        let weights = fitted.iter().flat_map(|(_, stages)| stages.iter().flatten());
        weights.enumerate().map(|(at, weight)| (at as i64 + 1) * (weight * 1000.0).round() as i64).sum()
    }

    #[test]
    fn no_weight_was_changed_by_accident() {
        let sums = [sum(&FITTED), sum(&FITTED_FEWEST)];
        assert_eq!(sums, [85_059, -236_482]);
    }

    #[test]
    fn weights_are_those_of_the_nearest_sizes() {
        for (objective, fitted) in [(Objective::Most, &FITTED[..]), (Objective::Fewest, &FITTED_FEWEST[..])] {
            let stages = |side| super::stages(size(side), fitted);
            for (side, expected) in fitted {
                assert_eq!(stages(usize::from(*side)), *expected);
                // Without tables, an empty, a half full and a full board have them as they are.
                let (cells, by_discs) =
                    (size((*side).into()).cells(), by_discs(size((*side).into()), objective, None));
                assert_eq!(by_discs.len(), cells + 1);
                for (discs, expected) in [0, cells / 2, cells].into_iter().zip(expected) {
                    for (found, expected) in by_discs[discs].iter().zip(expected) {
                        assert!((found - expected * cells as f32 * 100.0).abs() < 0.01);
                    }
                }
            }
            assert_eq!(stages(4), stages(6));
            assert_eq!(stages(26), stages(usize::from(fitted[fitted.len() - 1].0)));
            let middle = |one: Stages, other: Stages, stage: usize, at: usize| {
                (one[stage][at] + other[stage][at]) / 2.0
            };
            for (stage, at) in (0..3).flat_map(|stage| (0..GridFeatures::COUNT).map(move |at| (stage, at))) {
                let expected = middle(stages(6), stages(10), stage, at);
                assert!((stages(8)[stage][at] - expected).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn stages_share_a_board_by_how_far_it_is_filled() {
        for side in [4, 8, 10, 26] {
            let cells = size(side).cells();
            for discs in 0..=cells {
                let shares = at_stages(discs, size(side));
                let whole: f32 = shares.iter().sum();
                let along: f32 = shares.iter().enumerate().map(|(stage, share)| stage as f32 * share).sum();
                assert!((whole - 1.0).abs() < 1e-5 && shares.iter().all(|share| *share >= 0.0));
                assert!((along / 3.0 - discs as f32 / cells as f32).abs() < 1e-5, "{discs} of {cells}");
                assert!(shares.iter().filter(|share| **share > 1e-5).count() <= 2);
            }
        }
    }

    #[test]
    fn tables_begin_with_the_weights_there_are_without_them() {
        for objective in [Objective::Most, Objective::Fewest] {
            let (size, stages) = (size(12), at_four_stages(size(12), objective));
            let [empty, half, full] = fitted(size, objective);
            assert_eq!((stages[0], stages[3]), (empty, full));
            let tables = GridTables::new(size, objective).unwrap();
            let (with, without) = (by_discs(size, objective, Some(&tables)), by_discs(size, objective, None));
            assert_eq!(with.len(), without.len());
            for at in 0..GridFeatures::COUNT {
                // A third of the way, and two thirds.
                assert!((stages[1][at] - (empty[at] + 2.0 * half[at]) / 3.0).abs() < 1e-6);
                assert!((stages[2][at] - (2.0 * half[at] + full[at]) / 3.0).abs() < 1e-6);
                for discs in [0, size.cells() / 3, size.cells() * 2 / 3, size.cells()] {
                    assert!((with[discs][at] - without[discs][at]).abs() < 0.01, "{discs}, {at}");
                }
            }
        }
    }
}
