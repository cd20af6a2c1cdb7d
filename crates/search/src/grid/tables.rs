use std::sync::LazyLock;

use emilia_eval::WeightsError;
use emilia_eval::integers::{Input, push, push_runs};
use emilia_rules::{Objective, Playable, Size};

use super::evaluator::GridFeatures;
use super::patterns::{STAGES, Shapes};
use super::weights;
use crate::sealed;

/// Weights that were learned for boards of some sizes: one for each of the [`GridFeatures`], and one for everything that
/// can stand near a corner or along a border, on 8×8 in every row and column.
///
/// The file they are kept in begins with `EMILIA-B`, one byte version, three zero bytes and the CRC-32 of the rest: the
/// integers of [`emilia_eval::integers`]. They are the side of the board, then for each stage of the game the weights
/// of the features, in [`GridTables::FEATURE_UNIT`], and those of the fillings, in [`GridTables::FILE_UNIT`], without those
/// tied to another by symmetry.
#[derive(Clone, Debug, PartialEq)]
pub struct GridTables {
    size: Size,
    shapes: Shapes,
    /// For each stage what the features are worth, as a share of the board.
    pub features: [[f32; GridFeatures::COUNT]; GridTables::STAGES],
    /// For each filling what it is worth at each stage, in hundredths of a disc.
    pub fillings: Vec<[i16; GridTables::STAGES]>,
}

const MAGIC: &[u8; 8] = b"EMILIA-B";
const VERSION: u8 = 1;

impl GridTables {
    /// Stages of the game that there are weights for: an empty board, one that is filled by a third, by two thirds, full.
    pub const STAGES: usize = STAGES;
    /// Hundredths of a disc in a unit of the file.
    pub const FILE_UNIT: i16 = 10;
    /// What a unit of the weight of a feature is in the file, as a share of the board.
    pub const FEATURE_UNIT: f32 = 1e-4;

    /// Those for a board of this size to begin with, if there are shapes for it: fillings are worth nothing, and features what
    /// they are worth without them.
    #[must_use]
    pub fn new(size: Size, objective: Objective) -> Option<GridTables> {
        let shapes = Shapes::of(size)?;
        let features = weights::at_four_stages(size, objective);
        Some(GridTables { size, shapes, features, fillings: vec![[0; STAGES]; shapes.fillings()] })
    }

    /// The size of the board they were learned on.
    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// The number of everything that stands near the corners and along the borders of the board.
    #[must_use]
    pub fn numbers<P: Playable>(&self, position: &P) -> Vec<usize> {
        let mut numbers = Vec::new();
        self.shapes.each(position, |number| numbers.push(number));
        numbers
    }

    /// For each filling the first one that is worth the same by symmetry, maybe itself.
    #[must_use]
    pub fn firsts(&self) -> Vec<usize> {
        self.shapes.firsts()
    }

    /// The weights in this file.
    pub fn read(bytes: &[u8]) -> Result<GridTables, WeightsError> {
        let mut input = Input { bytes: sealed::open(MAGIC, VERSION, bytes)?, at: 0 };
        let side: usize = input.small()?;
        let none = WeightsError::OtherShapes;
        let mut tables =
            Size::new(side).ok().and_then(|size| GridTables::new(size, Objective::Most)).ok_or(none)?;
        let firsts = tables.firsts();
        for stage in 0..STAGES {
            for weight in &mut tables.features[stage] {
                *weight = f32::from(input.small::<i16>()?) * GridTables::FEATURE_UNIT;
            }
            let mut units = vec![0i16; firsts.len()];
            let first_ones = units.iter_mut().zip(&firsts).enumerate();
            input.runs(first_ones.filter(|(at, (_, first))| at == *first).map(|(_, (unit, _))| unit))?;
            for (filling, first) in tables.fillings.iter_mut().zip(&firsts) {
                filling[stage] = units[*first]
                    .checked_mul(GridTables::FILE_UNIT)
                    .ok_or(WeightsError::TooLarge(units[*first].into()))?;
            }
        }
        input.end()?;
        Ok(tables)
    }

    /// The file with these weights.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let firsts = self.firsts();
        let mut body = Vec::new();
        push(&mut body, self.size.get().into());
        for stage in 0..STAGES {
            for weight in self.features[stage] {
                push(&mut body, (weight / GridTables::FEATURE_UNIT).round() as i64);
            }
            let first_ones = self.fillings.iter().zip(&firsts).enumerate();
            let first_ones =
                first_ones.filter(|(at, (_, first))| at == *first).map(|(_, (filling, _))| filling);
            let unit = f32::from(GridTables::FILE_UNIT);
            let units: Vec<i64> =
                first_ones.map(|filling| (f32::from(filling[stage]) / unit).round() as i64).collect();
            push_runs(&mut body, &units);
        }
        sealed::seal(MAGIC, VERSION, &body)
    }

    /// The weights that come with the program for boards of this size, if there are any.
    pub(super) fn embedded(size: Size, objective: Objective) -> Option<&'static GridTables> {
        match (size.get(), objective) {
            (8, Objective::Fewest) => Some(&EIGHT_FEWEST),
            (10, Objective::Most) => Some(&TEN),
            (12, Objective::Most) => Some(&TWELVE),
            (14.., Objective::Most) => Some(&TWENTY),
            _ => None,
        }
    }

    /// What the fillings of the board are worth at each stage, in hundredths of a disc.
    #[inline(always)]
    pub(super) fn sums<P: Playable>(&self, position: &P) -> [i32; STAGES] {
        let mut sums = [0; STAGES];
        self.shapes.each(position, |number| {
            // There are as many as the shapes have fillings.
            let Some(weights) = self.fillings.get(number) else { return };
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += i32::from(*weight);
            }
        });
        sums
    }
}

