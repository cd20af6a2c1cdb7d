use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use emilia_learn::{Curve, Plane, Spread, Survey};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::files::{open_positions, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::weights::WeightsArg;
use crate::{Failure, Streams};

/// Fit the constants of multi-ProbCut: how far shallow searches are from deep ones
///
/// Boards of training data are searched to every depth up to twelve plies, and to eight and to the end of the game where few
/// squares are empty. The deviations are printed, then the constants as the search has them in its source, with what they
/// were made of.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia probcut train.emd
  emilia probcut train.emd --boards 400 --weights new.bin --out probcut.txt")]
pub(crate) struct ProbCut {
    /// A file of positions, .emd
    #[arg(value_name = "FILE")]
    data: PathBuf,

    /// Boards to search for each number of empty squares
    #[arg(long, value_name = "N", default_value = "80")]
    boards: NonZeroUsize,

    /// Pass over so many positions of the file for each that is taken, so that other boards are met
    #[arg(long, value_name = "N", default_value = "0")]
    skip: usize,

    /// Numbers of empty squares looked at in parallel; the result does not depend on it [default: as many as there
    /// are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Where to put what is printed as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    weights: WeightsArg,
}

/// Searches deeper than those measured are nearer to each other: the floor under what is fitted is this share of the least
/// deviation that was measured.
const LEAST_SHARE: f64 = 0.5;
/// The unit of the constants: parts of a disc.
const PARTS: f64 = 1024.0;

impl ProbCut {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let judge = self.weights.judge()?;
        let survey = self.survey(streams.err)?;
        let stop = stop_on_interrupt();
        let bar = bar(survey.groups(), streams.interactive);
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let spreads = survey.measure(&judge, threads, &stop, &|| bar.inc(1));
        bar.finish_and_clear();
        let Some([middle, end]) = spreads.map_err(Failure::failed)? else {
            return Err(Failure::failed("stopped before everything was measured"));
        };
        let text = self.text(&middle, &end);
        if let Some(path) = &self.out {
            write_file(path, text.as_bytes()).map_err(|error| Failure::file(path, error))?;
        }
        write!(streams.out, "{text}")?;
        Ok(())
    }

    /// The boards to search, out of the file in its order, which is random.
    fn survey(&self, err: &mut dyn Write) -> Result<Survey, Failure> {
        let mut survey = Survey::new(self.boards.get());
        let step = self.skip.saturating_add(1);
        for labelled in open_positions(&self.data, err)?.step_by(step) {
            survey.add(labelled.map_err(|error| Failure::in_file(&self.data, &error))?.board);
            if survey.wants().is_none() {
                break;
            }
        }
        match survey.wants() {
            Some((empties, found)) => Err(Failure::failed(format!(
                "{}: only {found} boards with {empties} empty squares, {} are needed",
                self.data.display(),
                self.boards
            ))),
            None => Ok(survey),
        }
    }

    /// The measurements and the constants, with the command that made them.
    fn text(&self, middle: &Spread, end: &Spread) -> String {
        let mut lines = vec!["empties depth shallow boards deviation".to_owned()];
        for row in middle.measurements().iter().chain(end.measurements()) {
            lines.push(format!(
                "{:7} {:5} {:7} {:6} {:9.2}",
                row.empties, row.depth, row.shallow, row.boards, row.deviation
            ));
        }
        let weights = self.weights.name().map_or_else(String::new, |name| format!(" --weights {name}"));
        let skip = if self.skip == 0 { String::new() } else { format!(" --skip {}", self.skip) };
        lines.push(format!(
            "// emilia probcut {} --boards {}{skip}{weights} (version {})",
            self.data.display(),
            self.boards,
            env!("CARGO_PKG_VERSION")
        ));
        lines.push(curve("MIDDLE", middle));
        lines.push(plane("END", end));
        lines.push(String::new());
        lines.join("\n")
    }
}

/// A curve as the search has it in its source.
fn curve(name: &str, spread: &Spread) -> String {
    let Curve { constant, empties, half_plies, half_depth } = spread.curve();
    let [constant, empties] = [constant, empties].map(|value| (value * PARTS).round() as i32);
    let [half_plies, half_depth] = [half_plies, half_depth].map(|plies| (plies * 10.0).round() as i32);
    let least = least(spread);
    format!(
        "const {name}: Curve = Curve {{ constant: {constant}, empties: {empties}, half_plies: {half_plies}, half_depth: {half_depth}, least: {least} }};"
    )
}

/// A plane as the search has it in its source.
fn plane(name: &str, spread: &Spread) -> String {
    let Plane(plane) = spread.plane();
    let [constant, empties, depth, shallow] = plane.map(|value| (value * PARTS).round() as i32);
    let least = least(spread);
    format!(
        "const {name}: Plane = Plane {{ constant: {constant}, empties: {empties}, depth: {depth}, shallow: {shallow}, least: {least} }};"
    )
}

/// The floor under what was fitted.
fn least(spread: &Spread) -> i32 {
    (spread.least() * LEAST_SHARE * PARTS).round() as i32
}

/// Shows a person how far it is; nobody else sees it.
fn bar(jobs: usize, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(jobs as u64), target);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} numbers of empty squares, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
