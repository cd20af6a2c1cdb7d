//! The law every evaluator keeps, as a check that tests can call.

use emilia_rules::{Bitboard, GridPosition, Portable, Position, Size, SquareSet};

use crate::{Evaluator, Play};

/// Plays pseudo-random games on 8×8 and compares carried features with features from scratch at every board.
///
/// # Panics
/// If the law is broken: this is a test.
pub fn check<E: Evaluator>(evaluator: &E, games: u64) {
    check_on(Size::EIGHT, evaluator, games);
}

/// The same on a board of this size, which must be at most 8×8.
///
/// # Panics
/// If the law is broken: this is a test.
pub fn check_on<E: Evaluator>(size: Size, evaluator: &E, games: u64) {
    let start = Position::try_from(&GridPosition::start(size)).expect("it is at most 8×8");
    for seed in 1..=games {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut board = start.board();
        let mut features = evaluator.features(board);
        let mut passes = 0;
        while passes < 2 {
            let carried = evaluator.score(Portable, &features, board);
            let fresh = evaluator.score(Portable, &evaluator.features(board), board);
            assert_eq!(carried, fresh, "carried features differ on\n{board}");
            let moves = board.moves() & Bitboard::region(size);
            let theirs = board.pass().moves() & Bitboard::region(size);
            let mobility = [moves.count(), theirs.count()];
            let counted = evaluator.score_knowing_mobility(Portable, &features, board, mobility);
            assert_eq!(counted, fresh, "moves counted before make another score on\n{board}");
            if moves.is_empty() {
                features = evaluator.pass(&features, board);
                board = board.pass();
                passes += 1;
                continue;
            }
            passes = 0;
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(seed);
            let pick = ((random >> 33) % u64::from(moves.count())) as usize;
            let square = moves.into_iter().nth(pick).expect("the pick is below the number of moves");
            let flips: Bitboard = board.flips(square);
            features = evaluator.after(&features, board, Play { square, flips });
            board = board.after(square, flips);
        }
    }
}
