//! A position as the database finds it: the same for all its mirror images.

use emilia_rules::{Bitboard, Board, Color, Size, Square, SquareSet, Symmetry};

/// Which position it is, and how it lies on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Discs on the board; positions with other numbers of discs are in other sections of a file.
    pub(crate) discs: u8,
    /// A number that positions of one section hardly ever share.
    pub(crate) key: u64,
    /// The symmetries that lead to the image which stands for all, as bits.
    turns: u8,
}

/// Stands where a game has no move any more: a square that is taken before the first move.
pub(crate) const END: u8 = Square::D4 as u8;

impl Spot {
    pub(crate) fn new(board: Board, turn: Color) -> Spot {
        let (mut best, mut turns) = (board, 1);
        for (number, symmetry) in Symmetry::ALL.iter().enumerate().skip(1) {
            let image = board.transformed(*symmetry, Size::EIGHT);
            if image < best {
                (best, turns) = (image, 1 << number);
            } else if image == best {
                turns |= 1 << number;
            }
        }
        Spot { discs: board.occupied().count() as u8, key: key(best, turn), turns }
    }

    fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL
            .into_iter()
            .enumerate()
            .filter(move |(number, _)| self.turns >> number & 1 != 0)
            .map(|(_, turn)| turn)
    }

    /// What a move is called in the database: the same for moves that are images of each other.
    pub(crate) fn code(self, square: Square) -> u8 {
        self.symmetries().map(|symmetry| turned(square, symmetry)).min().unwrap_or(END)
    }

    /// The squares of a move in this position, one for each image.
    pub(crate) fn squares(self, code: u8) -> Vec<Square> {
        let Some(square) = Square::from_index(code) else { return Vec::new() };
        let images = self.symmetries().map(|symmetry| turned(square, symmetry.inverse()));
        let mut squares: Vec<Square> = images.filter_map(Square::from_index).collect();
        squares.sort_unstable();
        squares.dedup();
        squares
    }

    /// The symmetry that turns a position with this other spot into this one, if they are images of each other.
    pub(crate) fn turn_from(self, other: Spot) -> Option<Symmetry> {
        let (ours, theirs) = (self.symmetries().next()?, other.symmetries().next()?);
        (self.key == other.key && self.discs == other.discs).then(|| theirs.then(ours.inverse()))
    }
}

/// Where a square goes.
pub(crate) fn turned(square: Square, symmetry: Symmetry) -> u8 {
    symmetry.bitboard(Bitboard(1 << square.index()), Size::EIGHT).0.trailing_zeros() as u8
}

/// The number by which a position is found. It is part of the files, so it must never change.
fn key(board: Board, turn: Color) -> u64 {
    let side = if turn == Color::Black { GOLDEN } else { 0 };
    mixed(board.opponent.0 ^ mixed(board.own.0.wrapping_add(side)))
}

/// The step of SplitMix64 (Steele, Lea and Flood 2014).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// What SplitMix64 makes of its counter: every bit depends on every other.
const fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_mixed_as_published() {
        // The first outputs of SplitMix64 for the seed 1234567, as Rosetta Code lists them.
        let published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431];
        for (count, expected) in (1..).zip(published) {
            assert_eq!(mixed(GOLDEN.wrapping_mul(count).wrapping_add(1234567)), expected);
        }
    }

    #[test]
    fn the_four_first_moves_are_one_and_come_back_as_four() {
        let start = Spot::new(Board::START, Color::Black);
        let first = [Square::D3, Square::C4, Square::F5, Square::E6];
        let codes: Vec<u8> = first.iter().map(|square| start.code(*square)).collect();
        assert!(codes.iter().all(|code| *code == codes[0]));
        assert_eq!(start.squares(codes[0]), first);
        let after: Vec<Spot> =
            first.iter().map(|square| Spot::new(Board::START.play(*square), Color::White)).collect();
        for other in &after {
            assert_eq!(other.key, after[0].key);
            let turn = other.turn_from(after[0]).unwrap();
            assert_eq!(Board::START.play(first[0]).transformed(turn, Size::EIGHT).moves().count(), 3);
        }
        assert_ne!(Spot::new(Board::START, Color::White).key, start.key);
    }
}
