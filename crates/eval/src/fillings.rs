use emilia_rules::Board;

use crate::Play;
use crate::layout::{LANES, Layout};
use crate::shape::{PLACES, SHAPES};

/// The fillings of all places, as the side to move sees them: base three, 0 for the opponent's disc, 1 for an
/// empty square, 2 for an own disc. So the other side's view is the greatest filling minus this one.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Fillings(pub(crate) [u16; LANES]);

/// What is known of every filling, one table a shape.
type Tables<T> = [Box<[T; 1 << 16]>; SHAPES.len()];

/// The places of each shape.
macro_rules! shapes {
    ($then:ident) => {
        $then! {
            0: 0 1 2 3;
            1: 4 5 6 7;
            2: 8 9 10 11 12 13 14 15;
            3: 16 17 18 19;
            4: 20 21 22 23;
            5: 24 25 26 27;
            6: 28 29;
            7: 30 31 32 33;
            8: 34 35 36 37;
            9: 38 39 40 41;
            10: 42 43 44 45;
        }
    };
}

impl Fillings {
    /// What the tables, one a shape, say about each place. Written out, so that the number of the shape is known
    /// when it is compiled.
    #[inline(always)]
    pub(crate) fn select<'t, T>(&self, tables: &'t Tables<T>) -> [&'t T; PLACES] {
        macro_rules! all {
            ($($shape:literal: $($place:literal)*;)*) => {
                [$($(&tables[$shape][usize::from(self.0[$place])],)*)*]
            };
        }
        shapes! { all }
    }

    /// The same one after the other, so that a sum stays in registers and no list of addresses goes through memory.
    #[inline(always)]
    pub(crate) fn fold<T, S>(&self, tables: &Tables<T>, sum: S, add: impl Fn(S, &T) -> S) -> S {
        macro_rules! all {
            ($($shape:literal: $($place:literal)*;)*) => {{
                let sum = sum;
                $($(let sum = add(sum, &tables[$shape][usize::from(self.0[$place])]);)*)*
                sum
            }};
        }
        shapes! { all }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_asks_the_table_of_its_shape() {
        let tables: [Box<[usize; 1 << 16]>; SHAPES.len()] =
            std::array::from_fn(|shape| vec![shape; 1 << 16].into_boxed_slice().try_into().unwrap());
        let selected = Fillings::of(Layout::shared(), Board::START).select(&tables).map(|shape| *shape);
        let expected: Vec<usize> = (0..SHAPES.len())
            .flat_map(|shape| SHAPES[shape].places().iter().map(|_| shape).collect::<Vec<_>>())
            .collect();
        assert_eq!(selected.to_vec(), expected);
    }
}
