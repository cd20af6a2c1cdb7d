//! Learns what moves near the end are worth: which of them settle a null window, and with how few nodes.
//!
//! ```text
//! cargo run --release -p emilia-search --example move_values -- FILE GAMES SEED
//! ```
//!
//! plays games of quick searches against themselves until 19 squares are empty, and proves the scores of these
//! positions. From 13 empty squares on it searches every move of some of the boards that it meets. Boards that a move settles
//! are what is learned from, by going down the expected number of nodes when a move is drawn with a
//! probability that grows by its value. One game in sixteen is held back. The same words give the same file every time.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;

use emilia_eval::Learned;
use emilia_query::{Limits, Stop};
use emilia_rules::{Board, Playable, Position, SquareSet};
use emilia_search::{MoveValues, Refutation, Search, Solver, Table, refutations};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Plies of random moves before a game begins, from and to; later one move in so many is random.
const RANDOM_PLIES: std::ops::Range<u32> = 6..15;
const ASTRAY: u32 = 15;
/// Depth of the searches that play, and of those that look whether a game is close enough to be solved, in discs.
const DEPTH: u32 = 4;
const CLOSE_DEPTH: u32 = 8;
const CLOSE: f64 = 24.0;
/// Empty squares of positions that are solved, of the first boards whose moves are all searched, and of the last.
const SOLVED: u32 = 19;
const FIRST: u32 = 13;
const LAST: u32 = 8;
const LEVELS: usize = (FIRST - LAST + 1) as usize;
/// Into how many boards to go after a board where no move settles the window.
const BRANCHES: usize = 2;
/// Boards that are learned from of one game, at most.
const FROM_A_GAME: usize = 4000;
/// One game in so many is held back to see how good the values are.
const HELD_BACK: u64 = 16;

/// Times that all boards are learned from, and how far a value is moved at first.
const ROUNDS: u32 = 6;
const RATE: f32 = 0.2;
/// How much a value is drawn to where it began.
const PULL: f32 = 3e-5;
/// Probabilities grow by this power of e for each unit of a value: a unit is a 24th of a reply to begin with.
const UNIT: f32 = 0.05;
/// A board counts no more than so many average ones.
const MOST_COST: f32 = 10.0;

/// A move that was searched.
struct Tried {
    /// What it is judged by: the same number for an edge and for its mirror image.
    numbers: [u32; 6],
    refutes: bool,
    nodes: f32,
}

/// The moves of a board, one of which at least settles the window.
struct Sample {
    empties: u32,
    moves: Vec<Tried>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [file, games, seed] = words.as_slice() else {
        return Err("usage: move_values FILE GAMES SEED".into());
    };
    let mut random = ChaCha8Rng::seed_from_u64(seed.parse()?);
    let (mut samples, mut held_back) = (Vec::new(), Vec::new());
    for game in 0..games.parse()? {
        let to = if game % HELD_BACK == 0 { &mut held_back } else { &mut samples };
        let mut boards = boards_of_game(&mut random)?;
        boards.shuffle(&mut random);
        boards.truncate(FROM_A_GAME);
        to.extend(boards);
    }
    println!("{} boards, and {} held back", samples.len(), held_back.len());
    let values = learn(&mut samples, &held_back, &mut random);
    std::fs::write(file, values.write())?;
    Ok(())
}

/// Plays a game, proves the score of a position of it, and collects boards on the way.
fn boards_of_game(random: &mut ChaCha8Rng) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut samples = Vec::new();
    let (table, stop) = (Table::new(16)?, Stop::default());
    let mut search = Search::new(Learned::embedded(), &table, &stop);
    let Some(position) = play(&mut search, random) else { return Ok(samples) };
    search.limits = Limits::depth(CLOSE_DEPTH);
    if search.run(&position, &mut ()).discs().is_none_or(|discs| discs.abs() > CLOSE) {
        return Ok(samples);
    }
    let report = Solver::new(Learned::embedded(), &table, &stop).solve(&position, &mut ());
    let Some(score) = report.discs() else { return Ok(samples) };
    let score = score as i32;
    let no_lower = is_above(position.board(), score - 1, random, &mut samples);
    let higher = is_above(position.board(), score, random, &mut samples);
    assert!(no_lower && !higher, "the solver says {score}:\n{position}");
    Ok(samples)
}

