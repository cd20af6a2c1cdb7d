//! Solves the positions of an OBF file and compares the scores.
//!
//! ```text
//! cargo run --release -p emilia-search --example ffo -- FILE [FIRST [COUNT [HASH_MB [THREADS [TIER]]]]]
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use emilia_eval::Learned;
use emilia_rules::{Move, Position, Setup, Size, Tier, parse_move};
use emilia_search::{Problem, Report, Solver, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: ffo FILE [FIRST [COUNT [HASH_MB [THREADS [TIER]]]]]");
        std::process::exit(2);
    };
    let number = |at: usize, otherwise: usize| arguments.get(at).map_or(Ok(otherwise), |text| text.parse());
    let (first, count, megabytes) = (number(1, 1)?, number(2, usize::MAX)?, number(3, 256)?);
    let table = Table::new(megabytes)?;
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    solver.threads = number(4, 1)?;
    if let Some(tier) = arguments.get(5) {
        solver.tier = tier.parse::<Tier>()?;
    }
    let steps = std::env::var_os("STEPS").is_some();
    let mut observer = |report: &Report| {
        if steps {
            let (depth, confidence, score) = (report.depth, report.confidence, report.score().discs());
            println!("      {depth}@{confidence} {score:+} {:.2} M nodes", report.nodes as f64 / 1e6);
        }
        ControlFlow::Continue(())
    };
    println!("   # empties score move      nodes/M   seconds  Mn/s");
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    let text = std::fs::read_to_string(file)?;
    for (at, line) in text.lines().enumerate().skip(first.saturating_sub(1)).take(count) {
        let solution = solver.solve(&problem(line)?, &mut observer);
        let mv = solution.lines.first().and_then(|line| line.moves.first());
        let seconds = solution.time.as_secs_f64();
        let millions = solution.nodes as f64 / 1e6;
        let speed = millions / seconds.max(1e-6);
        println!(
            "{:4} {:7} {:+5} {:4} {millions:12.3} {seconds:9.2} {speed:5.1} {}",
            at + 1,
            solution.empties,
            solution.score,
            mv.map(Move::to_string).unwrap_or_default(),
            if solution.differences.is_empty() { "" } else { "DIFFERS" }
        );
        nodes += solution.nodes;
        time += solution.time;
        wrong += usize::from(!solution.differences.is_empty());
    }
    let (millions, seconds) = (nodes as f64 / 1e6, time.as_secs_f64());
    println!(" all {:>27.3} {seconds:9.2} {:5.1}  {wrong} differ", millions, millions / seconds.max(1e-6));
    if wrong > 0 {
        std::process::exit(1);
    }
    Ok(())
}

/// A line of OBF: the board, the side to move, and moves with their scores.
fn problem(line: &str) -> Result<Problem, Box<dyn Error>> {
    let mut fields = line.split(';').map(str::trim);
    let setup: Setup = fields.next().unwrap_or_default().parse()?;
    let position = Position::try_from(&setup.position()?)?;
    let mut known = Vec::new();
    for (mv, score) in fields.filter_map(|field| field.split_once(':')) {
        let mv = match mv {
            "--" => continue,
            "PS" => Move::Pass,
            _ => match parse_move(&mv.to_lowercase(), Size::EIGHT)?.square().and_then(|point| point.square())
            {
                Some(square) => Move::Place(square),
                None => continue,
            },
        };
        known.push((mv, score.trim().parse()?));
    }
    Ok(Problem { position, known })
}
