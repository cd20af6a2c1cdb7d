//! Emilia herself: the strongest play there is on each board.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use emilia_eval::Learned;
use emilia_protocol::{Limits as Wish, Thought};
use emilia_rules::{Bitboard, GridPosition, Move, Objective, Playable, Position, Size};
use emilia_search::{
    Aim, Clock, GridMemory, GridReport, GridSearch, Level, Limits, Observer, Report, Search, Table,
};

use crate::analysis::one_by_one;
use crate::findings::{grid_progress, progress, thought};
use crate::player::{in_time, share};
use crate::spec::Settings;
use crate::{Bounds, Decision, Fault, FileReader, Player, PlayerError, Progress, Question, Stop};

/// What she is told about how to play.
#[derive(Clone, Debug)]
pub(crate) struct Champion {
    effort: Effort,
    megabytes: usize,
    threads: usize,
    judge: Judge,
    pub(crate) objective: Objective,
}

/// By whose weights she judges 8×8 boards: those that come with the program, or those of a file.
#[derive(Clone, Default)]
struct Judge(Option<Arc<Learned>>);

impl Judge {
    /// The weights that the setting names.
    fn new(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Judge, PlayerError> {
        let file = settings.text("weights");
        if file.is_empty() {
            return Ok(Judge::default());
        }
        let failed = |reason: String| PlayerError::File { file: file.to_owned(), reason };
        let bytes = read(file).map_err(|error| failed(error.to_string()))?;
        let learned = Learned::read(&bytes).map_err(|error| failed(error.to_string()))?;
        Ok(Judge(Some(Arc::new(learned))))
    }

    fn learned(&self) -> &Learned {
        self.0.as_deref().unwrap_or_else(|| Learned::embedded())
    }
}

impl fmt::Debug for Judge {
    /// Without the hundred thousands of weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Judge(file)" } else { "Judge(embedded)" })
    }
}

/// How much she may think.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effort {
    /// The usual level, unless somebody gives her a clock or a time: then that.
    Usual,
    Level(Level),
    /// Limits for every move alike.
    Move(Limits),
    /// A clock for the whole game.
    Game(Clock),
}

/// Positions that level 1 looks at on boards other than 8×8; each level looks at [`NODES_GROWTH`] times as many.
const NODES_OF_LEVEL_1: f64 = 3000.0;
/// See [`NODES_OF_LEVEL_1`]. Level 16 takes a few seconds on 26×26.
const NODES_GROWTH: f64 = 1.5;

/// What each move gets where moves are looked at one after the other and nobody has said for how long.
const A_MOVE: Duration = Duration::from_secs(2);

/// Empty squares of a 4×4 or 6×6 board from which on the exact solver takes over: it needs less than a second there.
const SOLVED_SMALL: u32 = 20;

impl Champion {
    pub(crate) fn new(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Champion, PlayerError> {
        let given = |name: &str| !settings.text(name).is_empty();
        let optional = |name: &str, high: u64| -> Result<Option<u64>, PlayerError> {
            if given(name) { settings.number(name, 1, high).map(Some) } else { Ok(None) }
        };
        let time = |name: &str| -> Result<Option<Duration>, PlayerError> {
            if given(name) { settings.time(name).map(Some) } else { Ok(None) }
        };
        let limits = Limits {
            depth: optional("depth", 60)?.map(|depth| depth as u32),
            nodes: optional("nodes", u64::MAX)?,
            time: time("time")?,
            ..Limits::default()
        };
        let effort = match (time("game")?, optional("level", u64::from(Level::MAX.get()))?) {
            (Some(left), None) if limits == Limits::default() => {
                Effort::Game(Clock { left, increment: time("inc")?.unwrap_or_default() })
            }
            (None, Some(level)) if limits == Limits::default() => {
                let level = Level::new(level as u32)
                    .map_err(|error| settings.bad_value("level", error.to_string()))?;
                Effort::Level(level)
            }
            (None, None) if limits == Limits::default() => Effort::Usual,
            (None, None) => Effort::Move(limits),
            _ => {
                let name = if given("level") { "level" } else { "game" };
                let why = "choose one of level, game, or limits for a move (depth, nodes, time)";
                return Err(settings.bad_value(name, why.to_owned()));
            }
        };
        Ok(Champion {
            effort,
            megabytes: settings.number("hash", 1, 1 << 20)? as usize,
            threads: settings.number("threads", 1, 1024)? as usize,
            judge: Judge::new(settings, read)?,
            objective: settings.objective("goal")?,
        })
    }
}

/// Emilia at the board.
pub(crate) struct ChampionPlayer {
    name: String,
    champion: Champion,
    /// What is left of the clock, if there is one.
    clock: Option<Clock>,
    memory: GridMemory,
    table: Option<Table>,
}

impl ChampionPlayer {
    pub(crate) fn new(name: &str, champion: Champion) -> ChampionPlayer {
        let clock = match champion.effort {
            Effort::Game(clock) => Some(clock),
            _ => None,
        };
        let memory = GridMemory::new(champion.megabytes);
        ChampionPlayer { name: name.to_owned(), champion, clock, memory, table: None }
    }

