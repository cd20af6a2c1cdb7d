mod progress;
mod shard;

use std::fs::{self, File};
use std::io::Read;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use emilia_learn::data::Origin;
use emilia_learn::selfplay::{Kind, Plan, Sparring, Starts, is_test_year};
use emilia_query::Stop;
use serde::{Deserialize, Serialize};

use crate::files::write_file;
use crate::interrupt::stop_on_interrupt;
use crate::weights::{Judge, WeightsArg};
use crate::wthor::read_years;
use crate::{Failure, Streams};
use progress::Progress;
use shard::Shard;

/// Let Emilia play against herself, and keep the games to learn from
///
/// Games begin on many different boards, are played by a search of fixed depth, at times with a move that is not the
/// best, and are solved to the end. Game number n depends on the options and n alone, not on the number of threads. A
/// run that was interrupted or killed goes on when it is called again with the same options. "emilia data" makes
/// training data of the games.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia selfplay --out games --games 10000
  emilia selfplay --out games --minutes 20 --wthor WTHOR --seed 2
  emilia selfplay --out endgames --games 100000 --depth 4 --exact-from 14 --starts random")]
pub(crate) struct SelfPlay {
    /// Folder for the games; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Games to have in the end, those of earlier calls counted
    #[arg(long, value_name = "N", required_unless_present = "minutes")]
    games: Option<NonZeroU64>,

    /// Minutes to play for
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,

    /// Games played at the same time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    sparring: SparringArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How the games are played, whoever shares the work.
#[derive(Args)]
pub(crate) struct SparringArgs {
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Plies to look ahead while the end is far
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,

    /// Empty squares from which on every score is exact
    #[arg(long, value_name = "N", default_value = "18", value_parser = clap::value_parser!(u8).range(0..=30))]
    exact_from: u8,

    /// How games begin: with random moves, from tournament games, with every opening in turn, or some of each
    #[arg(long, value_enum, value_name = "KIND", default_value = "mix")]
    starts: StartsArg,

    /// Folder with the WTHOR database, WTH_*.wtb; years divisible by 5 are left out, they are for tests
    #[arg(long, value_name = "DIR")]
    pub(crate) wthor: Option<PathBuf>,

    /// Games in a file
    #[arg(long, value_name = "N", default_value = "500")]
    pub(crate) shard: NonZeroU64,

    #[command(flatten)]
    pub(crate) weights: WeightsArg,
}

impl SparringArgs {
    /// What these options mean.
    pub(crate) fn plan(&self) -> Plan {
        let kind = match self.starts {
            StartsArg::Random => Kind::Random,
            StartsArg::Wthor => Kind::Wthor,
            StartsArg::Openings => Kind::Openings,
            StartsArg::Mix => Kind::Mix,
        };
        Plan { seed: self.seed, depth: self.depth, exact_from: self.exact_from, kind }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum StartsArg {
    Random,
    Wthor,
    Openings,
    Mix,
}

/// A text that is no number of minutes.
#[derive(Clone, Debug, thiserror::Error)]
#[error("write minutes such as 20 or 0.5, at most a month of them")]
struct MinutesError;

fn minutes(text: &str) -> Result<Duration, MinutesError> {
    const MONTH: f64 = 31.0 * 24.0 * 60.0;
    let minutes = text.parse::<f64>().map_err(|_| MinutesError)?;
    if (0.0..=MONTH).contains(&minutes) {
        Ok(Duration::from_secs_f64(minutes * 60.0))
    } else {
        Err(MinutesError)
    }
}

/// What a folder of games was made with: it goes on only with the same.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Birth {
    version: String,
    plan: Plan,
    tournament_games: usize,
    shard: u64,
    weights: Option<String>,
}

/// What was reached.
#[derive(Serialize)]
struct Summary {
    games: u64,
    games_now: u64,
    positions_now: u64,
    exact_now: u64,
    seconds: f64,
    threads: usize,
}

/// What all threads share.
struct Work<'a> {
    plan: &'a Plan,
    starts: &'a Starts,
    judge: &'a Judge,
    out: &'a Path,
    shard: u64,
    games: u64,
    next_shard: AtomicU64,
    finish: AtomicBool,
    tally: Tally,
}

/// Games found, games played, their positions, and those with an exact score.
#[derive(Default)]
struct Tally {
    found: AtomicU64,
    played: AtomicU64,
    positions: AtomicU64,
    exact: AtomicU64,
}

const BIRTH: &str = "selfplay.json";
/// Largest record of a run that is read.
const LARGEST_BIRTH: u64 = 1 << 16;

impl SelfPlay {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let plan = self.sparring.plan();
        let archives = match &self.sparring.wthor {
            Some(folder) => read_years(folder, |year| !is_test_year(year))?,
            None => Vec::new(),
        };
        let starts = Starts::new(plan.kind, archives).map_err(Failure::usage)?;
        let judge = self.sparring.weights.judge()?;
        let _lock = self.claim(&plan, &starts)?;
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let work = Work {
            plan: &plan,
            starts: &starts,
            judge: &judge,
            out: &self.out,
            shard: self.sparring.shard.get(),
            games: self.games.map_or(u64::MAX, NonZeroU64::get),
            next_shard: AtomicU64::new(0),
            finish: AtomicBool::new(false),
            tally: Tally::default(),
        };
        let stop = stop_on_interrupt();
        let begin = Instant::now();
        self.play(&work, threads, &stop, streams)?;
        let (found, played) = (work.tally.found.load(Relaxed), work.tally.played.load(Relaxed));
        let summary = Summary {
            games: found + played,
            games_now: played,
            positions_now: work.tally.positions.load(Relaxed),
            exact_now: work.tally.exact.load(Relaxed),
            seconds: begin.elapsed().as_secs_f64(),
            threads,
        };
        if self.json {
            streams.write_json(&summary)?
        } else {
            summary.print(streams)?
        }
        if stop.is_requested() {
            return Err(Failure::failed(format!(
                "stopped after {} games; the same command goes on",
                summary.games
            )));
        }
        Ok(())
    }

