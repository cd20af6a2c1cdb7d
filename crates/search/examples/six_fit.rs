//! Makes the weights for boards of 6×6: games of the search against itself, endings solved, then least squares.
//!
//! `cargo run --release -p emilia-search --example six_fit -- GAMES SEED FILE` plays so many games, fits all weights of
//! [`SixWeights`] to what their positions are worth, says how far off they are, and writes the file. The games depend on the
//! weights that the program has: run once more with the new file in `crates/eval/weights`, it gives the next generation. With
//! no games, the file has weights to begin with: a move more is a disc more.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::env;
use std::error::Error;

use emilia_eval::layout::Layout;
use emilia_eval::shape::SIX_PLACES;
use emilia_eval::{Learned, SixWeights};
use emilia_query::{Limits, Stop};
use emilia_rules::{GridPosition, Playable, Position, Size, SquareSet, Status};
use emilia_search::{Search, Table};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Plies of random moves before a game begins, at most.
const RANDOM_PLIES: u32 = 14;
/// One move in so many is random, so that games see what neither side wants.
const ASTRAY: u32 = 6;
/// Empty squares from which on positions are solved.
const SOLVED: u32 = 18;
/// Plies looked ahead before.
const DEPTH: u32 = 8;
/// How much of what a position before that is worth is what the next turn says, as long as no random move comes between.
const TRACE: f64 = 0.7;
/// Every so many games one is for the test.
const TEST: usize = 40;
/// Pulls weights that the games say little about towards nothing, in positions.
const RIDGE: f64 = 4.0;
/// Steps of the conjugate gradient.
const STEPS: usize = 60;

/// Numbers of a stage: its weights, and what moves of either side count.
const STAGE: usize = 2;

/// A position: which unknowns it adds up, the moves of both sides, and what it is worth in discs.
struct Sample {
    active: [u32; SIX_PLACES],
    stage: u32,
    empties: u32,
    moves: [f64; 2],
    worth: f64,
    test: bool,
}

impl Sample {
    fn new(position: &Position, worth: f64, test: bool) -> Sample {
        let empties = SixWeights::empties(position.board());
        let stage = SixWeights::stage(empties);
        let first = (stage * (Layout::six().weights() + STAGE)) as u32;
        let active: [u32; SIX_PLACES] = Layout::six().active(position.board());
        Sample {
            active: active.map(|at| first + at),
            stage: first + Layout::six().weights() as u32,
            empties: empties as u32,
            moves: [position, &position.passed()].map(|side| f64::from(side.placements().count())),
            worth,
            test,
        }
    }

    fn bias(&self) -> usize {
        SixWeights::STAGES * (Layout::six().weights() + STAGE) + self.empties as usize
    }

    /// What these numbers say of the position.
    fn sum(&self, values: &[f64]) -> f64 {
        let places: f64 = self.active.iter().map(|at| values[*at as usize]).sum();
        let moves = &values[self.stage as usize..];
        places + values[self.bias()] + self.moves[0] * moves[0] + self.moves[1] * moves[1]
    }

