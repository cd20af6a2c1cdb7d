use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use emilia_arena::in_order;
use emilia_engine::{Candidate, no_files};
use emilia_insight::{About, Chosen, GameJudge, Gathering, JudgedGame, Portrait, Share, page};
use emilia_record::thor::{Directory, Names};
use emilia_record::{Hint, read};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::files::{read_bytes, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Show where a player loses discs, over any number of games
///
/// Judges every move of a player with a choice and sums up: discs lost and accuracy by stage of the game, by opening, by colour and over
/// time; which kinds of mistake, with the worst of each; and tournament players who lose as much. Names are found by any case and by a part
/// of them. A game that is there twice counts once. What was judged is kept in a journal, so that the same command goes on where it was
/// interrupted.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia insights games/ --name Tastet
  emilia insights quest.json club.pgn --name ann --out ann.html
  emilia insights WTHOR/WTH_1985.wtb --name \"Tastet Marc\" --json")]
pub(crate) struct Insights {
    /// Files of games in any format, or folders of such; - for the input
    #[arg(value_name = "FILE|FOLDER", required = true)]
    paths: Vec<PathBuf>,

    /// The player, or a part of the name
    #[arg(long, value_name = "NAME")]
    name: String,

    /// How strong Emilia judges, 1 to 30
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u8).range(1..=30))]
    level: u8,

    /// Games judged in parallel; the result does not depend on it [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Write a report for the browser and the printer to this file, whole or not at all
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep in this file what was judged, and go on from there [default: beside the report]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Where links of the report lead to
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8000/")]
    site: String,
}

