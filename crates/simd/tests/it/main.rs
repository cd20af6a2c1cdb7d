//! Every kind of processor finds what plain arithmetic finds.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod edges;
mod flips;
mod last_flips;
mod sums;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// Cases for each law: few under Miri, which is a thousand times slower than the processor.
const CASES: usize = if cfg!(miri) { 8 } else { 1000 };

/// Asks about cases that are the same everywhere, so that what is wrong on one processor can be looked at on another.
fn cases(mut ask: impl FnMut(&mut ChaCha8Rng)) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    (0..CASES).for_each(|_| ask(&mut random));
}
