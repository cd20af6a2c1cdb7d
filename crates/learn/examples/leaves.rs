//! Collects the boards that searches ask the evaluator about, which is where its judgement counts.
//!
//! ```text
//! cargo run --release -p emilia-learn --example leaves -- WTHOR FOLDER MINUTES THREADS SEED
//! ```
//!
//! plays games in which every move is searched with a different number of nodes, from boards of tournament games (never those of
//! the years that are for tests), of openings and of games at random. Of the boards that each search has judged some hundred are
//! kept. Each thread writes four files into the folder: `met-*.emd` has these boards with what the evaluator said (origin unknown, so
//! that nobody learns from it), `searched-*.emd` a few of them with a better score, exact where few squares are empty, else by a
//! search of its own; `ends-*.emd` has the boards, with such a score, at the ends of the lines that the steps of a search found
//! best: most boards that are met come after a bad move, these do not; and `lines-*.emd` has boards that best play leads to from those
//! that were solved, whose scores are then known as well. What is in a file depends on the seed, the number of threads and how long
//! it was written. Files can be read while they grow.
#![allow(clippy::print_stderr)]

use std::error::Error;
use std::fs::{self, File};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use emilia_eval::{Evaluator, Learned, Play, Score};
use emilia_learn::data::{Labelled, LabelledWriter, Origin};
use emilia_learn::selfplay::{Kind, Starts, is_test_year};
use emilia_query::{Limits, Report, Selectivity, Stop};
use emilia_record::thor::Archive;
use emilia_rules::{Board, Color, Kernel, Move, Point, Position, SquareSet};
use emilia_search::{Search, Table};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A search of a game has so many nodes, as many below the middle (by ratio) as above it.
const NODES: (f64, f64) = (2_000.0, 200_000.0);
/// Boards kept of a search, on average.
const KEPT: u64 = 400;
/// Boards of a search that get a better score.
const SEARCHED: usize = 16;
/// Ends of best lines of a search that get one.
const ENDS: usize = 4;
/// Boards with so many empty squares, or fewer, are solved.
const EXACT: u32 = 14;
/// Others are searched so deep, and so sure.
const DEPTH: u8 = 8;
const SELECTIVITY: Selectivity = Selectivity::Likely;
/// Of the boards to which best play leads from a solved one, those with so many empty squares are kept, one in two by chance.
const ON_LINES: RangeInclusive<u32> = 6..=13;
/// Games are left where searches would only solve.
const LAST: u32 = 15;
/// How often a move is not the best one.
const DARING: f64 = 0.1;
/// Megabytes of each of a thread's two tables.
const TABLE: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [wthor, folder, minutes, threads, seed] = &arguments[..] else {
        return Err("usage: leaves WTHOR FOLDER MINUTES THREADS SEED".into());
    };
    let (minutes, threads, seed): (f64, u64, u64) = (minutes.parse()?, threads.parse()?, seed.parse()?);
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let starts = [Kind::Wthor, Kind::Openings, Kind::Wthor, Kind::Mix]
        .into_iter()
        .map(|kind| Ok(Starts::new(kind, archives(Path::new(wthor))?)?))
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    fs::create_dir_all(folder)?;
    let all = &starts;
    std::thread::scope(|scope| {
        let work = |thread| move || Collector::new(all, folder, seed, thread)?.collect(threads, end);
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(work(thread))).collect();
        for worker in workers {
            worker.join().map_err(|_| "a thread panicked")??;
        }
        Ok(())
    })
}

