//! Spreading boards evenly over transposition tables. A whole board is two words, so that two multiplications do what
//! Zobrist keys do for boards of many pieces.

/// Odd constants with well mixed bits (the fractional parts of the golden ratio and of the square root of three).
const OWN: u64 = 0x9e37_79b9_7f4a_7c15;
const OPPONENT: u64 = 0xbb67_ae85_84ca_a73b;

/// A number that hardly two boards of a search share. Its high bits are the best ones.
#[inline(always)]
pub(crate) fn hash(own: u64, opponent: u64) -> u64 {
    let mixed = quick_hash(own, opponent);
    (mixed ^ mixed >> 32).wrapping_mul(OWN)
}

/// Likewise, but only a dozen or so of the highest bits are good: enough for a small table.
#[inline(always)]
pub(crate) fn quick_hash(own: u64, opponent: u64) -> u64 {
    own.wrapping_mul(OWN) ^ opponent.rotate_left(29).wrapping_mul(OPPONENT)
}
