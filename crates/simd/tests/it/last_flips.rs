//! Every kernel counts the flips of the last move as the portable one does.

use emilia_simd::{Kernel, Portable, Task, Tier};
use rand::RngExt;

use crate::cases;

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

#[test]
fn last_flips_agree() {
    cases(|random| {
        let (discs, more): (u64, u64) = random.random();
        let square = random.random_range(0..64);
        let own = if random.random() { discs & more } else { discs } & !(1 << square);
        let expected = Portable.flips(own, !own & !(1 << square), square).count_ones();
        for tier in Tier::available() {
            let found = tier.run(LastFlips { own, square });
            assert_eq!(found, (expected, expected), "{tier}: {own:#x} {square}");
        }
    });
}
