use thiserror::Error;

use crate::file::{Kind, open, seal};
use crate::integers::{Input, push, push_runs};
use crate::layout::{Layout, PHASES};

/// The weights of a pattern evaluator, and the file they are kept in.
///
/// The body of the file, after the header that all kinds of weights have, is made of variable-length integers: the
/// number of phases, the number of weights of a phase, 65 biases, and the weights of each phase in order, without those
/// tied to another by symmetry. A zero weight is followed by how many more zeros follow it. Values are in units of
/// [`Weights::FILE_UNIT`].
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
    #[error("this is no file of weights")]
    Foreign,
    /// The file is of another version.
    #[error("the weights are version {found}, this program reads version {expected}")]
    Version {
        /// The version of the file.
        found: u8,
        /// The version that is read.
        expected: u8,
    },
    /// The file is of a kind that nobody knows.
    #[error("there is no kind {0:#04x} of weights")]
    UnknownKind(u8),
    /// The file is of another kind than it should be.
    #[error("the file holds {found}, not {expected}")]
    OtherKind {
        /// What it holds.
        found: &'static str,
        /// What it should hold.
        expected: &'static str,
    },
    /// The weights were made for other shapes.
    #[error("the weights were made for other shapes than this program has")]
    OtherShapes,
    /// The file ends early.
    #[error("the weights end early, at byte {0}")]
    Truncated(usize),
    /// The file goes on after its end.
    #[error("the weights should end at byte {0}")]
    TooLong(usize),
    /// The checksum is wrong.
    #[error("the weights are damaged: their checksum is wrong")]
    Damaged,
    /// The file is for another program.
    #[error("the weights have {found} {what}, this program {expected}")]
    OtherSize {
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

impl Weights {
    /// 128ths of a disc per unit in the file: finer steps than 1/64 of a disc only make the file larger.
    pub const FILE_UNIT: i16 = 2;

    /// All zero.
    #[must_use]
    pub fn zero() -> Weights {
        Weights { phases: vec![vec![0; Layout::shared().weights()]; PHASES], bias: [0; 65] }
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let layout = Layout::shared();
        let mut input = Input { bytes: open(bytes, Kind::Patterns)?, at: 0 };
        input.expect("phases", PHASES)?;
        input.expect("weights a phase", layout.weights())?;
        let mut weights = Weights::zero();
        for bias in &mut weights.bias {
            *bias = input.small()?;
        }
        for phase in &mut weights.phases {
            let own = phase.iter_mut().enumerate().filter(|(at, _)| layout.is_canonical(*at));
            input.runs(own.map(|(_, weight)| weight))?;
        }
        input.end()?;
        for weight in weights.bias.iter_mut().chain(weights.phases.iter_mut().flatten()) {
            let units = *weight;
            *weight =
                units.checked_mul(Weights::FILE_UNIT).ok_or(WeightsError::TooLarge(i64::from(units)))?;
        }
        Ok(weights)
    }

    /// The bytes of the file, weights rounded to its unit.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let layout = Layout::shared();
        let unit = i64::from(Weights::FILE_UNIT);
        let rounded = |weight: i16| (i64::from(weight) + unit / 2).div_euclid(unit);
        let mut body = Vec::new();
        push(&mut body, self.phases.len() as i64);
        push(&mut body, layout.weights() as i64);
        for bias in self.bias {
            push(&mut body, rounded(bias));
        }
        for phase in &self.phases {
            let own = (0..layout.weights()).filter(|at| layout.is_canonical(*at));
            push_runs(&mut body, &own.map(|at| rounded(phase[at])).collect::<Vec<_>>());
        }
        seal(Kind::Patterns, &body)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Weights without any order, up to eight discs each.
    pub(crate) fn scattered() -> Weights {
        let mut weights = Weights::zero();
        let mut state = 1u64;
        for weight in weights.bias.iter_mut().chain(weights.phases.iter_mut().flatten()) {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            *weight = (state >> 53) as i16 - 1024;
        }
        weights
    }

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
    fn bad_bodies_are_refused() {
        let sealed = |numbers: &[i64]| {
            let mut body = Vec::new();
            numbers.iter().for_each(|number| push(&mut body, *number));
            Weights::read(&seal(Kind::Patterns, &body))
        };
        assert_eq!(sealed(&[]), Err(WeightsError::Truncated(0)));
        assert!(matches!(sealed(&[3]), Err(WeightsError::OtherSize { found: 3, .. })));
        let weights = Layout::shared().weights() as i64;
        assert_eq!(sealed(&[14, weights]).map(drop), Err(WeightsError::Truncated(4)));
        assert_eq!(sealed(&[14, weights, 70_000]), Err(WeightsError::TooLarge(70_000)));
        assert_eq!(
            Weights::read(&seal(Kind::Patterns, &[0xff; 20])),
            Err(WeightsError::TooLarge(0x3ff_ffff_ffff))
        );
        let mut large = vec![14, weights, 20_000];
        large.extend([0; 64]);
        large.extend([0, weights].repeat(14));
        assert_eq!(sealed(&large), Err(WeightsError::TooLarge(20_000)));
        large[2] = 0;
        assert_eq!(sealed(&large), Ok(Weights::zero()));
    }
}
