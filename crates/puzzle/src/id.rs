use std::fmt;
use std::str::FromStr;

use emilia_rules::{Playable, Position};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The name of a puzzle: eight letters and digits that follow from the position alone, the same whichever way it is turned and
/// wherever it stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PuzzleId(u64);

/// A word that names no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no name of a puzzle; those have eight letters and digits")]
pub struct BadPuzzleId(String);

/// Digits of five bits: no letter that looks like a digit.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 8;

impl PuzzleId {
    /// The name of the puzzle of this position.
    #[must_use]
    pub fn of(position: &Position) -> PuzzleId {
        let canonical = position.canonical();
        let mut hash = Sha256::new();
        hash.update([canonical.size().get()]);
        hash.update(canonical.own().0.to_le_bytes());
        hash.update(canonical.opponent().0.to_le_bytes());
        let bytes = hash.finalize();
        PuzzleId(bytes.iter().take(5).fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |at: usize| char::from(DIGITS[(self.0 >> (5 * at) & 31) as usize]);
        (0..LENGTH).rev().try_for_each(|at| write!(f, "{}", digit(at)))
    }
}

impl FromStr for PuzzleId {
    type Err = BadPuzzleId;

    fn from_str(text: &str) -> Result<PuzzleId, BadPuzzleId> {
        let wrong = || BadPuzzleId(text.chars().take(20).collect());
        if text.len() != LENGTH {
            return Err(wrong());
        }
        let digit = |byte: u8| DIGITS.iter().position(|digit| *digit == byte);
        let number = text.bytes().try_fold(0, |number, byte| Some(number << 5 | digit(byte)? as u64));
        number.map(PuzzleId).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use emilia_rules::Symmetry;

    use super::*;
    use crate::Puzzle;

    #[test]
    fn names_are_read_as_written_and_do_not_turn_with_the_board() {
        let puzzle = Puzzle::shipped().next().unwrap();
        let id = PuzzleId::of(&puzzle.position);
        assert_eq!(id.to_string().parse(), Ok(id));
        for symmetry in Symmetry::ALL {
            assert_eq!(PuzzleId::of(&puzzle.position.transformed(symmetry)), id);
        }
        for wrong in ["", "0123456", "012345678", "0123456u", "0123456ü", "ABCDEFGH"] {
            assert!(wrong.parse::<PuzzleId>().is_err(), "{wrong}");
        }
    }
}
