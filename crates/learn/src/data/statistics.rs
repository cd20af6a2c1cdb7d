use emilia_eval::Score;
use emilia_eval::layout::{PHASES, phase};

use super::{Labelled, Origin};

/// What a set of scored positions is like, phase by phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The phases, the end of the game first.
    pub phases: Vec<PhaseStatistics>,
}

/// What the positions of one phase are like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseStatistics {
    /// Fewest and most empty squares of the phase.
    pub empties: (u8, u8),
    /// Positions.
    pub positions: u64,
    /// Mean score, in discs.
    pub mean: f64,
    /// Standard deviation of the scores, in discs.
    pub deviation: f64,
    /// The share whose score is exact.
    pub exact: f64,
    /// The share whose score is the result of a game alone.
    pub result: f64,
}

impl Statistics {
    /// The statistics of these positions.
    #[must_use]
    pub fn of(positions: &[Labelled]) -> Statistics {
        let mut phases: Vec<PhaseStatistics> = (0..PHASES)
            .map(|number| {
                let mut within = (0..=64u8).filter(|empties| phase(usize::from(*empties)) == number);
                let first = within.next().unwrap_or(0);
                let empties = (first, within.next_back().unwrap_or(first).min(60));
                PhaseStatistics { empties, ..PhaseStatistics::default() }
            })
            .collect();
        for labelled in positions {
            let at = &mut phases[phase(usize::from(labelled.empties()))];
            let discs = f64::from(labelled.score) / f64::from(Score::PER_DISC);
            at.positions += 1;
            at.mean += discs;
            at.deviation += discs * discs;
            at.exact += f64::from(u8::from(labelled.origin == Origin::Exact));
            at.result += f64::from(u8::from(labelled.origin == Origin::Result));
        }
        for at in phases.iter_mut().filter(|at| at.positions > 0) {
            let count = at.positions as f64;
            at.mean /= count;
            at.deviation = (at.deviation / count - at.mean * at.mean).max(0.0).sqrt();
            at.exact /= count;
            at.result /= count;
        }
        Statistics { phases }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::Board;

    #[test]
    fn means_and_shares_are_of_their_phase() {
        let labelled = |score, origin| Labelled { board: Board::START, score, origin, game: 0 };
        let statistics = Statistics::of(&[
            labelled(256, Origin::Exact),
            labelled(-512, Origin::Result),
            labelled(-512, Origin::Depth(3)),
        ]);
        let (last, others) = statistics.phases.split_last().unwrap();
        assert!(others.iter().all(|phase| phase.positions == 0));
        assert_eq!((last.empties, last.positions, last.mean), ((54, 60), 3, -2.0));
        assert!((last.deviation - 8f64.sqrt()).abs() < 1e-9);
        assert!((last.exact - 1.0 / 3.0).abs() < 1e-9 && (last.result - 1.0 / 3.0).abs() < 1e-9);
    }
}
