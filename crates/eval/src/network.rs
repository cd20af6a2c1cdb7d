use emilia_rules::{Bitboard, Board, Square, SquareSet};

use crate::layout::{LANES, Layout, empties};
use crate::network_weights::{EXTRA, HIDDEN, MOBILITIES, NetworkWeights, Row, Stack, WIDTH, bucket, stack};
use crate::shape::PLACES;
use crate::{Evaluator, Play, Score, WeightsError};

/// The score of a board by a small network on top of patterns.
///
/// What stands in each place selects a row of numbers, and so do the moves of each side and the empty squares. The
/// rows are added up. The first number of the sum counts by itself, as the weights of [`Patterns`](crate::Patterns) do;
/// and all of them, cut off below zero and above, as they are and with their signs changed, go through a layer of neurons
/// whose outputs are weighted and added.
///
/// All numbers are integers, so every processor finds the same score.
#[derive(Debug)]
pub struct Network {
    /// The first row of each place's shape.
    starts: [u32; PLACES],
    /// What an own disc on a square adds to the filling of each place; the opponent's adds twice as much.
    steps: Box<[[u16; LANES]; 64]>,
    rows: Vec<Vec<Row>>,
    extra: Vec<[Row; EXTRA]>,
    stacks: Vec<Stack>,
}

/// The fillings of all places, in the eyes of both sides.
#[derive(Clone, Debug)]
pub struct Views {
    /// Seen by the side to move.
    own: [u16; LANES],
    /// Seen by the other side.
    opponent: [u16; LANES],
}

/// The largest input of a layer, and with it the integer that stands for nearly 2.
const MOST: i32 = 127;
/// Integers in a layer are 64 times what they stand for.
const SHIFT: u32 = 6;

impl Network {
    /// The network with these weights.
    #[must_use]
    pub fn new(weights: NetworkWeights) -> Network {
        let layout = Layout::shared();
        let mut steps = Box::new([[0; LANES]; 64]);
        for square in Square::ALL {
            let board = Board { own: Bitboard(1 << square.index()), opponent: Bitboard(0) };
            steps[usize::from(square.index())] = layout.fillings(board);
        }
        let NetworkWeights { rows, extra, stacks } = weights;
        Network { starts: layout.starts, steps, rows, extra, stacks }
    }

    /// The network in this file.
    pub fn read(bytes: &[u8]) -> Result<Network, WeightsError> {
        Ok(Network::new(NetworkWeights::read(bytes)?))
    }

    /// The sum of all rows that the board selects.
    #[inline(always)]
    fn sum(&self, fillings: &[u16; LANES], board: Board, empties: usize) -> [i16; WIDTH] {
        let bucket = bucket(empties);
        let (rows, extra) = (&self.rows[bucket], &self.extra[bucket]);
        let most = MOBILITIES - 1;
        let own = (board.moves().count() as usize).min(most);
        let opponent = (board.pass().moves().count() as usize).min(most);
        let mut sum = [0; WIDTH];
        for row in [own, MOBILITIES + opponent, 2 * MOBILITIES + empties.min(64)] {
            add(&mut sum, &extra[row]);
        }
        for place in 0..PLACES {
            add(&mut sum, &rows[self.starts[place] as usize + usize::from(fillings[place])]);
        }
        sum
    }
}

#[inline(always)]
fn add(sum: &mut [i16; WIDTH], row: &Row) {
    for (sum, value) in sum.iter_mut().zip(row) {
        // 49 rows of one byte cannot overflow.
        *sum = sum.wrapping_add(i16::from(*value));
    }
}

impl Stack {
    /// The score in 128ths of a disc.
    #[inline(always)]
    fn score(&self, sum: &[i16; WIDTH]) -> i32 {
        let mut seen = [0i16; 2 * WIDTH];
        for (at, value) in sum.iter().enumerate() {
            seen[at] = (*value).clamp(0, MOST as i16);
            seen[WIDTH + at] = (-*value).clamp(0, MOST as i16);
        }
        let mut out = self.second_bias + i32::from(self.plain) * i32::from(sum[0]);
        for neuron in 0..HIDDEN {
            let mut dot = self.first_bias[neuron];
            for (value, weight) in seen.iter().zip(&self.first[neuron]) {
                dot += i32::from(*value) * i32::from(*weight);
            }
            out += (dot >> SHIFT).clamp(0, MOST) * i32::from(self.second[neuron]);
        }
        out >> SHIFT
    }
}

