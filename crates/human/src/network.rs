#[cfg(not(target_family = "wasm"))]
use std::sync::LazyLock;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

use emilia_rules::{Bitboard, Board, Kernel, Square, SquareSet, Task, Tier};

use crate::chances::Leaning;
use crate::weights::{HumanWeightsError, Input};

/// Numbers that each square holds between the layers.
const CHANNELS: usize = 96;
/// What the network sees of each square: own, opponent's, empty, a move of either side, and the last discs placed.
const PLANES: usize = 5 + RECENT;
/// How many of the last discs placed it sees.
const RECENT: usize = 3;
/// Bits that factors have behind the point.
const SHIFT: u32 = 20;
/// The largest number that a layer hands on.
const MOST: i64 = 127;
/// The stream that the blocks add to is finer than what layers hand on, by this factor.
const FINER: i32 = 16;

/// Inputs and outputs that are multiplied at once.
const INPUTS: usize = 32;
const OUTPUTS: usize = 16;
/// The eight squares around one and itself, row by row.
const TAPS: usize = 9;
/// A row of the board and an empty square on either side.
const WIDE: usize = 10;

/// What the network knows of a game: the board, seen by the side to move, and the last discs placed, latest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    board: Board,
    recent: [Option<Square>; RECENT],
}

impl Moment {
    /// A board of which nobody knows how it came about.
    #[must_use]
    pub fn new(board: Board) -> Moment {
        Moment { board, recent: [None; RECENT] }
    }

    /// The same with the discs placed before, the latest first; more than three do not matter.
    #[must_use]
    pub fn after(mut self, latest_first: impl IntoIterator<Item = Square>) -> Moment {
        for (place, square) in self.recent.iter_mut().zip(latest_first) {
            *place = Some(square);
        }
        self
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The next moment: a disc is placed, and the opponent is to move.
    #[must_use]
    pub fn play(&self, square: Square) -> Moment {
        let [latest, second, _] = self.recent;
        Moment { board: self.board.play(square), recent: [Some(square), latest, second] }
    }

    /// The same board with the opponent to move.
    #[must_use]
    pub fn pass(&self) -> Moment {
        Moment { board: self.board.pass(), ..*self }
    }

    /// The planes of one square, a bit each.
    fn planes(&self) -> [Bitboard; PLANES] {
        let Board { own, opponent } = self.board;
        let recent = self.recent.map(|square| square.map_or(Bitboard(0), Bitboard::only));
        let [first, second, third] = recent;
        [
            own,
            opponent,
            self.board.empties(),
            self.board.moves(),
            self.board.pass().moves(),
            first,
            second,
            third,
        ]
    }
}

/// How strong a person is, on the scale of the tournament games: the best years of world champions are at about 2400.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rating(u32);

impl Rating {
    const LOWEST: u32 = 600;
    const STEP: u32 = 25;
    const ROWS: usize = 81;

    /// A rating; the network takes those outside 600 to 2600 for the nearest one inside.
    #[must_use]
    pub fn new(points: u32) -> Rating {
        Rating(points)
    }

    /// Nobody knows.
    #[must_use]
    pub fn unknown() -> Rating {
        Rating(0)
    }

    /// The points.
    #[must_use]
    pub fn points(self) -> u32 {
        self.0
    }

    fn row(self) -> usize {
        if self.0 == 0 {
            return Rating::ROWS;
        }
        // Halves go to the even row, as where the rows were made.
        let above = self.0.saturating_sub(Rating::LOWEST);
        let (row, rest) = ((above / Rating::STEP) as usize, above % Rating::STEP);
        (row + usize::from(2 * rest > Rating::STEP)).min(Rating::ROWS - 1)
    }
}

/// The network that guesses the moves of people.
pub struct Network {
    stem: Box<[[[i8; CHANNELS]; PLANES]; TAPS]>,
    stem_scale: Scale,
    stages: Vec<[i32; CHANNELS]>,
    ratings: Vec<[i32; CHANNELS]>,
    blocks: Vec<Block>,
    /// The weights of the one output, square by square around it.
    out: [[i8; CHANNELS]; TAPS],
    out_factor: i64,
    out_constant: i64,
}

/// What makes outputs of sums: `(sum · factor + constant) >> SHIFT`.
#[derive(Clone)]
struct Scale {
    factors: [i64; CHANNELS],
    constants: [i64; CHANNELS],
}

struct Block {
    first: Convolution,
    /// Outputs by inputs.
    pooled: Box<[[i8; CHANNELS]; CHANNELS]>,
    pooled_factors: [i64; CHANNELS],
    second: Convolution,
}

/// A layer that looks at a square and those around it.
struct Convolution {
    /// For each group of outputs, each square around and each group of inputs, the weights in the order in which they are
    /// multiplied.
    weights: Vec<[[Products; CHANNELS / INPUTS]; TAPS]>,
    scale: Scale,
}

/// Four inputs at a time, for these the four weights of each of sixteen outputs.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Products([[[i8; 4]; OUTPUTS]; INPUTS / 4]);

/// What layers hand on, with an edge of zeros around the board.
type Activations = [[u8; CHANNELS]; WIDE * WIDE];
/// What the blocks add to.
type Stream = [[i32; CHANNELS]; 64];

#[cfg(not(target_family = "wasm"))]
static EMBEDDED: LazyLock<Network> =
    LazyLock::new(|| Network::read(include_bytes!("../weights/human.bin")).expect("a test reads this file"));

/// In the browser the weights come separately.
#[cfg(target_family = "wasm")]
static EMBEDDED: OnceLock<Network> = OnceLock::new();

impl Network {
    /// The network that comes with the program. `weights/human.txt` says how it was made.
    #[must_use]
    #[cfg(not(target_family = "wasm"))]
    pub fn embedded() -> &'static Network {
        &EMBEDDED
    }

