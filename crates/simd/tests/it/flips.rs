//! Every kernel finds the moves and flips that the portable one finds, on boards that games reach and that none does.

use emilia_simd::{Kernel, Portable, Task, Tier};
use rand::RngExt;

use crate::cases;

/// The moves, and what each empty square flips.
struct Everything(u64, u64);

impl Task for Everything {
    type Output = (u64, Vec<u64>);
    fn run<K: Kernel>(self, kernel: K) -> (u64, Vec<u64>) {
        let Everything(own, opponent) = self;
        let empty = (0..64).filter(|square| (own | opponent) >> square & 1 == 0);
        (kernel.moves(own, opponent), empty.map(|square| kernel.flips(own, opponent, square)).collect())
    }
}

#[test]
fn moves_and_flips_agree() {
    cases(|random| {
        let (discs, colours, more): (u64, u64, u64) = random.random();
        let discs = if random.random() { discs & more } else { discs | more };
        let (own, opponent) = (discs & colours, discs & !colours);
        let expected = Everything(own, opponent).run(Portable);
        for tier in Tier::available() {
            assert_eq!(tier.run(Everything(own, opponent)), expected, "{tier}: {own:#x} {opponent:#x}");
        }
    });
}

#[test]
fn a_tier_is_found_by_its_name_or_refused_with_the_choices() {
    for tier in Tier::available() {
        assert_eq!(tier.to_string().parse::<Tier>().unwrap(), tier);
    }
    let refused = "mmx".parse::<Tier>().unwrap_err().to_string();
    // A module for the browser with vectors has them alone.
    let slowest = if cfg!(target_feature = "simd128") { "simd128" } else { "portable" };
    let expected = format!("this processor has no tier \"mmx\"; it has {slowest}");
    assert!(refused.starts_with(&expected), "{refused}");
}
