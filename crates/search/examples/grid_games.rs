//! Plays games of the search against itself on a board of any size, for `grid_learn`.
//!
//! `cargo run --release -p emilia-search --example grid_games -- SIDE GAMES NODES SEED [fewest] >> FILE` writes one game a line: the
//! side of the board, the word `fewest` where the fewest discs win, then every move; one that was searched, with so many nodes, has the
//! value found after a colon, in discs for the side to move. Openings are random, and so is one move in 24, so that games see what
//! neither side wants. Where most discs win, one side of every fourth game takes as many discs as it can for a while, so that games
//! also see what few discs are worth; where its move is not the one found, no value is written.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;
use std::fmt::Write;

use emilia_query::{Limits, Stop};
use emilia_rules::{GridPosition, Move, Objective, Playable, Point, Size, SquareSet};
use emilia_search::{GridMemory, GridSearch};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Plies of random moves before a game begins, at most.
const RANDOM_PLIES: u32 = 14;
/// One move in so many is random.
const ASTRAY: u32 = 24;
/// In one game of so many a side takes as many discs as it can, until so many plies were played at most.
const GRABBING: u32 = 4;
const GRABBING_PLIES: u32 = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let ([side, games, nodes, seed], objective) = (match words.as_slice() {
        [words @ .., last] if last == "fewest" => (words, Objective::Fewest),
        words => (words, Objective::Most),
    }) else {
        return Err("usage: grid_games SIDE GAMES NODES SEED [fewest]".into());
    };
    let (size, games, nodes): (Size, u64, u64) = (Size::new(side.parse()?)?, games.parse()?, nodes.parse()?);
    let mut random = ChaCha8Rng::seed_from_u64(seed.parse()?);
    for _ in 0..games {
        println!("{}", play(size, objective, nodes, &mut random)?);
    }
    Ok(())
}

/// The first of the moves that flip most discs; of no moves a pass.
fn grab(here: &GridPosition, moves: &[Move<Point>]) -> Move<Point> {
    let discs = |mv: &&Move<Point>| here.played(**mv).opponent().count();
    moves.iter().rev().max_by_key(discs).copied().unwrap_or(Move::Pass)
}

/// One game, as a line of text.
fn play(
    size: Size,
    objective: Objective,
    nodes: u64,
    random: &mut ChaCha8Rng,
) -> Result<String, Box<dyn Error>> {
    let search = GridSearch { limits: Limits { nodes: Some(nodes), ..Limits::default() }, objective };
    let mut memory = GridMemory::new(32);
    let mut here = GridPosition::start(size);
    let mut line = size.get().to_string();
    if objective == Objective::Fewest {
        line.push_str(" fewest");
    }
    let opening = random.random_range(2..=RANDOM_PLIES);
    let grabs = objective == Objective::Most && random.random_range(0..GRABBING) == 0;
    let grabbing =
        grabs.then(|| (random.random_range(0..2u32), random.random_range(opening..=GRABBING_PLIES)));
    for ply in 0u32.. {
        let moves: Vec<Move<Point>> = here.moves().collect();
        if moves.is_empty() {
            break;
        }
        if ply < opening || random.random_range(0..ASTRAY) == 0 {
            let mv = moves[random.random_range(0..moves.len())];
            write!(line, " {mv}")?;
            here = here.play(mv)?;
            continue;
        }
        let report = search.run(&here, &mut memory, &Stop::new(), &mut ());
        let best = report.best_move().ok_or("a position with moves has a best one")?;
        let mv = match grabbing {
            Some((side, until)) if ply % 2 == side && ply < until => grab(&here, &moves),
            _ => best,
        };
        if mv != best {
            write!(line, " {mv}")?;
            here = here.play(mv)?;
            continue;
        }
        write!(line, " {mv}:{:.2}", report.discs().unwrap_or_default())?;
        here = here.play(mv)?;
    }
    Ok(line)
}
