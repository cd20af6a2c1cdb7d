//! Counts the leaves of the 8×8 game: `perft [TIER]`, by default with the best code for this processor.
#![allow(clippy::print_stdout)]

use std::error::Error;

use emilia_rules::perft::Perft;
use emilia_rules::{GridPosition, Size, Tier};

/// Enough to tell kinds of processors apart, little enough for an emulated one.
const DEPTH: u32 = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let tier = std::env::args().nth(1).map_or(Ok(Tier::best()), |name| name.parse())?;
    let count = Perft { tier, ..Perft::new(DEPTH) };
    println!("Leaves: {}", count.count(&GridPosition::start(Size::EIGHT)));
    Ok(())
}
