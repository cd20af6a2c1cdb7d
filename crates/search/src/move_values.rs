use std::sync::LazyLock;

use emilia_eval::WeightsError;
use emilia_eval::integers::{Input, push_runs};
use emilia_rules::{Kernel, Portable};

use crate::endgame::{ORDER_MOBILITY, ORDER_PARITY};
use crate::field::{NEIGHBOURS, SquareValues};
use crate::null_window::EXACT_FAST;
use crate::sealed;

/// What moves near the end of a game of 8×8 are worth: how likely it is that they settle a null window, and with how few
/// nodes. Learned, and small enough for the near caches, so that asking costs less than a bad order of moves.
///
/// Values are those of what stands on each edge after the move, of what stands around its square, and of the replies it
/// leaves. The file they are kept in begins with `EMILIA-M` and holds all of them, by number, as the integers of
/// [`emilia_eval::integers`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValues {
    /// Values of what stands on an edge, by [`Kernel::edges`], so that no number has to be made of it.
    edges: Box<[i8; 1 << 16]>,
    /// Values of what stands around a square, in the order of their numbers.
    around: Vec<i8>,
    /// Values of replies, likewise.
    counts: Vec<i16>,
}

/// A move near the end of a game of 8×8, and the board after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMove {
    /// Where it was played.
    pub square: u32,
    /// Discs of the side that played it, after the move.
    pub own: u64,
    /// Discs of the other side.
    pub opponent: u64,
    /// The other side's legal moves.
    pub replies: u64,
    /// Whether the quarter of the square had an odd number of empty squares before the move.
    pub odd: bool,
    /// Empty squares before the move: 8 to 15.
    pub empties: u32,
}

/// What can stand on eight squares.
const FILLINGS: usize = 6561;
/// Numbers of what stands around squares of each kind begin here; those of edges begin with nothing.
const AROUND: usize = FILLINGS;
/// Numbers of replies begin here.
const COUNTS: usize = AROUND + SquareValues::KINDS * FILLINGS;
/// The fewest empty squares that numbers tell apart, and how many there are from there on: a power of two.
pub(crate) const LEAST_EMPTIES: u32 = 8;
const LEVELS: u32 = 8;
const _: () = assert!(EXACT_FAST < LEAST_EMPTIES + LEVELS);
/// Numbers of replies, of corners among them, and of parities that are told apart.
const MOST_REPLIES: u32 = 32;
const MOST_CORNERS: u32 = 5;
const PARITIES: u32 = 2;

const CORNERS: u64 = 0x8100_0000_0000_0081;

const MAGIC: &[u8; 8] = b"EMILIA-M";
const VERSION: u8 = 1;

/// Birthplace: `weights/moves.txt`; `move_values`, an example of this crate, makes such files.
static EMBEDDED: LazyLock<MoveValues> = LazyLock::new(|| {
    MoveValues::read(include_bytes!("../weights/moves.bin")).expect("a test reads this file")
});

impl MoveValues {
    /// How many numbers there are.
    pub const NUMBERS: usize = COUNTS + (LEVELS * PARITIES * MOST_CORNERS * MOST_REPLIES) as usize;
    /// How many of them, from the first on, are what stands on an edge.
    pub const EDGES: usize = FILLINGS;

