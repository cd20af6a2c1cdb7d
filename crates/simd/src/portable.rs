use crate::rays::{INNER_COLUMNS, RAYS, STEPS};
use crate::tier::Kind;
use crate::{Kernel, Tier};

/// Plain Rust: runs everywhere, and is what the faster kernels are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable;

impl Kernel for Portable {
    fn tier(self) -> Tier {
        Tier(Kind::Portable(self))
    }

    #[inline(always)]
    fn moves(self, own: u64, opponent: u64) -> u64 {
        let inner = opponent & INNER_COLUMNS;
        let mut found = 0;
        for step in STEPS {
            let between = if step == 8 { opponent } else { inner };
            // The runs beside own discs, doubled in length until they span the six squares a line can flip.
            let mut up = (own << step) & between;
            let mut down = (own >> step) & between;
            up |= (up << step) & between;
            down |= (down >> step) & between;
            let up_pairs = between & (between << step);
            let down_pairs = up_pairs >> step;
            up |= (up << (2 * step)) & up_pairs;
            down |= (down >> (2 * step)) & down_pairs;
            up |= (up << (2 * step)) & up_pairs;
            down |= (down >> (2 * step)) & down_pairs;
            found |= (up << step) | (down >> step);
        }
        found & !(own | opponent)
    }

    #[inline(always)]
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64 {
        let rays = &RAYS[(square & 63) as usize].0;
        let mut flipped = 0;
        for ray in &rays[..4] {
            // The first square on the line that is not the opponent's: if it is ours, all before it flip.
            let end = ray & !opponent;
            let end = end & end.wrapping_neg() & own;
            flipped |= ray & end.wrapping_sub(u64::from(end != 0));
        }
        for ray in &rays[4..] {
            let end = ray & !opponent;
            let end = (1u64 << 63).checked_shr(end.leading_zeros()).unwrap_or(0) & own;
            flipped |= ray & (end << 1).wrapping_neg();
        }
        flipped
    }

    #[inline(always)]
    fn enter<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }
}
