//! Emilia herself: the strongest play there is on each board.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use emilia_eval::{Patterns, Score};
use emilia_rules::{GridPosition, Move, Objective, Playable, Point, Position, Size};
use emilia_search::{Clock, GridMemory, GridReport, GridSearch, Level, Limits, Report, Search, Table};

use crate::spec::Settings;
use crate::{Bounds, Decision, FileReader, Player, PlayerError, Progress};

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
struct Judge(Option<Arc<Patterns>>);

impl Judge {
    /// The weights that the setting names.
    fn new(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Judge, PlayerError> {
        let file = settings.text("weights");
        if file.is_empty() {
            return Ok(Judge::default());
        }
        let failed = |reason: String| PlayerError::File { file: file.to_owned(), reason };
        let bytes = read(file).map_err(|error| failed(error.to_string()))?;
        let patterns = Patterns::read(&bytes).map_err(|error| failed(error.to_string()))?;
        Ok(Judge(Some(Arc::new(patterns))))
    }

    fn patterns(&self) -> &Patterns {
        self.0.as_deref().unwrap_or_else(|| Patterns::embedded())
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
            (None, None) if limits == Limits::default() => Effort::Level(Level::default()),
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

    /// When to end the search of this position.
    fn limits(&self, size: Size, empties: u32) -> Limits {
        match (self.champion.effort, self.clock) {
            (_, Some(clock)) => Limits::time(clock.time_for_move(empties)),
            (Effort::Move(limits), _) => limits,
            (Effort::Level(level), _) if size == Size::EIGHT => level.limits(empties),
            (Effort::Level(level), _) => {
                let nodes = NODES_OF_LEVEL_1 * NODES_GROWTH.powi(i32::from(level.get()) - 1);
                let depth = if empties <= u32::from(level.get()) { None } else { Some(level.get().into()) };
                Limits { depth, nodes: Some(nodes as u64), ..Limits::default() }
            }
            (Effort::Game(clock), None) => Limits::time(clock.time_for_move(empties)),
        }
    }

    /// The championship search, for boards it knows. Nothing if there is no memory for its table.
    fn search(&mut self, position: &Position, limits: Limits, bounds: Bounds<'_>) -> Option<Report> {
        let megabytes = self.champion.megabytes;
        let table = match &self.table {
            Some(table) => table,
            None => self.table.insert(Table::new(megabytes).ok()?),
        };
        let mut search = Search::new(self.champion.judge.patterns(), table, bounds.stop.flag());
        search.limits = limits;
        search.threads = self.champion.threads;
        let watch = bounds.watch;
        Some(search.run(position, &mut |report: &Report| watch(&progress(report))))
    }

    /// The search for boards of every size.
    fn grid_search(&mut self, position: &GridPosition, limits: Limits, bounds: Bounds<'_>) -> GridReport {
        let search = GridSearch { limits, objective: self.champion.objective };
        let watch = bounds.watch;
        search.run(position, &mut self.memory, bounds.stop.flag(), &mut |report| {
            watch(&Progress {
                depth: report.depth,
                greatest_depth: report.depth,
                nodes: report.nodes,
                time: report.time,
                score: Some(report.discs()),
                line: report.line.clone(),
            })
        })
    }

    /// The position as the championship search takes it, where that is the one to ask.
    fn known(&self, position: &GridPosition) -> Option<Position> {
        let small = Position::try_from(position).ok()?;
        let known = small.size() == Size::EIGHT || position.counts().empty <= SOLVED_SMALL;
        (known && self.champion.objective == Objective::Most).then_some(small)
    }
}

fn progress(report: &Report) -> Progress {
    Progress {
        depth: report.depth,
        greatest_depth: report.depth,
        nodes: report.nodes,
        time: report.time,
        score: Some(discs(report.score())),
        line: report.lines.first().map_or_else(Vec::new, |line| points(&line.moves)),
    }
}

fn points(moves: &[Move]) -> Vec<Move<Point>> {
    moves.iter().map(|mv| mv.map(Point::from)).collect()
}

fn discs(score: Score) -> f64 {
    f64::from(score.0) / f64::from(Score::PER_DISC)
}

impl Player for ChampionPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(&mut self, position: &GridPosition, bounds: Bounds<'_>) -> Option<Decision> {
        let began = Instant::now();
        let mut limits = self.limits(position.size(), position.counts().empty);
        if let Some(most) = bounds.time {
            limits.time = Some(limits.time.map_or(most, |time| time.min(most)));
        }
        let decision = match self.known(position) {
            Some(small) => {
                let report = self.search(&small, limits, bounds)?;
                let Progress { depth, greatest_depth, nodes, time, score, line } = progress(&report);
                let mv = *line.first()?;
                Decision { mv, score, nodes, depth, greatest_depth, exact: report.exact, time, line }
            }
            None => {
                let report = self.grid_search(position, limits, bounds);
                Decision {
                    mv: report.best()?,
                    score: Some(report.discs()),
                    nodes: report.nodes,
                    depth: report.depth,
                    greatest_depth: report.depth,
                    exact: report.exact,
                    time: report.time,
                    line: report.line,
                }
            }
        };
        if let Some(clock) = &mut self.clock {
            clock.left = clock.left.saturating_sub(began.elapsed()) + clock.increment;
        }
        Some(decision)
    }
}
