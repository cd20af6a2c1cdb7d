//! Multi-ProbCut: a shallow search that is far beyond the window predicts the deep one.
//!
//! The difference between a shallow and a deep search of the same position is close to normal. How wide it is was
//! measured and fitted with the weights of the sixth network by
//!
//! ```text
//! emilia selfplay --out games --minutes 1 --threads 2 --depth 6 --exact-from 14 --seed 77
//! emilia data games --out train.emd --test none.emd --test-share 0
//! emilia probcut train.emd --boards 130
//! ```
//!
//! on about 125 boards for each of 24, 28 … 44 empty squares, to 12 plies. For searches to the end (12 to 18 empty squares) the
//! plane of the third network was kept and scaled by 0.94: where six to eight plies stand for the rest of the game, deviations are
//! that much below it, and the plane that these boards alone give falls too low where it was not measured. With the network of today
//! the same measurement says 1.05 and 1.01 times as much, and in games that is no better: docs/tuning.md.

use emilia_query::Selectivity;

use crate::worker::Horizon;

/// The least depth at which a shallow search may stand for a deep one.
pub(crate) const LEAST_DEPTH: u32 = 3;

/// The depth of the search that predicts one of this depth: three fifths at most, of the same parity, because scores of odd
/// and even depth differ. Birthplace: games at 300,000 nodes a move, docs/tuning.md.
#[inline(always)]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (3 * depth / 10) + (depth & 1)
}

/// A deviation that grows with the plies between two searches, ever more slowly, and falls with the depth of the shallow one:
/// `(constant + empties × …) × plies / (plies + half_plies) × half_depth / (half_depth + shallow)`. `constant` and `empties` are in
/// 1024ths of a disc, the halves in tenths of a ply; `least` is what it never falls below, where it was not measured.
struct Curve {
    constant: i32,
    empties: i32,
    half_plies: i32,
    half_depth: i32,
    least: i32,
}

impl Curve {
    #[inline(always)]
    const fn at(&self, empties: u32, depth: u32, shallow: u32) -> i32 {
        let plies = 10 * depth.saturating_sub(shallow) as i32;
        let shallow = 10 * shallow as i32;
        let level = self.constant + self.empties * empties as i32;
        let value = level * plies / (plies + self.half_plies) * self.half_depth / (self.half_depth + shallow);
        if value < self.least { self.least } else { value }
    }
}

/// A deviation as a plane: a constant, and what an empty square, a ply of the deep search and a ply of the shallow
/// search add to it, in 1024ths of a disc. `least` is what it never falls below, where the plane was not measured.
struct Plane {
    constant: i32,
    empties: i32,
    depth: i32,
    shallow: i32,
    least: i32,
}

impl Plane {
    #[inline(always)]
    const fn at(&self, empties: u32, depth: u32, shallow: u32) -> i32 {
        let added = self.empties * empties as i32 + self.depth * depth as i32 + self.shallow * shallow as i32;
        let value = self.constant + added;
        if value < self.least { self.least } else { value }
    }
}

/// Between two searches that do not reach the end of the game.
const MIDDLE: Curve = Curve { constant: 7047, empties: -80, half_plies: 12, half_depth: 91, least: 471 };
/// Between a search and the exact score.
const END: Plane = Plane { constant: 4387, empties: 21, depth: 21, shallow: -239, least: 1548 };

/// Standard deviation, in 64ths of a disc, of the difference between searches of these depths, on a board with so
/// many empty squares.
#[inline(always)]
pub(crate) const fn deviation(empties: u32, depth: u32, shallow: u32) -> i32 {
    let value =
        if depth >= empties { END.at(empties, depth, shallow) } else { MIDDLE.at(empties, depth, shallow) };
    value >> 4
}

/// The part of the usual difference from the evaluator by which a shallow search may be hoped to turn out better than it, or worse,
/// in 64ths. Birthplace: games at 300,000 nodes a move, docs/tuning.md.
const HOPE: i32 = 32;

/// How far from the bound it must reach a position may be by the evaluator alone for a shallow search to be tried, in discs.
#[inline(always)]
pub(crate) const fn hope(empties: u32, shallow: u32) -> i32 {
    let plies = if shallow == 0 { 1 } else { shallow };
    (deviation(empties, plies, 0) * HOPE) >> 12
}

/// How much wider than on average differences are where the side with fewer moves has so many of them, in 64ths: few moves
/// make sudden changes. Birthplace: 1,631 boards of 22 to 46 empty squares, docs/tuning.md.
const BY_MOVES: [i32; 16] = [104, 104, 104, 104, 104, 94, 84, 77, 67, 65, 63, 61, 60, 58, 58, 58];

