//! Counts the nodes of a fixed set of searches: the fingerprint that goes into commits. `bench [TIER [DEPTH]]`, by default with
//! the best code for this processor.
#![allow(clippy::print_stdout)]

use std::error::Error;

use emilia_eval::Learned;
use emilia_rules::Tier;
use emilia_search::{BENCH_DEPTH, bench};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let tier = arguments.next().map_or(Ok(Tier::best()), |name| name.parse())?;
    let depth = arguments.next().map_or(Ok(BENCH_DEPTH), |depth| depth.parse())?;
    let began = std::time::Instant::now();
    let nodes = bench(Learned::embedded(), depth, tier)?;
    println!("{:.1} s", began.elapsed().as_secs_f64());
    println!("Bench: {nodes}");
    Ok(())
}
