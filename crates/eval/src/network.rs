use emilia_rules::{Board, Kernel};

use crate::fillings::{Fillings, Tables, tables};
use crate::layout::{Layout, empties};
use crate::network_weights::{
    EMPTIES, EXTRA, HIDDEN, MOBILITIES, NetworkWeights, Row, Stack, WIDTH, bucket, stack,
};
use crate::{Evaluator, Play, Score, WeightsError};

/// The score of a board by a small network on top of patterns.
///
/// What stands in each place selects a row of numbers, and so do the moves of each side and the empty squares. The
/// rows are added up. The first number of the sum counts by itself, as the weights of [`Patterns`](crate::Patterns) do;
/// and all of them, cut off below zero and above, as they are and with their signs changed, go through a layer of neurons.
/// What these say and its squares are weighted and added.
///
/// All numbers are integers, so every processor finds the same score.
#[derive(Debug)]
pub struct Network {
    layout: &'static Layout,
    /// Per bucket the rows of all shapes.
    tables: Vec<Tables<Row>>,
    /// Per bucket the rows of the moves of each side.
    mobility: Vec<[Row; 2 * MOBILITIES]>,
    /// Per bucket the row of each number of empty squares, with which a sum begins.
    starts: Vec<[Sum; EMPTIES]>,
    layers: Vec<Layers>,
}

/// What neurons say is 64 times what it stands for.
const SHIFT: u32 = 6;

impl Network {
    /// The network with these weights.
    #[must_use]
    pub fn new(weights: NetworkWeights) -> Network {
        let layout = Layout::shared();
        let row = |rows: &[Row], at: usize| rows[layout.own[at] as usize];
        let tables = weights.rows.into_iter().map(|rows| tables(Row::ZERO, |at| row(&rows, at))).collect();
        let layers = weights.stacks.iter().map(Layers::new).collect();
        let mobility = weights.extra.iter().map(|extra| std::array::from_fn(|at| extra[at])).collect();
        let start =
            |extra: &[Row; EXTRA]| std::array::from_fn(|at| extra[2 * MOBILITIES + at].0.map(i16::from));
        let starts = weights.extra.iter().map(start).collect();
        Network { layout, tables, mobility, starts, layers }
    }

    /// The network in this file.
    pub fn read(bytes: &[u8]) -> Result<Network, WeightsError> {
        Ok(Network::new(NetworkWeights::read(bytes)?))
    }

    /// Asks the processor to bring near what the score of a board with these fillings will need.
    #[inline(always)]
    pub(crate) fn prefetch_rows<K: Kernel>(&self, kernel: K, fillings: &Fillings, empties: usize) {
        for row in fillings.select(&self.tables[bucket(empties)]) {
            kernel.prefetch(row);
        }
    }

    /// The score of a board of which the fillings are known, how many moves each side has, and the empty squares.
    #[inline(always)]
    pub(crate) fn score_by<K: Kernel>(
        &self,
        kernel: K,
        fillings: &Fillings,
        mobility: [u32; 2],
        empties: usize,
    ) -> Score {
        let sum = self.sum(kernel, fillings, mobility, empties);
        let score = self.layers[stack(empties)].score(kernel, &sum);
        const MOST: i32 = 64 * Score::PER_DISC;
        Score(score.clamp(-MOST, MOST))
    }

    /// The sum of all rows that the board selects.
    #[inline(always)]
    fn sum<K: Kernel>(&self, kernel: K, fillings: &Fillings, mobility: [u32; 2], empties: usize) -> Sum {
        let bucket = bucket(empties);
        let (tables, rows) = (&self.tables[bucket], &self.mobility[bucket]);
        let [own, opponent] = mobility.map(|moves| (moves as usize).min(MOBILITIES - 1));
        let sum = self.starts[bucket][empties.min(64)];
        fillings.fold(
            tables,
            [&rows[own], &rows[MOBILITIES + opponent]],
            sum,
            #[inline(always)]
            |sum, [a, b, c, d]| kernel.add_rows(sum, [&a.0, &b.0, &c.0, &d.0]),
        )
    }
}

/// The sum of rows: 49 numbers of one byte cannot overflow.
type Sum = [i16; WIDTH];

/// A [`Stack`] in the order in which it is computed: four inputs at a time for all neurons. What is loaded at once is in
/// one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
struct Layers {
    first: [Products; WIDTH / 16],
    first_bias: [i32; HIDDEN],
    out: [[i16; 2]; HIDDEN],
    out_bias: i32,
    plain: i32,
}

