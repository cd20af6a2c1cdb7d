use std::sync::LazyLock;

use emilia_rules::{Bitboard, Board, Kernel, Size, SquareSet};

use crate::file::{Kind, open, seal};
use crate::integers::{Input, push, push_runs};
use crate::layout::Layout;
use crate::shape::{SIX_PLACES, SIX_SHAPES};
use crate::{Evaluator, Fillings, Play, Score, WeightsError};

/// The score of a board of 6×6 as a sum over shapes: what stands in each place has a weight, which depends on the stage
/// of the game, and so has each move of either side.
///
/// ```
/// use emilia_eval::{Evaluator, Six};
/// use emilia_rules::{GridPosition, Portable, Position, Size};
///
/// let start = Position::try_from(&GridPosition::start(Size::SIX)).expect("6×6 fits");
/// let six = Six::embedded();
/// let score = six.score(Portable, &six.features(start.board()), start.board());
/// assert!(score.discs().abs() < 10);
/// ```
#[derive(Debug)]
pub struct Six {
    layout: &'static Layout,
    stages: Vec<Stage>,
    bias: [i16; SixWeights::CELLS + 1],
}

/// What counts at one stage of the game.
#[derive(Debug)]
struct Stage {
    /// The weights of all shapes, by fillings as a search carries them.
    tables: Box<[i16]>,
    moves: [i16; 2],
}

static EMBEDDED: LazyLock<Six> = LazyLock::new(|| {
    Six::new(&SixWeights::read(include_bytes!("../weights/six.bin")).expect("a test reads this file"))
});

impl Six {
    /// The evaluator that comes with the program. `weights/six.txt` says how its weights were made.
    #[must_use]
    pub fn embedded() -> &'static Six {
        &EMBEDDED
    }

    /// The evaluator with these weights.
    #[must_use]
    pub fn new(weights: &SixWeights) -> Six {
        let layout = Layout::six();
        let stages = weights.stages.iter().map(|stage| {
            let mut tables = Vec::with_capacity(layout.weights());
            for shape in &SIX_SHAPES {
                let start = tables.len();
                let weight = |filling| stage.weights[layout.canonical[start + filling] as usize];
                tables.extend(shape.from_balanced().into_iter().map(weight));
            }
            Stage { tables: tables.into(), moves: stage.moves }
        });
        Six { layout, stages: stages.collect(), bias: weights.bias }
    }
}

impl Evaluator for Six {
    type Features = Fillings;

    fn features(&self, board: Board) -> Fillings {
        Fillings::of(self.layout, board)
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, _board: Board, play: Play) -> Fillings {
        features.after(self.layout, play)
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, _board: Board) -> Fillings {
        features.passed(self.layout)
    }

    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, features: &Fillings, board: Board) -> Score {
        let empties = SixWeights::empties(board);
        let Stage { tables, moves } = &self.stages[SixWeights::stage(empties)];
        let region = Bitboard::region(Size::SIX).0;
        let count =
            |own: Bitboard, other: Bitboard| (kernel.moves(own.0, other.0) & region).count_ones() as i32;
        let mut sum = i32::from(self.bias[empties])
            + i32::from(moves[0]) * count(board.own, board.opponent)
            + i32::from(moves[1]) * count(board.opponent, board.own);
        for (start, filling) in self.layout.starts.iter().zip(&features.0[..SIX_PLACES]) {
            sum += i32::from(tables[*start as usize + usize::from(*filling)]);
        }
        const MOST: i32 = SixWeights::CELLS as i32 * Score::PER_DISC;
        Score(sum.clamp(-MOST, MOST))
    }
}

/// The weights of [`Six`], in 128ths of a disc, and the file they are kept in.
///
/// The body of the file, after the header that all kinds of weights have, is made of variable-length integers: the number
/// of stages, the number of weights of a stage, a constant for each number of empty squares, and for each stage what a move
/// of either side counts and its weights in order, without those tied to another by symmetry. A zero weight is followed by
/// how many more zeros follow it. Values are in units of [`SixWeights::FILE_UNIT`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SixWeights {
    /// What counts at each stage, the last before the end first.
    pub stages: Vec<SixStage>,
    /// A constant per number of empty squares.
    pub bias: [i16; SixWeights::CELLS + 1],
}

/// The weights of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SixStage {
    /// What a move of the side to move counts, and one of the other side.
    pub moves: [i16; 2],
    /// One weight per filling of each shape; tied ones are ignored.
    pub weights: Vec<i16>,
}

impl SixWeights {
    /// Squares of the board.
    pub const CELLS: usize = 36;
    /// 128ths of a disc per unit in the file: finer steps only make it larger.
    pub const FILE_UNIT: i16 = 8;
    /// The most empty squares of each stage but the last.
    const STAGE_ENDS: [usize; 4] = [12, 17, 22, 27];
    /// How many stages a game has.
    pub const STAGES: usize = SixWeights::STAGE_ENDS.len() + 1;

    /// All zero.
    #[must_use]
    pub fn zero() -> SixWeights {
        let stage = SixStage { moves: [0; 2], weights: vec![0; Layout::six().weights()] };
        SixWeights { stages: vec![stage; SixWeights::STAGES], bias: [0; SixWeights::CELLS + 1] }
    }