/// How far beyond the window a shallow search must be to stand for a deep one, in 64ths of a disc; `None` if no search may. `fewer`
/// are the moves of the side that has fewer of them.
#[inline(always)]
pub(crate) fn margin(horizon: Horizon, shallow: u32, empties: u32, fewer: u32) -> Option<i32> {
    let deviations = deviations(horizon.selectivity, horizon.depth >= empties)?;
    let by_moves = BY_MOVES[fewer.min(15) as usize];
    Some((((deviations * deviation(empties, horizon.depth, shallow)) >> 6) * by_moves) >> 6)
}

/// How much narrower a margin is for each disc by which the evaluator is farther beyond the window than it, in 64ths, or wider if the
/// evaluator is not so far, and for how many discs at most. A shallow search that says what the evaluator says is right more often, and
/// one that finds a better score than it, a little too good. Birthplace: 2,500 boards of 20 to 45 empty squares, docs/tuning.md.
const BY_EVALUATOR: i32 = 3;
const MOST_BY_EVALUATOR: i32 = 8;

/// How far beyond the window a shallow search must be, in discs, if it must be so far on average, in 64ths of a disc, where the evaluator by
/// itself is so many discs `beyond` it.
#[inline(always)]
pub(crate) fn margin_by_evaluator(margin: i32, beyond: i32) -> i32 {
    let farther = (beyond - (margin >> 6)).clamp(-MOST_BY_EVALUATOR, MOST_BY_EVALUATOR);
    (margin * (64 - BY_EVALUATOR * farther)) >> 12
}

/// How many times farther beyond the window the evaluator by itself must be to stand for a search of one ply, and of two, in
/// 64ths. Birthplace: games at 40,000 nodes a move, docs/tuning.md.
const WITHOUT_SEARCH: [i32; 2] = [90, 72];

/// How far beyond the window the evaluator by itself must be to stand for a search that does not reach the end of the game, in
/// 64ths of a disc; `None` if it never does.
#[inline(always)]
pub(crate) fn margin_without_search(horizon: Horizon, empties: u32, fewer: u32) -> Option<i32> {
    let times = *WITHOUT_SEARCH.get(horizon.depth.wrapping_sub(1) as usize)?;
    if horizon.depth >= empties {
        return None;
    }
    Some((margin(horizon, 0, empties, fewer)? * times) >> 6)
}

/// Standard deviation, in discs, of the difference between a search of this depth and the exact score, on a board with so
/// many empty squares. Measured up to 18 of them; beyond, the fitted plane goes on.
#[must_use]
pub fn deviation_from_exact(empties: u32, depth: u32) -> f64 {
    f64::from(deviation(empties, empties, depth.min(empties))) / 64.0
}

