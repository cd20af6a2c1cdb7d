//! Makes the weights for boards of every size: games of the search against itself, then least squares on how they end.
//!
//! `cargo run --release -p emilia-search --example grid_fit -- SIDES GAMES NODES [SEED [fewest]]` plays so many games on boards
//! with each of these sides, and prints the weights that fit them all, ready for `grid/weights.rs`, with how well they
//! foretell the results. The first side is the one that they are for.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::env;
use std::error::Error;

use emilia_query::{Limits, Stop};
use emilia_rules::{GridPosition, Move, Objective, Playable, Point, Size, SquareSet};
use emilia_search::{GridFeatures, GridMemory, GridSearch};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// One position of a game: how full the board was, its features, and how the game ended for the side to move, as a
/// share of the board.
struct Sample {
    filled: f64,
    features: GridFeatures,
    result: f64,
    /// Whether the game goes on with the next sample.
    last: bool,
    /// 1 if Black is to move, else −1.
    black: f64,
}

/// Plies of random moves before a game begins, at most.
const RANDOM_PLIES: u32 = 14;
/// One move in so many is random, so that games see what neither side wants.
const ASTRAY: u32 = 24;
/// Every so many plies a position is kept: neighbours tell the same.
const EVERY: usize = 3;
/// Pulls weights that the games say little about towards nothing.
const RIDGE: f64 = 1e-4;
/// Rounds of fitting to what later positions of the same game are worth.
const ROUNDS: usize = 12;
/// How much of a board is played until half of what a position is said to be worth comes from there on: results of
/// large boards say next to nothing about their openings.
const HALF_LIFE: f64 = 0.08;
const COUNT: usize = GridFeatures::COUNT;
const STAGES: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [sides, games, nodes, rest @ ..] = words.as_slice() else {
        return Err("usage: grid_fit SIDE[,SIDE...] GAMES NODES [SEED [fewest]]".into());
    };
    let (games, nodes): (u64, u64) = (games.parse()?, nodes.parse()?);
    let seed = rest.first().map_or(Ok(0), |seed| seed.parse())?;
    let fewest = rest.get(1).is_some_and(|word| word == "fewest");
    let objective = if fewest { Objective::Fewest } else { Objective::Most };
    let sides: Vec<&str> = sides.split(',').collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut samples = Vec::new();
    for side in &sides {
        let size = Size::new(side.parse()?)?;
        for number in 0..games {
            play(size, objective, nodes, &mut random, &mut samples);
            if number % 50 == 49 {
                eprintln!("{side}×{side}: {} of {games} games, {} positions", number + 1, samples.len());
            }
        }
    }
    let mut weights = fit(&samples, None);
    for _ in 0..ROUNDS {
        weights = fit(&samples, Some(&weights));
    }
    let (mut error, mut spread) = (0.0, 0.0);
    for sample in &samples {
        let foretold: f64 = inputs(sample).iter().zip(&weights).map(|(input, weight)| input * weight).sum();
        error += (sample.result - foretold).powi(2);
        spread += sample.result.powi(2);
    }
    let (explained, sides) = (1.0 - error / spread, sides.join(", "));
    println!(
        "    // {sides}: {games} games each, {nodes} nodes a move; {explained:.3} of the spread explained."
    );
    println!("    ({}, [", sides.split(',').next().unwrap_or_default());
    for stage in weights.chunks(COUNT) {
        let texts: Vec<String> = stage.iter().map(|weight| format!("{weight:.3}")).collect();
        println!("        [{}],", texts.join(", "));
    }
    println!("    ]),");
    for (at, name) in GridFeatures::NAMES.iter().enumerate() {
        let of: Vec<String> =
            (0..STAGES).map(|stage| format!("{:7.3}", weights[stage * COUNT + at])).collect();
        eprintln!("{name:>14} {}", of.join(" "));
    }
    Ok(())
}

