use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use emilia_learn::data::{
    Collection, Division, GamesError, GamesReader, Labelled, LabelledWriter, Labelling, Solving, Statistics,
    Tournament,
};
use emilia_learn::selfplay::is_test_year;
use emilia_query::Stop;
use emilia_record::thor::Archive;
use emilia_search::TableError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::files::{open_positions, read_bytes};
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Make training data of games: scored positions, merged, shuffled and divided
///
/// Reads games of self-play (.emg), tournament games of the WTHOR database (.wtb) and scored positions (.emd); a folder
/// stands for all such files in it. Positions that are the same but for symmetry become one, exact scores beating
/// others. Positions of some games are put aside for tests; no test position, however turned, is among the others.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia data games --out train.emd --test test.emd
  emilia data games WTHOR --out train.emd --test test.emd --test-share 0.01 --blend 0.3 --solve 14
  emilia data WTH_2015.wtb WTH_2020.wtb --test-years --out exam.emd")]
pub(crate) struct Data {
    /// Files or folders with games or positions
    #[arg(required = true, value_name = "FILE|DIR")]
    what: Vec<PathBuf>,

    /// Where to put the positions to learn from
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Where to put the positions to test with
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,

    /// Share of the games that is put aside for tests
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = share, requires = "test")]
    test_share: f64,

    /// How much of a searched score is replaced by what the game came to, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    blend: f64,

    /// Solve the positions of tournament games and of .emd files with so many empty squares or fewer; others of
    /// tournament games after the 24th before the end keep the result of the game
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u8).range(0..=23))]
    solve: u8,

    /// Take tournament games of years divisible by 5 only, which nothing is ever learnt from
    #[arg(long)]
    test_years: bool,

    /// Where the random numbers begin: which games are for tests, and in what order positions come
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Positions to read at most; each takes 24 bytes of memory
    #[arg(long, value_name = "N", default_value = "400000000")]
    max_positions: NonZeroUsize,

    /// Threads that solve [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Positions of a file that are read, and solved, at a time.
const AT_A_TIME: usize = 1 << 16;

const STOPPED: &str = "stopped; nothing was written";

/// A number that is no share.
#[derive(Clone, Debug, thiserror::Error)]
#[error("write a number from 0 to 1")]
struct ShareError;

fn share(text: &str) -> Result<f64, ShareError> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or(ShareError)
}

/// What was done, for a program to read.
#[derive(Serialize)]
struct Report {
    read: usize,
    positions: usize,
    tests: usize,
    phases: Vec<Phase>,
}

#[derive(Serialize)]
struct Phase {
    empties: (u8, u8),
    positions: u64,
    mean: f64,
    deviation: f64,
    exact: f64,
    result: f64,
    tests: u64,
}

impl Data {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let stop = stop_on_interrupt();
        let files = files(&self.what)?;
        let mut collection = Collection::new(self.max_positions.get());
        let bar = bar(files.len(), streams.interactive);
        for path in &files {
            if stop.is_requested() {
                bar.finish_and_clear();
                return Err(Failure::failed(STOPPED));
            }
            bar.set_message(path.display().to_string());
            self.read(path, &mut collection, &stop, streams)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let read = collection.len();
        let test_share = if self.test.is_some() { self.test_share } else { 0.0 };
        let (train, tests) = collection.divide(&Division { test_share, seed: self.seed });
        write(&self.out, &train)?;
        if let Some(path) = &self.test {
            write(path, &tests)?;
        }
        self.report(read, &train, &tests, streams)
    }