    /// The network that comes with the program.
    ///
    /// # Panics
    /// If nobody has called [`Network::embed`].
    #[must_use]
    #[cfg(target_family = "wasm")]
    pub fn embedded() -> &'static Network {
        EMBEDDED.get().expect("the door of the module embeds weights before it asks anything")
    }

    /// Makes this file the network that comes with the program, once and for all.
    #[cfg(target_family = "wasm")]
    pub fn embed(bytes: &[u8]) -> Result<(), HumanWeightsError> {
        let network = Network::read(bytes)?;
        EMBEDDED.get_or_init(|| network);
        Ok(())
    }

    /// The network in a file.
    pub fn read(bytes: &[u8]) -> Result<Network, HumanWeightsError> {
        let mut input = Input::open(bytes)?;
        let (channels, blocks) = (input.number()?, input.number()?);
        if channels as usize != CHANNELS {
            return Err(HumanWeightsError::Channels { found: channels, expected: CHANNELS as u32 });
        }
        let stages = (0..61).map(|_| input.row()).collect::<Result<_, _>>()?;
        let ratings = (0..=Rating::ROWS).map(|_| input.row()).collect::<Result<_, _>>()?;
        let bytes = input.bytes(CHANNELS * PLANES * TAPS)?;
        let mut stem = Box::new([[[0; CHANNELS]; PLANES]; TAPS]);
        for (at, weight) in bytes.into_iter().enumerate() {
            stem[at % TAPS][at / TAPS % PLANES][at / TAPS / PLANES] = weight;
        }
        let stem_scale = Scale::read(&mut input)?;
        let blocks = (0..blocks).map(|_| Block::read(&mut input)).collect::<Result<_, _>>()?;
        let bytes = input.bytes(CHANNELS * TAPS)?;
        let mut out = [[0; CHANNELS]; TAPS];
        for (at, weight) in bytes.into_iter().enumerate() {
            out[at % TAPS][at / TAPS] = weight;
        }
        let ([out_factor], [out_constant]) = (input.factors()?, input.constants()?);
        input.end()?;
        Ok(Network { stem, stem_scale, stages, ratings, blocks, out, out_factor, out_constant })
    }

    /// How much a person of this strength is drawn to each legal move, in order of squares.
    #[must_use]
    pub fn leanings(&self, moment: &Moment, rating: Rating) -> Vec<Leaning> {
        self.leanings_on(Tier::best(), moment, rating)
    }

    /// The same with the kernel of this tier. All find the same.
    #[must_use]
    pub fn leanings_on(&self, tier: Tier, moment: &Moment, rating: Rating) -> Vec<Leaning> {
        if moment.board.moves().is_empty() {
            return Vec::new();
        }
        tier.run(Asked { network: self, moment, rating })
    }

    /// The stream before the first block.
    #[inline(always)]
    fn begin(&self, moment: &Moment, rating: Rating) -> Box<Stream> {
        let planes = moment.planes();
        let told = &self.stages[moment.board.empties().count().min(60) as usize];
        let strength = &self.ratings[rating.row()];
        let mut stream = Box::new([[0i32; CHANNELS]; 64]);
        for (square, numbers) in stream.iter_mut().enumerate() {
            for (tap, weights) in self.stem.iter().enumerate() {
                let Some(beside) = neighbour(square, tap) else { continue };
                for (plane, weights) in planes.iter().zip(weights) {
                    if plane.0 >> beside & 1 == 1 {
                        for (number, weight) in numbers.iter_mut().zip(weights) {
                            *number += i32::from(*weight);
                        }
                    }
                }
            }
            for (channel, number) in numbers.iter_mut().enumerate() {
                *number = self.stem_scale.of(channel, *number) as i32 + told[channel] + strength[channel];
            }
        }
        stream
    }

    /// The last layer, on one square.
    #[inline(always)]
    fn end(&self, seen: &Activations, square: Square) -> i32 {
        let at = padded(square.index().into());
        let mut sum = 0;
        for (tap, weights) in self.out.iter().enumerate() {
            let inputs = &seen[at + tap / 3 * WIDE + tap % 3 - WIDE - 1];
            sum += inputs
                .iter()
                .zip(weights)
                .map(|(input, weight)| i32::from(*input) * i32::from(*weight))
                .sum::<i32>();
        }
        ((i64::from(sum) * self.out_factor + self.out_constant) >> SHIFT) as i32
    }
}