/// A position of a game with few empty squares, unless the game is over before.
fn play(search: &mut Search<'_>, random: &mut ChaCha8Rng) -> Option<Position> {
    search.limits = Limits::depth(DEPTH);
    let (mut position, opening) = (Position::default(), random.random_range(RANDOM_PLIES));
    for ply in 0.. {
        if position.counts().empty <= SOLVED {
            break;
        }
        let astray = ply < opening || random.random_range(0..ASTRAY) == 0;
        position = step(search, &position, astray, random)?;
    }
    Some(position)
}

/// The position after a move, a random or a good one. None if the game is over.
fn step(
    search: &mut Search<'_>,
    position: &Position,
    astray: bool,
    random: &mut ChaCha8Rng,
) -> Option<Position> {
    let moves: Vec<_> = position.moves().collect();
    if astray && !moves.is_empty() {
        return Some(position.played(moves[random.random_range(0..moves.len())]));
    }
    let report = search.run(position, &mut ());
    let best = report.best()?.mv.to_string();
    let best = moves.into_iter().find(|mv| mv.to_string() == best);
    Some(best.map_or_else(|| position.passed(), |mv| position.played(mv)))
}

/// Whether a board is worth more than `alpha`: moves that leave the fewest replies are tried first, until few squares are
/// empty. From there on boards are collected.
fn is_above(board: Board, alpha: i32, random: &mut ChaCha8Rng, samples: &mut Vec<Sample>) -> bool {
    if board.empties().count() <= FIRST {
        return collect(board, alpha, random, samples);
    }
    if board.moves().is_empty() {
        return if board.pass().moves().is_empty() {
            final_score(board) > alpha
        } else {
            !is_above(board.pass(), -alpha - 1, random, samples)
        };
    }
    let mut next: Vec<Board> = board.moves().into_iter().map(|square| board.play(square)).collect();
    next.sort_by_key(|board| board.moves().count());
    next.into_iter().any(|next| !is_above(next, -alpha - 1, random, samples))
}

/// Likewise, by searching all moves. Goes on to some of the boards that a search would meet next: the larger the tree of
/// a board, the more of its boards there are in a search, and the likelier it is to be chosen.
fn collect(board: Board, alpha: i32, random: &mut ChaCha8Rng, samples: &mut Vec<Sample>) -> bool {
    let moves = refutations(board, alpha);
    let empties = board.empties().count();
    if moves.is_empty() {
        let pass = board.pass();
        return if pass.moves().is_empty() {
            final_score(board) > alpha
        } else {
            !collect(pass, -alpha - 1, random, samples)
        };
    }
    if let Some(best) = moves.iter().filter(|mv| mv.refutes).min_by_key(|mv| mv.nodes) {
        if moves.len() > 1 {
            samples.push(Sample { empties, moves: moves.iter().map(Tried::new).collect() });
        }
        if empties > LAST + 1 {
            collect(best.after(), -alpha - 1, random, samples);
        }
        return true;
    }
    if empties <= LAST {
        return false;
    }
    let total = moves.iter().map(|mv| mv.nodes).sum();
    for _ in 0..BRANCHES {
        let mut rest = random.random_range(0..total);
        let chosen = moves.iter().find(|mv| {
            let found = rest < mv.nodes;
            rest = rest.saturating_sub(mv.nodes);
            found
        });
        chosen.map(|mv| collect(mv.after(), -alpha - 1, random, samples));
    }
    false
}

/// The score of a finished game: the empty squares go to the winner.
fn final_score(board: Board) -> i32 {
    let difference = board.difference();
    difference + difference.signum() * board.empties().count() as i32
}

impl Tried {
    fn new(mv: &Refutation) -> Tried {
        Tried {
            numbers: mv.late.numbers().map(|number| unmirrored(number) as u32),
            refutes: mv.refutes,
            nodes: mv.nodes as f32,
        }
    }

