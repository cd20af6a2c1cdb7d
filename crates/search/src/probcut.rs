//! Multi-ProbCut: a shallow search that is far beyond the window predicts the deep one.
//!
//! The difference between a shallow and a deep search of the same position is close to normal. How wide it is was
//! measured and fitted with the embedded weights by
//!
//! ```text
//! emilia selfplay --out games --minutes 2 --threads 1 --depth 6 --exact-from 14 --seed 77
//! emilia data games --out train.emd --test none.emd --test-share 0
//! emilia probcut train.emd --boards 400
//! ```
//!
//! on about 340 boards for each of 20, 26 … 50 empty squares. For searches to the end (12 to 18 empty squares) the plane of
//! the network before, from other games, was kept and scaled by 0.93: on the same boards deviations are that much smaller
//! now, and the plane that these boards alone give falls too low where it was not measured.

use emilia_query::Selectivity;

/// The least depth at which a shallow search may stand for a deep one.
pub(crate) const LEAST_DEPTH: u32 = 3;

/// The depth of the search that predicts one of this depth: about half, of the same parity, because scores of odd
/// and even depth differ.
#[inline(always)]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
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

/// Between two searches that do not reach the end of the game.
const MIDDLE: Plane = Plane { constant: 3611, empties: -37, depth: 202, shallow: -403, least: 632 };
/// Between a search and the exact score.
const END: Plane = Plane { constant: 4667, empties: 22, depth: 22, shallow: -254, least: 1548 };

/// Standard deviation, in 64ths of a disc, of the difference between searches of these depths, on a board with so
/// many empty squares.
#[inline(always)]
pub(crate) fn deviation(empties: u32, depth: u32, shallow: u32) -> i32 {
    let plane = if depth >= empties { &END } else { &MIDDLE };
    let value = plane.constant
        + plane.empties * empties as i32
        + plane.depth * depth as i32
        + plane.shallow * shallow as i32;
    value.max(plane.least) >> 4
}

/// Standard deviation, in discs, of the difference between a search of this depth and the exact score, on a board with so
/// many empty squares. Measured up to 18 of them; beyond, the fitted plane goes on.
#[must_use]
pub fn deviation_from_exact(empties: u32, depth: u32) -> f64 {
    f64::from(deviation(empties, empties, depth.min(empties))) / 64.0
}

/// How many standard deviations a shallow search must be beyond the window to be believed, in 64ths; `None` if it
/// never is.
#[inline(always)]
pub(crate) const fn deviations(selectivity: Selectivity) -> Option<i32> {
    match selectivity {
        Selectivity::Likely => Some(70),
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
        assert!((deviation_from_exact(40, 10) - 3.8).abs() < 0.1);
    }

    #[test]
    fn deviations_are_sane() {
        for empties in 1..=60 {
            for depth in LEAST_DEPTH..=empties {
                let discs = deviation(empties, depth, shallow_depth(depth)) / 64;
                assert!((1..=12).contains(&discs), "{empties} empty, depth {depth}: {discs}");
            }
        }
    }
}
