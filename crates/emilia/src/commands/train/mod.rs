mod birth;

use std::fs::{self, File};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use emilia_eval::Patterns;
use emilia_eval::layout::PHASES;
use emilia_learn::data::Labelled;
use emilia_learn::training::{Loss, Plan, Step, Training, TrainingSet, losses};
use serde::Serialize;

use crate::files::{open_positions, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};
use birth::Birth;

/// Fit the weights of the evaluation to scored positions
///
/// Reads files of scored positions (.emd), keeps one game in 64 for the test, and fits pattern weights phase by phase,
/// from the end of the game to its beginning. Each pass through the positions of a phase makes the error smaller; it is
/// shown on standard error, and at the end a table of all phases is printed. Beside the weights a text is written that
/// says how they were made. The same files and options give the same weights on any number of threads.
///
/// A checkpoint is written every minute and after every phase; with --resume the fit goes on from there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia train positions.emd --out weights.bin
  emilia train games-*.emd --test exact.emd --out weights.bin --minutes 30
  emilia train games-*.emd --test exact.emd --out weights.bin --minutes 30 --resume
                                                           go on after an interruption

EMILIA_COMMIT in the environment is noted beside the weights as the commit they were made with.
docs/training.md has the whole way from nothing to the weights that come with the program, and training/ the scripts
that fit weights on a graphics card.")]
pub(crate) struct Train {
    /// Files of scored positions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Where to put the weights; what is known about them goes beside them, into a file ending in .txt
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Files of positions that are only tested on
    #[arg(long, value_name = "FILE", num_args = 1..)]
    test: Vec<PathBuf>,

    /// Passes through the positions of each phase
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,

    /// End after so many minutes at the latest; phases share them by their positions
    #[arg(long, value_name = "N", value_parser = minutes)]
    minutes: Option<f64>,

    /// Draw weights towards those of the phase before, as if so many positions said so
    #[arg(long, value_name = "N", default_value = "10", value_parser = ridge)]
    ridge: f64,

    /// Look at positions of so many empty squares beside a phase, too
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=10))]
    beside: u8,

    /// Threads; the result does not depend on them [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Where to put the checkpoint [default: the name of the weights with .checkpoint]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint, if there is one. Files and options must be the same
    #[arg(long)]
    resume: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How well the weights of a phase fit, in discs.
#[derive(Clone, Copy, Serialize)]
struct Row {
    phase: usize,
    positions: usize,
    /// Root of the mean squared error on the positions fitted to.
    fit: f64,
    test_positions: usize,
    /// The same on those of the test, and their mean absolute error.
    test: f64,
    test_absolute: f64,
}

/// Most positions that are read: they take 24 bytes of memory each.
const MOST_POSITIONS: usize = 400_000_000;
/// Largest checkpoint that is read: fourteen phases of 32-bit numbers need less.
const LARGEST_CHECKPOINT: u64 = 1 << 28;
/// How often a checkpoint is written.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

impl Train {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let begin = Instant::now();
        let mut birth = Birth::new(&self.out);
        let fit = read_all(&self.files, &mut birth, streams.err)?;
        let set = TrainingSet::new(fit, read_all(&self.test, &mut birth, streams.err)?);
        if set.fit().is_empty() {
            return Err(Failure::failed("there are no positions in these files"));
        }
        let number = set.fingerprint();
        let checkpoint = self.checkpoint();
        let training = self.begin(&checkpoint, number)?;
        let _ = writeln!(
            streams.err,
            "{} positions to fit to, {} to test on; discs, root of the mean squared error:",
            set.fit().len(),
            set.test().len()
        );
        let work = Work { set: &set, number, checkpoint: &checkpoint, begin, minutes: self.minutes };
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let training = work.fit(training, threads.map_or(1, NonZeroUsize::get), streams)?;
        let bytes = training.weights().bytes();
        let patterns = Patterns::read(&bytes).map_err(Failure::failed)?;
        let rows = rows(&losses(&patterns, set.fit()), &losses(&patterns, set.test()));
        let table = table(&rows);
        write(&self.out, &bytes)?;
        write(&birth.path(), birth.text(bytes.len(), begin.elapsed(), &table).as_bytes())?;
        // The work is done; what is left of it would only be in the way of the next.
        let _ = fs::remove_file(&checkpoint);
        if self.json { Ok(streams.write_json(&rows)?) } else { Ok(write!(streams.out, "{table}")?) }
    }

    fn checkpoint(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| {
            let mut name = self.out.as_os_str().to_owned();
            name.push(".checkpoint");
            PathBuf::from(name)
        })
    }

    /// The fit to carry out, from its beginning or from the checkpoint.
    fn begin(&self, checkpoint: &Path, number: u64) -> Result<Training, Failure> {
        let plan = Plan { passes: self.epochs, ridge: self.ridge, beside: self.beside.into() };
        if !checkpoint.exists() {
            return Ok(Training::new(plan));
        }
        if !self.resume {
            return Err(Failure::failed(format!(
                "{0} belongs to a training that is not finished: go on with --resume, or remove it, or name another file \
                 with --checkpoint",
                checkpoint.display()
            )));
        }
        let mut bytes = Vec::new();
        File::open(checkpoint)
            .and_then(|file| {
                std::io::Read::read_to_end(&mut std::io::Read::take(file, LARGEST_CHECKPOINT), &mut bytes)
            })
            .map_err(|error| Failure::file(checkpoint, error))?;
        Training::read(plan, number, &bytes)
            .map_err(|error| Failure::failed(format!("{}: {error}", checkpoint.display())))
    }
}