    /// The stage of a board with so many empty squares.
    #[must_use]
    #[inline(always)]
    pub fn stage(empties: usize) -> usize {
        SixWeights::STAGE_ENDS.iter().map(|end| usize::from(empties > *end)).sum()
    }

    /// The empty squares of a board of 6×6.
    #[must_use]
    #[inline(always)]
    pub fn empties(board: Board) -> usize {
        SixWeights::CELLS.saturating_sub(board.occupied().count() as usize)
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<SixWeights, WeightsError> {
        let layout = Layout::six();
        let mut input = Input { bytes: open(bytes, Kind::Six)?, at: 0 };
        input.expect("stages", SixWeights::STAGES)?;
        input.expect("weights a stage", layout.weights())?;
        let mut weights = SixWeights::zero();
        for bias in &mut weights.bias {
            *bias = input.small()?;
        }
        for stage in &mut weights.stages {
            for moves in &mut stage.moves {
                *moves = input.small()?;
            }
            let own = stage.weights.iter_mut().enumerate().filter(|(at, _)| layout.is_canonical(*at));
            input.runs(own.map(|(_, weight)| weight))?;
        }
        input.end()?;
        for weight in weights.all() {
            let units = *weight;
            let value = units.checked_mul(SixWeights::FILE_UNIT);
            *weight = value.ok_or(WeightsError::TooLarge(i64::from(units)))?;
        }
        Ok(weights)
    }

    fn all(&mut self) -> impl Iterator<Item = &mut i16> {
        let stages =
            self.stages.iter_mut().flat_map(|stage| stage.moves.iter_mut().chain(&mut stage.weights));
        self.bias.iter_mut().chain(stages)
    }

    /// The bytes of the file, weights rounded to its unit.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let layout = Layout::six();
        let unit = i64::from(SixWeights::FILE_UNIT);
        let rounded = |weight: i16| (i64::from(weight) + unit / 2).div_euclid(unit);
        let mut body = Vec::new();
        push(&mut body, self.stages.len() as i64);
        push(&mut body, layout.weights() as i64);
        self.bias.iter().for_each(|bias| push(&mut body, rounded(*bias)));
        for stage in &self.stages {
            stage.moves.iter().for_each(|moves| push(&mut body, rounded(*moves)));
            let own = (0..layout.weights()).filter(|at| layout.is_canonical(*at));
            push_runs(&mut body, &own.map(|at| rounded(stage.weights[at])).collect::<Vec<_>>());
        }
        seal(Kind::Six, &body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use emilia_rules::{GridPosition, Playable, Portable, Position, Symmetry};

    /// Weights without any order, up to eight discs each.
    fn scattered() -> SixWeights {
        let mut weights = SixWeights::zero();
        let mut state = 1u64;
        for weight in weights.all() {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            *weight = ((state >> 56) as i16 - 128) * SixWeights::FILE_UNIT;
        }
        let layout = Layout::six();
        for stage in &mut weights.stages {
            (0..layout.weights()).filter(|at| !layout.is_canonical(*at)).for_each(|at| stage.weights[at] = 0);
        }
        weights
    }

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check_on(Size::SIX, &Six::new(&scattered()), 100);
        law::check_on(Size::SIX, Six::embedded(), 20);
    }

    /// The sum, written as it is meant: the weight of what stands in each place, as a file has it.
    #[test]
    fn a_score_is_the_sum_of_its_weights_and_symmetric_boards_have_the_same() {
        let (weights, layout) = (scattered(), Layout::six());
        let six = Six::new(&weights);
        let mut position = Position::try_from(&GridPosition::start(Size::SIX)).unwrap();
        for ply in 0..24 {
            let Some(square) = position.placements().into_iter().nth(ply % 3) else { break };
            position = position.placed(square);
            let board = position.board();
            let empties = SixWeights::empties(board);
            assert_eq!(empties, 31 - ply);
            let SixStage { moves, weights: tables } = &weights.stages[SixWeights::stage(empties)];
            let selected: [u32; SIX_PLACES] = layout.active(board);
            let mobility = [position, position.passed()].map(|position| position.placements().count() as i32);
            let sum = i32::from(weights.bias[empties])
                + i32::from(moves[0]) * mobility[0]
                + i32::from(moves[1]) * mobility[1]
                + selected.iter().map(|at| i32::from(tables[*at as usize])).sum::<i32>();
            for symmetry in Symmetry::ALL {
                let board = board.transformed(symmetry, Size::SIX);
                let score = six.score(Portable, &six.features(board), board);
                assert_eq!(score.0, sum.clamp(-36 * 128, 36 * 128));
            }
        }
    }

    #[test]
    fn a_file_reads_as_written_and_others_are_refused() {
        let weights = scattered();
        let bytes = weights.bytes();
        assert_eq!(SixWeights::read(&bytes), Ok(weights));
        let mut damaged = bytes.clone();
        damaged[40] ^= 1;
        assert_eq!(SixWeights::read(&damaged), Err(WeightsError::Damaged));
        assert!(matches!(crate::Learned::read(&bytes), Err(WeightsError::OtherKind { .. })));
        let mut body = Vec::new();
        push(&mut body, 4);
        let other = SixWeights::read(&seal(Kind::Six, &body));
        assert!(matches!(other, Err(WeightsError::OtherSize { found: 4, .. })));
    }
}
