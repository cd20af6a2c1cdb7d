//! Measures how far shallow searches are from deep ones and prints the constants of multi-ProbCut.
//!
//! ```text
//! cargo run --release -p emilia-learn --example probcut -- WTHOR_FOLDER BOARDS SEED
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use emilia_eval::Patterns;
use emilia_learn::{Games, Sampler, Spread};
use emilia_search::{Search, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, boards, seed] = arguments.as_slice() else {
        eprintln!("usage: probcut WTHOR_FOLDER BOARDS SEED");
        std::process::exit(2);
    };
    let boards: usize = boards.parse()?;
    let mut games = Games::default();
    for year in 1977..=2022 {
        games.add(&std::fs::read(Path::new(folder).join(format!("WTH_{year}.wtb")))?)?;
    }
    let mut sampler = Sampler::new(&games, seed.parse()?);
    sampler.random_plies = 1;
    let table = Table::new(16)?;
    let stop = AtomicBool::new(false);
    let mut search = Search::new(Patterns::embedded(), &table, &stop);
    let mut draw = |empties: usize| {
        let mut drawn = Vec::new();
        while drawn.len() < boards {
            drawn.extend(sampler.draw(empties));
        }
        drawn
    };
    let (mut middle, mut end) = (Spread::default(), Spread::default());
    for empties in [20, 26, 32, 38, 44, 50] {
        middle.measure(&mut search, &draw(empties), &[0, 1, 2, 3, 4, 5, 6, 7, 8], false);
    }
    for empties in [12, 13, 14, 15, 16, 17, 18] {
        end.measure(&mut search, &draw(empties), &[0, 1, 2, 3, 4, 5, 6, 7, 8], true);
    }
    for (name, spread) in [("MIDDLE", &middle), ("END", &end)] {
        println!("empties depth shallow deviation");
        for row in spread.measurements() {
            println!("{:7} {:5} {:7} {:9.2}", row.empties, row.depth, row.shallow, row.deviation);
        }
        println!(
            "{name}: {:?} (64ths of a disc)",
            spread.plane().0.map(|value| (value * 64.0 * 100.0).round() / 100.0)
        );
    }
    Ok(())
}
