//! Every kernel finds on the edges what looking at every square finds.

use emilia_simd::{Kernel, Task, Tier};
use rand::RngExt;

use crate::cases;

struct Edges {
    own: u64,
    opponent: u64,
}

impl Task for Edges {
    type Output = [u16; 4];
    fn run<K: Kernel>(self, kernel: K) -> [u16; 4] {
        kernel.edges(self.own, self.opponent)
    }
}

#[test]
fn edges_agree() {
    cases(|random| {
        let (own, opponent): (u64, u64) = random.random();
        let expected = [(0, 1), (56, 1), (0, 8), (7, 8)].map(|(first, step)| {
            (0..8).fold(0u16, |edge, at| {
                let disc = |discs: u64| (discs >> (first + at * step) & 1) as u16;
                edge | disc(own) << at | disc(opponent) << (8 + at)
            })
        });
        for tier in Tier::available() {
            assert_eq!(tier.run(Edges { own, opponent }), expected, "{tier}: {own:#x} {opponent:#x}");
        }
    });
}
