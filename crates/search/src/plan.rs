//! The steps of a search: from shallow to deep, from likely to certain.

use emilia_query::{Limits, Selectivity};

use crate::worker::Horizon;

/// Positions with so many empty squares, or fewer, are solved at once.
/// Birthplace: exact/e10 … e16, docs/tuning.md.
const SOLVE_AT_ONCE: u32 = 10;
/// A search to the end is prepared by searches that leave so many empty squares.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const PREPARE_UP_TO: u32 = 10;

/// How sure the steps are that come before the end of the game. In a search that goes on to a depth they only order its
/// moves; one that nobody has given a depth may be ended after any of them, and then plays by it.
/// Birthplace: data/midgame/m30.obf at 590,000 nodes, docs/tuning.md.
const ON_THE_WAY: Selectivity = Selectivity::Likely;
const MAYBE_THE_LAST: Selectivity = Selectivity::Good;
/// The most empty squares at which that was measured; with more, depth may be worth more than certainty.
const MEASURED_UP_TO: u32 = 32;

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
        let maybe_the_last = limits.depth.is_none() && empties <= MEASURED_UP_TO;
        let selectivity = if maybe_the_last { MAYBE_THE_LAST.min(wanted) } else { ON_THE_WAY };
        steps.extend((first..=last).step_by(2).map(|depth| Horizon { depth, selectivity }));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(empties: u32, limits: &Limits) -> Vec<(u32, Selectivity)> {
        steps(empties, limits).iter().map(|step| (step.depth, step.selectivity)).collect()
    }

    #[test]
    fn a_search_that_may_be_ended_at_any_step_is_surer_of_each() {
        let nodes = Limits { nodes: Some(590_000), ..Limits::default() };
        let (limited, solved) = (of(30, &nodes), of(30, &Limits::depth(60)));
        assert_eq!(limited[9], (20, Selectivity::Good));
        assert_eq!(solved[9], (20, Selectivity::Likely));
        assert_eq!(limited[10..], solved[10..]);
        assert_eq!(limited[10], (30, Selectivity::Likely));
        assert_eq!(limited.last(), Some(&(30, Selectivity::Certain)));
        assert_eq!(of(40, &nodes), of(40, &Limits::depth(60)));
        let least_sure = Limits { selectivity: Some(Selectivity::Likely), ..nodes };
        assert!(of(30, &least_sure).iter().all(|(_, selectivity)| *selectivity == Selectivity::Likely));
    }

    #[test]
    fn a_depth_is_reached_ply_by_ply_and_then_made_sure() {
        let limits = Limits { selectivity: Some(Selectivity::Fair), ..Limits::depth(3) };
        let likely = |depth| (depth, Selectivity::Likely);
        assert_eq!(of(40, &limits), [likely(1), likely(2), likely(3), (3, Selectivity::Fair)]);
    }
}
