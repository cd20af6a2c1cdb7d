use emilia_rules::{Bitboard, Board, SquareSet};
use thiserror::Error;

use super::{Origin, word};

/// A board with its score: what an evaluator is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The board, seen by the side to move.
    pub board: Board,
    /// The score for the side to move, in 128ths of a disc.
    pub score: i16,
    /// How the score was found.
    pub origin: Origin,
    /// A number that all positions of a game share and hardly two games do.
    pub game: u32,
}

/// Why bytes are no scored position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LabelledError {
    /// Both sides have a disc on a square.
    #[error("both sides have a disc on one square")]
    Overlap,
    /// The origin has no such code.
    #[error("there is no origin {0} of a score")]
    Origin(u8),
    /// The empty squares are not as many as stated.
    #[error("{found} squares are empty, not {stated}")]
    Empties {
        /// How many the file says.
        stated: u8,
        /// How many there are.
        found: u8,
    },
}

impl Labelled {
    /// Bytes of a position in a file.
    pub const BYTES: usize = 24;

    /// Squares without a disc.
    #[must_use]
    pub fn empties(&self) -> u8 {
        self.board.empties().count() as u8
    }

    /// As bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; Labelled::BYTES] {
        let mut bytes = [0; Labelled::BYTES];
        bytes[..8].copy_from_slice(&self.board.own.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.score.to_le_bytes());
        bytes[18] = self.origin.code();
        bytes[19] = self.empties();
        bytes[20..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8; Labelled::BYTES]) -> Result<Labelled, LabelledError> {
        let board = Board { own: Bitboard(word(bytes, 0)), opponent: Bitboard(word(bytes, 8)) };
        if !(board.own & board.opponent).is_empty() {
            return Err(LabelledError::Overlap);
        }
        let found = board.empties().count() as u8;
        if bytes[19] != found {
            return Err(LabelledError::Empties { stated: bytes[19], found });
        }
        Ok(Labelled {
            board,
            score: i16::from_le_bytes([bytes[16], bytes[17]]),
            origin: Origin::from_code(bytes[18]).ok_or(LabelledError::Origin(bytes[18]))?,
            game: u32::from_le_bytes([bytes[20], bytes[21], bytes[22], bytes[23]]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_as_documented() {
        let labelled =
            Labelled { board: Board::START, score: -130, origin: Origin::Depth(8), game: 0x0403_0201 };
        let bytes = labelled.bytes();
        assert_eq!(bytes[..8], 0x0000_0008_1000_0000u64.to_le_bytes());
        assert_eq!(bytes[16..], [0x7e, 0xff, 8, 60, 1, 2, 3, 4]);
        assert_eq!(Labelled::from_bytes(&bytes), Ok(labelled));
        assert_eq!(size_of::<Labelled>(), Labelled::BYTES);
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let good = Labelled { board: Board::START, score: 0, origin: Origin::Exact, game: 0 }.bytes();
        let broken = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            Labelled::from_bytes(&bytes).unwrap_err()
        };
        assert_eq!(broken(3, 0x18), LabelledError::Overlap);
        assert_eq!(broken(18, 61), LabelledError::Origin(61));
        assert_eq!(broken(19, 59), LabelledError::Empties { stated: 59, found: 60 });
    }
}
