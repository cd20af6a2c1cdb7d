//! A fit written down: `EMILIAT2`, the plan, the fingerprint of the positions, how far the fit is, its weights as
//! 32-bit floating-point numbers, and the CRC-32 of it all.

use emilia_eval::layout::PHASES;
use thiserror::Error;

use super::equations::unknowns;
use super::{Plan, Training};

/// Why a checkpoint cannot be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// The file does not begin as it should.
    #[error("this is no checkpoint of a training, version 2")]
    Foreign,
    /// The file is not as it was written.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// The fit was begun with other options.
    #[error("the checkpoint belongs to a training with other options")]
    OtherPlan,
    /// The fit was begun with other positions.
    #[error("the checkpoint belongs to a training on other positions")]
    OtherPositions,
}

const MAGIC: &[u8; 8] = b"EMILIAT2";
const HEADER: usize = 8 + 5 * 8;

impl Training {
    /// The fit as bytes. The number tells sets of positions apart.
    #[must_use]
    pub fn bytes(&self, positions: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let how_far = (self.done as u64) << 32 | u64::from(self.pass);
        for number in plan_numbers(self.plan()).into_iter().chain([positions, how_far]) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.phases.iter().flatten().flat_map(|value| value.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Takes up a fit that was written with the same plan and number.
    pub fn read(plan: Plan, positions: u64, bytes: &[u8]) -> Result<Training, CheckpointError> {
        if !bytes.starts_with(MAGIC) {
            return Err(CheckpointError::Foreign);
        }
        let Some((content, sum)) =
            bytes.split_last_chunk::<4>().filter(|(content, _)| content.len() >= HEADER)
        else {
            return Err(CheckpointError::Damaged);
        };
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err(CheckpointError::Damaged);
        }
        let (header, values) = content.split_at(HEADER);
        let number = |at: usize| {
            header[8 + 8 * at..16 + 8 * at].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
        };
        if [number(0), number(1), number(2)] != plan_numbers(&plan) {
            return Err(CheckpointError::OtherPlan);
        }
        if number(3) != positions {
            return Err(CheckpointError::OtherPositions);
        }
        let values: Vec<f32> = values
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        let phases: Vec<Vec<f32>> = values.chunks_exact(unknowns()).map(<[f32]>::to_vec).collect();
        let done = (number(4) >> 32) as usize;
        let begun = done <= phases.len() && phases.len() <= (done + 1).min(PHASES);
        if !begun || values.len() != phases.len() * unknowns() {
            return Err(CheckpointError::Damaged);
        }
        Ok(Training::taken_up(plan, phases, done, number(4) as u32))
    }
}

fn plan_numbers(plan: &Plan) -> [u64; 3] {
    [u64::from(plan.passes), plan.ridge.to_bits(), plan.beside as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_training_is_taken_up() {
        let plan = Plan::default();
        let mut training = Training::new(plan);
        training.phases = vec![vec![1.5; unknowns()], vec![-2.0; unknowns()]];
        training.done = 1;
        training.pass = 7;
        let bytes = training.bytes(99);
        let read = Training::read(plan, 99, &bytes).unwrap();
        assert_eq!((read.done, read.pass, &read.phases), (1, 7, &training.phases));
        let other = Plan { passes: 31, ..plan };
        assert_eq!(Training::read(other, 99, &bytes).unwrap_err(), CheckpointError::OtherPlan);
        assert_eq!(Training::read(plan, 98, &bytes).unwrap_err(), CheckpointError::OtherPositions);
        assert_eq!(Training::read(plan, 99, b"EMILIAT2").unwrap_err(), CheckpointError::Damaged);
        assert_eq!(Training::read(plan, 99, b"EMILIAD1").unwrap_err(), CheckpointError::Foreign);
        assert_eq!(
            Training::read(plan, 99, &bytes[..bytes.len() - 4]).unwrap_err(),
            CheckpointError::Damaged
        );
        let mut wrong = bytes;
        wrong[1000] ^= 1;
        assert_eq!(Training::read(plan, 99, &wrong).unwrap_err(), CheckpointError::Damaged);
    }
}
