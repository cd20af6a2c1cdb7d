use emilia_rules::{Bitboard, Board, Move, Square, SquareSet};
use thiserror::Error;

use super::checksum::checksum;
use super::{Origin, word};

/// A game of self-play: where it began, and every move with the score of the board before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The first board, seen by the side to move.
    pub start: Board,
    /// The moves, passes among them, at most 255.
    pub plies: Vec<Ply>,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The score of the board before the move for the side to move, in discs.
    pub score: i8,
    /// How the score was found.
    pub origin: Origin,
    /// Whether the move was not meant to be the best, so that what follows says little about the board before it.
    pub random: bool,
}

/// Why bytes are no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// Both sides have a disc on a square.
    #[error("both sides have a disc on one square")]
    Overlap,
    /// There is no such origin.
    #[error("ply {ply}: there is no origin {code} of a score")]
    Origin {
        /// Which ply, from 0.
        ply: usize,
        /// The byte.
        code: u8,
    },
    /// The move is not legal.
    #[error("ply {0}: the move is not legal")]
    Illegal(usize),
}

/// Set in the byte of the origin when the move was random.
const RANDOM: u8 = 0x80;
/// The byte of a pass.
const PASS: u8 = 64;
/// Bytes before the moves.
pub(super) const HEAD: usize = 17;
/// Bytes of a move.
pub(super) const PLY: usize = 3;
/// Bytes of the checksum.
pub(super) const SUM: usize = 2;

impl Game {
    /// As bytes, with the checksum.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let plies = &self.plies[..self.plies.len().min(255)];
        let mut bytes = Vec::with_capacity(HEAD + PLY * plies.len() + SUM);
        bytes.extend(self.start.own.0.to_le_bytes());
        bytes.extend(self.start.opponent.0.to_le_bytes());
        bytes.push(plies.len() as u8);
        for ply in plies {
            let square = ply.mv.square().map_or(PASS, Square::index);
            let random = if ply.random { RANDOM } else { 0 };
            bytes.extend([square, ply.score as u8, ply.origin.code() | random]);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// From bytes whose checksum is right. Every move is played, so that the game can be trusted.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Game, GameError> {
        let start = Board { own: Bitboard(word(bytes, 0)), opponent: Bitboard(word(bytes, 8)) };
        if !(start.own & start.opponent).is_empty() {
            return Err(GameError::Overlap);
        }
        let mut plies = Vec::with_capacity(usize::from(bytes[16]));
        let mut board = start;
        let end = HEAD + PLY * usize::from(bytes[16]);
        for (ply, bytes) in bytes[HEAD..end].chunks_exact(PLY).enumerate() {
            let code = bytes[2];
            let origin = Origin::from_code(code & !RANDOM).ok_or(GameError::Origin { ply, code })?;
            let mv = match Square::from_index(bytes[0]) {
                Some(square) => Move::Place(square),
                None if bytes[0] == PASS => Move::Pass,
                None => return Err(GameError::Illegal(ply)),
            };
            board = played(board, mv).ok_or(GameError::Illegal(ply))?;
            plies.push(Ply { mv, score: bytes[1] as i8, origin, random: code & RANDOM != 0 });
        }
        Ok(Game { start, plies })
    }

    /// The board before each move, seen by the side to move, and the board after the last.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let mut board = self.start;
        let after = self.plies.iter().map(move |ply| {
            board = match ply.mv {
                Move::Place(square) => board.play(square),
                Move::Pass => board.pass(),
            };
            board
        });
        std::iter::once(self.start).chain(after)
    }

    /// A number that tells games apart: equal only for games that begin with the same board and moves, by and large.
    #[must_use]
    pub fn number(&self) -> u32 {
        let mut hash = self.start.own.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.start.opponent.0;
        for ply in &self.plies {
            let square = ply.mv.square().map_or(PASS, Square::index);
            hash = (hash ^ hash >> 29).wrapping_mul(0xbb67_ae85_84ca_a73b).wrapping_add(square.into());
        }
        ((hash ^ hash >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
    }
}

/// The board after a legal move.
fn played(board: Board, mv: Move) -> Option<Board> {
    match mv {
        Move::Place(square) => board.moves().contains(square).then(|| board.play(square)),
        Move::Pass => (board.moves().is_empty() && !board.pass().moves().is_empty()).then(|| board.pass()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Game {
        let ply =
            |square, random| Ply { mv: Move::Place(square), score: -2, origin: Origin::Depth(8), random };
        Game { start: Board::START, plies: vec![ply(Square::D3, false), ply(Square::C3, true)] }
    }

    #[test]
    fn the_layout_is_as_documented() {
        let bytes = sample().bytes();
        assert_eq!(bytes.len(), 17 + 2 * 3 + 2);
        assert_eq!(bytes[16..23], [2, 19, 0xfe, 8, 18, 0xfe, 8 | 0x80]);
        assert_eq!(Game::from_bytes(&bytes), Ok(sample()));
        assert_eq!(sample().boards().last(), Some(Board::START.play(Square::D3).play(Square::C3)));
    }

    #[test]
    fn games_that_cannot_be_played_are_refused() {
        let mut game = sample();
        game.plies[1].mv = Move::Place(Square::A1);
        assert_eq!(Game::from_bytes(&game.bytes()), Err(GameError::Illegal(1)));
        game.plies[1].mv = Move::Pass;
        assert_eq!(Game::from_bytes(&game.bytes()), Err(GameError::Illegal(1)));
        let mut bytes = sample().bytes();
        bytes[19] = 77;
        assert_eq!(Game::from_bytes(&bytes), Err(GameError::Origin { ply: 0, code: 77 }));
    }

    #[test]
    fn other_games_have_other_numbers() {
        let mut other = sample();
        other.plies.pop();
        assert_ne!(other.number(), sample().number());
    }
}
