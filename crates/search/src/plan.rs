//! The steps of a search: from shallow to deep, from likely to certain.

use emilia_query::{Limits, Selectivity};

use crate::worker::Horizon;

/// Positions with so many empty squares, or fewer, are solved at once.
/// Birthplace: exact/e10 … e16, docs/tuning.md.
const SOLVE_AT_ONCE: u32 = 10;
/// A search to the end is prepared by searches that leave so many empty squares.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const PREPARE_UP_TO: u32 = 10;
/// A full-width search that only its depth ends, and that would leave no more empty squares, goes to the end: with 6 or 7 of them
/// it takes longer to judge the boards there than to solve the position, with 8 of them two thirds of that. Not so if it is less deep
/// than they are many: that takes no time, and who asks for a few plies wants no more.
/// Birthplace: hard-20, exact/e14 … e20, docs/tuning.md.
const SOLVE_INSTEAD: u32 = 8;

/// Where a search ends that does not see the end of the game, boards of so many empty squares, or fewer, are solved if the evaluator
/// leaves them open. None that have more empty squares than the search has plies: who asks for a few plies wants no more.
/// Birthplace: hard-20 to 10 and 12 plies, games of levels, docs/tuning.md.
const SOLVED_IF_OPEN: u32 = 10;

/// The most empty squares of boards that are solved if they are open, in a step of this horizon: none in one that sees the end of the
/// game, where ProbCut's predictions gain nothing by it.
pub(crate) fn solved_if_open(empties: u32, step: Horizon) -> u32 {
    if step.depth < empties { step.depth.min(SOLVED_IF_OPEN) } else { 0 }
}

