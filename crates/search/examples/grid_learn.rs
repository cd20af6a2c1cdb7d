//! Makes the tables for boards of every size from games that `grid_games` wrote: least squares on what later positions of the
//! same game are worth.
//!
//! `cargo run --release -p emilia-search --example grid_learn -- OUT HALF_LIFE RIDGE FILE...` fits one set of weights to all games and
//! writes it to the file OUT, for the size of the first game. Nothing in it is random: the same games give the same
//! weights.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;
use std::fs;

use emilia_rules::{Color, GridPosition, Objective, Playable, Size, SquareSet, parse_move};
use emilia_search::{GridFeatures, GridTables};

/// Rounds of conjugate gradients; the error falls little after fifty.
const ROUNDS: usize = 100;
/// The feature that nothing is learned about, because games in which somebody is wiped out are rare among equals; and how many
/// times its price is taken, so that who plays for few discs is not wiped out by a player who takes as many as there are.
const THIN: usize = 4;
const THIN_TIMES: f32 = 4.0;
/// One game in so many is not learned from, but tells how well the weights do.
const HELD_BACK: usize = 20;
const COUNT: usize = GridFeatures::COUNT;
const STAGES: usize = GridTables::STAGES;

/// What the weights are fitted to: positions one after the other.
#[derive(Default)]
struct Samples {
    features: Vec<[f32; COUNT]>,
    /// The parameters of the fillings of each position, one position after the other.
    fillings: Vec<u32>,
    /// How full the board is.
    filled: Vec<f32>,
    /// What the position is worth to the side to move, as a share of the board, and what of it the weights that are there
    /// already do not tell.
    worth: Vec<f32>,
    untold: Vec<f32>,
    held_back: Vec<bool>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [out, half_life, ridge, files @ ..] = words.as_slice() else {
        return Err("usage: grid_learn OUT HALF_LIFE RIDGE FILE...".into());
    };
    let (half_life, ridge): (f32, f32) = (half_life.parse()?, ridge.parse()?);
    let texts = files.iter().map(fs::read_to_string).collect::<Result<Vec<String>, _>>()?;
    let games: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let (size, objective, _) = kind(games.first().ok_or("there are no games")?)?;
    let mut tables = GridTables::new(size, objective).ok_or("there are no shapes for this board")?;
    let firsts = tables.firsts();
    let mut samples = Samples::default();
    for (number, game) in games.iter().enumerate() {
        samples.add(game, half_life, number % HELD_BACK == 0, &tables, &firsts)?;
    }
    let weights = samples.fit(COUNT + firsts.len(), ridge);
    for (at, change) in weights.iter().take(COUNT).enumerate() {
        tables.features.iter_mut().zip(change).for_each(|(features, change)| features[at] += change);
    }
    if objective == Objective::Most {
        tables.features.iter_mut().for_each(|features| features[THIN] *= THIN_TIMES);
    }
    let hundredths = (size.cells() * 100) as f32;
    for (filling, first) in tables.fillings.iter_mut().zip(&firsts) {
        *filling = weights[COUNT + first].map(|weight| (weight * hundredths).round() as i16);
    }
    let bytes = tables.write();
    fs::write(out, &bytes)?;
    let (learned, told) = (samples.explained(&weights, false), samples.explained(&weights, true));
    println!(
        "{} games, {} positions; explained of the spread: {learned:.4}, in games held back {told:.4}; {} bytes",
        games.len(),
        samples.worth.len(),
        bytes.len()
    );
    for (at, name) in GridFeatures::NAMES.iter().enumerate() {
        println!("{name:>14} {:7.3?}", tables.features.map(|features| features[at]));
    }
    Ok(())
}

/// The board of a game, which discs win, and its moves.
fn kind(game: &str) -> Result<(Size, Objective, &str), Box<dyn Error>> {
    let (side, moves) = game.split_once(' ').ok_or("a game has moves")?;
    let size = Size::new(side.parse()?)?;
    Ok(match moves.strip_prefix("fewest ") {
        Some(moves) => (size, Objective::Fewest, moves),
        None => (size, Objective::Most, moves),
    })
}

impl Samples {
    /// Adds the searched positions of a game. What one is worth is what its search found and, the more the nearer it is, what
    /// comes later is worth: half of it after so much of the board. What a random move has changed does not count.
    fn add(
        &mut self,
        game: &str,
        half_life: f32,
        held_back: bool,
        tables: &GridTables,
        firsts: &[usize],
    ) -> Result<(), Box<dyn Error>> {
        let (size, objective, moves) = kind(game)?;
        let cells = size.cells() as f32;
        let mut here = GridPosition::start(size);
        let mut positions = Vec::new();
        for word in moves.split(' ') {
            let (mv, found) = match word.split_once(':') {
                Some((mv, found)) => (mv, Some(found.parse::<f32>()? / cells)),
                None => (word, None),
            };
            positions.push((here, found));
            here = here.play(parse_move(mv, size)?)?;
        }
        let counts = here.counts();
        let margin = counts.black as f32 - counts.white as f32;
        let left = if margin == 0.0 { 0.0 } else { margin.signum() * counts.empty as f32 };
        // What Black has to expect later and what was found there, whether a random move lies between, and how full the
        // board is there.
        let mut later = (margin + left) / cells;
        if objective == Objective::Fewest {
            later = -later;
        }
        let (mut later_found, mut random, mut later_filled) = (later, false, 1.0);
        for (position, found) in positions.iter().rev() {
            let Some(found) = found else {
                random = true;
                continue;
            };
            let black = if position.turn() == Color::Black { 1.0 } else { -1.0 };
            let found = black * found.clamp(-1.0, 1.0);
            let filled = (position.own() | position.opponent()).count() as f32 / cells;
            if std::mem::take(&mut random) {
                later += found - later_found;
            }
            let kept = (-(later_filled - filled) / half_life).exp2();
            later = (kept * later + (1.0 - kept) * found).clamp(-1.0, 1.0);
            (later_found, later_filled) = (found, filled);
            if position.placements().is_empty() {
                continue;
            }
            let mut features = GridFeatures::of(position).0;
            let told = along(&tables.features, filled, |weights| {
                weights.iter().zip(&features).map(|(weight, feature)| weight * feature).sum()
            });
            if objective == Objective::Most {
                features[THIN] = 0.0;
            }
            self.features.push(features);
            self.fillings
                .extend(tables.numbers(position).iter().map(|number| (COUNT + firsts[*number]) as u32));
            self.filled.push(filled);
            self.worth.push(black * later);
            self.untold.push(black * later - told);
            self.held_back.push(held_back);
        }
        Ok(())
    }

