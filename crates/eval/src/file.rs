//! The file that weights of every kind are kept in.
//!
//! `EMILIA-W`, one byte version, one byte kind, two zero bytes, then as 32-bit little-endian numbers the fingerprint of
//! the shapes the weights were made for, the length of the body and its CRC-32. Then the body.

use crate::WeightsError;
use crate::shape::{SHAPES, SIX_SHAPES, fingerprint};

/// What a weights file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tables of patterns, one per phase: [`Weights`](crate::Weights).
    Patterns,
    /// A small network on top of patterns: [`Network`](crate::Network).
    Network,
    /// Tables of patterns for boards of 6×6: [`SixWeights`](crate::SixWeights).
    Six,
}

const MAGIC: &[u8; 8] = b"EMILIA-W";
const HEADER: usize = 24;

impl Kind {
    /// What this file holds, if it is a whole file of weights for the shapes of this program.
    pub fn of(bytes: &[u8]) -> Result<Kind, WeightsError> {
        Ok(check(bytes)?.0)
    }

    /// The version of files of this kind that is read and written.
    const fn version(self) -> u8 {
        match self {
            Kind::Patterns => 2,
            Kind::Network => 3,
            Kind::Six => 1,
        }
    }

    fn letter(self) -> u8 {
        match self {
            Kind::Patterns => b'P',
            Kind::Network => b'N',
            Kind::Six => b'S',
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Patterns => "tables of patterns",
            Kind::Network => "a network",
            Kind::Six => "tables of patterns for 6×6",
        }
    }

    /// What tells the shapes apart that such files are for.
    fn fingerprint(self) -> u32 {
        match self {
            Kind::Patterns | Kind::Network => fingerprint(&SHAPES),
            Kind::Six => fingerprint(&SIX_SHAPES),
        }
    }
}

/// The body of a file of this kind.
pub(crate) fn open(bytes: &[u8], kind: Kind) -> Result<&[u8], WeightsError> {
    let (found, body) = check(bytes)?;
    if found == kind {
        Ok(body)
    } else {
        Err(WeightsError::OtherKind { found: found.name(), expected: kind.name() })
    }
}

/// The file with this body.
pub(crate) fn seal(kind: Kind, body: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([kind.version(), kind.letter(), 0, 0]);
    for number in [kind.fingerprint(), body.len() as u32, crc32fast::hash(body)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(body);
    bytes
}

fn check(bytes: &[u8]) -> Result<(Kind, &[u8]), WeightsError> {
    if !bytes.starts_with(MAGIC) {
        return Err(WeightsError::Foreign);
    }
    let (Some(header), Some(body)) = (bytes.get(..HEADER), bytes.get(HEADER..)) else {
        return Err(WeightsError::Truncated(bytes.len()));
    };
    let kind = [Kind::Patterns, Kind::Network, Kind::Six]
        .into_iter()
        .find(|kind| kind.letter() == header[9])
        .ok_or(WeightsError::UnknownKind(header[9]))?;
    if header[8] != kind.version() {
        return Err(WeightsError::Version { found: header[8], expected: kind.version() });
    }
    let number = |at: usize| (0..4).fold(0, |word, byte| word | u32::from(header[at + byte]) << (8 * byte));
    if number(12) != kind.fingerprint() {
        return Err(WeightsError::OtherShapes);
    }
    let length = number(16) as usize;
    if body.len() < length {
        return Err(WeightsError::Truncated(bytes.len()));
    }
    if body.len() > length {
        return Err(WeightsError::TooLong(HEADER + length));
    }
    if crc32fast::hash(body) != number(20) {
        return Err(WeightsError::Damaged);
    }
    Ok((kind, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_damage_is_named() {
        let good = seal(Kind::Patterns, b"some body");
        assert_eq!(open(&good, Kind::Patterns), Ok(&b"some body"[..]));
        assert_eq!(Kind::of(&good), Ok(Kind::Patterns));
        assert!(matches!(open(&good, Kind::Network), Err(WeightsError::OtherKind { .. })));
        let changed = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] ^= value;
            Kind::of(&bytes)
        };
        assert_eq!(changed(0, 1), Err(WeightsError::Foreign));
        assert_eq!(changed(8, 3), Err(WeightsError::Version { found: 1, expected: 2 }));
        let mut old = seal(Kind::Network, b"some body");
        old[8] = 2;
        assert_eq!(Kind::of(&old), Err(WeightsError::Version { found: 2, expected: 3 }));
        assert_eq!(changed(9, 1), Err(WeightsError::UnknownKind(b'Q')));
        assert_eq!(changed(12, 1), Err(WeightsError::OtherShapes));
        assert_eq!(changed(30, 1), Err(WeightsError::Damaged));
        assert_eq!(Kind::of(&good[..good.len() - 1]), Err(WeightsError::Truncated(32)));
        assert_eq!(Kind::of(&good[..15]), Err(WeightsError::Truncated(15)));
        assert_eq!(Kind::of(&[&good[..], b"!"].concat()), Err(WeightsError::TooLong(33)));
        assert_eq!(Kind::of(b""), Err(WeightsError::Foreign));
    }
}
