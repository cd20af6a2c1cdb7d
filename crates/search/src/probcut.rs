//! Multi-ProbCut: a shallow search that is far beyond the window predicts the deep one.
//!
//! The difference between a shallow and a deep search of the same position is close to normal. How wide it is was
//! measured by the example `probcut` of the `learn` crate on boards beside tournament games, and fitted there.

/// The least depth at which a shallow search may stand for a deep one.
pub(crate) const LEAST_DEPTH: u32 = 3;

/// The depth of the search that predicts one of this depth: a bit less than half, of the same parity, because
/// scores of odd and even depth differ.
#[inline(always)]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// Standard deviation, in 64ths of a disc, of the difference between searches of these depths, on a board with so
/// many empty squares.
#[inline(always)]
pub(crate) fn deviation(empties: u32, depth: u32, shallow: u32) -> i32 {
    let ends = depth >= empties;
    let gap = (depth - shallow) as i32;
    let base = if ends { 180 } else { 110 };
    base + gap * 9 - shallow as i32 * 4
}