    /// The two stages nearest to this position, and how much the second counts.
    fn stage(&self, at: usize) -> (usize, f32) {
        stage(self.filled[at])
    }

    fn numbers(&self, at: usize) -> &[u32] {
        let each = self.fillings.len() / self.worth.len();
        &self.fillings[at * each..(at + 1) * each]
    }

    /// What these weights say about a position.
    fn foretold(&self, weights: &[[f32; STAGES]], at: usize) -> f32 {
        let (stage, along) = self.stage(at);
        let weight = |weights: &[f32; STAGES]| (1.0 - along) * weights[stage] + along * weights[stage + 1];
        let features: f32 =
            self.features[at].iter().zip(weights).map(|(feature, of)| feature * weight(of)).sum();
        let fillings: f32 = self.numbers(at).iter().map(|number| weight(&weights[*number as usize])).sum();
        features + fillings
    }

    /// Adds for each weight what it has to do with a position, times `by`; or its square.
    fn spread(&self, sums: &mut [[f32; STAGES]], at: usize, by: f32, squares: bool) {
        let (stage, along) = self.stage(at);
        let mut add = |number: usize, input: f32| {
            let (one, other) = ((1.0 - along) * input, along * input);
            let (one, other) = if squares { (one * one, other * other) } else { (one * by, other * by) };
            sums[number][stage] += one;
            sums[number][stage + 1] += other;
        };
        self.features[at].iter().enumerate().for_each(|(number, feature)| add(number, *feature));
        self.numbers(at).iter().for_each(|number| add(*number as usize, 1.0));
    }

    /// The weights with the least squared error, each drawn to zero as if `ridge` positions said so: by conjugate gradients,
    /// every weight in a unit of its own.
    fn fit(&self, count: usize, ridge: f32) -> Vec<[f32; STAGES]> {
        let learned: Vec<usize> = (0..self.worth.len()).filter(|at| !self.held_back[*at]).collect();
        let zero = || vec![[0.0; STAGES]; count];
        let (mut scale, mut rest, mut weights) = (zero(), zero(), zero());
        for at in &learned {
            self.spread(&mut scale, *at, 1.0, true);
            self.spread(&mut rest, *at, self.untold[*at], false);
        }
        scale.as_flattened_mut().iter_mut().for_each(|sum| *sum += ridge);
        let scaled = |rest: &[[f32; STAGES]]| -> Vec<[f32; STAGES]> {
            let each = rest.iter().zip(&scale);
            each.map(|(rest, scale)| std::array::from_fn(|stage| rest[stage] / scale[stage])).collect()
        };
        let mut way = scaled(&rest);
        let mut length = product(&rest, &way);
        for _ in 0..ROUNDS {
            let mut change = zero();
            for at in &learned {
                self.spread(&mut change, *at, self.foretold(&way, *at), false);
            }
            add(&mut change, &way, ridge);
            let step = (length / product(&way, &change)) as f32;
            add(&mut weights, &way, step);
            add(&mut rest, &change, -step);
            let next = scaled(&rest);
            let next_length = product(&rest, &next);
            let turn = (next_length / length) as f32;
            length = next_length;
            way.as_flattened_mut().iter_mut().for_each(|part| *part *= turn);
            add(&mut way, &next, 1.0);
        }
        weights
    }

    /// How much of the spread of what positions are worth these weights explain.
    fn explained(&self, weights: &[[f32; STAGES]], held_back: bool) -> f64 {
        let (mut error, mut spread) = (0.0, 0.0);
        for at in (0..self.worth.len()).filter(|at| self.held_back[*at] == held_back) {
            error += f64::from(self.untold[at] - self.foretold(weights, at)).powi(2);
            spread += f64::from(self.worth[at]).powi(2);
        }
        1.0 - error / spread
    }
}

/// The two stages nearest to a board that is so full, and how much the second counts.
fn stage(filled: f32) -> (usize, f32) {
    let along = filled * (STAGES - 1) as f32;
    let stage = (along as usize).min(STAGES - 2);
    (stage, along - stage as f32)
}

/// What weights of all stages come to on a board that is so full.
fn along<W>(weights: &[W; STAGES], filled: f32, worth: impl Fn(&W) -> f32) -> f32 {
    let (stage, along) = stage(filled);
    (1.0 - along) * worth(&weights[stage]) + along * worth(&weights[stage + 1])
}

fn product(one: &[[f32; STAGES]], other: &[[f32; STAGES]]) -> f64 {
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
}

/// Adds the second so many times to the first.
fn add(to: &mut [[f32; STAGES]], what: &[[f32; STAGES]], times: f32) {
    to.as_flattened_mut().iter_mut().zip(what.as_flattened()).for_each(|(to, what)| *to += what * times);
}