    /// The values that come with the program.
    pub(crate) fn embedded() -> &'static MoveValues {
        &EMBEDDED
    }

    /// Values by number, each rounded to what fits.
    #[must_use]
    pub fn new(value: impl Fn(usize) -> f32) -> MoveValues {
        // A conversion of numbers cuts off what is too large.
        let mut edges = Box::new([0; 1 << 16]);
        for number in 0..FILLINGS {
            edges[discs(number)] = value(number).round() as i8;
        }
        MoveValues {
            edges,
            around: (AROUND..COUNTS).map(|number| value(number).round() as i8).collect(),
            counts: (COUNTS..MoveValues::NUMBERS).map(|number| value(number).round() as i16).collect(),
        }
    }

    /// The order of moves that was tuned by hand, to begin learning with: few replies, then parity and the kind of square.
    #[must_use]
    pub fn plain() -> MoveValues {
        MoveValues::new(|number| {
            if number < AROUND {
                return 0.0;
            }
            if number < COUNTS {
                return f32::from(SquareValues::FITTED.0[number / FILLINGS - 1]);
            }
            let number = (number - COUNTS) as u32;
            let (replies, number) = (number % MOST_REPLIES, number / MOST_REPLIES);
            let (corners, number) = (number % MOST_CORNERS, number / MOST_CORNERS);
            (ORDER_PARITY * (number % PARITIES) as i32 - ORDER_MOBILITY * (replies + corners) as i32) as f32
        })
    }

    /// What a number is worth.
    #[must_use]
    pub fn value(&self, number: usize) -> i16 {
        match number {
            0..AROUND => self.edges[discs(number)].into(),
            AROUND..COUNTS => self.around[number - AROUND].into(),
            _ => self.counts[number - COUNTS],
        }
    }

    /// The values in this file.
    pub fn read(bytes: &[u8]) -> Result<MoveValues, WeightsError> {
        let mut input = Input { bytes: sealed::open(MAGIC, VERSION, bytes)?, at: 0 };
        let (mut shapes, mut counts) = ([0i8; COUNTS], [0i16; MoveValues::NUMBERS - COUNTS]);
        input.runs(shapes.iter_mut())?;
        input.runs(counts.iter_mut())?;
        input.end()?;
        let count = |number: usize| f32::from(counts[number - COUNTS]);
        Ok(MoveValues::new(|number| {
            shapes.get(number).map_or_else(|| count(number), |shape| f32::from(*shape))
        }))
    }

    /// The file with these values.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for part in [0..COUNTS, COUNTS..MoveValues::NUMBERS] {
            push_runs(&mut body, &part.map(|number| self.value(number).into()).collect::<Vec<_>>());
        }
        sealed::seal(MAGIC, VERSION, &body)
    }

    /// How soon to try a move.
    #[inline(always)]
    pub(crate) fn of(&self, kernel: impl Kernel, late: &LateMove) -> i32 {
        let edges =
            kernel.edges(late.own, late.opponent).map(|edge| i32::from(self.edges[usize::from(edge)]));
        let around = self.around[late.around() - AROUND];
        edges.iter().sum::<i32>() + i32::from(around) + i32::from(self.counts[late.counts() - COUNTS])
    }
}

impl LateMove {
    /// The numbers of what this move is judged by: four edges, what is around the square, and last the replies.
    #[must_use]
    pub fn numbers(&self) -> [usize; 6] {
        let [a, b, c, d] = Portable.edges(self.own, self.opponent).map(|edge| {
            (0..8).fold(0, |number, at| {
                number * 3 + usize::from(edge >> at & 1) + 2 * usize::from(edge >> at >> 8 & 1)
            })
        });
        [a, b, c, d, self.around(), self.counts()]
    }

    /// The number of what stands around the square.
    #[inline(always)]
    fn around(&self) -> usize {
        let place = PLACES[self.square as usize & 63];
        let digits = &AROUND_DIGITS[usize::from(place.turn) & 7];
        let digits = |discs: u64| usize::from(digits[nine(discs, self.square)]);
        place.first as usize + digits(self.own) + 2 * digits(self.opponent)
    }

    /// The number of the replies.
    #[inline(always)]
    fn counts(&self) -> usize {
        let level = self.empties.wrapping_sub(LEAST_EMPTIES) % LEVELS;
        let corners = (self.replies & CORNERS).count_ones();
        let replies = self.replies.count_ones() % MOST_REPLIES;
        let by_parity = (level * PARITIES + u32::from(self.odd)) * MOST_CORNERS + corners;
        COUNTS + (by_parity * MOST_REPLIES + replies) as usize
    }
}

/// What has this number on an edge, by [`Kernel::edges`].
fn discs(number: usize) -> usize {
    let mut rest = number;
    (0..8).fold(0, |discs, _| {
        let digit = rest % 3;
        rest /= 3;
        discs << 1 | (digit & 1) | (digit & 2) << 7
    })
}

