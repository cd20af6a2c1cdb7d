//! Every kind of processor finds what plain arithmetic finds.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod flips;
mod last_flips;
mod sums;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// How the cases are chosen: anew each time, but for WebAssembly, which has no chance of its own.
fn cases() -> ProptestConfig {
    let rng_seed = if cfg!(target_family = "wasm") { RngSeed::Fixed(1) } else { RngSeed::Random };
    ProptestConfig { rng_seed, ..ProptestConfig::default() }
}
