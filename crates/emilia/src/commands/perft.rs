use std::num::NonZeroUsize;
use std::time::Instant;

use clap::Args;
use emilia_rules::perft::{Passes, Perft as Count};
use emilia_rules::{GridPosition, Size, Tier};
use serde::Serialize;

use crate::position::{PositionArg, parse_size};
use crate::{Failure, Streams};

/// Count the leaves of the game tree, the yardstick of every rules implementation
///
/// Prints a line per depth: depth, leaves, seconds, leaves a second. A game that ends before the depth is reached
/// counts as one leaf.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia perft 10                           the 8×8 game
  emilia perft --size 6 --passes free 11    6×6, a pass does not count as a ply
  emilia perft --threads 2 --json 12        on two cores, for a program to read")]
pub(crate) struct Perft {
    /// Plies to look ahead
    depth: u32,

    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    size: Size,

    /// Start from this position: the squares row by row as X, O and -, then the side to move
    #[arg(long, value_name = "P", conflicts_with = "size")]
    position: Option<PositionArg>,

    /// Whether a pass uses up a ply: "ply" or "free"
    #[arg(long, value_name = "RULE", default_value = "ply")]
    passes: Passes,

    /// Threads that share the work
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Use the code for this kind of processor on boards up to 8×8: portable, sse4, avx2 or avx512; on ARM portable or neon
    #[arg(long, value_name = "TIER")]
    cpu: Option<Tier>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A line for a program to read.
#[derive(Serialize)]
struct Line {
    depth: u32,
    leaves: u64,
    seconds: f64,
    leaves_per_second: f64,
}

impl Perft {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let position = self.position.map_or_else(|| GridPosition::start(self.size), |position| position.0);
        let tier = self.cpu.unwrap_or_else(Tier::best);
        for depth in 1..=self.depth {
            let begin = Instant::now();
            let threads = self.threads.get();
            let leaves = Count { depth, passes: self.passes, threads, tier }.count(&position);
            let seconds = begin.elapsed().as_secs_f64();
            // A count that took no measurable time has no rate worth printing.
            let rate = if seconds > 0.0 { leaves as f64 / seconds } else { 0.0 };
            if self.json {
                streams.write_json(&Line { depth, leaves, seconds, leaves_per_second: rate })?;
            } else {
                writeln!(streams.out, "{depth:>2} {leaves:>20} {seconds:>10.3} {rate:>14.0}")?;
            }
            streams.out.flush()?;
        }
        Ok(())
    }
}
