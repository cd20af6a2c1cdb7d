use std::ops::Range;

use emilia_eval::layout::{PHASES, phase};

use crate::data::{Labelled, Origin};

/// Positions to fit to and positions to test on, each sorted by number of empty squares.
#[derive(Clone, Debug)]
pub struct TrainingSet {
    fit: Vec<Labelled>,
    test: Vec<Labelled>,
    /// Where the positions with so many empty squares begin, and the end.
    starts: [usize; 66],
}

/// Of so many games one is kept for the test.
const TEST_GAMES: u32 = 64;

impl TrainingSet {
    /// A set from positions to fit to, of which one game in 64 is kept for the test, and further positions to test on.
    #[must_use]
    pub fn new(mut fit: Vec<Labelled>, mut test: Vec<Labelled>) -> TrainingSet {
        // A stable order: the same positions give the same weights.
        fit.sort_by_key(|labelled| (!is_test(labelled), labelled.empties()));
        let kept = fit.partition_point(is_test);
        if kept < fit.len() {
            test.extend(fit.drain(..kept));
        }
        test.sort_by_key(Labelled::empties);
        let starts = std::array::from_fn(|empties| {
            fit.partition_point(|labelled| usize::from(labelled.empties()) < empties)
        });
        TrainingSet { fit, test, starts }
    }

    /// All positions to fit to.
    #[must_use]
    pub fn fit(&self) -> &[Labelled] {
        &self.fit
    }

    /// All positions to test on.
    #[must_use]
    pub fn test(&self) -> &[Labelled] {
        &self.test
    }

    /// A number that tells sets of positions to fit to apart.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fit.iter().fold(self.fit.len() as u64, |hash, labelled| {
            let board = labelled.board.own.0.rotate_left(17) ^ labelled.board.opponent.0;
            (hash ^ board ^ labelled.score as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        })
    }

    /// The positions to fit to in a phase, and in so many empty squares beside it.
    #[must_use]
    pub fn of_phase(&self, number: usize, beside: usize) -> &[Labelled] {
        let Range { start, end } = empties_of(number);
        &self.fit[self.starts[start.saturating_sub(beside)]..self.starts[(end + beside).min(65)]]
    }
}

/// The numbers of empty squares of a phase.
#[must_use]
pub(super) fn empties_of(number: usize) -> Range<usize> {
    debug_assert!(number < PHASES);
    let start = (0..=64).position(|empties| phase(empties) >= number).unwrap_or(65);
    let end = (0..=64).position(|empties| phase(empties) > number).unwrap_or(65);
    start..end
}

fn is_test(labelled: &Labelled) -> bool {
    // Numbers of games need not be spread evenly.
    labelled.game.wrapping_mul(0x9e37_79b1) >> 16 & (TEST_GAMES - 1) == 0
}

/// How much a score counts beside an exact one. The same as in training/data.py.
#[must_use]
pub(super) fn trust(origin: Origin) -> f64 {
    match origin {
        Origin::Exact => 1.0,
        Origin::Depth(plies) => (0.3 + 0.04 * f64::from(plies)).min(0.9),
        Origin::Result => 0.15,
        Origin::Unknown => 0.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::Board;

    #[test]
    fn phases_and_games_are_kept_apart() {
        let mut positions = Vec::new();
        for game in 0..500 {
            let mut board = Board::START;
            while let Some(square) = board.moves().into_iter().next() {
                positions.push(Labelled { board, score: 0, origin: Origin::Exact, game });
                board = board.play(square);
            }
        }
        let count = positions.len();
        let set = TrainingSet::new(positions, Vec::new());
        assert_eq!(set.fit().len() + set.test().len(), count);
        assert!(set.test().len() > count / 200 && set.test().len() < count / 20);
        assert!(set.test().iter().all(|a| set.fit().iter().all(|b| a.game != b.game)));
        let in_phases: usize = (0..PHASES).map(|number| set.of_phase(number, 0).len()).sum();
        assert_eq!(in_phases, set.fit().len());
        let range = empties_of(7);
        assert_eq!(range, 24..28);
        assert!(set.of_phase(7, 0).iter().all(|labelled| range.contains(&labelled.empties().into())));
        assert!(set.of_phase(13, 2).len() > set.of_phase(13, 0).len());
    }

    #[test]
    fn all_games_for_the_test_leave_something_to_fit() {
        let one = Labelled { board: Board::START, score: 0, origin: Origin::Exact, game: 0 };
        assert_eq!(TrainingSet::new(vec![one], Vec::new()).fit().len(), 1);
    }
}