/// The weights of 32 inputs.
type Products = [[[i8; 4]; HIDDEN]; 8];

impl Layers {
    fn new(stack: &Stack) -> Layers {
        let products = |weight: &dyn Fn(usize, usize) -> i8| -> Products {
            std::array::from_fn(|four| {
                std::array::from_fn(|neuron| std::array::from_fn(|at| weight(neuron, 4 * four + at)))
            })
        };
        Layers {
            // Sixteen numbers of the sum and then what they have below zero; the file has all numbers first.
            first: std::array::from_fn(|half| {
                products(&|neuron, input| stack.first[neuron][input / 16 * WIDTH + 16 * half + input % 16])
            }),
            first_bias: stack.first_bias,
            out: std::array::from_fn(|neuron| [stack.out[neuron], stack.out[HIDDEN + neuron]]),
            out_bias: stack.out_bias,
            plain: i32::from(stack.plain),
        }
    }

    /// The score in 128ths of a disc.
    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, sum: &Sum) -> i32 {
        // Two sums, so that neither waits for the other.
        let (mut one, mut other) = (self.first_bias, [0; HIDDEN]);
        let (parts, _) = sum.as_chunks::<16>();
        for (parts, weights) in parts.as_chunks::<2>().0.iter().zip(self.first.as_chunks::<2>().0) {
            one = kernel.add_products(one, &kernel.split_signs(parts[0]), &weights[0]);
            other = kernel.add_products(other, &kernel.split_signs(parts[1]), &weights[1]);
        }
        let neurons = std::array::from_fn(|at| one[at] + other[at]);
        let out = self.out_bias + self.plain * i32::from(sum[0]) + kernel.weigh(neurons, &self.out);
        out >> SHIFT
    }
}

impl Evaluator for Network {
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
    fn prefetch<K: Kernel>(&self, kernel: K, features: &Fillings, board: Board) {
        self.prefetch_rows(kernel, features, empties(board));
    }

    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, features: &Fillings, board: Board) -> Score {
        let own = kernel.moves(board.own.0, board.opponent.0).count_ones();
        let opponent = kernel.moves(board.opponent.0, board.own.0).count_ones();
        self.score_by(kernel, features, [own, opponent], empties(board))
    }

    #[inline(always)]
    fn score_knowing_mobility<K: Kernel>(
        &self,
        kernel: K,
        features: &Fillings,
        board: Board,
        mobility: [u32; 2],
    ) -> Score {
        self.score_by(kernel, features, mobility, empties(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use crate::network_weights::tests::sample;
    use crate::shape::PLACES;
    use emilia_rules::{Portable, SquareSet};

    /// The same score with nothing carried, wide integers and no tricks.
    fn slow(network: &NetworkWeights, board: Board) -> i64 {
        let empties = empties(board);
        let (rows, extra) = (&network.rows[bucket(empties)], &network.extra[bucket(empties)]);
        let layout = Layout::shared();
        let active = layout.active::<PLACES>(board);
        let moves = |board: Board| (board.moves().count() as usize).min(31);
        let mut selected: Vec<&Row> =
            active.iter().map(|at| &rows[layout.own[*at as usize] as usize]).collect();
        selected.extend([&extra[moves(board)], &extra[32 + moves(board.pass())], &extra[64 + empties]]);
        let sum: Vec<i64> =
            (0..WIDTH).map(|at| selected.iter().map(|row| i64::from(row.0[at])).sum()).collect();
        let stack = &network.stacks[stack(empties)];
        let mut out = i64::from(stack.out_bias) + i64::from(stack.plain) * sum[0];
        for neuron in 0..HIDDEN {
            let weights = stack.first[neuron].map(i64::from);
            let positive: i64 = (0..WIDTH).map(|at| sum[at].clamp(0, 63) * weights[at]).sum();
            let negative: i64 = (0..WIDTH).map(|at| (-sum[at]).clamp(0, 63) * weights[WIDTH + at]).sum();
            let dot = positive + negative + i64::from(stack.first_bias[neuron]);
            let said = dot.div_euclid(32).clamp(0, 127);
            out += said * i64::from(stack.out[neuron])
                + said * said / 128 * i64::from(stack.out[HIDDEN + neuron]);
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
                let score = network.score(Portable, &network.features(board), board);
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