impl Insights {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let gathering = self.gather(streams)?;
        let remarks = gathering.remarks();
        for remark in &remarks {
            writeln!(streams.err, "{remark}")?;
        }
        let chosen = gathering.of(&self.name).map_err(Failure::failed)?;
        let judge =
            Candidate::parse(&format!("emilia:level={}", self.level), &no_files).map_err(Failure::failed)?;
        let games = self.judged(&judge, &chosen, streams)?;
        let portrait = Portrait::new(&chosen.name, &games);
        if let Some(path) = &self.out {
            let about = About { site: &self.site, judge: judge.name(), remarks: &remarks };
            write_file(path, page(&portrait, about).as_bytes())
                .map_err(|error| Failure::file(path, error))?;
        }
        if self.json {
            return Ok(streams.write_json(&portrait)?);
        }
        print(&portrait, streams.out)?;
        if let Some(path) = &self.out {
            writeln!(streams.out, "\nThe report is in {}.", path.display())?;
        }
        Ok(())
    }

    /// Reads all games.
    fn gather(&self, streams: &mut Streams<'_>) -> Result<Gathering, Failure> {
        let mut files = Vec::new();
        for path in &self.paths {
            add_files(path, true, &mut files).map_err(|error| Failure::file(path, error))?;
        }
        let directory = directory(&files)?;
        let mut gathering = Gathering::default();
        for (path, named) in &files {
            let bytes = read_bytes(path, &mut streams.input)?;
            let name = path.to_string_lossy();
            let reading = match read(&bytes, &Hint { file_name: Some(&name) }) {
                Ok(reading) => reading,
                // In a folder there may be anything; what is named is meant.
                Err(error) if *named => return Err(Failure::in_file(path, &error)),
                Err(error) => {
                    writeln!(streams.err, "{name}: left out: {error}")?;
                    continue;
                }
            };
            for problem in &reading.problems {
                writeln!(streams.err, "{name}: {problem}")?;
            }
            reading.into_games_iter(&directory).for_each(|game| gathering.add(game));
        }
        Ok(gathering)
    }

    /// Judges the games of the player that the journal does not have yet.
    fn judged(
        &self,
        judge: &Candidate,
        chosen: &Chosen,
        streams: &mut Streams<'_>,
    ) -> Result<Vec<JudgedGame>, Failure> {
        let mut journal = Journal::open(self.journal_path())?;
        let seats = &chosen.seats;
        let key = |number: usize| JudgedGame::key(judge.name(), &seats[number].0, seats[number].1);
        let missing: Vec<usize> =
            (0..seats.len()).filter(|number| !journal.games.contains_key(&key(*number))).collect();
        let stop = stop_on_interrupt();
        let bar = bar(seats.len(), streams.interactive);
        bar.set_position((seats.len() - missing.len()) as u64);
        let threads = self.threads.map_or_else(cores, NonZeroUsize::get);
        let judges = GameJudge::new(judge);
        let work = |at: u32| {
            let (game, side) = &seats[missing[at as usize]];
            judges.judge(game, *side, &stop).transpose()
        };
        let mut failure = None;
        in_order(0..missing.len() as u32, threads, &stop, work, |judged| {
            bar.inc(1);
            let kept = judged.map_err(Failure::failed).and_then(|judged| journal.add(judged));
            match kept {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        bar.finish_and_clear();
        if let Some(failure) = failure {
            return Err(failure);
        }
        let games: Vec<JudgedGame> =
            (0..seats.len()).filter_map(|number| journal.games.get(&key(number)).cloned()).collect();
        if games.len() < seats.len() {
            let kept = if journal.path.is_some() {
                "call this again to go on"
            } else {
                "with --out or --journal it could go on"
            };
            return Err(Failure::failed(format!(
                "interrupted after {} of {} games; {kept}",
                games.len(),
                seats.len()
            )));
        }
        Ok(games)
    }

    fn journal_path(&self) -> Option<PathBuf> {
        let beside = |out: &PathBuf| {
            let mut path = out.as_os_str().to_owned();
            path.push(".journal");
            PathBuf::from(path)
        };
        self.journal.clone().or_else(|| self.out.as_ref().map(beside))
    }
}

/// What was judged before, a game a line, and where more is written to.
struct Journal {
    path: Option<PathBuf>,
    file: Option<File>,
    games: HashMap<String, JudgedGame>,
}

/// What a line begins with.
const FIRST: &str = "{\"key\":";

impl Journal {
    fn open(path: Option<PathBuf>) -> Result<Journal, Failure> {
        let mut journal = Journal { path, file: None, games: HashMap::new() };
        let Some(path) = &journal.path else { return Ok(journal) };
        let failed = |error| Failure::file(path, error);
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        for (number, line) in text.lines().enumerate() {
            // A kill in the middle of a line leaves half of it; the game is judged again.
            let is_cut = || line.starts_with(FIRST) || FIRST.starts_with(line);
            match serde_json::from_str::<JudgedGame>(line) {
                Ok(game) => drop(journal.games.insert(game.key.clone(), game)),
                Err(_) if is_cut() => {}
                Err(_) => {
                    let number = number + 1;
                    let problem =
                        format!("{}: line {number} is not of a journal of judged games", path.display());
                    return Err(Failure::failed(problem));
                }
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        journal.file = Some(file);
        Ok(journal)
    }

    fn add(&mut self, game: JudgedGame) -> Result<(), Failure> {
        if let (Some(file), Some(path)) = (&mut self.file, &self.path) {
            let mut line = serde_json::to_string(&game).map_err(Failure::failed)?;
            line.push('\n');
            file.write_all(line.as_bytes()).map_err(|error| Failure::file(path, error))?;
        }
        self.games.insert(game.key.clone(), game);
        Ok(())
    }
}

/// All files, those of folders in the order of their names, and whether they were named.
fn add_files(path: &Path, named: bool, files: &mut Vec<(PathBuf, bool)>) -> io::Result<()> {
    if path == Path::new("-") || !fs::metadata(path)?.is_dir() {
        files.push((path.to_owned(), named));
        return Ok(());
    }
    let mut inside = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    inside.sort();
    inside.iter().try_for_each(|path| add_files(path, false, files))
}

/// The lists of players and tournaments of the WTHOR database, among the files or beside them.
fn directory(files: &[(PathBuf, bool)]) -> Result<Directory, Failure> {
    let mut directory = Directory::default();
    let mut lists: Vec<PathBuf> = Vec::new();
    for (path, _) in files.iter().filter(|(path, _)| has_extension(path, &["wtb"])) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        lists.extend(beside.filter(|path| has_extension(path, &["jou", "trn"])));
    }
    lists.sort();
    lists.dedup();
    for path in lists {
        let bytes = read_bytes(&path, &mut io::empty())?;
        directory.add(Names::parse(&bytes).map_err(|error| Failure::in_file(&path, &error))?);
    }
    Ok(directory)
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| wanted.contains(&extension.as_str()))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Shows a person how far it is; nobody else sees it.
fn bar(length: usize, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games judged, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn print(portrait: &Portrait, out: &mut dyn Write) -> io::Result<()> {
    let Share { games, moves, loss, accuracy, .. } = portrait.all;
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    writeln!(
        out,
        "{}: {games}, {moves} moves with a choice, accuracy {accuracy:.1} %, {loss:.2} discs lost by a move",
        portrait.name
    )?;
    if let (Some(like), Some(band)) = (portrait.like, portrait.band) {
        writeln!(
            out,
            "Played like {} ± {}; compared with tournament players rated {}",
            like.rating, like.deviation, band.name
        )?;
    }
    writeln!(out, "\ndiscs     moves  loss  players  accuracy  blunders")?;
    for (stage, share) in portrait.stages.iter().enumerate() {
        let peers = portrait.band.map_or_else(|| "–".to_owned(), |band| format!("{:.2}", band.stages[stage]));
        let Share { name, moves, loss, accuracy, blunders, .. } = share;
        if *moves == 0 {
            writeln!(out, "{name:<8} {moves:>6} {:>5} {peers:>8} {:>9} {blunders:>9}", "–", "–")?;
            continue;
        }
        writeln!(out, "{name:<8} {moves:>6} {loss:>5.2} {peers:>8} {accuracy:>7.1} % {blunders:>9}")?;
    }
    for (title, shares) in
        [("colour", &portrait.colors), ("opening", &portrait.openings), ("time", &portrait.time)]
    {
        writeln!(out, "\n{title:<28} games  points    loss  accuracy")?;
        for Share { name, games, won, finished, loss, accuracy, .. } in shares {
            writeln!(
                out,
                "{name:<28} {games:>5} {:>7} {loss:>7.2} {accuracy:>7.1} %",
                format!("{won}/{finished}")
            )?;
        }
    }
    writeln!(
        out,
        "\nWhat went wrong: {:.0} discs lost, {:.0} of them by moves that lose at most two",
        portrait.discs, portrait.small_losses
    )?;
    for kind in &portrait.kinds {
        writeln!(
            out,
            "\n{:>3.0} %  {}: {} times, {:.0} discs",
            100.0 * kind.share,
            kind.words,
            kind.count,
            kind.discs
        )?;
        for example in &kind.examples {
            writeln!(
                out,
                "       {}, {}. {}: {}",
                example.game, example.number, example.mv, example.sentence
            )?;
        }
    }
    Ok(())
}