    /// Adds the positions of one file.
    fn read(
        &self,
        path: &Path,
        collection: &mut Collection,
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let wrong = |error: &dyn std::error::Error| Failure::in_file(path, error);
        match extension(path).as_str() {
            "emg" => {
                let labelling = Labelling { blend: self.blend as f32 };
                let file = File::open(path).map_err(|error| Failure::file(path, error))?;
                for game in GamesReader::new(file).map_err(|error| wrong(&error))? {
                    match game {
                        Ok(game) => {
                            collection.extend(labelling.positions(&game)).map_err(|error| wrong(&error))?
                        }
                        // A run that was killed, or is still going on.
                        Err(torn @ GamesError::Torn { .. }) => {
                            let _ = writeln!(streams.err, "{}: {torn}; the rest is left out", path.display());
                        }
                        Err(error) => return Err(wrong(&error)),
                    }
                }
            }
            "emd" => {
                let mut positions = open_positions(path, streams.err)?;
                loop {
                    let block = positions.by_ref().take(AT_A_TIME).collect::<Result<Vec<_>, _>>();
                    let mut block = block.map_err(|error| wrong(&error))?;
                    if block.is_empty() {
                        break;
                    }
                    if self.solve > 0 {
                        block = solved(self.solving(stop).positions(&block))?;
                    }
                    collection.extend(block).map_err(|error| wrong(&error))?;
                }
            }
            _ => {
                let bytes = read_bytes(path, &mut io::empty())?;
                let archive = Archive::parse(&bytes).map_err(|error| wrong(&error))?;
                if is_test_year(archive.header().played) != self.test_years {
                    // In a folder the other years are simply not meant; a file that was named is a mistake.
                    if self.what.iter().any(|what| what == path) {
                        return Err(Failure::usage(format!(
                            "{}: years divisible by 5 are for tests only, and with --test-years no others are taken",
                            path.display()
                        )));
                    }
                    return Ok(());
                }
                let labelled = solved(Tournament { solving: self.solving(stop) }.positions(&archive))?;
                collection.extend(labelled).map_err(|error| wrong(&error))?;
            }
        }
        Ok(())
    }

    fn solving<'a>(&self, stop: &'a Stop) -> Solving<'a> {
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        Solving { most: self.solve, threads: threads.map_or(1, NonZeroUsize::get), stop }
    }

    fn report(
        &self,
        read: usize,
        train: &[Labelled],
        tests: &[Labelled],
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let tested = Statistics::of(tests);
        let phases: Vec<Phase> = Statistics::of(train)
            .phases
            .into_iter()
            .zip(tested.phases)
            .map(|(phase, tests)| Phase {
                empties: phase.empties,
                positions: phase.positions,
                mean: phase.mean,
                deviation: phase.deviation,
                exact: phase.exact,
                result: phase.result,
                tests: tests.positions,
            })
            .collect();
        let report = Report { read, positions: train.len(), tests: tests.len(), phases };
        if self.json {
            return Ok(streams.write_json(&report)?);
        }
        writeln!(streams.out, "empties   positions     mean  deviation   exact  result      tests")?;
        for phase in &report.phases {
            let Phase { empties: (low, high), positions, mean, deviation, exact, result, tests } = phase;
            writeln!(
                streams.out,
                "{low:>2} to {high:>2} {positions:>10} {mean:>+8.2} {deviation:>10.2} {:>5.0} % {:>5.0} % {tests:>10}",
                100.0 * exact,
                100.0 * result
            )?;
        }
        let Report { positions, tests, .. } = report;
        writeln!(
            streams.out,
            "{read} positions read, {positions} different ones to learn from, {tests} for tests"
        )?;
        Ok(())
    }
}

/// What was solved, unless it failed or was stopped.
fn solved(found: Result<Option<Vec<Labelled>>, TableError>) -> Result<Vec<Labelled>, Failure> {
    found.map_err(Failure::failed)?.ok_or_else(|| Failure::failed(STOPPED))
}

/// The files that are meant, folders replaced by the files in them, in a fixed order.
fn files(what: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in what {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |error| Failure::file(path, error);
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if ["emg", "emd", "wtb"].contains(&extension(&file).as_str()) {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(Failure::failed(format!("{}: no .emg, .emd or .wtb file there", path.display())));
        }
        found.sort();
        files.append(&mut found);
    }
    if let Some(path) = files.iter().find(|path| !["emg", "emd", "wtb"].contains(&extension(path).as_str())) {
        return Err(Failure::usage(format!("{}: only .emg, .emd and .wtb files are read", path.display())));
    }
    Ok(files)
}

fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |extension| extension.to_string_lossy().to_ascii_lowercase())
}

/// Writes positions so that the file is there whole or not at all.
fn write(path: &Path, positions: &[Labelled]) -> Result<(), Failure> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let write = || -> io::Result<()> {
        let mut writer = LabelledWriter::new(File::create(&unfinished)?)?;
        for labelled in positions {
            writer.write(labelled)?;
        }
        writer.finish()?.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().map_err(|error| Failure::file(path, error))
}

/// Shows a person how far it is; nobody else sees it.
fn bar(files: usize, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(files as u64), target);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} files, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
