mod plan;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use emilia_query::Stop;
use emilia_work::{Folder, Ran, State, WorkError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::interrupt::stop_on_interrupt;
use crate::number::spell_time;
use crate::{Failure, Streams};

/// Share long work among machines: plan it, run its units anywhere, merge what they gave
///
/// A plan cuts the work into numbered units, by what they are about and not by who does them. Machines share nothing
/// but the folder of the plan. A unit is there whole or not at all; one that is there is not done again; and the merged
/// result is byte for byte the same, whoever did what.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan games selfplay --games 100000
  emilia work run --dir games 17          one unit, as a job of a cluster does it
  emilia work run --dir games --all       every unit that is open, on every core
  emilia work list games
  emilia work merge games

docs/cluster.md has the job script of a Slurm array, and how Ray does the same.")]
pub(crate) struct Work {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Plan(Box<plan::PlanCommand>),
    List(List),
    Run(Run),
    Merge(Merge),
}

impl Work {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self.what {
            What::Plan(command) => command.run(streams),
            What::List(command) => command.run(streams),
            What::Run(command) => command.run(streams),
            What::Merge(command) => command.run(streams),
        }
    }
}

/// What went wrong with work, as a failure of the program: a plan that cannot be was asked for wrongly.
pub(crate) fn failure(error: WorkError) -> Failure {
    match error {
        WorkError::Task(_)
        | WorkError::Deal(_)
        | WorkError::Player(_)
        | WorkError::NoUnit { .. }
        | WorkError::OtherWork(_) => Failure::usage(error),
        _ => Failure::failed(error),
    }
}

/// List the units of a plan, and how each stands
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work list games
  emilia work list games --open           the numbers of the units that are to be done")]
struct List {
    /// The folder of the plan
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,

    /// Print only the numbers of the units that are to be done
    #[arg(long, conflicts_with = "json")]
    open: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct UnitLine {
    unit: u64,
    state: &'static str,
    what: String,
}

impl List {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let folder = Folder::open(&self.dir).map_err(failure)?;
        let states = folder.states().map_err(failure)?;
        let mut counts = [0; 3];
        for (unit, state) in (0..).zip(states) {
            counts[state as usize] += 1;
            let line = UnitLine { unit, state: word(state), what: folder.work().title(unit) };
            if self.json {
                streams.write_json(&line)?;
            } else if !self.open {
                writeln!(streams.out, "{unit:>6}  {:<10}  {}", line.state, line.what)?;
            } else if state == State::Open {
                writeln!(streams.out, "{unit}")?;
            }
        }
        if !self.json && !self.open {
            let [done, open, not_needed] = counts;
            let rest = if not_needed > 0 { format!(", {not_needed} not needed") } else { String::new() };
            writeln!(streams.out, "{} units: {done} done, {open} open{rest}", folder.work().units())?;
        }
        Ok(())
    }
}

fn word(state: State) -> &'static str {
    match state {
        State::Done => "done",
        State::Open => "open",
        State::NotNeeded => "not needed",
    }
}

/// Do units of a plan
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work run --dir games 17          one unit, as a job of a cluster does it
  emilia work run --dir games --all       every unit that is open, on every core")]
struct Run {
    /// Numbers of units, or ranges of them such as 10-19
    #[arg(value_name = "N", required_unless_present = "all")]
    units: Vec<Range>,

    /// The folder of the plan
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,

    /// Every unit that is open
    #[arg(long, conflicts_with = "units")]
    all: bool,

    /// Units done at the same time [default: with --all as many as there are processors, else 1]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Units from one number to another.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u64,
    last: u64,
}

/// Not a unit or a range of them.
#[derive(Clone, Debug, thiserror::Error)]
#[error("a unit is a number such as 17, and a range of them 10-19")]
struct RangeError;

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Range, RangeError> {
        let number = |text: &str| text.parse::<u64>().map_err(|_| RangeError);
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = Range { first: number(first)?, last: number(last)? };
        if range.first <= range.last { Ok(range) } else { Err(RangeError) }
    }
}

