//! Makes the list of balanced openings that comes with the program: eight random moves after which Emilia finds neither
//! side ahead by more than a disc and a half. Lines that lead to one position, turned or mirrored, are kept once.
//!
//! `cargo run --release -p emilia-engine --example balanced -- 400 > data/openings/balanced.txt`

use std::collections::HashSet;

use emilia_engine::{Candidate, Dice, Player, Stop, no_files};
use emilia_rules::{GridPosition, Move, Playable, Point};

/// Moves of an opening.
const PLIES: usize = 8;
/// The quick look that sends most lines away, and how far from even it lets pass, in discs.
const GLANCE: (&str, f64) = ("emilia:level=4", 5.0);
/// The look that counts.
const LOOK: (&str, f64) = ("emilia:level=16", 1.5);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: usize = std::env::args().nth(1).map_or(Ok(400), |text| text.parse())?;
    let mut judges = Vec::new();
    for (name, most) in [GLANCE, LOOK] {
        judges.push((Candidate::parse(name, &no_files)?.player(0), most));
    }
    let mut dice = Dice::new(8);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    while found.len() < wanted {
        let (line, position) = random_line(&mut dice);
        if seen.insert(position.canonical())
            && judges.iter_mut().all(|(judge, most)| is_even(judge.as_mut(), &position, *most))
        {
            found.push(line.iter().map(ToString::to_string).collect::<String>());
        }
    }
    found.sort();
    print_all(&found);
    Ok(())
}

/// Random moves from the start. The first is always f5, since all first moves are alike.
fn random_line(dice: &mut Dice) -> (Vec<Move<Point>>, GridPosition) {
    let mut position = GridPosition::default();
    let mut line = Vec::with_capacity(PLIES);
    while line.len() < PLIES {
        let moves: Vec<Move<Point>> = position.moves().collect();
        let first = moves.iter().copied().find(|mv| line.is_empty() && mv.to_string() == "f5");
        let mv = first.unwrap_or_else(|| moves[dice.below(moves.len() as u32) as usize]);
        position = position.play(mv).expect("it is one of the legal moves");
        line.push(mv);
    }
    (line, position)
}

fn is_even(judge: &mut dyn Player, position: &GridPosition, most: f64) -> bool {
    let decision = judge.choose(position, &Stop::default()).ok().flatten();
    decision.and_then(|decision| decision.score).is_some_and(|score| score.abs() <= most)
}

#[expect(clippy::print_stdout, reason = "the list goes to a file")]
fn print_all(lines: &[String]) {
    println!("# Openings of {PLIES} moves after which neither side is ahead by more than {} discs,", LOOK.1);
    println!("# in the opinion of {}. Made by the example \"balanced\" of emilia-engine.", LOOK.0);
    lines.iter().for_each(|line| println!("{line}"));
}
