use emilia_rules::Board;

use crate::Play;
use crate::layout::{LANES, Layout};

/// The fillings of all places, as the side to move sees them: base three, 0 for the opponent's disc, 1 for an
/// empty square, 2 for an own disc. So the other side's view is the greatest filling minus this one.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Fillings(pub(crate) [u16; LANES]);

impl Fillings {
    /// Those of a board, from scratch.
    pub(crate) fn of(layout: &Layout, board: Board) -> Fillings {
        let mut fillings = layout.empty;
        for (discs, sign) in [(board.own, 1), (board.opponent, 1u16.wrapping_neg())] {
            for square in discs {
                let steps = &layout.steps[usize::from(square.index())];
                for lane in 0..LANES {
                    fillings[lane] = fillings[lane].wrapping_add(steps[lane].wrapping_mul(sign));
                }
            }
        }
        Fillings(fillings)
    }

    /// Those after a move, seen by the other side.
    #[inline(always)]
    pub(crate) fn after(&self, layout: &Layout, play: Play) -> Fillings {
        let Layout { steps, empty, .. } = layout;
        // What the mover gains: an own disc for an empty square counts one step, for the opponent's disc two.
        let placed = &steps[usize::from(play.square.index())];
        let mut flipped = [0u16; LANES];
        for square in play.flips {
            let step = &steps[usize::from(square.index())];
            for lane in 0..LANES {
                flipped[lane] = flipped[lane].wrapping_add(step[lane]);
            }
        }
        let mut next = [0; LANES];
        for lane in 0..LANES {
            let gain = placed[lane].wrapping_add(flipped[lane] << 1);
            next[lane] = (empty[lane] << 1).wrapping_sub(self.0[lane]).wrapping_sub(gain);
        }
        Fillings(next)
    }

    /// Those after a pass.
    #[inline(always)]
    pub(crate) fn passed(&self, layout: &Layout) -> Fillings {
        let empty = &layout.empty;
        Fillings(std::array::from_fn(|lane| (empty[lane] << 1).wrapping_sub(self.0[lane])))
    }
}
