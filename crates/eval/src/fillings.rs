use std::fmt;

use emilia_rules::Board;

use crate::Play;
use crate::layout::{LANES, Layout};
use crate::shape::{PLACES, SHAPES, Shape};

/// The fillings of all places, as the side to move sees them: base three, 0 for the opponent's disc, 1 for an
/// empty square, 2 for an own disc. So the other side's view is the greatest filling minus this one.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Fillings(pub(crate) [u16; LANES]);

/// Where the table of each shape begins if all stand one behind the other, the first shape last: it has so many fillings that
/// little room is wasted behind it.
const STARTS: [usize; SHAPES.len()] = {
    let mut starts = [0; SHAPES.len()];
    let mut shape = SHAPES.len() - 1;
    while shape > 0 {
        starts[shape - 1] = starts[shape] + SHAPES[shape].fillings();
        shape -= 1;
    }
    starts
};

/// How long all tables are: as if the last one were for every filling, so that no filling of any is out of bounds.
const LENGTH: usize = STARTS[0] + (1 << 16);

/// What is known of every filling, the tables of all shapes one behind the other.
pub(crate) type Tables<T> = Box<[T; LENGTH]>;

/// Tables of what is known by the number of each filling in files of weights, and of nothing where there is no filling.
pub(crate) fn tables<T: Clone + fmt::Debug>(nothing: T, known: impl Fn(usize) -> T) -> Tables<T> {
    let mut tables = Vec::with_capacity(LENGTH);
    let mut first: usize = SHAPES.iter().map(Shape::fillings).sum();
    for shape in SHAPES.iter().rev() {
        first -= shape.fillings();
        tables.extend(shape.from_balanced().into_iter().map(|filling| known(first + filling)));
    }
    tables.resize(LENGTH, nothing);
    tables.into_boxed_slice().try_into().expect("it is as long as all tables")
}

/// The places of each shape, four by four, and those of the only shape that has but two.
macro_rules! shapes {
    ($then:ident) => {
        $then! {
            0: 0 1 2 3;
            1: 4 5 6 7;
            2: 8 9 10 11;
            2: 12 13 14 15;
            3: 16 17 18 19;
            4: 20 21 22 23;
            5: 24 25 26 27;
            7: 30 31 32 33;
            8: 34 35 36 37;
            9: 38 39 40 41;
            10: 42 43 44 45;
            then 6: 28 29
        }
    };
}

impl Fillings {
    /// What the tables say about each place. Written out, so that the number of the shape is known
    /// when it is compiled.
    #[inline(always)]
    pub(crate) fn select<'t, T>(&self, tables: &'t Tables<T>) -> [&'t T; PLACES] {
        macro_rules! all {
            ($($shape:literal: $($place:literal)*;)* then $last:literal: $($rest:literal)*) => {
                [
                    $($(&tables[STARTS[$shape] + usize::from(self.0[$place])],)*)*
                    $(&tables[STARTS[$last] + usize::from(self.0[$rest])],)*
                ]
            };
        }
        shapes! { all }
    }

    /// The same and these two, four after four, so that a sum stays in registers and no list of addresses goes through
    /// memory.
    #[inline(always)]
    pub(crate) fn fold<T, S>(
        &self,
        tables: &Tables<T>,
        [one, other]: [&T; 2],
        sum: S,
        add: impl Fn(S, [&T; 4]) -> S,
    ) -> S {
        macro_rules! all {
            ($($shape:literal: $($place:literal)*;)* then $last:literal: $($rest:literal)*) => {{
                let sum = sum;
                $(let sum = add(sum, [$(&tables[STARTS[$shape] + usize::from(self.0[$place])]),*]);)*
                add(sum, [$(&tables[STARTS[$last] + usize::from(self.0[$rest])],)* one, other])
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
        let layout = Layout::shared();
        let tables = tables(usize::MAX, |number| number);
        let mut selected = Fillings::of(layout, Board::START).select(&tables).map(|number| *number);
        let numbers = layout.starts.iter().zip(layout.fillings(Board::START));
        let mut expected: Vec<usize> =
            numbers.map(|(start, filling)| *start as usize + usize::from(filling)).collect();
        selected.sort_unstable();
        expected.sort_unstable();
        assert_eq!(selected[..], expected);
    }
}
