//! Draws boards beside the lines of tournament games, searches each, and writes boards and scores to a file.
//!
//! ```text
//! cargo run --release -p emilia-learn --example samples -- \
//!     WTHOR_FOLDER OUT SEED LEAST_EMPTIES MOST_EMPTIES COUNT DEPTH CONFIDENCE
//! ```
//!
//! A depth of 60 searches to the end of the game; the confidence is 0 (73 %) to 5 (certain).
#![allow(clippy::print_stderr)]

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use emilia_eval::Patterns;
use emilia_learn::{Games, Sample, Sampler};
use emilia_rules::{Color, Position};
use emilia_search::{Confidence, Limits, Search, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, seed, least, most, count, depth, confidence] = arguments.as_slice() else {
        eprintln!("usage: samples WTHOR_FOLDER OUT SEED LEAST_EMPTIES MOST_EMPTIES COUNT DEPTH CONFIDENCE");
        std::process::exit(2);
    };
    let (least, most, count): (usize, usize, usize) = (least.parse()?, most.parse()?, count.parse()?);
    let mut games = Games::default();
    for year in 1977..=2022 {
        games.add(&std::fs::read(Path::new(folder).join(format!("WTH_{year}.wtb")))?)?;
    }
    let mut out = std::io::BufWriter::new(std::fs::File::create(out)?);
    let mut sampler = Sampler::new(&games, seed.parse()?);
    let table = Table::new(4)?;
    let stop = AtomicBool::new(false);
    let mut search = Search::new(Patterns::embedded(), &table, &stop);
    let confidence = Confidence::ALL.get(confidence.parse::<usize>()?).copied();
    search.limits = Limits { depth: Some(depth.parse()?), confidence, ..Limits::default() };
    let mut written = 0;
    while written < count {
        let Some(board) = sampler.draw(least + written % (most + 1 - least)) else { continue };
        let Some(position) = Position::new(board, Color::Black) else { continue };
        let score = search.run(&position, &mut ()).score().0 as i16;
        out.write_all(&Sample { board, score }.bytes())?;
        written += 1;
    }
    Ok(())
}
