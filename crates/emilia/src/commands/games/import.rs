use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use clap::Args;
use emilia_openings::{Fingerprint, Import, Intake, IntakeError, OpeningsError, Step};
use emilia_query::Stop;
use emilia_record::thor::{Directory, Names};
use emilia_record::{Format, Hint, recognise};
use emilia_server::{MY_GAMES, TOURNAMENTS};
use serde::Serialize;

use super::DataArg;
use super::progress::Progress;
use crate::files::read_bytes;
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Add the games of files and folders to a database
///
/// Every format that can be read is recognised by itself. Lists of players (.jou) and tournaments (.trn) among the files
/// give WTHOR games their names. A game that is there already is counted once; a broken one is reported and left out.
/// An import that was interrupted, by Ctrl-C or by a power cut, goes on where it stopped when it is called again.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia games import WTHOR/                  the folder with WTH_*.wtb, WTH.JOU and WTH.TRN, into \"tournaments\"
  emilia games import club.ggf old/           files and folders, into \"my-games\"
  emilia games import --into self-play DIR    into another database
  emilia games import - < game.txt            what another program prints")]
pub(super) struct ImportGames {
    /// Files and folders to read; - is the standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The database [default: tournaments for WTHOR files, else my-games]
    #[arg(long, value_name = "NAME")]
    into: Option<String>,

    /// Threads that share the work [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,

    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArg,
}

/// What came of it, for a program to read.
#[derive(Serialize)]
struct Done {
    database: String,
    new: u64,
    duplicates: u64,
    left_out: u64,
    files_left_out: u64,
    games: u64,
    finished: bool,
}

/// Something to read, and whether it was named by the user or found in a folder.
struct Source {
    path: PathBuf,
    named: bool,
}

/// The names that WTHOR games go by, and their bytes.
#[derive(Default)]
struct NameLists {
    directory: Directory,
    bytes: Vec<u8>,
}

impl ImportGames {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let sources = self.sources()?;
        let lists = name_lists(&sources)?;
        let is_wthor = |source: &Source| has_extension(&source.path, &["wtb", "wtd"]);
        let usual = if sources.iter().any(is_wthor) { TOURNAMENTS } else { MY_GAMES };
        let database = self.into.clone().unwrap_or_else(|| usual.to_owned());
        let library = self.data.library();
        let (folder, _lock) = library.to_write(&database).map_err(Failure::failed)?;
        let threads = self.threads.map_or_else(cores, usize::from);
        let import = Import::begin(&folder).map_err(broken)?.with_threads(threads);
        let mut work = Work {
            import,
            stop: stop_on_interrupt(),
            progress: Progress::new(streams.interactive, sources.len()),
            all: Intake::default(),
            files_left_out: 0,
        };
        let taken = sources.iter().try_for_each(|source| work.take(source, &lists, streams));
        // What was read before something went wrong is kept all the same.
        let committed = work.import.commit().map_err(broken);
        work.progress.wipe(streams.err);
        taken?;
        committed?;
        let done = Done {
            database,
            new: work.all.new,
            duplicates: work.all.duplicates,
            left_out: work.all.left_out,
            files_left_out: work.files_left_out,
            games: work.import.games() as u64,
            finished: !work.stop.is_requested(),
        };
        self.say(&done, streams)
    }

    fn say(&self, done: &Done, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if self.json {
            streams.write_json(done)?;
        } else {
            writeln!(
                streams.out,
                "{}: {} games added, {} were there already; {} games now",
                done.database, done.new, done.duplicates, done.games
            )?;
        }
        if !done.finished {
            return Err(Failure::failed("interrupted; call this again to go on"));
        }
        match (done.left_out, done.files_left_out) {
            (0, 0) => Ok(()),
            (1, 0) => Err(Failure::failed("one game was left out; the others are in")),
            (games, 0) => Err(Failure::failed(format!("{games} games were left out; the others are in"))),
            (games, files) => Err(Failure::failed(format!(
                "{files} files and {games} games were left out; the others are in"
            ))),
        }
    }

    /// All files, those of folders in the order of their names.
    fn sources(&self) -> Result<Vec<Source>, Failure> {
        let mut sources = Vec::new();
        for path in &self.paths {
            if path == Path::new("-") {
                sources.push(Source { path: path.clone(), named: true });
            } else {
                add_sources(path, true, &mut sources).map_err(|error| Failure::file(path, error))?;
            }
        }
        Ok(sources)
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn add_sources(path: &Path, named: bool, sources: &mut Vec<Source>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        sources.push(Source { path: path.to_owned(), named });
        return Ok(());
    }
    let mut inside = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    inside.sort();
    inside.iter().try_for_each(|path| add_sources(path, false, sources))
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| wanted.contains(&extension.as_str()))
}

