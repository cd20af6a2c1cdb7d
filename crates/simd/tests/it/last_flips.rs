//! Every kernel counts the flips of the last move as the portable one does.

use emilia_simd::{Kernel, Portable, Task, Tier};
use proptest::prelude::*;

struct LastFlips {
    own: u64,
    square: u32,
}

impl Task for LastFlips {
    type Output = (u32, u32);
    fn run<K: Kernel>(self, kernel: K) -> (u32, u32) {
        let opponent = !self.own & !(1 << self.square);
        (kernel.last_flips(self.own, self.square), kernel.flips(self.own, opponent, self.square).count_ones())
    }
}

proptest! {
    #![proptest_config(crate::cases())]

    #[test]
    fn last_flips_agree(discs: u64, more: u64, sparse: bool, square in 0u32..64) {
        let discs = if sparse { discs & more } else { discs };
        let own = discs & !(1 << square);
        let expected = Portable.flips(own, !own & !(1 << square), square).count_ones();
        for tier in Tier::available() {
            prop_assert_eq!(tier.run(LastFlips { own, square }), (expected, expected), "{}", tier);
        }
    }
}
