use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use emilia_learn::selfplay::is_test_year;
use emilia_learn::{Accuracy, Examiner, Known};
use emilia_query::{Limits, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::convert::read_file_or_text;
use crate::interrupt::stop_on_interrupt;
use crate::weights::WeightsArg;
use crate::wthor::read_years;
use crate::{Failure, Streams};

/// Measure how near the evaluation comes to the truth
///
/// On tournament games of the WTHOR database at 24 empty squares, whose exact scores it has, and on positions whose
/// moves have exact scores. Only games of years divisible by 5 are taken: nothing is ever learnt from those. Searches
/// of a depth are full-width, those of a number of nodes as in a game. Depth 0 is the evaluation alone. Where a search to a
/// depth ends shortly before the end of the game, boards that the evaluation leaves open are solved, as in any such search.
/// The slope is what all scores have to be multiplied by to come nearest to the truth: above one where they are too cautious.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia evaltest --wthor WTHOR
  emilia evaltest --wthor WTHOR --depths 0,1 --positions 25000 --weights new.bin
  emilia evaltest --wthor WTHOR --other-years --depths 8,10
  emilia evaltest --obf hard-20.obf --obf-depths 1,2,4,8 --json
  emilia evaltest --obf hard-20.obf --obf-depths 12 --evaluator-alone
  emilia evaltest --obf m30.obf --obf-nodes 100000,590000")]
pub(crate) struct EvalTest {
    /// Folder with the WTHOR database, WTH_*.wtb
    #[arg(long, value_name = "DIR", required_unless_present = "obf")]
    wthor: Option<PathBuf>,

    /// Take the games of all other years, to fit something to them
    #[arg(long, requires = "wthor")]
    other_years: bool,

    /// A file of positions with the exact scores of their moves
    #[arg(long, value_name = "FILE")]
    obf: Option<String>,

    /// Positions to draw from the tournament games
    #[arg(long, value_name = "N", default_value = "1500")]
    positions: NonZeroUsize,

    /// By which random numbers they are drawn
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Plies to look ahead in the tournament games
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "0,1,5,10",
          value_parser = clap::value_parser!(u32).range(0..=60))]
    depths: Vec<u32>,

    /// Plies to look ahead in the positions of --obf
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10,11,12",
          value_parser = clap::value_parser!(u32).range(0..=60))]
    obf_depths: Vec<u32>,

    /// Nodes to look at in the positions of --obf, in searches as in a game, instead of depths
    #[arg(long, value_name = "N,N", value_delimiter = ',', requires = "obf", conflicts_with = "obf_depths",
          value_parser = clap::value_parser!(u64).range(1..))]
    obf_nodes: Vec<u64>,

    /// Let nothing but the evaluation say what boards are worth where a search ends
    #[arg(long)]
    evaluator_alone: bool,

    /// Positions looked at in parallel; the result does not depend on it [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    weights: WeightsArg,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A row of the table, for a program to read.
#[derive(Serialize)]
struct Row<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_limit: Option<u64>,
    positions: usize,
    mean_absolute: f64,
    root_mean_square: f64,
    bias: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    slope: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_loss: Option<f64>,
    mean_nodes: f64,
    seconds: f64,
}

impl EvalTest {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let judge = self.weights.judge()?;
        let stop = stop_on_interrupt();
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let examiner = Examiner {
            evaluator: &judge,
            threads: threads.map_or(1, NonZeroUsize::get),
            stop: &stop,
            evaluator_alone: self.evaluator_alone,
        };
        if let Some(folder) = &self.wthor {
            let wanted = |year| is_test_year(year) != self.other_years;
            let all = Known::from_tournaments(&read_years(folder, wanted)?);
            let known = Known::draw(all, self.positions.get(), self.seed);
            self.examine("wthor", &known, &of_depths(&self.depths), &examiner, &stop, streams)?;
        }
        if let Some(file) = &self.obf {
            let reading = read_file_or_text(file, streams)?;
            if let Some(problem) = reading.problems.first() {
                return Err(Failure::failed(format!("{file}: {problem}")));
            }
            let known = Known::from_exercises(&reading);
            if known.is_empty() {
                return Err(Failure::failed(format!("{file}: no 8×8 position with a score")));
            }
            let of_nodes = |nodes: &u64| Limits { nodes: Some(*nodes), ..Limits::default() };
            let limits = match self.obf_nodes.as_slice() {
                [] => of_depths(&self.obf_depths),
                nodes => nodes.iter().map(of_nodes).collect(),
            };
            self.examine(file, &known, &limits, &examiner, &stop, streams)?;
        }
        Ok(())
    }

    fn examine(
        &self,
        source: &str,
        known: &[Known],
        all_limits: &[Limits],
        examiner: &Examiner<'_>,
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        if !self.json {
            writeln!(streams.out, "{source}: {} positions", known.len())?;
            writeln!(
                streams.out,
                "  limit  mean abs.     rms    bias  slope  best move    loss      nodes   seconds"
            )?;
            streams.out.flush()?;
        }
        for limits in all_limits {
            let name = name(limits);
            let bar = bar(&name, known.len(), streams.interactive);
            let accuracy = examiner.examine(known, *limits, &|_| bar.inc(1));
            bar.finish_and_clear();
            let Some(accuracy) = accuracy.map_err(Failure::failed)? else {
                let why = if stop.is_requested() { "stopped" } else { "a thread failed" };
                return Err(Failure::failed(format!("{why} before {name} was done")));
            };
            self.print(source, &accuracy, streams)?;
            streams.out.flush()?;
        }
        Ok(())
    }

    fn print(&self, source: &str, accuracy: &Accuracy, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let Accuracy { limits, boards, mean_absolute, root_mean_square, bias, slope, moves, nodes, time } =
            *accuracy;
        if self.json {
            return Ok(streams.write_json(&Row {
                source,
                depth: limits.depth,
                node_limit: limits.nodes,
                positions: boards,
                mean_absolute,
                root_mean_square,
                bias,
                slope,
                best_move_share: moves.map(|(share, _)| share),
                mean_loss: moves.map(|(_, loss)| loss),
                mean_nodes: nodes,
                seconds: time.as_secs_f64(),
            })?);
        }
        let slope = slope.map_or_else(|| "-".to_owned(), |slope| format!("{slope:.3}"));
        let (best, loss) = match moves {
            Some((share, loss)) => (format!("{:.1} %", 100.0 * share), format!("{loss:.2}")),
            None => ("-".to_owned(), "-".to_owned()),
        };
        writeln!(
            streams.out,
            "{:>7} {mean_absolute:>10.2} {root_mean_square:>7.2} {bias:>+7.2} {slope:>6} {best:>10} {loss:>7} {nodes:>10.0} {:>9.1}",
            limits.depth.map_or_else(|| limits.nodes.unwrap_or_default(), u64::from),
            time.as_secs_f64()
        )?;
        Ok(())
    }
}

fn of_depths(depths: &[u32]) -> Vec<Limits> {
    depths.iter().map(|depth| Limits::depth(*depth)).collect()
}

/// What a search is called while a person waits for it.
fn name(limits: &Limits) -> String {
    match (limits.depth, limits.nodes) {
        (Some(depth), _) => format!("depth {depth}"),
        (None, nodes) => format!("a search of {} nodes", nodes.unwrap_or_default()),
    }
}

/// Shows a person how far it is; nobody else sees it.
fn bar(name: &str, positions: usize, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(positions as u64), target);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} positions, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(name.to_owned());
    bar
}
