use std::time::Instant;

use clap::Args;
use emilia_rules::Tier;
use emilia_search::{BENCH_DEPTH, bench, judge};

use crate::weights::WeightsArg;
use crate::{Failure, Streams};

/// Search a fixed set of positions and count the nodes
///
/// First come boards judged by the evaluation alone, each reached by moves as in a search, then searches.
/// The last line, "Bench:" and a number, is the fingerprint of search and evaluation: the same on every processor and from run
/// to run, and another as soon as either changes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia bench                    the fingerprint and the speed
  emilia bench --cpu portable     the same count, slower")]
pub(crate) struct Bench {
    /// Plies to look ahead
    #[arg(long, value_name = "N", default_value_t = BENCH_DEPTH)]
    depth: u32,

    /// Use the code for this kind of processor: portable, sse4, avx2 or avx512; on ARM portable or neon
    #[arg(long, value_name = "TIER")]
    cpu: Option<Tier>,

    #[command(flatten)]
    weights: WeightsArg,
}

/// Boards so many plies away from the positions are judged, to see how fast the evaluation is.
const JUDGED_PLIES: u32 = 5;

impl Bench {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let tier = self.cpu.unwrap_or_else(Tier::best);
        let judge_by = self.weights.judge()?;
        let begin = Instant::now();
        let judged = judge(&judge_by, self.depth.min(JUDGED_PLIES), tier);
        let seconds = begin.elapsed().as_secs_f64();
        let rate = judged.boards as f64 / seconds.max(1e-9);
        writeln!(
            streams.out,
            "{tier}: {} boards judged in {seconds:.3} s, {rate:.0} boards/s",
            judged.boards
        )?;
        let begin = Instant::now();
        let nodes = bench(&judge_by, self.depth, tier).map_err(Failure::failed)?;
        let seconds = begin.elapsed().as_secs_f64();
        let rate = nodes as f64 / seconds.max(1e-9);
        writeln!(streams.out, "{tier}: {nodes} nodes in {seconds:.3} s, {rate:.0} nodes/s")?;
        writeln!(streams.out, "Bench: {nodes}")?;
        Ok(())
    }
}
