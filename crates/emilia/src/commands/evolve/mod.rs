mod options;
mod progress;
mod report;

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use emilia_learn::evolution::{Chart, Evolution, Evolved, Generation, Hall, Plan};
use emilia_query::Stop;

use crate::files::write_file;
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};
use options::{Options, search};
use progress::Progress;
use report::Report;

/// Let weights evolve: the genetic algorithm, or CMA-ES
///
/// Weights of the evaluator "genes" play each other; those that win have children; in the end the fittest are
/// printed, six numbers, one on a line: squares, parity, frontier, corners, closeness, mobility. What else is printed
/// stands in comments, so that the output is itself a file of weights. The weights, the learning curve and, after
/// every generation, a checkpoint are written to files. The same options and seed give the same weights on any number
/// of threads, also when the run was interrupted and resumed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia evolve                                            fourteen individuals, six generations
  emilia evolve --search s0                                with the search of the first program: takes long
  emilia evolve --opening 8 --games 2 --generations 40     longer, and from many openings
  emilia evolve --method cma-es --opening 8 --generations 40
  emilia evolve --offspring 12 --elite 2 --selection tournament:3 --crossover uniform --mutation gaussian:80
  emilia evolve --resume evolved.json                      go on after an interruption
  emilia play --white alphabeta:depth=4,eval=genes,weights=evolved.txt
                                                           play against the result")]
pub(crate) struct Evolve {
    #[command(flatten)]
    options: Options,

    /// Games played at the same time; the result does not depend on it [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Where to put the weights
    #[arg(long, value_name = "FILE", default_value = "evolved.txt")]
    out: PathBuf,

    /// Where to put the learning curve, an SVG picture
    #[arg(long, value_name = "FILE", default_value = "evolved.svg")]
    chart: PathBuf,

    /// Where to put the checkpoint [default: evolved.json, or the one that is resumed]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on from this checkpoint. Options that were given then need not be given again, and must be the same; only
    /// the number of generations may grow
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Games of the result against the default weights, and as many against random moves; 0 for none
    #[arg(long, value_name = "N", default_value = "100")]
    validate: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Where the checkpoint goes if nothing is said.
const USUAL_CHECKPOINT: &str = "evolved.json";
/// Largest checkpoint that is read: a thousand individuals and a hundred thousand generations need less.
const LARGEST_CHECKPOINT: u64 = 1 << 26;

impl Evolve {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let (mut evolution, file) = self.begin()?;
        let begin = Instant::now();
        let stop = stop_on_interrupt();
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let hall = Hall {
            search: search(&evolution.plan().search)?,
            threads: threads.map_or(1, NonZeroUsize::get),
            stop: &stop,
        };
        // Progress that cannot be shown is no reason to stop.
        let _ = writeln!(streams.err, "{}", options::command_line(evolution.plan()));
        let Some(evolved) = breed(&mut evolution, &hall, &file, streams)? else {
            return Err(Failure::failed(format!(
                "stopped after {} of {} generations; go on with: emilia evolve --resume {}",
                evolution.history().len(),
                evolution.plan().generations,
                file.display()
            )));
        };
        let mut report = Report::new(&evolution, &evolved, begin.elapsed());
        write(&self.out, report.weights_file().as_bytes())?;
        let generations: Vec<Generation> =
            evolution.history().iter().chain([&evolved.generation]).cloned().collect();
        let chart = Chart {
            title: &report.title(),
            generations: &generations,
            most_points: evolution.plan().most_points(),
        };
        write(&self.chart, chart.svg().as_bytes())?;
        self.validate(&mut report, hall.threads, &stop, streams)?;
        report.files = [&self.out, &self.chart, &file].map(|path| path.display().to_string());
        if self.json { Ok(streams.write_json(&report)?) } else { Ok(report.print(streams)?) }
    }

    /// The evolution to carry out, and where its checkpoints go.
    fn begin(&self) -> Result<(Evolution, PathBuf), Failure> {
        if let Some(from) = &self.resume {
            let saved = read_checkpoint(from)?;
            let plan = self.options.plan(saved.plan().clone())?;
            let evolution = saved.continued(plan).map_err(|error| wrong(from, &error))?;
            return Ok((evolution, self.checkpoint.clone().unwrap_or_else(|| from.clone())));
        }
        let plan = self.options.plan(Plan::default())?;
        let evolution = Evolution::new(plan).map_err(Failure::usage)?;
        let file = self.checkpoint.clone().unwrap_or_else(|| PathBuf::from(USUAL_CHECKPOINT));
        if file.exists() && !read_checkpoint(&file)?.is_done() {
            return Err(Failure::failed(format!(
                "{0} belongs to a run that is not finished: go on with --resume {0}, or remove it, or name another file \
                 with --checkpoint",
                file.display()
            )));
        }
        write(&file, evolution.checkpoint().as_bytes())?;
        Ok((evolution, file))
    }

    fn validate(
        &self,
        report: &mut Report,
        threads: usize,
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        if self.validate > 0 {
            let _ = writeln!(
                streams.err,
                "{} games against the default weights and random moves",
                2 * self.validate
            );
            report.validate(self.validate, threads, stop)?;
        }
        Ok(())
    }
}

/// Breeds generation after generation, with a checkpoint after each. Returns nothing if it was stopped.
fn breed(
    evolution: &mut Evolution,
    hall: &Hall<'_>,
    file: &Path,
    streams: &mut Streams<'_>,
) -> Result<Option<Evolved>, Failure> {
    let mut progress = Progress::new(evolution, streams);
    while !evolution.is_done() {
        progress.look_at(evolution);
        let Ok(generation) = evolution.advance(hall, |done| progress.games(done)) else {
            progress.end();
            return Ok(None);
        };
        progress.generation(generation);
        write(file, evolution.checkpoint().as_bytes())?;
    }
    progress.look_at(evolution);
    let evolved = evolution.conclude(hall, |done| progress.games(done)).ok();
    match &evolved {
        Some(evolved) => progress.generation(&evolved.generation),
        None => progress.end(),
    }
    Ok(evolved)
}

fn read_checkpoint(path: &Path) -> Result<Evolution, Failure> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(path)?.take(LARGEST_CHECKPOINT).read_to_string(&mut text)?;
        Ok(text)
    };
    let text = read().map_err(|error| Failure::file(path, error))?;
    Evolution::from_checkpoint(&text).map_err(|error| wrong(path, &error))
}

fn wrong(path: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::failed(format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_file(path, bytes).map_err(|error| Failure::file(path, error))
}