    /// Adds to all numbers that had a part in it.
    fn add(&self, out: &mut [f64], value: f64) {
        self.active.iter().for_each(|at| out[*at as usize] += value);
        out[self.bias()] += value;
        for (at, moves) in self.moves.iter().enumerate() {
            out[self.stage as usize + at] += value * moves;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [games, seed, file] = words.as_slice() else {
        return Err("usage: six_fit GAMES SEED FILE".into());
    };
    let games: usize = games.parse()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed.parse()?);
    let table = Table::new(64)?;
    let mut samples = Vec::new();
    for number in 0..games {
        play(&table, &mut random, number % TEST == 0, &mut samples);
        if number % 500 == 499 {
            eprintln!("{} of {games} games, {} positions", number + 1, samples.len());
        }
    }
    let weights = if games == 0 { beginning() } else { weights(&fit(&samples)) };
    let bytes = weights.bytes();
    std::fs::write(file, &bytes)?;
    println!("{} positions of {games} games, {} bytes", samples.len(), bytes.len());
    Ok(())
}

/// Plays one game and keeps its positions.
fn play(table: &Table, random: &mut ChaCha8Rng, test: bool, samples: &mut Vec<Sample>) {
    let stop = Stop::default();
    let Ok(mut here) = Position::try_from(&GridPosition::start(Size::SIX)) else { return };
    let opening = random.random_range(1..=RANDOM_PLIES);
    // Each position with what was found there, and whether the best move was made.
    let mut turns: Vec<(Position, f64, bool, bool)> = Vec::new();
    for ply in 0u32.. {
        match here.status() {
            Status::Over(_) => break,
            Status::MustPass => here = here.passed(),
            Status::ToPlace => {}
        }
        let moves = here.placements();
        let astray = ply < opening || random.random_range(0..ASTRAY) == 0;
        let by_chance = moves.into_iter().nth(random.random_range(0..moves.count() as usize));
        let mut chosen = by_chance;
        if ply >= opening {
            let solved = here.counts().empty <= SOLVED;
            let mut search = Search::new(Learned::embedded(), table, &stop);
            search.limits = Limits { depth: (!solved).then_some(DEPTH), ..Limits::default() };
            let report = search.run(&here, &mut ());
            if let Some(discs) = report.discs() {
                turns.push((here, discs, solved, astray));
            }
            if !astray {
                chosen = report.best_move().and_then(|mv| mv.square()).and_then(|point| point.square());
            }
        }
        let Some(square) = chosen else { break };
        here = here.placed(square);
    }
    let mut later: Option<(Position, f64)> = None;
    for (position, found, solved, astray) in turns.into_iter().rev() {
        let next = later.filter(|_| !astray).map(
            |(next, worth)| {
                if next.turn() == position.turn() { worth } else { -worth }
            },
        );
        let worth = match next {
            Some(next) if !solved => (1.0 - TRACE) * found + TRACE * next,
            _ => found,
        };
        later = Some((position, worth));
        samples.push(Sample::new(&position, worth, test));
    }
}

/// Least squares by conjugate gradients; the error on games kept for the test by empty squares is shown.
fn fit(samples: &[Sample]) -> Vec<f64> {
    let unknowns = SixWeights::STAGES * (Layout::six().weights() + STAGE) + SixWeights::CELLS + 1;
    let learnt: Vec<&Sample> = samples.iter().filter(|sample| !sample.test).collect();
    let mut solution = vec![0.0; unknowns];
    // Seldom seen numbers need as large steps as others: what counts is divided by how often it is seen.
    let mut seen = vec![RIDGE; unknowns];
    let mut residual = vec![0.0; unknowns];
    for sample in &learnt {
        sample.add(&mut residual, sample.worth);
        sample.active.iter().for_each(|at| seen[*at as usize] += 1.0);
        seen[sample.bias()] += 1.0;
        (0..2).for_each(|at| seen[sample.stage as usize + at] += sample.moves[at].powi(2));
    }
    let scaled = |residual: &[f64]| -> Vec<f64> { residual.iter().zip(&seen).map(|(r, s)| r / s).collect() };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut direction = scaled(&residual);
    let mut size = dot(&residual, &direction);
    for step in 1..=STEPS {
        let mut image: Vec<f64> = direction.iter().map(|value| RIDGE * value).collect();
        for sample in &learnt {
            sample.add(&mut image, sample.sum(&direction));
        }
        let length = size / dot(&direction, &image);
        for at in 0..unknowns {
            solution[at] += length * direction[at];
            residual[at] -= length * image[at];
        }
        let next = scaled(&residual);
        let next_size = dot(&residual, &next);
        for at in 0..unknowns {
            direction[at] = next[at] + next_size / size * direction[at];
        }
        size = next_size;
        if step % 10 == 0 {
            eprintln!("step {step}: {}", errors(samples, &solution));
        }
    }
    solution
}

/// Mean absolute errors in discs: on what was fitted, on the test, and there by empty squares.
fn errors(samples: &[Sample], values: &[f64]) -> String {
    let mean = |chosen: &dyn Fn(&Sample) -> bool| {
        let (mut total, mut count) = (0.0, 0);
        for sample in samples.iter().filter(|sample| chosen(sample)) {
            total += (sample.sum(values) - sample.worth).abs();
            count += 1;
        }
        total / f64::from(count.max(1))
    };
    let stages = [(4, 8), (9, 12), (13, 15), (16, 20), (21, 25), (26, 32)];
    let by_stage: Vec<String> = stages
        .iter()
        .map(|(low, high)| {
            let error = mean(&|sample| sample.test && (*low..=*high).contains(&sample.empties));
            format!("{low}–{high}: {error:.2}")
        })
        .collect();
    let (fitted, test) = (mean(&|sample| !sample.test), mean(&|sample| sample.test));
    format!("fitted {fitted:.3}, test {test:.3}; {}", by_stage.join(", "))
}

/// The file's numbers.
fn weights(solution: &[f64]) -> SixWeights {
    let whole = |value: f64| (value * 128.0).round().clamp(-32000.0, 32000.0) as i16;
    let mut weights = SixWeights::zero();
    let many = Layout::six().weights();
    for (stage, values) in weights.stages.iter_mut().zip(solution.chunks(many + STAGE)) {
        stage.weights = values[..many].iter().map(|value| whole(*value)).collect();
        stage.moves = [whole(values[many]), whole(values[many + 1])];
    }
    let bias = &solution[SixWeights::STAGES * (many + STAGE)..];
    weights.bias.iter_mut().zip(bias).for_each(|(bias, value)| *bias = whole(*value));
    weights
}

/// Weights that know nothing but moves.
fn beginning() -> SixWeights {
    let mut weights = SixWeights::zero();
    weights.stages.iter_mut().for_each(|stage| stage.moves = [128, -128]);
    weights
}