impl Run {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let folder = Folder::open(&self.dir).map_err(failure)?;
        let units = if self.all { folder.open_units().map_err(failure)? } else { self.named(&folder)? };
        let one = NonZeroUsize::MIN;
        let threads = if self.all { self.threads } else { Some(self.threads.unwrap_or(one)) };
        let stop = stop_on_interrupt();
        let tally = Units { folder: &folder, what: "units" }.run(&units, threads, &stop, streams)?;
        if self.json {
            return Ok(streams.write_json(&tally)?);
        }
        let Tally { done, before, not_needed } = tally;
        let before = if before > 0 { format!(", {before} were done before") } else { String::new() };
        let rest = if not_needed > 0 { format!(", {not_needed} not needed") } else { String::new() };
        writeln!(streams.out, "{done} units done{before}{rest}")?;
        Ok(())
    }

    fn named(&self, folder: &Folder) -> Result<Vec<u64>, Failure> {
        let (units, mut named) = (folder.work().units(), Vec::new());
        for Range { first, last } in &self.units {
            if *last >= units {
                let error = WorkError::NoUnit { unit: *last, last: units.saturating_sub(1) };
                return Err(failure(error));
            }
            named.extend(*first..=*last);
        }
        Ok(named)
    }
}

/// What became of units that were to be run.
#[derive(Default, Serialize)]
pub(crate) struct Tally {
    done: u64,
    before: u64,
    not_needed: u64,
}

/// Units being run, and how that is shown.
pub(crate) struct Units<'f> {
    pub(crate) folder: &'f Folder,
    /// What the user calls them.
    pub(crate) what: &'static str,
}

/// How often a line is printed where nobody looks on.
const PAUSE: Duration = Duration::from_secs(10);

impl Units<'_> {
    /// Runs them on so many threads, as many as there are processors if nothing is said.
    pub(crate) fn run(
        &self,
        units: &[u64],
        threads: Option<NonZeroUsize>,
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<Tally, Failure> {
        let threads = threads.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let target =
            if streams.interactive { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(units.len() as u64), target);
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {}, {{eta}} left", self.what);
        bar.set_style(
            ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let (mut tally, mut over, mut told, begin) = (Tally::default(), 0, Instant::now(), Instant::now());
        let ran = self.folder.run_all(units, threads, stop, |_, ran| {
            match ran {
                Ran::Now => tally.done += 1,
                Ran::Before => tally.before += 1,
                Ran::NotNeeded | Ran::Stopped => tally.not_needed += 1,
            }
            over += 1;
            bar.inc(1);
            if !streams.interactive && told.elapsed() >= PAUSE {
                told = Instant::now();
                let left = begin.elapsed().as_secs_f64() / over as f64 * (units.len() - over) as f64;
                let left = spell_time(left.ceil() as u64);
                // With nowhere to complain to, the work still counts.
                let _ = writeln!(streams.err, "{over}/{} {}, {left} left", units.len(), self.what);
            }
        });
        bar.finish_and_clear();
        ran.map_err(failure)?;
        if over < units.len() {
            let message =
                format!("stopped after {over} of {} {}; the same command goes on", units.len(), self.what);
            return Err(Failure::failed(message));
        }
        Ok(tally)
    }
}

/// Make the result of what the units of a plan have given
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work merge games")]
struct Merge {
    /// The folder of the plan
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Merge {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let folder = Folder::open(&self.dir).map_err(failure)?;
        let merged = folder.merge().map_err(failure)?;
        if self.json {
            return Ok(streams.write_json(&merged)?);
        }
        for (name, value) in merged.about.as_object().into_iter().flatten() {
            // What programs read is in the manifest.
            if !value.is_object() && !value.is_array() {
                writeln!(streams.out, "{name}: {value}")?;
            }
        }
        let (files, bytes) = (merged.files.len(), merged.files.iter().map(|file| file.bytes).sum::<u64>());
        writeln!(streams.out, "{files} files, {bytes} bytes: {}", shown(&self.dir.join("manifest.json")))?;
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