/// Discs around a square as nine bits, of which the fifth is none: the row above it, with the higher squares, comes first.
#[inline(always)]
fn nine(discs: u64, square: u32) -> usize {
    // The square goes where b2 is, so that its neighbours are bits 0 to 2, 8, 10, and 16 to 18.
    let near = (discs & NEIGHBOURS[square as usize & 63]).rotate_right(square.wrapping_sub(9) & 63);
    // The multiplication puts the second row behind the third, and the first behind the second.
    (near.wrapping_mul(1 | 1 << 11 | 1 << 22) >> 16) as usize & 511
}

/// What a disc counts on each of the squares of [`nine`], summed up for every set of them: the first square of the first row
/// counts most. Turned and mirrored in each of eight ways.
static AROUND_DIGITS: [[u16; 512]; 8] = {
    let mut table = [[0; 512]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut set = 0;
        while set < 512 {
            let mut bit = 0;
            while bit < 9 {
                if bit != 4 && set >> bit & 1 != 0 {
                    let (column, row) = turned(turn, (bit % 3, 2 - bit / 3), 2);
                    let rank = row * 3 + column;
                    table[turn][set] += 3u16.pow(if rank > 4 { 8 - rank } else { 7 - rank } as u32);
                }
                bit += 1;
            }
            set += 1;
        }
        turn += 1;
    }
    table
};

/// How to see a square as one between a1, d1 and d4.
#[derive(Clone, Copy)]
struct Place {
    /// By which of eight turns.
    turn: u8,
    /// The first number of its kind: see [`SquareValues`].
    first: u32,
}