    fn value(&self, values: &[f32]) -> f32 {
        self.numbers.iter().map(|number| values[*number as usize]).sum()
    }
}

/// The lower number of an edge and its mirror image; any other number is its own.
fn unmirrored(number: usize) -> usize {
    if number >= MoveValues::EDGES {
        return number;
    }
    let (mut rest, mut mirrored) = (number, 0);
    for _ in 0..8 {
        (rest, mirrored) = (rest / 3, mirrored * 3 + rest % 3);
    }
    number.min(mirrored)
}

/// Values that make the expected number of nodes small.
fn learn(samples: &mut [Sample], held_back: &[Sample], random: &mut ChaCha8Rng) -> MoveValues {
    let plain = MoveValues::plain();
    let start: Vec<f32> =
        (0..MoveValues::NUMBERS).map(|number| f32::from(plain.value(unmirrored(number))) * UNIT).collect();
    let (mut values, mut squares) = (start.clone(), vec![1e-6f32; MoveValues::NUMBERS]);
    let average = costs(samples, &start);
    println!("before    {:.0?} nodes at {LAST} to {FIRST} empty squares", &costs(held_back, &start));
    for round in 0..ROUNDS {
        samples.shuffle(random);
        let rate = RATE * (1.0 - round as f32 / ROUNDS as f32);
        for sample in &*samples {
            for (tried, slope) in sample.moves.iter().zip(slopes(sample, &values, average[level(sample)])) {
                for number in tried.numbers.map(|number| number as usize) {
                    let slope = slope + PULL * (values[number] - start[number]);
                    squares[number] += slope * slope;
                    values[number] -= rate * slope / squares[number].sqrt();
                }
            }
        }
        println!("round {round:3} {:.0?}", &costs(held_back, &values));
    }
    MoveValues::new(|number| values[unmirrored(number)] / UNIT)
}

fn level(sample: &Sample) -> usize {
    (sample.empties - LAST) as usize
}

/// How the expected cost of a board grows by the value of each of its moves. The first move is drawn; if it does not settle
/// the window, the best one is next.
fn slopes(sample: &Sample, values: &[f32], average: f32) -> Vec<f32> {
    let worth: Vec<f32> = sample.moves.iter().map(|tried| tried.value(values)).collect();
    let most = worth.iter().copied().fold(f32::MIN, f32::max);
    let total: f32 = worth.iter().map(|worth| (worth - most).exp()).sum();
    let least = sample.moves.iter().filter(|tried| tried.refutes).map(|tried| tried.nodes);
    let least = least.fold(f32::MAX, f32::min);
    let cost = |tried: &Tried| {
        let nodes = tried.nodes + if tried.refutes { 0.0 } else { least };
        (nodes / average).min(MOST_COST)
    };
    let parts: Vec<(f32, f32)> = sample
        .moves
        .iter()
        .zip(&worth)
        .map(|(tried, worth)| ((worth - most).exp() / total, cost(tried)))
        .collect();
    let expected: f32 = parts.iter().map(|(share, cost)| share * cost).sum();
    parts.iter().map(|(share, cost)| share * (cost - expected)).collect()
}

/// Nodes that a board takes on average with its moves in the order of these values, by its empty squares.
fn costs(samples: &[Sample], values: &[f32]) -> [f32; LEVELS] {
    let mut sums = [(0.0f64, 0u32); LEVELS];
    for sample in samples {
        let mut order: Vec<&Tried> = sample.moves.iter().collect();
        order.sort_by(|one, other| other.value(values).total_cmp(&one.value(values)));
        let last = order.iter().position(|tried| tried.refutes).unwrap_or_default();
        let (sum, boards) = &mut sums[level(sample)];
        *sum += order[..=last].iter().map(|tried| f64::from(tried.nodes)).sum::<f64>();
        *boards += 1;
    }
    sums.map(|(sum, boards)| (sum / f64::from(boards.max(1))) as f32)
}
