//! Searches positions on boards of any size to a fixed depth: nodes, time and the line found.
//!
//! ```text
//! cargo run --release -p emilia-search --example grid_bench -- DEPTH FILE...
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;

use emilia_query::{Limits, Stop};
use emilia_rules::{Move, Setup};
use emilia_search::{GridMemory, GridSearch};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [depth, files @ ..] = arguments.as_slice() else {
        return Err("usage: grid_bench DEPTH FILE...".into());
    };
    let search = GridSearch::new(Limits::depth(depth.parse()?));
    for file in files {
        for line in std::fs::read_to_string(file)?.lines() {
            let position = line.parse::<Setup>()?.position()?;
            let (mut memory, stop) = (GridMemory::new(128), Stop::new());
            let report = search.run(&position, &mut memory, &stop, &mut ());
            let (nodes, seconds, speed) = (report.nodes, report.time.as_secs_f64(), report.speed() / 1e3);
            let moves: Vec<String> = report.line().iter().map(Move::to_string).collect();
            let (score, moves) = (report.discs().unwrap_or_default(), moves.join(" "));
            println!("{nodes} nodes {seconds:.3} s {speed:.0} kn/s {score:+.2} {moves}");
        }
    }
    Ok(())
}