/// The lists of players and tournaments among the files.
fn name_lists(sources: &[Source]) -> Result<NameLists, Failure> {
    let mut lists = NameLists::default();
    for source in sources.iter().filter(|source| has_extension(&source.path, &["jou", "trn"])) {
        let bytes = read_bytes(&source.path, &mut io::empty())?;
        let names = Names::parse(&bytes).map_err(|error| Failure::in_file(&source.path, &error))?;
        lists.directory.add(names);
        lists.bytes.extend(bytes);
    }
    Ok(lists)
}

/// What a database that cannot be read or written means to the user.
fn broken(error: OpeningsError) -> Failure {
    if error.is_full_disk() {
        return Failure::failed(format!(
            "{error}; the database is as it was after the last games that were written, and goes on from there when there is room"
        ));
    }
    Failure::failed(error)
}

/// An import under way.
struct Work<'s> {
    import: Import<'s>,
    stop: Arc<Stop>,
    progress: Progress,
    all: Intake,
    files_left_out: u64,
}

impl Work<'_> {
    fn take(&mut self, source: &Source, lists: &NameLists, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if self.stop.is_requested() {
            return Ok(());
        }
        let name = source.path.to_string_lossy().into_owned();
        let bytes = read_bytes(&source.path, &mut streams.input)?;
        let hint = Hint { file_name: Some(&name) };
        let format = match recognise(&bytes, &hint) {
            Ok(format) => format,
            // In a folder there may be anything; what is named is meant.
            Err(error) if source.named => return Err(Failure::failed(format!("{name}: {error}"))),
            Err(error) => return self.leave_out(&name, &error, streams),
        };
        let fingerprint = match format {
            Format::Players | Format::Tournaments => {
                self.progress.done += 1;
                return Ok(());
            }
            Format::Wthor => Fingerprint::of(&[&bytes, &lists.bytes]),
            _ => Fingerprint::of(&[&bytes]),
        };
        if self.import.has(&fingerprint) {
            self.progress.wipe(streams.err);
            writeln!(streams.err, "{name}: imported before")?;
            self.progress.done += 1;
            return Ok(());
        }
        let (stop, progress, before) = (&self.stop, &mut self.progress, self.all);
        let mut intake = before;
        let mut watch = |step: Step| {
            match step {
                Step::Added(emilia_openings::Added::New) => intake.new += 1,
                Step::Added(_) => intake.duplicates += 1,
                Step::LeftOut { game, reason } => {
                    intake.left_out += 1;
                    progress.wipe(streams.err);
                    // A remark that cannot be shown is no reason to stop.
                    let _ = writeln!(streams.err, "{name}: game {game}: {reason}");
                }
            }
            progress.show(&intake, &name, streams.err);
            if stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match self.import.add_file(&bytes, &hint, &lists.directory, &mut watch) {
            Ok(intake) => self.all.add(intake),
            Err(IntakeError::Database(error)) => return Err(broken(error)),
            Err(IntakeError::Read(error)) => return self.leave_out(&name, &error, streams),
        }
        if !self.stop.is_requested() {
            self.import.finish(fingerprint);
        }
        self.progress.done += 1;
        Ok(())
    }

    fn leave_out(
        &mut self,
        name: &str,
        reason: &dyn std::error::Error,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        self.progress.wipe(streams.err);
        writeln!(streams.err, "{name}: {reason}")?;
        self.files_left_out += 1;
        Ok(())
    }
}