/// What a fit needs to know beside its weights.
struct Work<'a> {
    set: &'a TrainingSet,
    /// Tells sets of positions apart.
    number: u64,
    checkpoint: &'a Path,
    begin: Instant,
    minutes: Option<f64>,
}

impl Work<'_> {
    /// Fits phase after phase, with a checkpoint after each and every minute.
    fn fit(
        &self,
        mut training: Training,
        threads: usize,
        streams: &mut Streams<'_>,
    ) -> Result<Training, Failure> {
        let stop = stop_on_interrupt();
        let mut saved = Instant::now();
        let mut curve = Vec::new();
        while let Some(step) = training.advance(self.set, threads) {
            let Step { phase, pass, positions, root_mean_square, last } = step;
            let late = !last && self.deadline(phase).is_some_and(|deadline| self.begin.elapsed() > deadline);
            if late {
                training.end_phase();
            }
            curve.push(root_mean_square);
            // Progress that cannot be shown is no reason to stop.
            if last || late {
                let _ = writeln!(streams.err, "phase {phase:2}: {positions} positions, {}", spell(&curve));
                curve.clear();
            } else if streams.interactive {
                let _ = write!(streams.err, "\rphase {phase:2}: pass {pass}, {root_mean_square:.3}\x1b[K\r");
                let _ = streams.err.flush();
            }
            if last || late || stop.is_requested() || saved.elapsed() > CHECKPOINT_EVERY {
                write(self.checkpoint, &training.bytes(self.number))?;
                saved = Instant::now();
            }
            if stop.is_requested() {
                return Err(Failure::failed(format!(
                    "stopped in phase {phase} of {PHASES}; go on with the same command and --resume"
                )));
            }
        }
        Ok(training)
    }

    /// When a phase should be done, if the time is limited.
    fn deadline(&self, phase: usize) -> Option<Duration> {
        let positions =
            |phases: usize| -> usize { (0..phases).map(|at| self.set.of_phase(at, 0).len()).sum() };
        let share = positions(phase + 1) as f64 / positions(PHASES).max(1) as f64;
        Some(Duration::from_secs_f64(self.minutes? * 60.0 * share))
    }
}

/// A learning curve in a few numbers: after 0, 1, 2, 4, 8 … passes, and the last.
fn spell(curve: &[f64]) -> String {
    let shown = |at: &usize| at.count_ones() <= 1 || at + 1 == curve.len();
    let numbers: Vec<String> = (0..curve.len()).filter(shown).map(|at| format!("{:.2}", curve[at])).collect();
    format!("after {} passes: {}", curve.len().saturating_sub(1), numbers.join(" "))
}

fn rows(fit: &[Loss], test: &[Loss]) -> Vec<Row> {
    let row = |(phase, (fit, test)): (usize, (&Loss, &Loss))| Row {
        phase,
        positions: fit.positions,
        fit: fit.root_mean_square,
        test_positions: test.positions,
        test: test.root_mean_square,
        test_absolute: test.mean_absolute,
    };
    fit.iter().zip(test).enumerate().map(row).collect()
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from("phase  fitted to     rms | tested on     rms     mae\n");
    for Row { phase, positions, fit, test_positions, test, test_absolute } in rows {
        table.push_str(&format!(
            "{phase:5} {positions:10} {fit:7.2} | {test_positions:9} {test:7.2} {test_absolute:7.2}\n"
        ));
    }
    table
}

fn read_all(paths: &[PathBuf], birth: &mut Birth, err: &mut dyn Write) -> Result<Vec<Labelled>, Failure> {
    let mut positions = Vec::new();
    for path in paths {
        let before = positions.len();
        for labelled in open_positions(path, err)? {
            if positions.len() == MOST_POSITIONS {
                return Err(Failure::failed(format!(
                    "{}: more than {MOST_POSITIONS} positions are not read",
                    path.display()
                )));
            }
            positions.push(labelled.map_err(|error| Failure::in_file(path, &error))?);
        }
        birth.file(path, positions.len() - before);
    }
    Ok(positions)
}

/// A text that is no number in range.
#[derive(Clone, Debug, thiserror::Error)]
#[error("write a number from {0} to {1}")]
struct RangeError(f64, f64);

fn number(text: &str, least: f64, most: f64) -> Result<f64, RangeError> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or(RangeError(least, most))
}

fn minutes(text: &str) -> Result<f64, RangeError> {
    number(text, 0.001, 1_000_000.0)
}

fn ridge(text: &str) -> Result<f64, RangeError> {
    number(text, 0.001, 1_000_000_000.0)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_file(path, bytes).map_err(|error| Failure::file(path, error))
}
