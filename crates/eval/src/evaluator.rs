use emilia_rules::{Bitboard, Board, Kernel, Square};

use crate::Score;

/// A disc placed on a square and what it flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Where the disc goes.
    pub square: Square,
    /// The discs it turns.
    pub flips: Bitboard,
}

/// Something that judges boards.
///
/// A search plays a few discs at a time, so an evaluator may carry what it knows about a board, its features, from
/// one board to the next instead of looking at all 64 squares again.
///
/// Law: carried features score as features from scratch, move after move and pass after pass, whether moves were counted
/// before or not. Each implementation has a test that calls [`law::check`](crate::law::check).
pub trait Evaluator: Sync {
    /// What is carried along.
    type Features: Clone + Send + Sync;

    /// The features of a board, from scratch.
    fn features(&self, board: Board) -> Self::Features;

    /// The features after a move by the side to move of `board`, which is the board before the move.
    fn after(&self, features: &Self::Features, board: Board, play: Play) -> Self::Features;

    /// The features after a pass by the side to move of `board`.
    fn pass(&self, features: &Self::Features, board: Board) -> Self::Features;

    /// Asks the processor to bring near what the score of a board with these features will need.
    #[inline(always)]
    fn prefetch<K: Kernel>(&self, _kernel: K, _features: &Self::Features, _board: Board) {}

    /// The score for the side to move of this board; the same with every kernel.
    fn score<K: Kernel>(&self, kernel: K, features: &Self::Features, board: Board) -> Score;

    /// The same score, for who has counted the moves of the side to move and those of the other side already.
    #[inline(always)]
    fn score_knowing_mobility<K: Kernel>(
        &self,
        kernel: K,
        features: &Self::Features,
        board: Board,
        _mobility: [u32; 2],
    ) -> Score {
        self.score(kernel, features, board)
    }
}