/// Birthplace: `grid_games` and `grid_learn`, examples of this crate; docs/tuning.md says with which numbers.
static TEN: LazyLock<GridTables> = LazyLock::new(|| embedded(include_bytes!("../../weights/grid-10.bin")));
static TWELVE: LazyLock<GridTables> = LazyLock::new(|| embedded(include_bytes!("../../weights/grid-12.bin")));
static TWENTY: LazyLock<GridTables> = LazyLock::new(|| embedded(include_bytes!("../../weights/grid-20.bin")));
static EIGHT_FEWEST: LazyLock<GridTables> =
    LazyLock::new(|| embedded(include_bytes!("../../weights/grid-8-fewest.bin")));

fn embedded(bytes: &[u8]) -> GridTables {
    GridTables::read(bytes).expect("a test reads this file")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_the_program_are_read_and_written_the_same() {
        let (most, fewest) = (Objective::Most, Objective::Fewest);
        let files = [
            (8, fewest, most, &include_bytes!("../../weights/grid-8-fewest.bin")[..]),
            (10, most, fewest, &include_bytes!("../../weights/grid-10.bin")[..]),
            (12, most, fewest, &include_bytes!("../../weights/grid-12.bin")[..]),
            (14, most, fewest, &include_bytes!("../../weights/grid-20.bin")[..]),
        ];
        for (side, objective, other, bytes) in files {
            let size = Size::new(side).unwrap();
            let tables = GridTables::read(bytes).unwrap();
            assert_eq!(GridTables::embedded(size, objective), Some(&tables));
            assert_eq!(tables.size.get(), if side == 14 { 20 } else { size.get() });
            assert!(tables.write() == bytes);
            assert_eq!(GridTables::embedded(size, other), None);
        }
        assert_eq!(GridTables::embedded(Size::SIX, Objective::Most), None);
    }

    #[test]
    fn boards_without_tables_of_their_own_use_those_of_another() {
        let learned_on = |side: usize| {
            let tables = GridTables::embedded(Size::new(side).unwrap(), Objective::Most);
            tables.map(|tables| tables.size().get())
        };
        assert_eq!([10, 12, 14, 16, 20, 26].map(learned_on), [10, 12, 20, 20, 20, 20].map(Some));
        assert_eq!([4, 6].map(learned_on), [None; 2]);
    }

    #[test]
    fn every_kind_of_damage_is_named() {
        let mut tables = GridTables::new(Size::new(12).unwrap(), Objective::Most).unwrap();
        let firsts = tables.firsts();
        let last = firsts.len() - 1;
        tables.fillings[firsts[last]] = [10, -20, 30, 0];
        tables.fillings[last] = [10, -20, 30, 0];
        let good = tables.write();
        assert_eq!(GridTables::read(&good).unwrap().fillings, tables.fillings);
        let changed = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] ^= value;
            GridTables::read(&bytes)
        };
        assert_eq!(changed(0, 1), Err(WeightsError::Foreign));
        assert_eq!(changed(8, 2), Err(WeightsError::Version { found: 3, expected: 1 }));
        assert_eq!(changed(13, 1), Err(WeightsError::Damaged));
        assert_eq!(changed(30, 1), Err(WeightsError::Damaged));
        assert_eq!(GridTables::read(&good[..10]), Err(WeightsError::Truncated(10)));
        assert_eq!(GridTables::read(&good[..good.len() - 1]), Err(WeightsError::Damaged));
        assert_eq!(GridTables::read(b""), Err(WeightsError::Foreign));
        // Whole files that no board fits: another side, a rest, a weight beyond all measure.
        let sealed = |body: &[u8]| GridTables::read(&sealed::seal(MAGIC, VERSION, body));
        assert_eq!(sealed(&[14]), Err(WeightsError::OtherShapes), "a side of 7");
        assert_eq!(sealed(&[24]), Err(WeightsError::Truncated(1)));
        let body = sealed::open(MAGIC, VERSION, &good).unwrap();
        assert_eq!(sealed(&[body, &[0]].concat()), Err(WeightsError::TooLong(body.len())));
        assert_eq!(sealed(&[24, 255, 255, 255, 255, 7]), Err(WeightsError::TooLarge(-1_073_741_824)));
    }
}