static PLACES: [Place; 64] = {
    let mut places = [Place { turn: 0, first: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mut turn = 8;
        // The first turn that does it is the one that stays.
        while turn > 0 {
            turn -= 1;
            let (column, row) = turned(turn, (square % 8, square / 8), 7);
            if column < 4 && row <= column {
                places[square] = Place {
                    turn: turn as u8,
                    first: (AROUND + SquareValues::kind(column, row, 8) * FILLINGS) as u32,
                };
            }
        }
        square += 1;
    }
    places
};

/// A square, by column and row, of a board with this last column: mirrored, turned upside down, and with columns and rows
/// exchanged, as the three bits of `turn` say.
const fn turned(turn: usize, (column, row): (usize, usize), last: usize) -> (usize, usize) {
    let column = if turn & 1 != 0 { last - column } else { column };
    let row = if turn & 2 != 0 { last - row } else { row };
    if turn & 4 != 0 { (row, column) } else { (column, row) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use emilia_rules::{Bitboard, Board, Playable, Position, Size, SquareSet, Symmetry, Task, Tier};

    use super::*;
    use crate::endgame::refutations;

    /// Boards with 8 to 13 empty squares of games at random, not all of them with moves.
    fn boards() -> Vec<Board> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut boards = Vec::new();
        for _ in 0..60 {
            let mut position = Position::default();
            loop {
                let moves: Vec<_> = position.moves().collect();
                if moves.is_empty() || position.counts().empty < 8 {
                    break;
                }
                if position.counts().empty <= EXACT_FAST {
                    boards.push(position.board());
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = position.played(moves[(state >> 33) as usize % moves.len()]);
            }
        }
        boards
    }

    /// What a move is worth by each kind of processor.
    struct Ask<'v>(&'v MoveValues, LateMove);

    impl Task for Ask<'_> {
        type Output = i32;

        fn run<K: Kernel>(self, kernel: K) -> i32 {
            self.0.of(kernel, &self.1)
        }
    }

    fn late_moves() -> Vec<LateMove> {
        let few = boards().into_iter().filter(|board| board.empties().count() <= 9);
        few.flat_map(|board| refutations(board, 0)).map(|refutation| refutation.late).collect()
    }

    /// The number of what stands on these squares.
    fn slow_filling(board: Board, squares: impl Iterator<Item = Option<u32>>) -> usize {
        squares.fold(0, |number, square| {
            let disc = |discs: Bitboard| square.map_or(0, |square| (discs.0 >> square & 1) as usize);
            number * 3 + disc(board.own) + 2 * disc(board.opponent)
        })
    }

    /// The squares around this one, row by row; some are none.
    fn slow_around(square: u32) -> impl Iterator<Item = Option<u32>> {
        let (column, row) = (square as i32 % 8, square as i32 / 8);
        let offsets = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (right, down)));
        offsets.filter(|offset| *offset != (0, 0)).map(move |(right, down)| {
            let (column, row) = (column + right, row + down);
            ((0..8).contains(&column) && (0..8).contains(&row)).then_some((row * 8 + column) as u32)
        })
    }

    #[test]
    fn numbers_are_those_that_looking_at_every_square_gives() {
        let moves = late_moves();
        assert!(moves.len() > 500);
        for late in moves {
            let board = Board { own: Bitboard(late.own), opponent: Bitboard(late.opponent) };
            let [top, bottom, left, right, around, counts] = late.numbers();
            let edges = [(0, 1), (56, 1), (0, 8), (7, 8)]
                .map(|(from, step)| slow_filling(board, (0..8).map(|at| Some(from + at * step))));
            assert_eq!([top, bottom, left, right], edges);
            // On a diagonal there are two ways to see the square between a1, d1 and d4.
            let mut ways = Vec::new();
            for symmetry in Symmetry::ALL {
                let turned = board.transformed(symmetry, Size::EIGHT);
                let square = symmetry.bitboard(Bitboard(1 << late.square), Size::EIGHT).0.trailing_zeros();
                let (column, row) = (square as usize % 8, square as usize / 8);
                if column < 4 && row <= column {
                    let kind = SquareValues::kind(column, row, 8);
                    ways.push(AROUND + kind * FILLINGS + slow_filling(turned, slow_around(square)));
                }
            }
            assert!(ways.contains(&around), "{late:?}: {around}, not {ways:?}");
            let corners = [0, 7, 56, 63].into_iter().filter(|corner| late.replies >> corner & 1 != 0).count();
            let counted = ((late.empties - 8) as usize * 2 + usize::from(late.odd)) * 5 + corners;
            assert_eq!(counts, COUNTS + counted * 32 + late.replies.count_ones() as usize);
        }
    }
    #[test]
    fn the_values_of_the_program_are_read_and_written_the_same() {
        let bytes = include_bytes!("../weights/moves.bin");
        let values = MoveValues::read(bytes).unwrap();
        assert!(values.write() == bytes);
        assert_eq!(&values, MoveValues::embedded());
        // The more replies, the worse.
        let of_replies = |replies: u32| {
            values.value(COUNTS + (4 * PARITIES * MOST_CORNERS * MOST_REPLIES + replies) as usize)
        };
        assert!(of_replies(1) > of_replies(3) && of_replies(3) > of_replies(6));
    }

    #[test]
    fn a_value_is_the_sum_of_its_numbers_and_what_is_too_large_is_cut_off() {
        let values = MoveValues::new(|number| number as f32 / 7.0 - 300.5);
        assert_eq!((values.value(0), values.value(COUNTS - 1)), (i16::from(i8::MIN), i16::from(i8::MAX)));
        assert_eq!(values.value(COUNTS), (COUNTS as f32 / 7.0 - 300.5).round() as i16);
        for late in late_moves() {
            let sum: i32 = late.numbers().map(|number| i32::from(values.value(number))).iter().sum();
            for tier in Tier::available() {
                assert_eq!(tier.run(Ask(&values, late)), sum, "{tier}");
            }
        }
    }

    #[test]
    fn every_kind_of_damage_is_named() {
        let good = MoveValues::plain().write();
        assert_eq!(MoveValues::read(&good), Ok(MoveValues::plain()));
        let changed = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] ^= value;
            MoveValues::read(&bytes)
        };
        assert_eq!(changed(7, 1), Err(WeightsError::Foreign));
        assert_eq!(changed(8, 2), Err(WeightsError::Version { found: 3, expected: 1 }));
        assert_eq!(changed(good.len() - 1, 1), Err(WeightsError::Damaged));
        assert_eq!(MoveValues::read(&good[..12]), Err(WeightsError::Truncated(12)));
        let sealed = |body: &[u8]| MoveValues::read(&sealed::seal(MAGIC, VERSION, body));
        let body = sealed::open(MAGIC, VERSION, &good).unwrap();
        assert_eq!(sealed(&body[..5]), Err(WeightsError::Truncated(5)));
        assert_eq!(sealed(&[body, &[0]].concat()), Err(WeightsError::TooLong(body.len())));
        assert_eq!(sealed(&[128, 2]), Err(WeightsError::TooLarge(128)));
    }
}