/// The horizons of a search, one after the other. Where nothing counts but the last, it goes `straight` there. If the `evaluator_alone`
/// is to judge, it keeps to its depth.
pub(crate) fn steps(empties: u32, limits: &Limits, straight: bool, evaluator_alone: bool) -> Vec<Horizon> {
    let wanted = limits.selectivity.unwrap_or(Selectivity::Certain);
    let mut most = limits.depth.unwrap_or(u32::MAX).max(1);
    let left = empties.saturating_sub(most);
    let depth_alone = limits.nodes.is_none() && limits.time.is_none() && !evaluator_alone;
    if wanted == Selectivity::Certain && depth_alone && left <= SOLVE_INSTEAD && most >= SOLVE_INSTEAD {
        most = empties;
    }
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
            // What is found on the way, and what makes the last step quicker.
            let (found, quicker) = match selectivity {
                Selectivity::Likely => (14, 14),
                Selectivity::Fair => (22, 24),
                Selectivity::Good => (20, 28),
                Selectivity::High => (26, u32::MAX),
                Selectivity::Highest => (24, u32::MAX),
                Selectivity::Certain => break,
            };
            if empties >= if straight { quicker } else { found } && selectivity < wanted {
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
    use Selectivity::{Certain, Fair, Good, High, Highest, Likely};

    fn steps(empties: u32, depth: Option<u32>, selectivity: Option<Selectivity>) -> Vec<(u32, Selectivity)> {
        steps_if(false, empties, depth, selectivity)
    }

    fn steps_if(
        straight: bool,
        empties: u32,
        depth: Option<u32>,
        selectivity: Option<Selectivity>,
    ) -> Vec<(u32, Selectivity)> {
        let steps =
            super::steps(empties, &Limits { depth, selectivity, ..Limits::default() }, straight, false);
        steps.iter().map(|step| (step.depth, step.selectivity)).collect()
    }

    #[test]
    fn a_search_that_does_not_see_the_end_goes_a_ply_deeper_each_time() {
        assert_eq!(steps(30, Some(3), None), [(1, Likely), (2, Likely), (3, Likely), (3, Certain)]);
        assert_eq!(steps(30, Some(2), Some(Good)), [(1, Likely), (2, Likely), (2, Good)]);
        assert_eq!(steps(30, Some(2), Some(Likely)), [(1, Likely), (2, Likely)]);
        assert_eq!(steps(30, Some(0), Some(Likely)), [(1, Likely)]);
        assert_eq!(steps(5, Some(4), None).len(), 5);
    }

    #[test]
    fn a_search_to_the_end_is_prepared_by_shallower_and_less_sure_ones() {
        for empties in 1..=10 {
            assert_eq!(steps(empties, None, None), [(empties, Certain)]);
            assert_eq!(steps(empties, Some(empties), Some(Fair)), [(empties, Fair)]);
        }
        assert_eq!(steps(11, None, None), [(3, Likely), (11, Certain)]);
        assert_eq!(steps(13, None, None), [(3, Likely), (13, Certain)]);
        assert_eq!(steps(14, None, None), [(2, Likely), (4, Likely), (14, Likely), (14, Certain)]);
        // Which steps come last with so many empty squares.
        let sure = |empties: u32, wanted| -> Vec<Selectivity> {
            let steps = steps(empties, None, wanted).into_iter();
            steps.filter(|(depth, _)| *depth == empties).map(|(_, selectivity)| selectivity).collect()
        };
        assert_eq!(sure(13, None), [Certain]);
        assert_eq!(sure(19, None), [Likely, Certain]);
        assert_eq!(sure(20, None), [Likely, Good, Certain]);
        assert_eq!(sure(21, None), [Likely, Good, Certain]);
        assert_eq!(sure(22, None), [Likely, Fair, Good, Certain]);
        assert_eq!(sure(24, None), [Likely, Fair, Good, Highest, Certain]);
        assert_eq!(sure(25, None), [Likely, Fair, Good, Highest, Certain]);
        assert_eq!(sure(26, None), [Likely, Fair, Good, High, Highest, Certain]);
        assert_eq!(sure(26, Some(Good)), [Likely, Fair, Good]);
    }

    #[test]
    fn a_full_width_search_that_would_end_shortly_before_the_end_goes_there() {
        let last = |empties, depth, selectivity| steps(empties, Some(depth), selectivity).pop();
        assert_eq!(last(20, 12, None), Some((20, Certain)));
        assert_eq!([last(20, 13, None), last(20, 19, None)], [Some((20, Certain)); 2]);
        assert_eq!(last(20, 11, None), Some((11, Certain)));
        assert_eq!(last(16, 8, None), Some((16, Certain)));
        assert_eq!([last(15, 7, None), last(10, 2, None)], [Some((7, Certain)), Some((2, Certain))]);
        assert_eq!(last(20, 12, Some(Highest)), Some((12, Highest)));
        assert_eq!(steps(20, Some(12), None), steps(20, None, None));
        let limits = Limits { nodes: Some(1000), ..Limits::depth(12) };
        let kept = Some(Horizon { depth: 12, selectivity: Certain });
        assert_eq!(super::steps(20, &limits, false, false).pop(), kept);
        assert_eq!(super::steps(20, &Limits::depth(12), false, true).pop(), kept);
    }

    #[test]
    fn open_boards_are_solved_where_a_search_ends_near_the_end_of_the_game() {
        let of = |empties, depth| {
            let limits = Limits { nodes: Some(1000), ..Limits::depth(depth) };
            let steps = super::steps(empties, &limits, false, false);
            steps.into_iter().map(|step| solved_if_open(empties, step)).collect::<Vec<_>>()
        };
        let last = |empties, depth| of(empties, depth).pop();
        assert_eq!([last(20, 12), last(20, 10), last(60, 40)], [Some(10); 3]);
        assert_eq!([last(20, 9), last(20, 3), last(4, 1)], [Some(9), Some(3), Some(1)]);
        // Not in a step that sees the end, but in those that prepare it.
        assert_eq!(of(20, 20), [2, 4, 6, 8, 10, 0, 0, 0]);
        assert_eq!(of(9, 12), [0]);
    }

    #[test]
    fn who_goes_straight_takes_fewer_steps() {
        let sure = |empties: u32, wanted| -> Vec<Selectivity> {
            let steps = steps_if(true, empties, None, wanted).into_iter();
            steps.filter(|(depth, _)| *depth == empties).map(|(_, selectivity)| selectivity).collect()
        };
        assert_eq!(sure(13, None), [Certain]);
        assert_eq!([14, 23].map(|empties| sure(empties, None)), [[Likely, Certain], [Likely, Certain]]);
        assert_eq!(sure(24, None), [Likely, Fair, Certain]);
        assert_eq!(sure(27, None), [Likely, Fair, Certain]);
        assert_eq!(sure(28, None), [Likely, Fair, Good, Certain]);
        assert_eq!(sure(36, None), [Likely, Fair, Good, Certain]);
        assert_eq!(sure(36, Some(Good)), [Likely, Fair, Good]);
        assert_eq!(steps_if(true, 30, Some(3), None), steps(30, Some(3), None));
        assert_eq!(steps_if(true, 14, None, None)[..2], steps(14, None, None)[..2]);
    }
}
