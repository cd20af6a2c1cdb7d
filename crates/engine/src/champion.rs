//! Emilia herself: the strongest play there is on each board.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use emilia_classic::Dice;
use emilia_eval::Learned;
use emilia_query::{Aim, Clocks, Fault, Limits, Query, Report, Source, Stop, Watcher};
use emilia_rules::{GridPosition, Move, Objective, Playable, Position};
use emilia_search::{GridMemory, GridSearch, Search, Table};
use web_time::Instant;

use crate::allowance::Allowance;
use crate::one_by_one::{OneByOne, finished_in_discs};
use crate::opening::{self, Opening};
use crate::spec::Settings;
use crate::{FileFault, FileReader, Player, PlayerError};

/// What she is told about how to play.
#[derive(Clone, Debug)]
pub(crate) struct Champion {
    allowance: Allowance,
    megabytes: usize,
    threads: usize,
    judge: Judge,
    objective: Objective,
    opening: Option<Opening>,
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
        let learned = Judge::file(file, read);
        let learned = learned.map_err(|fault| PlayerError::File { file: file.to_owned(), fault })?;
        Ok(Judge(Some(Arc::new(learned))))
    }

    fn file(file: &str, read: FileReader<'_>) -> Result<Learned, FileFault> {
        Ok(Learned::read(&read(file)?)?)
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

/// What each move gets where moves are looked at one after the other and nobody has said for how long.
const A_MOVE: Duration = Duration::from_secs(2);

/// The highest level that plays people without a book: a beginner's opponent that opens like a master would be strange.
const WITHOUT_BOOK: u8 = 11;

impl Champion {
    pub(crate) fn new(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Champion, PlayerError> {
        Ok(Champion {
            allowance: Allowance::new(settings)?,
            megabytes: settings.number("hash", 1, 1 << 20)? as usize,
            threads: settings.number("threads", 1, 1024)? as usize,
            judge: Judge::new(settings, read)?,
            objective: settings.objective("goal")?,
            opening: Opening::new(settings, read)?,
        })
    }

    /// Whether she opens by a book, among whose moves she chooses by dice.
    pub(crate) fn has_book(&self) -> bool {
        self.opening.is_some()
    }

    /// The same player with the book that comes with the program, if she is stronger than those who should not have one
    /// and the settings do not speak of books.
    pub(crate) fn with_book(mut self, settings: &Settings<'_>) -> Result<Champion, PlayerError> {
        if settings.is_open("book") && self.allowance.is_above(WITHOUT_BOOK) {
            self.opening = Some(Opening::usual(settings)?);
        }
        Ok(self)
    }
}

/// Emilia at the board.
pub(crate) struct ChampionPlayer {
    name: String,
    champion: Champion,
    /// What is left of the clock that she keeps herself, if there is one.
    clock: Option<Clocks>,
    table: Option<Table>,
    memory: GridMemory,
    /// What the memory is good for.
    remembered: Objective,
    /// For choosing among moves of a book.
    dice: Option<Dice>,
}

impl ChampionPlayer {
    pub(crate) fn new(name: &str, champion: Champion, game: u64) -> ChampionPlayer {
        let clock = match champion.allowance {
            Allowance::Game(clocks) => Some(clocks),
            _ => None,
        };
        let (memory, remembered) = (GridMemory::new(champion.megabytes), champion.objective);
        let dice = champion.opening.as_ref().map(|opening| opening.dice(game));
        ChampionPlayer { name: name.to_owned(), champion, clock, table: None, memory, remembered, dice }
    }

    /// What her book says, if she has one that knows the position.
    fn book_answer(&mut self, query: &Query, objective: Objective) -> Option<Report> {
        let (opening, dice) = self.champion.opening.as_ref().zip(self.dice.as_mut())?;
        if opening::is_known_game(query, objective) { opening.answer(query, dice) } else { None }
    }

    /// Makes the table of the championship search, if it is not there yet.
    fn table(&mut self) -> Result<&Table, Fault> {
        let megabytes = self.champion.megabytes;
        match &mut self.table {
            Some(table) => Ok(table),
            none => Ok(none.insert(Table::new(megabytes).map_err(|_| Fault::NoMemory { megabytes })?)),
        }
    }

    /// Searches a position with the search that is made for it. The time counts since it was asked about.
    fn think(
        &mut self,
        query: &Query,
        mut limits: Limits,
        asked: Instant,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Report, Fault> {
        let objective = query.objective.unwrap_or(self.champion.objective);
        match for_championship(query.position(), objective) {
            Some(small) => {
                self.prepare(None)?;
                limits.time = limits.time.map(|time| time.saturating_sub(asked.elapsed()));
                self.search(&small, query, limits, stop, watcher)
            }
            None => self.grid_search(query, limits, objective, stop, watcher),
        }
    }

    /// The championship search, for boards it knows.
    fn search(
        &mut self,
        small: &Position,
        query: &Query,
        limits: Limits,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Report, Fault> {
        let judge = self.champion.judge.clone();
        let threads = self.champion.threads;
        let mut search = Search::new(judge.learned(), self.table()?, stop);
        search.limits = limits;
        search.threads = threads;
        search.lines = query.lines.max(1);
        search.among = query.among.is_some().then(|| {
            let places = query.candidates().into_iter().filter_map(Move::square);
            places.filter_map(|point| small.square(point)).collect()
        });
        search.aim = query.aim.unwrap_or(Aim::Score);
        Ok(search.run(small, watcher))
    }

    /// The search for boards of every size, which finds one move: several are judged one by one.
    fn grid_search(
        &mut self,
        query: &Query,
        limits: Limits,
        objective: Objective,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Report, Fault> {
        if std::mem::replace(&mut self.remembered, objective) != objective {
            self.memory.forget();
        }
        let search = GridSearch { limits, objective };
        if query.is_plain() {
            return Ok(search.run(query.position(), &mut self.memory, stop, watcher));
        }
        let shares = query.candidates().len().max(1) as u64;
        let depth = limits.depth.map(|depth| depth.saturating_sub(1).max(1));
        let nodes = limits.nodes.map(|nodes| (nodes / shares).max(1));
        // Without an end the first move would never be done with.
        let time = if limits.is_open() { Some(A_MOVE * shares as u32) } else { limits.time };
        let one_by_one = OneByOne { query, time, stop, watcher, source: Source::Search };
        let finished = |over: &GridPosition| finished_in_discs(over, objective);
        one_by_one.judge(finished, |next, time, watcher| {
            let search = GridSearch { limits: Limits { depth, nodes, time, ..limits }, ..search };
            Ok(search.run(next.position(), &mut self.memory, stop, watcher))
        })
    }
}

/// The position as the championship search takes it, where that is the one to ask.
fn for_championship(position: &GridPosition, objective: Objective) -> Option<Position> {
    let small = Position::try_from(position).ok()?;
    (objective == Objective::Most).then_some(small)
}

impl Player for ChampionPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        let asked = Instant::now();
        if query.position().is_over() {
            return Ok(Report::default());
        }
        // A clock that is kept for her counts, not the one she would keep herself.
        if let (Some(own), Some(kept)) = (&mut self.clock, query.limits.clocks) {
            *own = kept;
        }
        let objective = query.objective.unwrap_or(self.champion.objective);
        if let Some(mut report) = self.book_answer(query, objective) {
            report.time = asked.elapsed();
            // Whoever watches has nothing left to end.
            let _ = watcher.report(&report);
            return Ok(report);
        }
        let limits = self.champion.allowance.limits(query, self.clock);
        let report = self.think(query, limits, asked, stop, watcher)?;
        if let Some(clock) = self.clock.as_mut().filter(|_| Allowance::decides(query)) {
            clock.own = clock.own.saturating_sub(asked.elapsed()) + clock.increment;
        }
        Ok(report)
    }

    fn ponder(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        if query.position().is_over() || !self.champion.allowance.is_timed(query) {
            return Ok(Report::default());
        }
        self.think(query, Limits::default(), Instant::now(), stop, watcher)
    }

    fn prepare(&mut self, _: Option<Duration>) -> Result<(), Fault> {
        // The weights of the program are unpacked when they are first used.
        let _ = self.champion.judge.learned();
        self.table().map(drop)
    }

    fn forget(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.memory.forget();
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// The clock that she keeps herself shows the same after pondering as before, and less after an answer.
    #[test]
    fn pondering_takes_no_time_from_the_clock() {
        let left = Duration::from_millis(500);
        let clocks = Clocks { own: left, opponent: left, increment: Duration::ZERO };
        let champion = Champion {
            allowance: Allowance::Game(clocks),
            megabytes: 1,
            threads: 1,
            judge: Judge::default(),
            objective: Objective::Most,
            opening: None,
        };
        let mut player = ChampionPlayer::new("emilia", champion, 0);
        let query = Query::new(GridPosition::default());
        let mut enough = |report: &Report| match report.depth {
            8.. => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let pondered = player.ponder(&query, &Stop::default(), &mut enough).unwrap();
        assert!(pondered.depth >= 8 && player.clock == Some(clocks), "{:?}", player.clock);
        player.answer(&query, &Stop::default(), &mut enough).unwrap();
        assert!(player.clock.unwrap().own < left);
    }
}
