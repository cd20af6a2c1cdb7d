use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use clap::Args;
use emilia_eval::Learned;
use emilia_learn::{Plane, Spread};
use emilia_query::Stop;
use emilia_rules::{Board, SquareSet};
use emilia_search::{Search, Table, TableError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::files::{open_positions, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::weights::WeightsArg;
use crate::{Failure, Streams};

/// Fit the constants of multi-ProbCut: how far shallow searches are from deep ones
///
/// Boards of training data are searched to every depth up to eight plies, and to the end of the game where few squares
/// are empty. The deviations are printed, then the constants as the search has them in its source, with what they
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

/// Boards with equally many empty squares, and whether they are searched to the end of the game.
struct Job {
    empties: u32,
    to_the_end: bool,
    boards: Vec<Board>,
}

/// Empty squares of boards that are searched to a few plies, and of those that are searched to the end.
const MIDDLE: [u32; 6] = [20, 26, 32, 38, 44, 50];
const END: [u32; 7] = [12, 13, 14, 15, 16, 17, 18];
/// The searches that are compared; 0 is the evaluator alone.
const DEPTHS: [u32; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Megabytes of each thread's table.
const TABLE: usize = 16;
/// Searches deeper than those measured are nearer to each other: the floor under the plane is this share of the least
/// deviation that was measured.
const LEAST_SHARE: f64 = 0.5;
/// The unit of the constants: parts of a disc.
const PARTS: f64 = 1024.0;

impl ProbCut {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let judge = self.weights.judge()?;
        let jobs = self.jobs(streams.err)?;
        let stop = stop_on_interrupt();
        let bar = bar(jobs.len(), streams.interactive);
        let spreads = self.measure(&jobs, &judge, &stop, &bar);
        bar.finish_and_clear();
        let Some(spreads) = spreads.map_err(Failure::failed)? else {
            return Err(Failure::failed("stopped before everything was measured"));
        };
        let (mut middle, mut end) = (Spread::default(), Spread::default());
        for (job, spread) in jobs.iter().zip(spreads) {
            if job.to_the_end { &mut end } else { &mut middle }.absorb(spread);
        }
        let text = self.text(&middle, &end);
        if let Some(path) = &self.out {
            write_file(path, text.as_bytes()).map_err(|error| Failure::file(path, error))?;
        }
        write!(streams.out, "{text}")?;
        Ok(())
    }

    /// The boards to search, out of the file in its order, which is random.
    fn jobs(&self, err: &mut dyn Write) -> Result<Vec<Job>, Failure> {
        let job = |empties: &u32, to_the_end| Job { empties: *empties, to_the_end, boards: Vec::new() };
        let mut jobs: Vec<Job> = MIDDLE.iter().map(|empties| job(empties, false)).collect();
        jobs.extend(END.iter().map(|empties| job(empties, true)));
        let step = self.skip.saturating_add(1);
        for labelled in open_positions(&self.data, err)?.step_by(step) {
            let board = labelled.map_err(|error| Failure::in_file(&self.data, &error))?.board;
            let empties = board.empties().count();
            let wanting = |job: &&mut Job| job.empties == empties && job.boards.len() < self.boards.get();
            if let Some(job) = jobs.iter_mut().find(wanting)
                && !board.moves().is_empty()
            {
                job.boards.push(board);
            }
            if jobs.iter().all(|job| job.boards.len() == self.boards.get()) {
                break;
            }
        }
        match jobs.iter().find(|job| job.boards.len() < self.boards.get()) {
            Some(job) => Err(Failure::failed(format!(
                "{}: only {} boards with {} empty squares, {} are needed",
                self.data.display(),
                job.boards.len(),
                job.empties,
                self.boards
            ))),
            None => Ok(jobs),
        }
    }

    /// What each job finds; nothing if it was stopped.
    fn measure(
        &self,
        jobs: &[Job],
        judge: &Learned,
        stop: &Stop,
        bar: &ProgressBar,
    ) -> Result<Option<Vec<Spread>>, TableError> {
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get).min(jobs.len());
        let tables = (0..threads).map(|_| Table::new(TABLE)).collect::<Result<Vec<_>, _>>()?;
        let next = AtomicUsize::new(0);
        let mut found: Vec<(usize, Spread)> = std::thread::scope(|scope| {
            let workers: Vec<_> = tables
                .iter()
                .map(|table| {
                    let next = &next;
                    scope.spawn(move || {
                        let mut found = Vec::new();
                        while !stop.is_requested() {
                            // The last ones take longest: first come the searches to the end of many squares.
                            let Some(number) = jobs.len().checked_sub(1 + next.fetch_add(1, Relaxed)) else {
                                break;
                            };
                            let job = &jobs[number];
                            table.clear();
                            let mut spread = Spread::default();
                            let mut search = Search::new(judge, table, stop);
                            spread.measure(&mut search, &job.boards, &DEPTHS, job.to_the_end);
                            found.push((number, spread));
                            bar.inc(1);
                        }
                        found
                    })
                })
                .collect();
            workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
        });
        if stop.is_requested() || found.len() < jobs.len() {
            return Ok(None);
        }
        found.sort_by_key(|(number, _)| *number);
        Ok(Some(found.into_iter().map(|(_, spread)| spread).collect()))
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
        lines.push(constant("MIDDLE", middle));
        lines.push(constant("END", end));
        lines.push(String::new());
        lines.join("\n")
    }
}

/// A plane as the search has it in its source.
fn constant(name: &str, spread: &Spread) -> String {
    let Plane(plane) = spread.plane();
    let [constant, empties, depth, shallow] = plane.map(|value| (value * PARTS).round() as i32);
    let least = (spread.least() * LEAST_SHARE * PARTS).round() as i32;
    format!(
        "const {name}: Plane = Plane {{ constant: {constant}, empties: {empties}, depth: {depth}, shallow: {shallow}, least: {least} }};"
    )
}

/// Shows a person how far it is; nobody else sees it.
fn bar(jobs: usize, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(jobs as u64), target);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} numbers of empty squares, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
