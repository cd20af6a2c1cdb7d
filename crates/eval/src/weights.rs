use thiserror::Error;

use crate::layout::{Layout, PHASES};

/// The weights of a pattern evaluator, and the file they are kept in.
///
/// The file is `EMILIA-P`, then one byte version, then variable-length integers (seven bits a byte, lowest first,
/// signs folded into the lowest bit): the number of phases, the number of weights of a phase, 65 biases, and the
/// weights of each phase in order, without those tied to another by symmetry. A zero is followed by how many
/// more zeros follow it. Values are in units of [`Weights::FILE_UNIT`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Per phase one weight per filling of each shape, in 128ths of a disc; tied ones are ignored.
    pub phases: Vec<Vec<i16>>,
    /// A constant per number of empty squares, in 128ths of a disc.
    pub bias: [i16; 65],
}

/// Why bytes are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// The file does not begin as it should.
    #[error("this is no file of pattern weights, version 1")]
    BadHeader,
    /// The file ends early.
    #[error("the weights end early, at byte {0}")]
    Truncated(usize),
    /// The file is for other shapes or phases.
    #[error("the file has {found} {what}, this program {expected}")]
    OtherShapes {
        /// What was counted.
        what: &'static str,
        /// How many the file has.
        found: i64,
        /// How many there should be.
        expected: usize,
    },
    /// A weight is beyond all measure.
    #[error("the value {0} is too large for a weight")]
    TooLarge(i64),
}

const HEADER: &[u8] = b"EMILIA-P\x01";

impl Weights {
    /// 128ths of a disc per unit in the file: finer steps than 1/32 of a disc only make the file larger.
    pub const FILE_UNIT: i16 = 4;

    /// All zero.
    #[must_use]
    pub fn zero() -> Weights {
        Weights { phases: vec![vec![0; Layout::shared().weights()]; PHASES], bias: [0; 65] }
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let layout = Layout::shared();
        if !bytes.starts_with(HEADER) {
            return Err(WeightsError::BadHeader);
        }
        let mut input = Input { bytes, at: HEADER.len() };
        for (what, expected) in [("phases", PHASES), ("weights a phase", layout.weights())] {
            let found = input.integer()?;
            if found != expected as i64 {
                return Err(WeightsError::OtherShapes { what, found, expected });
            }
        }
        let mut weights = Weights::zero();
        for bias in &mut weights.bias {
            *bias = input.weight()?;
        }
        for phase in &mut weights.phases {
            let mut zeros = 0;
            for (at, weight) in phase.iter_mut().enumerate() {
                if !layout.is_canonical(at) {
                    continue;
                }
                if zeros > 0 {
                    zeros -= 1;
                    continue;
                }
                *weight = input.weight()?;
                if *weight == 0 {
                    zeros = input.integer()?.max(0);
                }
            }
        }
        Ok(weights)
    }

    /// The bytes of the file, weights rounded to its unit.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let layout = Layout::shared();
        let unit = i64::from(Weights::FILE_UNIT);
        let rounded = |weight: i16| (i64::from(weight) + unit / 2).div_euclid(unit);
        let mut bytes = HEADER.to_vec();
        push(&mut bytes, self.phases.len() as i64);
        push(&mut bytes, layout.weights() as i64);
        for bias in self.bias {
            push(&mut bytes, rounded(bias));
        }
        for phase in &self.phases {
            let values: Vec<i64> = (0..layout.weights())
                .filter(|at| layout.is_canonical(*at))
                .map(|at| rounded(phase[at]))
                .collect();
            let mut at = 0;
            while at < values.len() {
                push(&mut bytes, values[at]);
                let zeros = values[at..].iter().take_while(|value| **value == 0).count();
                if zeros > 0 {
                    push(&mut bytes, zeros as i64 - 1);
                }
                at += zeros.max(1);
            }
        }
        bytes
    }
}

/// Appends an integer.
fn push(bytes: &mut Vec<u8>, value: i64) {
    let mut rest = (value << 1 ^ value >> 63) as u64;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn integer(&mut self) -> Result<i64, WeightsError> {
        let mut value = 0;
        for shift in (0..42).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or(WeightsError::Truncated(self.at))?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(WeightsError::TooLarge(value as i64))
    }

    fn weight(&mut self) -> Result<i16, WeightsError> {
        let value = self.integer()?;
        i16::try_from(value)
            .ok()
            .and_then(|value| value.checked_mul(Weights::FILE_UNIT))
            .ok_or(WeightsError::TooLarge(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_reads_as_written() {
        let mut weights = Weights::zero();
        for (at, weight) in weights.phases[3].iter_mut().enumerate().step_by(7) {
            if Layout::shared().is_canonical(at) {
                *weight = (at % 4001) as i16 * 4 - 8000;
            }
        }
        weights.bias[10] = -40;
        assert_eq!(Weights::read(&weights.bytes()), Ok(weights));
    }

    #[test]
    fn bad_files_are_refused() {
        assert_eq!(Weights::read(b"EMILIA-Q\x01"), Err(WeightsError::BadHeader));
        let bytes = Weights::zero().bytes();
        assert_eq!(Weights::read(&bytes[..12]), Err(WeightsError::Truncated(12)));
        let mut other = HEADER.to_vec();
        push(&mut other, 3);
        assert!(matches!(Weights::read(&other), Err(WeightsError::OtherShapes { found: 3, .. })));
        let mut endless = HEADER.to_vec();
        endless.extend([0xff; 20]);
        assert!(matches!(Weights::read(&endless), Err(WeightsError::TooLarge(_))));
    }

    #[test]
    fn the_embedded_file_is_whole() {
        let bytes = include_bytes!("../weights/patterns.bin");
        assert!(bytes.len() <= 2 << 20);
        assert!(Weights::read(bytes).is_ok());
    }
}