    /// When to end the search of this position: by her own settings, unless something else is wished for.
    fn limits(&self, size: Size, empties: u32, wish: &Wish) -> Limits {
        let level = |level: Level| {
            if size == Size::EIGHT {
                return level.limits(empties);
            }
            let nodes = NODES_OF_LEVEL_1 * NODES_GROWTH.powi(i32::from(level.get()) - 1);
            let depth = if empties <= u32::from(level.get()) { None } else { Some(level.get().into()) };
            Limits { depth, nodes: Some(nodes as u64), ..Limits::default() }
        };
        let timed = wish.time.is_some() || wish.clocks.is_some();
        let own = match (self.champion.effort, self.clock) {
            _ if wish.endless || wish.depth.is_some() || wish.nodes.is_some() => Limits::default(),
            _ if wish.level.is_some() => {
                level(wish.level.and_then(|n| Level::new(n).ok()).unwrap_or_default())
            }
            (Effort::Usual, _) if timed => Limits::default(),
            (Effort::Usual, _) => level(Level::default()),
            (Effort::Level(own), _) => level(own),
            (Effort::Move(limits), _) => limits,
            (Effort::Game(clock), kept) => Limits::time(kept.unwrap_or(clock).time_for_move(empties)),
        };
        let share = wish.clocks.map(|clocks| share(clocks, empties));
        Limits {
            depth: least(own.depth, wish.depth),
            nodes: least(own.nodes, wish.nodes),
            time: least(least(own.time, wish.time.map(in_time)), share),
            ..own
        }
    }

    /// The championship search, for boards it knows. Nothing if there is no memory for its table.
    fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        root: &RootMoves,
        stop: &Stop,
        observer: &mut dyn Observer,
    ) -> Option<Report> {
        let megabytes = self.champion.megabytes;
        let table = match &self.table {
            Some(table) => table,
            None => self.table.insert(Table::new(megabytes).ok()?),
        };
        let mut search = Search::new(self.champion.judge.learned(), table, stop.flag());
        search.limits = limits;
        search.threads = self.champion.threads;
        search.lines = root.lines;
        search.among = root.among;
        search.aim = root.aim;
        Some(search.run(position, observer))
    }

