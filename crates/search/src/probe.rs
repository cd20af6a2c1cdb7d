//! tmp
use crate::endgame::Endgame;
use emilia_rules::*;
struct T(Position);
impl Task for T {
    type Output = (i32, u64);
    fn run<K: Kernel>(self, k: K) -> (i32, u64) {
        let mut e = Endgame::new(k, self.0.size());
        let b = self.0.board();
        // bisect on even scores
        let (mut lo, mut hi) = (-64, 64);
        let mut guess = 0;
        while lo < hi {
            let alpha = guess - 1;
            let s = e.solve(b.own.0, b.opponent.0, alpha);
            if s > alpha {
                lo = s;
                guess = lo + 2;
            } else {
                hi = s;
                guess = hi;
            }
        }
        (lo, e.nodes)
    }
}
/// tmp
pub fn probe(p: Position, t: Tier) -> (i32, u64) {
    t.run(T(p))
}
