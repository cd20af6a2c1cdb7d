//! The steps of a search: from shallow to deep, from likely to certain.

use emilia_query::{Limits, Selectivity};

use crate::worker::Horizon;

/// Positions with so many empty squares, or fewer, are solved at once.
/// Birthplace: exact/e10 … e16, docs/tuning.md.
const SOLVE_AT_ONCE: u32 = 10;
/// A search to the end is prepared by searches that leave so many empty squares.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const PREPARE_UP_TO: u32 = 10;

/// The horizons of a search, one after the other.
pub(crate) fn steps(empties: u32, limits: &Limits) -> Vec<Horizon> {
    let wanted = limits.selectivity.unwrap_or(Selectivity::Certain);
    let most = limits.depth.unwrap_or(u32::MAX).max(1);
    let mut steps = Vec::new();
    if most < empties {
        // 1. A search that does not see the end: one ply more each time, selective until the last.
        let likely = wanted.min(Selectivity::Likely);
        steps.extend((1..=most).map(|depth| Horizon { depth, selectivity: likely }));
        if wanted > likely {
            steps.push(Horizon { depth: most, selectivity: wanted });
        }
        return steps;
    }
    // 2. A search to the end: prepared by shallower ones, two plies more each time, …
    if empties > SOLVE_AT_ONCE {
        let first = 2 + empties % 2;
        let last = empties.saturating_sub(PREPARE_UP_TO).max(first);
        steps.extend(
            (first..=last).step_by(2).map(|depth| Horizon { depth, selectivity: Selectivity::Likely }),
        );
        // 3. … then by ever surer ones.
        for selectivity in Selectivity::ALL {
            let worth_it = match selectivity {
                Selectivity::Likely => empties >= 14,
                Selectivity::Fair => empties >= 22,
                Selectivity::Good => empties >= 20,
                Selectivity::High => empties >= 26,
                Selectivity::Highest => empties >= 24,
                Selectivity::Certain => false,
            };
            if worth_it && selectivity < wanted {
                steps.push(Horizon { depth: empties, selectivity });
            }
        }
    }
    steps.push(Horizon { depth: empties, selectivity: wanted });
    steps
}