/// The tournament games of the years that may be learnt from.
fn archives(folder: &Path) -> Result<Vec<Archive>, Box<dyn Error>> {
    let entries: Result<Vec<_>, _> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")));
    paths.sort();
    let mut archives = Vec::new();
    for path in paths {
        let archive =
            Archive::parse(&fs::read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        if !is_test_year(archive.header().played) {
            archives.push(archive);
        }
    }
    Ok(archives)
}

/// The evaluator that comes with the program, looked over the shoulder: some of the boards it is asked about are kept.
struct Observed {
    learned: &'static Learned,
    /// One board in so many is kept, on average.
    every: AtomicU64,
    /// Boards until the next that is kept, and where chance stands.
    left: AtomicU64,
    chance: AtomicU64,
    kept: Mutex<Vec<(Board, Score)>>,
}

impl Observed {
    fn new(seed: u64) -> Observed {
        let [every, left, chance] = [1, 1, seed | 1].map(AtomicU64::new);
        Observed { learned: Learned::embedded(), every, left, chance, kept: Mutex::default() }
    }

    /// A search of so many nodes begins.
    fn begin(&self, nodes: u64) {
        self.every.store((nodes / KEPT).max(1), Relaxed);
        self.left.store(1 + nodes / KEPT / 2, Relaxed);
    }

    /// What was kept since the last time.
    fn take(&self) -> Vec<(Board, Score)> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// One thread alone searches with it, so nothing is lost between a load and a store.
    #[inline(always)]
    fn seen(&self, board: Board, score: Score) -> Score {
        let left = self.left.load(Relaxed) - 1;
        self.left.store(left, Relaxed);
        if left == 0 {
            self.keep(board, score);
        }
        score
    }

    #[cold]
    fn keep(&self, board: Board, score: Score) {
        let mut chance = self.chance.load(Relaxed);
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        self.chance.store(chance, Relaxed);
        self.left.store(1 + chance % (2 * self.every.load(Relaxed)), Relaxed);
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push((board, score));
    }
}

impl Evaluator for Observed {
    type Features = <Learned as Evaluator>::Features;

    fn features(&self, board: Board) -> Self::Features {
        self.learned.features(board)
    }

    #[inline(always)]
    fn after(&self, features: &Self::Features, board: Board, play: Play) -> Self::Features {
        self.learned.after(features, board, play)
    }

    #[inline(always)]
    fn pass(&self, features: &Self::Features, board: Board) -> Self::Features {
        self.learned.pass(features, board)
    }

    #[inline(always)]
    fn prefetch<K: Kernel>(&self, kernel: K, features: &Self::Features, board: Board) {
        self.learned.prefetch(kernel, features, board);
    }

    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, features: &Self::Features, board: Board) -> Score {
        self.seen(board, self.learned.score(kernel, features, board))
    }

    #[inline(always)]
    fn score_knowing_mobility<K: Kernel>(
        &self,
        kernel: K,
        features: &Self::Features,
        board: Board,
        mobility: [u32; 2],
    ) -> Score {
        self.seen(board, self.learned.score_knowing_mobility(kernel, features, board, mobility))
    }
}

/// One thread: its games and its files.
struct Collector<'s> {
    starts: &'s [Starts],
    observed: Observed,
    /// What searches of the games remember, and what those remember that give scores.
    tables: [Table; 2],
    stop: Stop,
    random: ChaCha8Rng,
    thread: u64,
    met: LabelledWriter<File>,
    searched: LabelledWriter<File>,
    ends: LabelledWriter<File>,
    lines: LabelledWriter<File>,
}