/// How many standard deviations a shallow search must be beyond the window to be believed, in 64ths; `None` if it
/// never is. The least sure of searches that do not reach the end asks for more than its name says, because it believes many
/// predictions one after the other. Birthplace: games at 300,000 nodes a move, docs/tuning.md.
#[inline(always)]
const fn deviations(selectivity: Selectivity, to_the_end: bool) -> Option<i32> {
    match selectivity {
        Selectivity::Likely if to_the_end => Some(70),
        Selectivity::Likely => Some(86),
        Selectivity::Fair => Some(96),
        Selectivity::Good => Some(128),
        Selectivity::High => Some(150),
        Selectivity::Highest => Some(166),
        Selectivity::Certain => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_searches_are_shallower_and_of_the_same_parity() {
        for depth in LEAST_DEPTH..64 {
            assert!(shallow_depth(depth) < depth);
            assert_eq!(shallow_depth(depth) % 2, depth % 2);
        }
    }

    #[test]
    fn a_deeper_search_is_nearer_to_the_truth() {
        for empties in 4..=60 {
            assert!(deviation_from_exact(empties, 2) >= deviation_from_exact(empties, 12));
            assert!(deviation_from_exact(empties, 60) >= 1.5);
        }
        assert!((deviation_from_exact(40, 10) - 3.6).abs() < 0.2);
    }

    #[test]
    fn few_moves_and_few_plies_ask_for_more() {
        let horizon = |depth, selectivity| Horizon { depth, selectivity };
        for empties in 20..=50 {
            let likely = horizon(9, Selectivity::Likely);
            let by_moves: Vec<i32> = (0..20).filter_map(|fewer| margin(likely, 5, empties, fewer)).collect();
            assert_eq!(by_moves.len(), 20);
            assert!(by_moves.is_sorted_by(|few, many| few >= many));
            assert!(by_moves[0] > by_moves[19]);
            let sure = margin(horizon(9, Selectivity::Good), 5, empties, 9);
            assert!(sure > margin(likely, 5, empties, 9));
            assert_eq!(margin(horizon(9, Selectivity::Certain), 5, empties, 9), None);
        }
    }

    #[test]
    fn the_surer_the_evaluator_the_less_a_shallow_search_must_say() {
        // Eight discs on average: as many where the evaluator is as far, three 64ths of it less for each disc farther, and no more than eight.
        let discs = |beyond| margin_by_evaluator(8 * 64, beyond);
        assert_eq!([8, 0, 6, 11, 16, 30, -30].map(discs), [8, 11, 8, 6, 5, 5, 11]);
        for margin in [0, 40, 64, 300, 900, 3000] {
            let margins: Vec<i32> = (-130..130).map(|beyond| margin_by_evaluator(margin, beyond)).collect();
            assert!(margins.is_sorted_by(|less, more| less >= more));
            assert!(margins[0] <= (margin * 11) >> 9 && margins[259] >= (margin * 5) >> 9);
        }
    }

    #[test]
    fn only_the_last_two_plies_are_settled_without_a_search() {
        for depth in 1..=4 {
            let likely = Horizon { depth, selectivity: Selectivity::Likely };
            assert_eq!(margin_without_search(likely, 30, 9).is_some(), depth <= 2);
            // The end of the game is searched for.
            assert_eq!(margin_without_search(likely, depth, 9), None);
            let certain = Horizon { selectivity: Selectivity::Certain, ..likely };
            assert_eq!(margin_without_search(certain, 30, 9), None);
        }
    }

    #[test]
    fn deviations_are_sane() {
        for empties in 1..=60 {
            for depth in LEAST_DEPTH..=empties {
                let deviation = deviation(empties, depth, shallow_depth(depth));
                assert!(
                    (29..=12 * 64).contains(&deviation),
                    "{empties} empty, depth {depth}: {deviation} 64ths"
                );
            }
        }
    }

    #[test]
    fn planes_and_margins_are_what_their_numbers_say() {
        // In 1024ths of a disc, by the numbers of curve and plane.
        for (empties, depth, shallow, expected) in [
            (30, 10, 4, (7047 - 30 * 80) * 60 / 72 * 91 / 131),
            (44, 4, 2, (7047 - 44 * 80) * 20 / 32 * 91 / 111),
            (30, 2, 0, (7047 - 30 * 80) * 20 / 32),
            (60, 40, 38, 471),
            (20, 20, 8, 4387 + 20 * 21 + 20 * 21 - 8 * 239),
            (16, 20, 18, 1548),
        ] {
            assert_eq!(deviation(empties, depth, shallow), expected / 16, "{empties} {depth} {shallow}");
        }
        assert_eq!(deviation_from_exact(20, 8), f64::from(3315 / 16) / 64.0);
        assert_eq!(deviation_from_exact(10, 60), deviation_from_exact(10, 10));
        let horizon = Horizon { depth: 10, selectivity: Selectivity::Good };
        // Two deviations of 168 64ths, by 104 and by 58 64ths.
        assert_eq!(deviation(30, 10, 4), 168);
        assert_eq!(margin(horizon, 4, 30, 2), Some(336 * 104 / 64));
        assert_eq!(margin(horizon, 4, 30, 30), Some(336 * 58 / 64));
        let fewer = |depth| margin_without_search(Horizon { depth, ..horizon }, 30, 20);
        assert_eq!(fewer(1), Some((2 * deviation(30, 1, 0) * 58 / 64) * 90 / 64));
        assert_eq!(fewer(2), Some((2 * deviation(30, 2, 0) * 58 / 64) * 72 / 64));
        // The least sure search asks for more where it does not reach the end.
        let likely = Horizon { selectivity: Selectivity::Likely, ..horizon };
        assert_eq!(margin(likely, 4, 30, 30), Some((86 * 168 / 64) * 58 / 64));
        assert_eq!(margin(likely, 4, 10, 30), Some((70 * deviation(10, 10, 4) / 64) * 58 / 64));
        assert_eq!([3, 4, 5, 6, 7, 8, 9, 16, 20].map(shallow_depth), [1, 2, 3, 2, 5, 4, 5, 8, 12]);
        // Half of what the evaluator differs by.
        assert_eq!([hope(30, 4), hope(30, 0)], [deviation(30, 4, 0) / 128, deviation(30, 1, 0) / 128]);
    }
}
