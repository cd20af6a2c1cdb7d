//! Where each place of each shape finds its weights, and what each square adds to its filling.

use std::sync::LazyLock;

use emilia_rules::{Board, Size, SquareSet};

use crate::shape::{PLACES, SHAPES, SIX_PLACES, SIX_SHAPES, Shape};

/// Fillings of all places, rounded up to whole registers.
pub const LANES: usize = 48;
const _: () = assert!(PLACES <= LANES && SIX_PLACES <= LANES);

/// The tables that follow from the list of shapes.
#[derive(Debug)]
pub struct Layout {
    /// What an own disc on a square adds to the filling of each place; the opponent's adds twice as much.
    pub(crate) steps: [[u16; LANES]; 64],
    /// The filling of each place without a disc, in the code of [`Patterns`](crate::Patterns): all squares count 1.
    pub(crate) empty: [u16; LANES],
    /// The first weight of each place's shape.
    pub(crate) starts: Vec<u32>,
    /// For each weight, the weight it is tied to because the board is symmetric.
    pub(crate) canonical: Vec<u32>,
    /// The same as a number among the weights that are tied to no other.
    pub(crate) own: Vec<u32>,
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::build(&SHAPES, Size::EIGHT));
static SIX: LazyLock<Layout> = LazyLock::new(|| Layout::build(&SIX_SHAPES, Size::SIX));

impl Layout {
    /// The layout of 8×8.
    #[must_use]
    pub fn shared() -> &'static Layout {
        &LAYOUT
    }

    /// The layout of 6×6.
    #[must_use]
    pub fn six() -> &'static Layout {
        &SIX
    }

    fn build(shapes: &[Shape], size: Size) -> Layout {
        let mut layout = Layout {
            steps: [[0; LANES]; 64],
            starts: Vec::new(),
            empty: [0; LANES],
            canonical: Vec::new(),
            own: Vec::new(),
        };
        for shape in shapes {
            let start = layout.canonical.len();
            for squares in shape.places(size) {
                let place = layout.starts.len();
                layout.starts.push(start as u32);
                let mut power = 1;
                for square in squares {
                    layout.steps[usize::from(square.index())][place] = power;
                    layout.empty[place] += power;
                    power = power.wrapping_mul(3);
                }
            }
            layout.canonical.extend(shape.canonical().into_iter().map(|tied| (start + tied) as u32));
        }
        let mut count = 0;
        for (weight, tied) in layout.canonical.iter().enumerate() {
            // A weight is tied to an earlier one, if to any.
            let known = layout.own.get(*tied as usize).copied();
            layout.own.push(known.unwrap_or(count));
            count += u32::from(*tied as usize == weight);
        }
        layout
    }

    /// How many weights a phase has, tied ones counted each.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.canonical.len()
    }

    /// How many weights are tied to no other.
    pub(crate) fn own_weights(&self) -> usize {
        (0..self.weights()).filter(|weight| self.is_canonical(*weight)).count()
    }

    /// Whether no other weight stands for this one.
    #[must_use]
    pub fn is_canonical(&self, weight: usize) -> bool {
        self.canonical[weight] as usize == weight
    }

    /// The fillings of all places: base three, 0 for an empty square, 1 for an own disc, 2 for the opponent's.
    #[must_use]
    pub fn fillings(&self, board: Board) -> [u16; LANES] {
        let mut fillings = [0; LANES];
        for (discs, factor) in [(board.own, 1), (board.opponent, 2)] {
            for square in discs {
                let steps = &self.steps[usize::from(square.index())];
                for (filling, step) in fillings.iter_mut().zip(steps) {
                    *filling += step * factor;
                }
            }
        }
        fillings
    }

    /// The weights that add up to the score of this board, one per place, tied ones replaced by the one they are
    /// tied to. This is what fitting needs.
    #[must_use]
    pub fn active<const PLACES: usize>(&self, board: Board) -> [u32; PLACES] {
        let fillings = self.fillings(board);
        std::array::from_fn(|place| {
            self.canonical[self.starts[place] as usize + usize::from(fillings[place])]
        })
    }
}

/// How many phases a game has.
pub const PHASES: usize = 14;

/// The phase of a board with so many empty squares, 0…64; phase 0 is the end of the game.
#[must_use]
#[inline(always)]
pub const fn phase(empties: usize) -> usize {
    // The most empty squares of each phase but the last: short phases where positions are searched exactly.
    const MOST: [u8; PHASES - 1] = [5, 8, 11, 14, 17, 20, 23, 27, 31, 36, 41, 47, 53];
    const TABLE: [u8; 65] = {
        let mut table = [0; 65];
        let mut empties = 0;
        while empties <= 64 {
            let mut phase = 0;
            while phase < MOST.len() && empties > MOST[phase] as usize {
                phase += 1;
            }
            table[empties] = phase as u8;
            empties += 1;
        }
        table
    };
    TABLE[if empties > 64 { 64 } else { empties }] as usize
}

/// Squares without a disc.
#[must_use]
#[inline(always)]
pub fn empties(board: Board) -> usize {
    64 - board.occupied().count() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{Size, Symmetry};

    #[test]
    fn symmetric_boards_have_the_same_weights() {
        let mut board = Board::START;
        for _ in 0..30 {
            let Some(square) = board.moves().into_iter().last() else { break };
            board = board.play(square);
            let mut expected: [u32; PLACES] = Layout::shared().active(board);
            expected.sort_unstable();
            for symmetry in Symmetry::ALL {
                let mut active: [u32; PLACES] =
                    Layout::shared().active(board.transformed(symmetry, Size::EIGHT));
                active.sort_unstable();
                assert_eq!(active, expected);
            }
        }
    }

    #[test]
    fn phases_cover_the_game() {
        assert_eq!((phase(0), phase(5), phase(6), phase(60), phase(64)), (0, 0, 1, 13, 13));
        assert!((1..=64).all(|empties| phase(empties) - phase(empties - 1) <= 1));
    }
}
