//! Drives a session of a protocol: lines from the input, searches on threads of their own, answers to the output.
//!
//! Lines are read on their own thread, so that they are heard at once however busy the players are.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use emilia_engine::Player;
use emilia_protocol::{LONGEST_LINE, Line, Lines, Order, Session};
use emilia_query::{Fault, Query, Report, Stop};

use crate::{Failure, Streams};

/// What happens while a conversation goes on.
enum Event {
    Line(Line),
    InputEnded,
    Progress(u64, Report),
    Finished { worker: usize, search: u64, found: Result<Report, Fault> },
}

/// What a worker is to do.
enum Job {
    Search(Task, Arc<Stop>),
    Forget,
}

/// A search that is wanted.
struct Task {
    search: u64,
    query: Box<Query>,
    /// The position is only expected to come.
    ponder: bool,
}

/// Least time between two reports of the same depth.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Holds a conversation until it is over. Each player works on one search at a time.
pub(crate) fn converse(
    session: &mut dyn Session,
    mut players: Vec<Box<dyn Player>>,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    // Who gets an answer may start a clock, so nothing is answered before the players are ready. One that cannot get
    // ready says so when it is asked.
    players.iter_mut().for_each(|player| drop(player.prepare(None)));
    let (events, happened) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel();
    let input = &mut *streams.input;
    thread::scope(|scope| {
        let lines = events.clone();
        scope.spawn(move || listen(input, &lines, &may_go_on));
        let workers = players.into_iter().enumerate().map(|(number, player)| {
            let (give, jobs) = mpsc::channel();
            let events = events.clone();
            scope.spawn(move || work(number, player, &jobs, &events));
            Worker { give, search: None }
        });
        let mut driver = Driver { workers: workers.collect(), waiting: VecDeque::new(), out: streams.out };
        let result = driver.run(session, &happened, &go_on);
        driver.stop_all();
        result
    })
}

/// Reads lines and hands them over, as long as they are wanted.
fn listen(input: &mut dyn BufRead, events: &Sender<Event>, may_go_on: &Receiver<bool>) {
    let mut lines = Lines::new(LONGEST_LINE);
    let pass_on = |line| events.send(Event::Line(line)).is_ok() && may_go_on.recv() == Ok(true);
    loop {
        let found: Vec<Line> = match input.fill_buf() {
            Ok([]) | Err(_) => break,
            Ok(bytes) => {
                let found = lines.push(bytes).collect();
                let length = bytes.len();
                input.consume(length);
                found
            }
        };
        for line in found {
            if !pass_on(line) {
                return;
            }
        }
    }
    if let Some(line) = lines.end()
        && !pass_on(line)
    {
        return;
    }
    // Nobody may listen any more.
    let _ = events.send(Event::InputEnded);
}

/// Does what is given, one after the other.
fn work(number: usize, mut player: Box<dyn Player>, jobs: &Receiver<Job>, events: &Sender<Event>) {
    for job in jobs {
        let (search, found) = match job {
            Job::Search(task, stop) => (task.search, think(player.as_mut(), &task, &stop, events)),
            Job::Forget => {
                player.forget();
                let _ = player.prepare(None);
                continue;
            }
        };
        if events.send(Event::Finished { worker: number, search, found }).is_err() {
            return;
        }
    }
}

/// Lets the player think, and passes on how it goes.
fn think(player: &mut dyn Player, task: &Task, stop: &Stop, events: &Sender<Event>) -> Result<Report, Fault> {
    let mut told: Option<(Instant, u32)> = None;
    let mut watch = |report: &Report| {
        if told.is_none_or(|(at, depth)| report.depth > depth || at.elapsed() >= REPORT_EVERY) {
            told = Some((Instant::now(), report.depth));
            let _ = events.send(Event::Progress(task.search, report.clone()));
        }
        ControlFlow::Continue(())
    };
    if task.ponder {
        player.ponder(&task.query, stop, &mut watch)
    } else {
        player.answer(&task.query, stop, &mut watch)
    }
}

/// A player on its thread.
struct Worker {
    give: Sender<Job>,
    /// What it is searching.
    search: Option<(u64, Arc<Stop>)>,
}

struct Driver<'d> {
    workers: Vec<Worker>,
    /// Searches that wait for a worker. Those that were stopped still get their turn, and are over at once.
    waiting: VecDeque<(Task, Arc<Stop>)>,
    out: &'d mut dyn Write,
}

impl Driver<'_> {
    fn run(
        &mut self,
        session: &mut dyn Session,
        happened: &Receiver<Event>,
        go_on: &Sender<bool>,
    ) -> Result<(), Failure> {
        for event in happened {
            let heard = matches!(event, Event::Line(_));
            let orders = match event {
                Event::Line(Line::Text(line)) => session.line(&line),
                Event::Line(Line::TooLong(bytes)) => session.too_long(bytes),
                Event::InputEnded => session.ended(),
                Event::Progress(search, report) => session.progress(search, &report),
                Event::Finished { worker, search, found } => {
                    self.workers[worker].search = None;
                    session.finished(search, found)
                }
            };
            let over = self.obey(session, orders);
            if heard {
                // The reader may have ended; then it does not ask.
                let _ = go_on.send(matches!(over, Ok(false)) && session.listens());
            }
            if over? {
                break;
            }
        }
        Ok(())
    }

    /// Does what is ordered; whether that was the end.
    fn obey(&mut self, session: &mut dyn Session, orders: Vec<Order>) -> Result<bool, Failure> {
        let mut orders: VecDeque<Order> = orders.into();
        let mut over = false;
        while let Some(order) = orders.pop_front() {
            match order {
                Order::Say(text) => writeln!(self.out, "{text}")?,
                Order::Think(search, query) => self.wait(Task { search, query, ponder: false }),
                Order::Ponder(search, query) => self.wait(Task { search, query, ponder: true }),
                Order::Stop(search) => self.stop(search),
                // A worker ends only with us.
                Order::Forget => self.workers.iter().for_each(|worker| drop(worker.give.send(Job::Forget))),
                Order::Read(path) => {
                    let text = std::fs::read_to_string(&path);
                    session.file(text).into_iter().rev().for_each(|order| orders.push_front(order));
                }
                Order::Quit => over = true,
            }
        }
        self.out.flush()?;
        self.give_work();
        Ok(over)
    }

    fn wait(&mut self, task: Task) {
        self.waiting.push_back((task, Arc::default()));
    }

    /// Lets idle workers begin what is waiting.
    fn give_work(&mut self) {
        for worker in self.workers.iter_mut().filter(|worker| worker.search.is_none()) {
            let Some((task, stop)) = self.waiting.pop_front() else { return };
            worker.search = Some((task.search, Arc::clone(&stop)));
            drop(worker.give.send(Job::Search(task, stop)));
        }
    }

    fn stop(&self, search: u64) {
        let running = self.workers.iter().filter_map(|worker| worker.search.as_ref());
        let running = running.map(|(number, stop)| (number, stop));
        let waiting = self.waiting.iter().map(|(task, stop)| (&task.search, stop));
        running.chain(waiting).filter(|(number, _)| **number == search).for_each(|(_, stop)| stop.request());
    }

    fn stop_all(&self) {
        self.workers.iter().filter_map(|worker| worker.search.as_ref()).for_each(|(_, stop)| stop.request());
    }
}