impl<'s> Collector<'s> {
    fn new(starts: &'s [Starts], folder: &str, seed: u64, thread: u64) -> Result<Collector<'s>, String> {
        let file = |name: &str| {
            let path = Path::new(folder).join(format!("{name}-{seed}-{thread}.emd"));
            let made = File::create(&path).and_then(LabelledWriter::new);
            made.map_err(|error| format!("{}: {error}", path.display()))
        };
        let table = || Table::new(TABLE).map_err(|error| error.to_string());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(thread);
        Ok(Collector {
            starts,
            observed: Observed::new(random.random()),
            tables: [table()?, table()?],
            stop: Stop::new(),
            random,
            thread,
            met: file("met")?,
            searched: file("searched")?,
            ends: file("ends")?,
            lines: file("lines")?,
        })
    }

    /// Plays games until the time is over.
    fn collect(mut self, threads: u64, end: Instant) -> Result<(), String> {
        let mut number = self.thread;
        let (mut games, mut searches) = (0u64, 0u64);
        while Instant::now() < end {
            searches += self.game(number).map_err(|error| error.to_string())?;
            number += threads;
            games += 1;
        }
        eprintln!("thread {}: {games} games, {searches} searches", self.thread);
        for file in [self.met, self.searched, self.ends, self.lines] {
            file.finish().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Plays a game; gives the number of its searches.
    fn game(&mut self, number: u64) -> std::io::Result<u64> {
        let starts = &self.starts[number as usize % self.starts.len()];
        let mut board = starts.board(number / self.starts.len() as u64, &mut self.random);
        self.tables[0].clear();
        let mut searches = 0;
        while board.empties().count() > LAST {
            if board.moves().is_empty() {
                board = board.pass();
                if board.moves().is_empty() {
                    break;
                }
            }
            let (report, ends) = self.observed_search(board);
            searches += 1;
            self.keep(number as u32)?;
            self.keep_ends(ends, number as u32)?;
            let best = report.best().and_then(|found| match found.mv {
                Move::Place(point) => point.square(),
                Move::Pass => None,
            });
            let moves = board.moves();
            let any = moves.into_iter().nth(self.random.random_range(0..moves.count() as usize));
            let Some(square) = best.filter(|_| !self.random.random_bool(DARING)).or(any) else { break };
            board = board.play(square);
        }
        Ok(searches)
    }

    /// Searches a board with a number of nodes that chance says, and looks on. Gives the boards, too, at the ends of the lines that
    /// the steps found best.
    fn observed_search(&mut self, board: Board) -> (Report, Vec<Board>) {
        let share: f64 = self.random.random();
        let nodes = (NODES.0 * (NODES.1 / NODES.0).powf(share)) as u64;
        self.observed.begin(nodes);
        let mut search = Search::new(self.observed.learned, &self.tables[0], &self.stop);
        search.limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let position = Position::new(board, Color::Black).unwrap_or_default();
        let mut ends = Vec::new();
        let mut note = |report: &Report| {
            ends.extend(end_of_line(board, report));
            ControlFlow::Continue(())
        };
        let report = search.judged_by(&self.observed).run_as_judged(&position, &mut note);
        (report, ends)
    }

    /// Writes down some of the ends of best lines with their scores.
    fn keep_ends(&mut self, mut ends: Vec<Board>, game: u32) -> std::io::Result<()> {
        ends.dedup();
        for _ in 0..ENDS.min(ends.len()) {
            let board = ends.swap_remove(self.random.random_range(0..ends.len()));
            if let Some(labelled) = self.searched(board, game)? {
                self.ends.write(&labelled)?;
            }
        }
        Ok(())
    }

    /// Writes down what the last search has seen, and scores some of it.
    fn keep(&mut self, game: u32) -> std::io::Result<()> {
        let mut kept = self.observed.take();
        for _ in 0..SEARCHED.min(kept.len()) {
            let (board, _) = kept.swap_remove(self.random.random_range(0..kept.len()));
            if let Some(labelled) = self.searched(board, game)? {
                self.searched.write(&labelled)?;
            }
        }
        for (board, score) in kept {
            self.met.write(&Labelled { board, score: score.0 as i16, origin: Origin::Unknown, game })?;
        }
        Ok(())
    }

    /// A board with the score of a search of its own; none if the game is over there. Where it is solved, boards on its best line are
    /// written down, too.
    fn searched(&mut self, board: Board, game: u32) -> std::io::Result<Option<Labelled>> {
        let exact = board.empties().count() <= EXACT;
        let mut search = Search::new(self.observed.learned, &self.tables[1], &self.stop);
        if !exact {
            search.limits = Limits { selectivity: Some(SELECTIVITY), ..Limits::depth(DEPTH.into()) };
        }
        let Some(position) = Position::new(board, Color::Black) else { return Ok(None) };
        let report = search.run(&position, &mut ());
        let Some(discs) = report.discs() else { return Ok(None) };
        let score = (discs * f64::from(Score::PER_DISC)) as i16;
        let origin = if exact { Origin::Exact } else { Origin::Depth(DEPTH) };
        let labelled = Labelled { board, score, origin, game };
        if exact {
            self.keep_line(labelled, report.line())?;
        }
        Ok(Some(labelled))
    }

    /// Writes down boards on the best line of a solved one, on which the side to move can move.
    fn keep_line(&mut self, solved: Labelled, line: &[Move<Point>]) -> std::io::Result<()> {
        let mut on_line = solved;
        for &mv in line {
            let Some(board) = after(on_line.board, mv) else { break };
            on_line = Labelled { board, score: -on_line.score, ..on_line };
            let wanted = ON_LINES.contains(&board.empties().count()) && !board.moves().is_empty();
            if wanted && self.random.random_bool(0.5) {
                self.lines.write(&on_line)?;
            }
        }
        Ok(())
    }
}

/// The board to which the best line of a report leads; none if the search went to the end of the game.
fn end_of_line(mut board: Board, report: &Report) -> Option<Board> {
    if report.depth >= board.empties().count() {
        return None;
    }
    for &mv in report.line() {
        board = after(board, mv)?;
    }
    Some(board)
}

/// The board after a move.
fn after(board: Board, mv: Move<Point>) -> Option<Board> {
    match mv {
        Move::Place(point) => Some(board.play(point.square()?)),
        Move::Pass => Some(board.pass()),
    }
}