    /// Makes the folder this run's own: it must be new, or made with the same options, and nobody else may be at it.
    fn claim(&self, plan: &Plan, starts: &Starts) -> Result<File, Failure> {
        let birth = Birth {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: plan.clone(),
            tournament_games: starts.games(),
            shard: self.sparring.shard.get(),
            weights: self.sparring.weights.name(),
        };
        let path = self.out.join(BIRTH);
        let failed = |error| Failure::file(&path, error);
        fs::create_dir_all(&self.out).map_err(|error| Failure::file(&self.out, error))?;
        if !path.exists() {
            let text = serde_json::to_string_pretty(&birth).map_err(Failure::failed)?;
            write_file(&path, text.as_bytes()).map_err(failed)?;
        }
        let mut file = File::open(&path).map_err(failed)?;
        file.try_lock().map_err(|_| {
            Failure::failed(format!("{}: another run is writing games there", self.out.display()))
        })?;
        let mut text = String::new();
        (&mut file).take(LARGEST_BIRTH).read_to_string(&mut text).map_err(failed)?;
        let earlier: Birth = serde_json::from_str(&text)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        if earlier != birth {
            return Err(Failure::usage(format!(
                "{} holds games made with other options, see {BIRTH} there; give those, or take another folder",
                self.out.display()
            )));
        }
        Ok(file)
    }

    /// Plays on all threads and shows how it goes, until there are enough games, the time is over or Ctrl-C.
    fn play(
        &self,
        work: &Work<'_>,
        threads: usize,
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let begin = Instant::now();
        let fault = Mutex::new(None);
        let mut progress = Progress::new(self.games.map(NonZeroU64::get), self.minutes, streams);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(|| {
                        if let Err(failure) = work.play() {
                            work.finish.store(true, Relaxed);
                            // The first failure is the one to tell; a poisoned lock has one already.
                            if let Ok(mut fault) = fault.lock() {
                                fault.get_or_insert(failure);
                            }
                        }
                    })
                })
                .collect();
            while threads.iter().any(|thread| !thread.is_finished()) {
                std::thread::sleep(PAUSE);
                if stop.is_requested() || self.minutes.is_some_and(|minutes| begin.elapsed() >= minutes) {
                    work.finish.store(true, Relaxed);
                }
                progress.show(&work.tally);
            }
        });
        progress.end();
        match fault.into_inner() {
            Ok(Some(failure)) => Err(failure),
            _ => Ok(()),
        }
    }
}

/// How often the end is looked for.
const PAUSE: Duration = Duration::from_millis(20);

impl Work<'_> {
    /// The life of a thread: one file after the other.
    fn play(&self) -> Result<(), Failure> {
        let mut sparring = Sparring::new(self.plan, self.starts, self.judge).map_err(Failure::failed)?;
        loop {
            let number = self.next_shard.fetch_add(1, Relaxed);
            let first = number.saturating_mul(self.shard);
            let end = first.saturating_add(self.shard).min(self.games);
            if first >= end || self.finish.load(Relaxed) {
                return Ok(());
            }
            let mut shard = Shard::open(self.out, number)?;
            self.tally.found.fetch_add(shard.games().min(end - first), Relaxed);
            for game in first.saturating_add(shard.games())..end {
                if self.finish.load(Relaxed) {
                    return Ok(());
                }
                let game = sparring.play(game);
                shard.write(&game)?;
                let exact = game.plies.iter().filter(|ply| ply.origin == Origin::Exact).count();
                self.tally.played.fetch_add(1, Relaxed);
                self.tally.positions.fetch_add(game.plies.len() as u64, Relaxed);
                self.tally.exact.fetch_add(exact as u64, Relaxed);
            }
        }
    }
}

impl Summary {
    fn print(&self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let Summary { games, games_now, positions_now, exact_now, seconds, threads } = self;
        let rate = |count: u64| count as f64 / seconds.max(1e-9);
        let share = 100.0 * *exact_now as f64 / (*positions_now).max(1) as f64;
        writeln!(
            streams.out,
            "{games} games, {games_now} of them now: {positions_now} positions, {share:.0} % exact, in {seconds:.1} s \
             on {threads} threads: {:.1} games/s, {:.0} positions/s",
            rate(*games_now),
            rate(*positions_now)
        )?;
        Ok(())
    }
}
