//! The file of the weights, which training/policy.py writes.
//!
//! `EMILIA-H`, one byte version, three zero bytes, as 32-bit little-endian numbers the length of what follows and its
//! CRC-32; then channels and blocks (32 bits each), the rows of stages (61) and of ratings (81, and one for an unknown
//! one; 16 bits a number), and the layers in order: weights (a byte each; outputs, inputs, rows, columns), factors (32
//! bits), constants (64 bits; the layer of the means has none).

use thiserror::Error;

/// What is wrong with a file of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HumanWeightsError {
    /// It does not begin as such files do.
    #[error("this is no file of weights for human play")]
    Foreign,
    /// Of another time.
    #[error("version {0} of the file of weights is not known")]
    Version(u8),
    /// It ends too early or too late.
    #[error("the file of weights should have {expected} bytes and has {found}")]
    Length {
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Something was altered.
    #[error("the file of weights is damaged")]
    Damaged,
    /// Made for another program.
    #[error("the file of weights is for {found} channels; this program takes {expected}")]
    Channels {
        /// What the file is for.
        found: u32,
        /// What the program takes.
        expected: u32,
    },
}

const MAGIC: &[u8; 8] = b"EMILIA-H";
const VERSION: u8 = 1;
const HEADER: usize = 20;

/// The numbers of a checked file, read from the front.
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Opens a file that is whole.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Input<'a>, HumanWeightsError> {
        if !bytes.starts_with(MAGIC) {
            return Err(HumanWeightsError::Foreign);
        }
        let Some((header, body)) = bytes.split_at_checked(HEADER) else {
            return Err(HumanWeightsError::Length { found: bytes.len(), expected: HEADER });
        };
        if header[8] != VERSION {
            return Err(HumanWeightsError::Version(header[8]));
        }
        let number =
            |at: usize| (0..4).fold(0, |word, byte| word | u32::from(header[at + byte]) << (8 * byte));
        if body.len() != number(12) as usize {
            let expected = HEADER + number(12) as usize;
            return Err(HumanWeightsError::Length { found: bytes.len(), expected });
        }
        if crc32fast::hash(body) != number(16) {
            return Err(HumanWeightsError::Damaged);
        }
        Ok(Input(body))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], HumanWeightsError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(HumanWeightsError::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn number(&mut self) -> Result<u32, HumanWeightsError> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<Vec<i8>, HumanWeightsError> {
        (0..count).map(|_| self.take().map(i8::from_le_bytes)).collect()
    }

    pub(crate) fn row<const N: usize>(&mut self) -> Result<[i32; N], HumanWeightsError> {
        let mut row = [0; N];
        for number in &mut row {
            *number = i32::from(self.take().map(i16::from_le_bytes)?);
        }
        Ok(row)
    }

    pub(crate) fn factors<const N: usize>(&mut self) -> Result<[i64; N], HumanWeightsError> {
        let mut factors = [0; N];
        for number in &mut factors {
            *number = i64::from(self.take().map(i32::from_le_bytes)?);
        }
        Ok(factors)
    }

    pub(crate) fn constants<const N: usize>(&mut self) -> Result<[i64; N], HumanWeightsError> {
        let mut constants = [0; N];
        for number in &mut constants {
            *number = self.take().map(i64::from_le_bytes)?;
        }
        Ok(constants)
    }

    pub(crate) fn end(&self) -> Result<(), HumanWeightsError> {
        if self.0.is_empty() { Ok(()) } else { Err(HumanWeightsError::Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_damage_is_named() {
        let mut good = MAGIC.to_vec();
        good.extend([VERSION, 0, 0, 0]);
        good.extend(4u32.to_le_bytes());
        good.extend(crc32fast::hash(&[1, 0, 0, 0]).to_le_bytes());
        good.extend([1, 0, 0, 0]);
        let fault = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = good.clone();
            change(&mut bytes);
            Input::open(&bytes).err()
        };
        let mut input = Input::open(&good).unwrap();
        assert_eq!(
            (input.number(), input.end(), input.number()),
            (Ok(1), Ok(()), Err(HumanWeightsError::Damaged))
        );
        assert_eq!(fault(&|bytes| bytes[0] = 0), Some(HumanWeightsError::Foreign));
        assert_eq!(fault(&|bytes| bytes[8] = 9), Some(HumanWeightsError::Version(9)));
        assert_eq!(fault(&|bytes| bytes[20] = 9), Some(HumanWeightsError::Damaged));
        assert_eq!(
            fault(&|bytes| bytes.truncate(22)),
            Some(HumanWeightsError::Length { found: 22, expected: 24 })
        );
        assert_eq!(
            fault(&|bytes| bytes.truncate(9)),
            Some(HumanWeightsError::Length { found: 9, expected: 20 })
        );
        assert_eq!(
            fault(&|bytes| bytes.push(0)),
            Some(HumanWeightsError::Length { found: 25, expected: 24 })
        );
    }
}
