use std::time::{Duration, Instant};

use emilia_protocol::{Client, Step};
use emilia_query::{Fault, MoveReport, Query, Report, Source, Stop, Watcher};
use emilia_rules::{GridPosition, Move, Playable, Status};

use super::Program;
use super::process::{Heard, Process};
use crate::Player;
use crate::one_by_one::{OneByOne, finished_in_discs};

/// Another program at the board. It is started when it is first asked, and again if it had to be stopped.
pub(crate) struct OutsidePlayer {
    name: String,
    program: Program,
    running: Option<Running>,
}

/// The program and how far the conversation has come.
struct Running {
    process: Process,
    client: Box<dyn Client>,
    /// Whether it has answered yet.
    warm: bool,
}

/// How long it may take if nobody has said anything about time.
const UNLIMITED: Duration = Duration::from_secs(600);
/// How many times the usual grace the first answer gets if there is no clock, or a long one.
const WARMING_UP: u32 = 5;
/// What it gets however short the games are: an interpreter and its libraries take a second or two on a busy machine.
const LEAST_STARTING: Duration = Duration::from_secs(5);
/// How long it may take to answer after it was told to stop.
const STOPPING: Duration = Duration::from_secs(1);
/// How often a stop request is looked for.
const TICK: Duration = Duration::from_millis(5);
/// Bytes that a program may write before it answers.
const FLOOD: usize = 1 << 24;

impl OutsidePlayer {
    pub(crate) fn new(name: &str, program: Program) -> OutsidePlayer {
        OutsidePlayer { name: name.to_owned(), program, running: None }
    }

    /// Asks the program about a position, or only whether it is ready; nothing if it was stopped before it answered.
    /// A program that has failed, or was stopped, is started anew when it is asked again.
    fn ask(
        &mut self,
        query: Option<&Query>,
        starting: Duration,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Report>, Fault> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                let client = self.program.client();
                let process = Process::start(&self.program.command, client.farewell())?;
                Running { process, client, warm: false }
            }
        };
        let patience = Self::patience(query, if running.warm { self.program.grace } else { starting });
        let answer = running.converse(query, patience, stop, watcher)?;
        if query.is_none() || answer.is_some() {
            running.warm = true;
            self.running = Some(running);
        }
        Ok(answer)
    }

    /// How long its first answer may take: programs load their tables, but need not be waited for longer than for a
    /// whole game.
    fn starting(&self, whole_game: Option<Duration>) -> Duration {
        let longest = self.program.grace * WARMING_UP;
        whole_game.map_or(longest, |game| longest.min(game.max(LEAST_STARTING)))
    }

    /// How long the program may take before it counts as hung, if it may be so late.
    fn patience(query: Option<&Query>, grace: Duration) -> Duration {
        let limit = query.and_then(|query| {
            query.limits.clocks.map(|clocks| clocks.own).into_iter().chain(query.limits.time).min()
        });
        match (query, limit) {
            (None, _) => grace,
            (Some(_), Some(limit)) => limit + grace,
            (Some(_), None) => UNLIMITED,
        }
    }

    /// The program's move in a position where it has one to choose.
    fn choose(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        let begin = Instant::now();
        let stopped = Report { source: Source::Program, stopped: true, ..Report::default() };
        let report = self.ask(Some(query), self.starting(None), stop, watcher)?.unwrap_or(stopped);
        Ok(Report { time: begin.elapsed(), ..report })
    }
}

impl Running {
    /// Talks with the program until it has answered or something is wrong.
    fn converse(
        &mut self,
        query: Option<&Query>,
        mut patience: Duration,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Report>, Fault> {
        let (begin, mut bytes) = (Instant::now(), 0_usize);
        // Whether somebody wants it to stop, and whether it was told.
        let (mut stopped, mut told) = (false, false);
        let mut steps = match query {
            Some(query) => self.client.ask(query),
            None => self.client.greet(),
        };
        loop {
            for step in std::mem::take(&mut steps) {
                match step {
                    Step::Send(line) => self.process.say(&line),
                    Step::Ready => return Ok(None),
                    Step::Progress(report) => {
                        stopped |= watcher.report(&Report { time: begin.elapsed(), ..report }).is_break();
                    }
                    Step::Moved(text, report) => return moved(text, report, query).map(Some),
                    Step::Refused { asked, reason } => return Err(Fault::Refused { asked, reason }),
                    Step::NotUnderstood(line) => {
                        return Err(Fault::NotUnderstood { asked: self.client.asked(), line });
                    }
                }
            }
            stopped |= stop.is_requested();
            if stopped && !told {
                let Some(line) = self.client.stop() else { return Ok(None) };
                self.process.say(&line);
                patience = begin.elapsed() + STOPPING;
                told = true;
            }
            match self.process.hear(TICK) {
                Heard::Line(line, length) => {
                    bytes += length;
                    steps = self.client.line(&line);
                }
                Heard::Nothing => {}
                Heard::End => return Err(self.process.fault(self.client.asked())),
            }
            if bytes > FLOOD {
                return Err(Fault::Flooded { asked: self.client.asked(), bytes });
            }
            if begin.elapsed() > patience {
                let (asked, after) = (self.client.asked(), begin.elapsed());
                return if stop.is_requested() { Ok(None) } else { Err(Fault::Silent { asked, after }) };
            }
        }
    }
}

/// What the program has found, if that is a legal move.
fn moved(text: String, report: Option<Box<Report>>, query: Option<&Query>) -> Result<Report, Fault> {
    let legal = |mv| query.is_some_and(|query| query.position().play(mv).is_ok());
    match report.filter(|report| report.best_move().is_some_and(legal)) {
        Some(report) => Ok(*report),
        None if text.eq_ignore_ascii_case("resign") => Err(Fault::Resigned),
        None => Err(Fault::Illegal { text }),
    }
}

impl Player for OutsidePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        match query.position().status() {
            Status::Over(_) => Ok(Report { source: Source::Program, ..Report::default() }),
            // There is nothing to ask; it will be told with the next position.
            Status::MustPass => {
                let pass = vec![MoveReport::new(Move::Pass)];
                Ok(Report { source: Source::Program, ..Report::of(pass) })
            }
            Status::ToPlace if query.is_plain() => self.choose(query, stop, watcher),
            Status::ToPlace => {
                let time = query.limits.time;
                let one_by_one = OneByOne { query, time, stop, watcher, source: Source::Program };
                let objective = query.objective.unwrap_or_default();
                let finished = |over: &GridPosition| finished_in_discs(over, objective);
                one_by_one.judge(finished, |next, time, watcher| {
                    let mut next = next.clone();
                    next.limits.time = time;
                    self.answer(&next, stop, watcher)
                })
            }
        }
    }

    fn prepare(&mut self, whole_game: Option<Duration>) -> Result<(), Fault> {
        if self.running.as_ref().is_some_and(|running| running.warm) {
            return Ok(());
        }
        self.ask(None, self.starting(whole_game), &Stop::default(), &mut ()).map(drop)
    }

    fn forget(&mut self) {
        self.running = None;
    }
}