/// One question to the network, compiled for each kind of processor from top to bottom.
struct Asked<'a> {
    network: &'a Network,
    moment: &'a Moment,
    rating: Rating,
}

impl Task for Asked<'_> {
    type Output = Vec<Leaning>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Vec<Leaning> {
        let mut stream = self.network.begin(self.moment, self.rating);
        let mut seen = Box::new([[0; CHANNELS]; WIDE * WIDE]);
        let mut between = Box::new([[0; CHANNELS]; WIDE * WIDE]);
        for block in &self.network.blocks {
            look(&stream, &mut seen);
            block.run(kernel, &seen, &mut between, &mut stream);
        }
        look(&stream, &mut seen);
        let moves = self.moment.board.moves();
        moves.into_iter().map(|square| (square, self.network.end(&seen, square))).collect()
    }
}

/// What the next layer sees of the stream.
#[inline(always)]
fn look(stream: &Stream, seen: &mut Activations) {
    for (square, numbers) in stream.iter().enumerate() {
        for (seen, number) in seen[padded(square)].iter_mut().zip(numbers) {
            *seen = ((number + FINER / 2) >> FINER.trailing_zeros()).clamp(0, MOST as i32) as u8;
        }
    }
}

impl Block {
    fn read(input: &mut Input<'_>) -> Result<Block, HumanWeightsError> {
        let first = Convolution::read(input)?;
        let mut pooled = Box::new([[0; CHANNELS]; CHANNELS]);
        for row in pooled.iter_mut() {
            row.copy_from_slice(&input.bytes(CHANNELS)?);
        }
        let pooled_factors = input.factors()?;
        Ok(Block { first, pooled, pooled_factors, second: Convolution::read(input)? })
    }

    /// Adds to the stream what the block makes of what is seen of it.
    #[inline(always)]
    fn run<K: Kernel>(&self, kernel: K, seen: &Activations, between: &mut Activations, stream: &mut Stream) {
        let mut totals = [0i32; CHANNELS];
        for square in 0..64 {
            for (total, number) in totals.iter_mut().zip(&seen[padded(square)]) {
                *total += i32::from(*number);
            }
        }
        let mut whole = [0i64; CHANNELS];
        for (channel, weights) in self.pooled.iter().enumerate() {
            let sum: i32 = totals.iter().zip(weights).map(|(total, weight)| total * i32::from(*weight)).sum();
            whole[channel] = i64::from(sum) * self.pooled_factors[channel];
        }
        let scale = &self.first.scale;
        self.first.run(kernel, seen, |square, channel, sum| {
            let number =
                (i64::from(sum) * scale.factors[channel] + scale.constants[channel] + whole[channel])
                    >> SHIFT;
            between[padded(square)][channel] = number.clamp(0, MOST) as u8;
        });
        let scale = &self.second.scale;
        self.second.run(kernel, between, |square, channel, sum| {
            stream[square][channel] += scale.of(channel, sum) as i32;
        });
    }
}

impl Convolution {
    fn read(input: &mut Input<'_>) -> Result<Convolution, HumanWeightsError> {
        let bytes = input.bytes(CHANNELS * CHANNELS * TAPS)?;
        let none = Products([[[0; 4]; OUTPUTS]; INPUTS / 4]);
        let mut weights = vec![[[none; CHANNELS / INPUTS]; TAPS]; CHANNELS / OUTPUTS];
        for (at, weight) in bytes.into_iter().enumerate() {
            let (tap, from, to) = (at % TAPS, at / TAPS % CHANNELS, at / TAPS / CHANNELS);
            let products = &mut weights[to / OUTPUTS][tap][from / INPUTS].0;
            products[from % INPUTS / 4][to % OUTPUTS][from % 4] = weight;
        }
        Ok(Convolution { weights, scale: Scale::read(input)? })
    }