/// Plays one game and keeps some of its positions.
fn play(size: Size, objective: Objective, nodes: u64, random: &mut ChaCha8Rng, samples: &mut Vec<Sample>) {
    let search = GridSearch { limits: Limits { nodes: Some(nodes), ..Limits::default() }, objective };
    let mut memory = GridMemory::new(32);
    let mut here = GridPosition::start(size);
    let mut kept = Vec::new();
    let opening = random.random_range(2..=RANDOM_PLIES);
    for ply in 0u32.. {
        let moves: Vec<Move<Point>> = here.moves().collect();
        if moves.is_empty() {
            break;
        }
        let astray = ply < opening || random.random_range(0..ASTRAY) == 0;
        let mv = if astray {
            Some(moves[random.random_range(0..moves.len())])
        } else {
            if (ply as usize).is_multiple_of(EVERY) && !here.placements().is_empty() {
                kept.push(here);
            }
            search.run(&here, &mut memory, &Stop::new(), &mut ()).best_move()
        };
        let Some(next) = mv.and_then(|mv| here.play(mv).ok()) else { break };
        here = next;
    }
    let cells = size.cells() as f64;
    let counts = here.counts();
    let margin = f64::from(counts.black) - f64::from(counts.white);
    let black = (margin + margin.signum() * f64::from(if margin == 0.0 { 0 } else { counts.empty })) / cells;
    let last = kept.len().saturating_sub(1);
    let black = if objective == Objective::Fewest { -black } else { black };
    samples.extend(kept.iter().enumerate().map(|(at, position)| Sample {
        last: at == last,
        black: if position.turn() == emilia_rules::Color::Black { 1.0 } else { -1.0 },
        filled: f64::from((position.own() | position.opponent()).count()) / cells,
        features: GridFeatures::of(position),
        result: if position.turn() == emilia_rules::Color::Black { black } else { -black },
    }));
}

/// The features of a position, divided among the two stages it lies between.
fn inputs(sample: &Sample) -> [f64; STAGES * COUNT] {
    let along = sample.filled * (STAGES - 1) as f64;
    let mut inputs = [0.0; STAGES * COUNT];
    for stage in 0..STAGES {
        let share = (1.0 - (along - stage as f64).abs()).max(0.0);
        for at in 0..COUNT {
            inputs[stage * COUNT + at] = share * f64::from(sample.features.0[at]);
        }
    }
    inputs
}

/// The weights with the least squared error: from the results of the games, or from what these weights say about the
/// rest of each game, the nearer the more.
fn fit(samples: &[Sample], weights: Option<&[f64]>) -> Vec<f64> {
    const SIZE: usize = STAGES * COUNT;
    let mut rows = vec![[0.0; SIZE + 1]; SIZE];
    // What Black has to expect later in the game, and how full the board is there.
    let (mut later, mut later_filled) = (0.0, 1.0);
    for sample in samples.iter().rev() {
        if sample.last {
            (later, later_filled) = (sample.black * sample.result, 1.0);
        }
        let inputs = inputs(sample);
        let mut target = sample.result;
        if let Some(weights) = weights {
            target = sample.black * later;
            let foretold: f64 = inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum();
            let kept = (-(later_filled - sample.filled).max(0.0) / HALF_LIFE).exp2();
            later = kept * later + (1.0 - kept) * sample.black * foretold;
            later_filled = sample.filled;
        }
        for (row, one) in rows.iter_mut().zip(inputs) {
            for (sum, other) in row.iter_mut().zip(inputs) {
                *sum += one * other;
            }
            row[SIZE] += one * target;
        }
    }
    for (at, row) in rows.iter_mut().enumerate() {
        row[at] += RIDGE * samples.len() as f64;
    }
    // Gauss–Jordan; the ridge keeps every pivot above zero.
    for pivot in 0..SIZE {
        let scale = rows[pivot][pivot];
        rows[pivot].iter_mut().for_each(|value| *value /= scale);
        let row = rows[pivot];
        for (_, other) in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(row).for_each(|(value, part)| *value -= factor * part);
        }
    }
    rows.iter().map(|row| row[SIZE]).collect()
}
