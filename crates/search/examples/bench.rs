//! Counts the nodes of a fixed set of searches: the fingerprint that goes into commits.
#![allow(clippy::print_stdout)]

use emilia_eval::Learned;
use emilia_rules::Tier;
use emilia_search::{BENCH_DEPTH, TableError, bench};

fn main() -> Result<(), TableError> {
    let began = std::time::Instant::now();
    let nodes = bench(Learned::embedded(), BENCH_DEPTH, Tier::best())?;
    println!("{:.1} s", began.elapsed().as_secs_f64());
    println!("Bench: {nodes}");
    Ok(())
}