impl Evaluator for Network {
    type Features = Views;

    fn features(&self, board: Board) -> Views {
        let layout = Layout::shared();
        Views { own: layout.fillings(board), opponent: layout.fillings(board.pass()) }
    }

    #[inline(always)]
    fn after(&self, features: &Views, _board: Board, play: Play) -> Views {
        let placed = &self.steps[usize::from(play.square.index())];
        let mut turned = [0u16; LANES];
        for square in play.flips {
            let steps = &self.steps[usize::from(square.index())];
            for lane in 0..LANES {
                turned[lane] = turned[lane].wrapping_add(steps[lane]);
            }
        }
        // A square counts 0 when empty, 1 when ours, 2 when theirs; the side to move is then the other one.
        let mut next = Views { own: features.opponent, opponent: features.own };
        for lane in 0..LANES {
            next.own[lane] = next.own[lane].wrapping_add(placed[lane] << 1).wrapping_add(turned[lane]);
            next.opponent[lane] = next.opponent[lane].wrapping_add(placed[lane]).wrapping_sub(turned[lane]);
        }
        next
    }

    #[inline(always)]
    fn pass(&self, features: &Views, _board: Board) -> Views {
        Views { own: features.opponent, opponent: features.own }
    }

    #[inline(always)]
    fn score(&self, features: &Views, board: Board) -> Score {
        let empties = empties(board);
        let sum = self.sum(&features.own, board, empties);
        let score = self.stacks[stack(empties)].score(&sum);
        const MOST: i32 = 64 * Score::PER_DISC;
        Score(score.clamp(-MOST, MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use crate::network_weights::tests::sample;

    /// The same score with nothing carried, wide integers and no tricks.
    fn slow(network: &NetworkWeights, board: Board) -> i64 {
        let empties = empties(board);
        let (rows, extra) = (&network.rows[bucket(empties)], &network.extra[bucket(empties)]);
        let moves = |board: Board| (board.moves().count() as usize).min(31);
        let mut selected: Vec<&Row> =
            Layout::shared().active(board).iter().map(|at| &rows[*at as usize]).collect();
        selected.extend([&extra[moves(board)], &extra[32 + moves(board.pass())], &extra[64 + empties]]);
        let sum: Vec<i64> =
            (0..WIDTH).map(|at| selected.iter().map(|row| i64::from(row[at])).sum()).collect();
        let stack = &network.stacks[stack(empties)];
        let mut out = i64::from(stack.second_bias) + i64::from(stack.plain) * sum[0];
        for neuron in 0..HIDDEN {
            let weights = stack.first[neuron].map(i64::from);
            let positive: i64 = (0..WIDTH).map(|at| sum[at].clamp(0, 127) * weights[at]).sum();
            let negative: i64 = (0..WIDTH).map(|at| (-sum[at]).clamp(0, 127) * weights[WIDTH + at]).sum();
            let dot = positive + negative + i64::from(stack.first_bias[neuron]);
            out += dot.div_euclid(64).clamp(0, 127) * i64::from(stack.second[neuron]);
        }
        out.div_euclid(64).clamp(-64 * 128, 64 * 128)
    }

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(&Network::read(&sample()).unwrap(), 200);
    }

    #[test]
    fn scores_are_those_of_the_slow_twin() {
        let weights = NetworkWeights::read(&sample()).unwrap();
        let network = Network::new(weights.clone());
        let mut different = std::collections::HashSet::new();
        for pick in 0..20 {
            let mut board = Board::START;
            while !board.moves().is_empty() {
                let score = network.score(&network.features(board), board);
                assert_eq!(i64::from(score.0), slow(&weights, board), "{board}");
                different.insert(score);
                let moves = board.moves();
                let square = moves.into_iter().nth(pick % moves.count() as usize).unwrap();
                board = board.play(square);
            }
        }
        assert!(different.len() > 500);
    }
}