    /// The search for boards of every size.
    fn grid_search(
        &mut self,
        position: &GridPosition,
        limits: Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&GridReport) -> ControlFlow<()>,
    ) -> Option<Decision> {
        let search = GridSearch { limits, objective: self.champion.objective };
        let report = search.run(position, &mut self.memory, stop.flag(), watch);
        report.best().map(|mv| Decision {
            mv,
            score: Some(report.discs()),
            nodes: report.nodes,
            depth: report.depth,
            greatest_depth: report.depth,
            exact: report.exact,
            time: report.time,
            line: report.line,
        })
    }

    /// Judges the moves that are asked for, with the search that fits the board. Its time counts from when it was asked.
    fn judge(
        &mut self,
        position: &GridPosition,
        question: Question<'_>,
        asked: Instant,
    ) -> Result<Thought, Fault> {
        if position.is_over() {
            return Ok(Thought::default());
        }
        let empties = position.counts().empty;
        let mut limits = self.limits(position.size(), empties, &question.limits);
        limits.time = limits.time.map(|time| time.saturating_sub(asked.elapsed()));
        if let Some(small) = self.known(position) {
            let aim = if question.limits.outcome_only { Aim::Outcome } else { Aim::Score };
            let among = question.among.is_some().then(|| {
                let places = question.candidates(position).into_iter().filter_map(Move::square);
                places.filter_map(|point| small.square(point)).collect()
            });
            let root = RootMoves { lines: question.lines.max(1), among, aim };
            let Question { stop, watch, .. } = question;
            let mut observer = |report: &Report| watch(&thought(report, empties, aim));
            let report = self.search(&small, limits, &root, stop, &mut observer);
            return Ok(report.map(|report| thought(&report, empties, aim)).unwrap_or_default());
        }
        let stop = question.stop;
        if question.is_plain(position) {
            let watch = question.watch;
            let mut tell = |report: &GridReport| watch(&Thought::from(&grid_progress(report)));
            let decision = self.grid_search(position, limits, stop, &mut tell);
            return Ok(decision.map(Thought::from).unwrap_or_default());
        }
        let shares = question.candidates(position).len().max(1) as u32;
        limits.depth = limits.depth.map(|depth| depth.saturating_sub(1).max(1));
        limits.nodes = limits.nodes.map(|nodes| (nodes / u64::from(shares)).max(1));
        limits.time = limits.time.map(|time| time / shares);
        if limits == Limits::default() {
            // Without an end the first move would never be done with.
            limits.time = Some(A_MOVE);
        }
        one_by_one(position, question, |next| {
            Ok(self.grid_search(next, limits, stop, &mut |_| ControlFlow::Continue(())))
        })
    }

    /// Makes what a search on such a board needs, if it is not there yet.
    fn get_ready(&mut self, size: Size) {
        if size.is_compact() && self.table.is_none() {
            // The weights of the program are unpacked when they are first used.
            let _ = self.champion.judge.learned();
            self.table = Table::new(self.champion.megabytes).ok();
        }
    }

    /// Takes the time of a move off her own clock, if she keeps one.
    fn spend(&mut self, time: Duration) {
        if let Some(clock) = &mut self.clock {
            clock.left = clock.left.saturating_sub(time) + clock.increment;
        }
    }

    /// The position as the championship search takes it, where that is the one to ask.
    fn known(&self, position: &GridPosition) -> Option<Position> {
        let small = Position::try_from(position).ok()?;
        let known = small.size() == Size::EIGHT || position.counts().empty <= SOLVED_SMALL;
        (known && self.champion.objective == Objective::Most).then_some(small)
    }
}

/// What the championship search is to look at.
struct RootMoves {
    lines: usize,
    among: Option<Bitboard>,
    aim: Aim,
}

/// The smaller of two limits, if there is any.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

impl Player for ChampionPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(&mut self, position: &GridPosition, bounds: Bounds<'_>) -> Result<Option<Decision>, Fault> {
        let began = Instant::now();
        self.get_ready(position.size());
        let empties = position.counts().empty;
        // A clock that is kept for her counts, not the one she would keep herself.
        if let (Some(own), Some(kept)) = (&mut self.clock, bounds.clock) {
            *own = Clock { left: kept.own, increment: kept.increment };
        }
        let wish = Wish { clocks: bounds.clock, ..Wish::default() };
        let mut limits = self.limits(position.size(), empties, &wish);
        limits.time =
            least(limits.time, bounds.longest(empties)).map(|time| time.saturating_sub(began.elapsed()));
        let Bounds { stop, watch, .. } = bounds;
        let decision = match self.known(position) {
            Some(small) => {
                let root = RootMoves { lines: 1, among: None, aim: Aim::Score };
                let report =
                    self.search(&small, limits, &root, stop, &mut |report: &Report| watch(&progress(report)));
                report.and_then(|report| {
                    let Progress { depth, greatest_depth, nodes, time, score, line } = progress(&report);
                    let mv = *line.first()?;
                    Some(Decision {
                        mv,
                        score,
                        nodes,
                        depth,
                        greatest_depth,
                        exact: report.exact,
                        time,
                        line,
                    })
                })
            }
            None => self.grid_search(position, limits, stop, &mut |report| watch(&grid_progress(report))),
        };
        self.spend(began.elapsed());
        Ok(decision)
    }

    fn analyse(&mut self, position: &GridPosition, question: Question<'_>) -> Result<Thought, Fault> {
        let began = Instant::now();
        self.get_ready(position.size());
        let own_clock = question.limits == Wish::default();
        let thought = self.judge(position, question, began)?;
        if own_clock {
            self.spend(began.elapsed());
        }
        Ok(thought)
    }

    fn prepare(&mut self) -> Result<(), Fault> {
        self.get_ready(Size::EIGHT);
        Ok(())
    }

    fn forget(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.memory.forget();
    }
}
