use emilia_rules::{Bitboard, Board, Kernel, Size, SquareSet};

use crate::{Evaluator, Play, Score};

/// A score by what every player learns first: have more moves than the opponent, and take the corners.
///
/// It needs no weights and serves boards of 4×4 and 6×6 as well, where the patterns of 8×8 mean nothing.
///
/// ```
/// use emilia_eval::{Evaluator, Mobility};
/// use emilia_rules::{Board, Portable, Size};
/// let mobility = Mobility::new(Size::EIGHT);
/// assert_eq!(mobility.score(Portable, &(), Board::START).discs(), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    region: Bitboard,
    corners: Bitboard,
}

/// What one more move than the opponent is worth, in 128ths of a disc. Chosen by hand.
const MOVE: i32 = 128;
/// What a corner is worth, likewise.
const CORNER: i32 = 6 * 128;
/// What an empty square beside a disc is worth to the side whose disc it is not: a move that may come.
const FRONTIER: i32 = 32;

impl Mobility {
    /// For boards of this size, at most 8×8.
    #[must_use]
    pub fn new(size: Size) -> Mobility {
        let last = u32::from(size.get().min(8)) - 1;
        let corners = Bitboard(1 | 1 << last | 1 << (8 * last) | 1 << (9 * last));
        Mobility { region: Bitboard::region(size), corners }
    }

    #[inline(always)]
    fn worth<K: Kernel>(&self, kernel: K, own: Bitboard, opponent: Bitboard) -> i32 {
        let moves = (kernel.moves(own.0, opponent.0) & self.region.0).count_ones() as i32;
        let corners = (own & self.corners).count() as i32;
        let around = opponent.0 << 8
            | opponent.0 >> 8
            | (opponent.0 & !(0x8080_8080_8080_8080)) << 1
            | (opponent.0 & !(0x0101_0101_0101_0101)) >> 1;
        let frontier = (around & self.region.0 & !(own.0 | opponent.0)).count_ones() as i32;
        MOVE * moves + CORNER * corners + FRONTIER * frontier
    }
}

impl Evaluator for Mobility {
    type Features = ();

    fn features(&self, _board: Board) {}

    #[inline(always)]
    fn after(&self, _features: &(), _board: Board, _play: Play) {}

    #[inline(always)]
    fn pass(&self, _features: &(), _board: Board) {}

    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, _features: &(), board: Board) -> Score {
        Score(self.worth(kernel, board.own, board.opponent) - self.worth(kernel, board.opponent, board.own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use emilia_rules::Portable;

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(&Mobility::new(Size::EIGHT), 20);
    }

    #[test]
    fn both_sides_see_the_same() {
        let board = Board::START.play(emilia_rules::Square::F5);
        let mobility = Mobility::new(Size::EIGHT);
        assert_eq!(mobility.score(Portable, &(), board), -mobility.score(Portable, &(), board.pass()));
    }

    #[test]
    fn squares_off_the_board_are_no_moves() {
        let four = Mobility::new(Size::MIN);
        // a1…d1 full but for its end: the move would be on e1, which a board of 4×4 does not have.
        let board = Board { own: Bitboard(0b0011), opponent: Bitboard(0b1100) };
        let eight = Mobility::new(Size::EIGHT);
        assert!(four.score(Portable, &(), board) < eight.score(Portable, &(), board));
    }
}
