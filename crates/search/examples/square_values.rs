//! Fits how much squares are worth as moves near the end: the values with which the exact search takes the fewest nodes.
//!
//! ```text
//! cargo run --release -p emilia-search --example square_values -- FILE.obf...
//! ```
//!
//! reads positions with the scores of their moves and takes the boards after each of these moves that have 8 to 13 empty
//! squares. It begins with all squares alike and changes one value after the other, in smaller and smaller steps, as long
//! as that saves nodes: the result is the same every time.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;

use emilia_rules::{Board, Playable, Position, Setup, parse_move};
use emilia_search::{SquareValues, endgame_nodes};

/// Steps by which a value is raised or lowered, in this order: the best step after a whole round decides.
const STEPS: [i8; 5] = [12, 6, 3, 2, 1];
/// The squares d4, e4, d5 and e5 are taken before a game begins.
const FREE: usize = SquareValues::KINDS - 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut boards = Vec::new();
    for file in std::env::args().skip(1) {
        for line in std::fs::read_to_string(file)?.lines() {
            boards.extend(after_each_move(line)?);
        }
    }
    if boards.is_empty() {
        return Err("usage: square_values FILE.obf...".into());
    }
    let nodes = |values: &SquareValues| endgame_nodes(&boards, values);
    println!("{} boards; {} nodes with the values in use", boards.len(), nodes(&SquareValues::FITTED));
    let mut best = SquareValues([0; SquareValues::KINDS]);
    let mut least = nodes(&best);
    println!("{least} with all squares alike");
    for step in STEPS {
        loop {
            let before = least;
            for kind in 0..FREE {
                for change in [step, -step] {
                    let mut tried = best;
                    tried.0[kind] += change;
                    let taken = nodes(&tried);
                    if taken < least {
                        (best, least) = (tried, taken);
                        break;
                    }
                }
            }
            eprintln!("step {step}: {least} {best:?}");
            if least == before {
                break;
            }
        }
    }
    println!("{least} with");
    for (name, value) in SquareValues::NAMES.iter().zip(best.0) {
        println!("{name} {value:3}");
    }
    Ok(())
}

/// A line of OBF: the board, the side to move, and moves with their scores.
fn after_each_move(line: &str) -> Result<Vec<(Board, i32)>, Box<dyn Error>> {
    let mut fields = line.split(';').map(str::trim);
    let setup: Setup = fields.next().unwrap_or_default().parse()?;
    let position = setup.position()?;
    let mut boards = Vec::new();
    for (mv, score) in fields.filter_map(|field| field.split_once(':')) {
        if let Ok(next) = position.play(parse_move(mv, position.size())?)
            && (8..=13).contains(&next.counts().empty)
        {
            boards.push((Position::try_from(&next)?.board(), -score.trim().parse::<i32>()?));
        }
    }
    Ok(boards)
}