    /// Hands on the sum of each square and channel.
    #[inline(always)]
    fn run<K: Kernel>(&self, kernel: K, inputs: &Activations, mut hand_on: impl FnMut(usize, usize, i32)) {
        for (group, taps) in self.weights.iter().enumerate() {
            for square in 0..64 {
                let at = padded(square);
                let mut sums = [0; OUTPUTS];
                for (tap, weights) in taps.iter().enumerate() {
                    let (parts, _) = inputs[at + tap / 3 * WIDE + tap % 3 - WIDE - 1].as_chunks::<INPUTS>();
                    for (inputs, weights) in parts.iter().zip(weights) {
                        sums = kernel.add_products(sums, inputs, &weights.0);
                    }
                }
                for (number, sum) in sums.into_iter().enumerate() {
                    hand_on(square, group * OUTPUTS + number, sum);
                }
            }
        }
    }
}

impl Scale {
    fn read(input: &mut Input<'_>) -> Result<Scale, HumanWeightsError> {
        Ok(Scale { factors: input.factors()?, constants: input.constants()? })
    }

    #[inline(always)]
    fn of(&self, channel: usize, sum: i32) -> i64 {
        (i64::from(sum) * self.factors[channel] + self.constants[channel]) >> SHIFT
    }
}

/// Where a square is on the board with an edge around it.
#[inline(always)]
fn padded(square: usize) -> usize {
    (square / 8 + 1) * WIDE + square % 8 + 1
}

/// The square that this tap of a square's surroundings looks at, if it is on the board.
#[inline(always)]
fn neighbour(square: usize, tap: usize) -> Option<usize> {
    let (row, column) = (square / 8 + tap / 3, square % 8 + tap % 3);
    ((1..9).contains(&row) && (1..9).contains(&column)).then(|| (row - 1) * 8 + column - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with what the training scripts, which compute the same in another way, found for their moves.
    fn vectors() -> Vec<(Moment, Rating, Vec<i32>)> {
        let word = |text: &str| Bitboard(u64::from_str_radix(text, 16).unwrap());
        let lines = include_str!("../weights/human.vectors").lines();
        lines
            .map(|line| {
                let mut parts = line.split(' ');
                let mut next = || parts.next().unwrap();
                let board = Board { own: word(next()), opponent: word(next()) };
                let recent = next().split(',').map(|number| Square::from_index(number.parse().unwrap()));
                let moment = Moment::new(board).after(recent.map_while(|square| square));
                let rating = Rating::new(next().parse().unwrap());
                (moment, rating, parts.map(|number| number.parse().unwrap()).collect())
            })
            .collect()
    }

    #[test]
    fn leanings_are_those_of_the_training_scripts() {
        let vectors = vectors();
        assert!(vectors.len() >= 100);
        for (moment, rating, expected) in vectors {
            let found: Vec<i32> = Network::embedded()
                .leanings(&moment, rating)
                .into_iter()
                .map(|(_, leaning)| leaning)
                .collect();
            assert_eq!(found, expected, "{}", moment.board());
        }
    }

    #[test]
    fn every_kind_of_processor_finds_the_same() {
        for (moment, rating, expected) in vectors().into_iter().step_by(40) {
            for tier in Tier::available() {
                let found = Network::embedded().leanings_on(tier, &moment, rating);
                assert_eq!(
                    found.into_iter().map(|(_, leaning)| leaning).collect::<Vec<_>>(),
                    expected,
                    "{tier}"
                );
            }
        }
    }

    #[test]
    fn a_side_without_moves_leans_nowhere_and_ratings_matter() {
        let alone = Board { own: Bitboard(1), opponent: Bitboard(0) };
        assert_eq!(Network::embedded().leanings(&Moment::new(alone), Rating::new(1500)), []);
        let moment = Moment::new(Board::START.play(Square::F5).play(Square::D6));
        let by = |rating| Network::embedded().leanings(&moment, rating);
        assert_ne!(by(Rating::new(1300)), by(Rating::new(2300)));
        assert_eq!(by(Rating::new(2600)), by(Rating::new(9000)), "beyond the last row is the last row");
        assert_eq!(by(Rating::new(1)), by(Rating::new(600)));
    }

    #[test]
    fn a_moment_remembers_the_last_three_discs() {
        let played =
            Moment::new(Board::START).play(Square::F5).play(Square::D6).play(Square::C3).play(Square::D3);
        let told = Moment::new(played.board()).after([Square::D3, Square::C3, Square::D6, Square::F5]);
        assert_eq!(played, told);
        assert_eq!(played.pass().pass(), played);
    }

    #[test]
    fn files_of_other_networks_are_refused() {
        let good = include_bytes!("../weights/human.bin");
        assert!(Network::read(good).is_ok());
        assert!(matches!(Network::read(&good[..good.len() - 1]), Err(HumanWeightsError::Length { .. })));
        let mut other = good.to_vec();
        other[20] = 64;
        let checksum = crc32fast::hash(&other[20..]).to_le_bytes();
        other[16..20].copy_from_slice(&checksum);
        assert_eq!(
            Network::read(&other).err(),
            Some(HumanWeightsError::Channels { found: 64, expected: 96 })
        );
    }
}
