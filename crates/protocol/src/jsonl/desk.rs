use std::time::Duration;

use emilia_query::{Fault, Query, Report};
use emilia_rules::{Color, Playable};
use serde::Serialize;

use super::VERSION;
use super::field_error::{FieldError, FieldFault};
use super::message::{Answer, Done, Statistics, Trouble, text};
use super::question::{Message, Question, Wrong};
use crate::{Identity, Order, Session};

/// Takes questions, hands them to the workers by priority, and answers each turn exactly once.
///
/// ```
/// use emilia_protocol::{jsonl::Desk, Identity, Order, Session};
/// let mut desk = Desk::new(Identity { name: "Emilia", version: "1" }, 1);
/// let orders = desk.line(r#"{"id": "a", "moves": "f5d6", "turns": [1, 2], "depth": 8}"#);
/// assert!(matches!(orders.as_slice(), [Order::Think(1, query)] if query.moves().len() == 1));
/// let orders = desk.line(r#"{"id": "b", "depth": 99}"#);
/// let [Order::Say(error)] = orders.as_slice() else { panic!("{orders:?}") };
/// assert!(error.starts_with(r#"{"type":"error","id":"b","field":"depth","message":"depth: must be"#));
/// ```
pub struct Desk {
    name: String,
    version: String,
    workers: usize,
    /// Turns to be found, in no order.
    waiting: Vec<Turn>,
    /// Turns that are being found, with the numbers of their searches.
    running: Vec<(u64, Turn)>,
    /// Turns ever taken in, and searches ever begun.
    taken: u64,
    searches: u64,
    statistics: Statistics,
    input_ended: bool,
    quitting: bool,
}

/// A turn of a question.
struct Turn {
    id: String,
    turn: usize,
    priority: i64,
    /// When it came: earlier ones go first.
    number: u64,
    query: Query,
    side: Option<Color>,
    every: Option<Duration>,
    /// When it was last reported on.
    told: Duration,
    cancelled: bool,
}

/// Turns that may wait at a time.
const MOST_WAITING: usize = 10_000;

impl Desk {
    /// A desk with so many workers.
    #[must_use]
    pub fn new(identity: Identity<'_>, workers: usize) -> Desk {
        Desk {
            name: identity.name.to_owned(),
            version: identity.version.to_owned(),
            workers: workers.max(1),
            waiting: Vec::new(),
            running: Vec::new(),
            taken: 0,
            searches: 0,
            statistics: Statistics::default(),
            input_ended: false,
            quitting: false,
        }
    }

    fn take(&mut self, question: Question) -> Result<Vec<Order>, FieldError> {
        let known =
            self.running.iter().map(|(_, turn)| turn).chain(&self.waiting).any(|turn| turn.id == question.id);
        if known {
            return Err(FieldFault::IdInUse.of("id"));
        }
        if self.waiting.len() + question.queries.len() > MOST_WAITING {
            return Err(FieldFault::TooManyTurns(MOST_WAITING).of("turns"));
        }
        self.statistics.questions += 1;
        for (turn, query) in question.queries {
            self.taken += 1;
            self.waiting.push(Turn {
                id: question.id.clone(),
                turn,
                priority: question.priority,
                number: self.taken,
                query,
                side: question.side,
                every: question.every,
                told: Duration::ZERO,
                cancelled: false,
            });
        }
        Ok(self.go_on())
    }

    /// Begins what can be begun: the highest priority first, then the oldest. Where the game is over there is nothing
    /// to search.
    fn go_on(&mut self) -> Vec<Order> {
        let mut orders = Vec::new();
        while self.running.len() < self.workers {
            let next = self.waiting.iter().enumerate();
            let next = next.max_by_key(|(_, turn)| (turn.priority, std::cmp::Reverse(turn.number)));
            let Some(at) = next.map(|(at, _)| at) else { break };
            let turn = self.waiting.swap_remove(at);
            if turn.query.position().is_over() {
                orders.push(self.answer(&turn, &Report::default()));
                continue;
            }
            self.searches += 1;
            orders.push(Order::Think(self.searches, Box::new(turn.query.clone())));
            self.running.push((self.searches, turn));
        }
        let over = (self.input_ended || self.quitting) && self.running.is_empty() && self.waiting.is_empty();
        if over {
            orders.push(Order::Quit);
        }
        orders
    }

    /// The final answer.
    fn answer(&mut self, turn: &Turn, report: &Report) -> Order {
        self.statistics.answers += 1;
        self.statistics.cancelled += u64::from(turn.cancelled);
        let answer = Answer::new("answer", &turn.id, turn.turn, &turn.query, turn.side, report);
        say(&Answer { cancelled: turn.cancelled, ..answer })
    }

    /// Cancels every turn that is meant: those that wait are answered at once, those at work are stopped.
    fn cancel(&mut self, id: &str, meant: impl Fn(&Turn) -> bool) -> Vec<Order> {
        let mut gone: Vec<Turn> = self.waiting.extract_if(.., |turn| meant(turn)).collect();
        gone.sort_by_key(|turn| turn.number);
        let mut orders = Vec::new();
        for (search, turn) in self.running.iter_mut().filter(|(_, turn)| meant(turn)) {
            turn.cancelled = true;
            orders.push(Order::Stop(*search));
        }
        orders.insert(0, say(&Done::Cancelled { id, turns: gone.len() + orders.len() }));
        for mut turn in gone {
            turn.cancelled = true;
            orders.push(self.answer(&turn, &Report::default()));
        }
        orders
    }

    fn act(&mut self, message: Message) -> Vec<Order> {
        match message {
            Message::Ask(question) => {
                let id = question.id.clone();
                match self.take(question) {
                    Ok(orders) => orders,
                    Err(error) => self.complain(Some(&id), &error),
                }
            }
            Message::Cancel { id, target, turns } => {
                let wanted = |turn: &Turn| turns.as_ref().is_none_or(|turns| turns.contains(&turn.turn));
                self.cancel(&id, |turn| turn.id == target && wanted(turn))
            }
            Message::CancelAll { id } => self.cancel(&id, |_| true),
            Message::Forget { id } => vec![Order::Forget, say(&Done::Forgotten { id: &id })],
            Message::Version { id } => {
                let (name, version) = (self.name.as_str(), self.version.as_str());
                vec![say(&Done::Version { id: &id, name, version, protocol: VERSION })]
            }
            Message::Statistics { id } => vec![say(&Done::Statistics {
                id: &id,
                statistics: self.statistics,
                running: self.running.len(),
                waiting: self.waiting.len(),
                workers: self.workers,
            })],
            Message::Quit { id } => {
                self.quitting = true;
                let mut orders = self.cancel(&id, |_| true);
                orders[0] = say(&Done::Goodbye { id: &id });
                orders.extend(self.go_on());
                orders
            }
        }
    }

    fn complain(&mut self, id: Option<&str>, error: &FieldError) -> Vec<Order> {
        self.statistics.errors += 1;
        vec![say(&Trouble::field(id, error))]
    }
}

fn say(message: &impl Serialize) -> Order {
    Order::Say(text(message))
}

impl Session for Desk {
    fn line(&mut self, line: &str) -> Vec<Order> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        match Message::parse(line) {
            Ok(message) => self.act(message),
            Err(Wrong { id, error }) => self.complain(id.as_deref(), &error),
        }
    }

    fn too_long(&mut self, bytes: usize) -> Vec<Order> {
        self.complain(None, &FieldFault::LongMessage { bytes }.of_message())
    }

    fn progress(&mut self, search: u64, report: &Report) -> Vec<Order> {
        let Some((_, turn)) = self.running.iter_mut().find(|(running, _)| *running == search) else {
            return Vec::new();
        };
        let due = turn.every.is_some_and(|every| report.time.saturating_sub(turn.told) >= every);
        if !due || turn.cancelled {
            return Vec::new();
        }
        turn.told = report.time;
        vec![say(&Answer::new("report", &turn.id, turn.turn, &turn.query, turn.side, report))]
    }

    fn finished(&mut self, search: u64, found: Result<Report, Fault>) -> Vec<Order> {
        let Some(at) = self.running.iter().position(|(running, _)| *running == search) else {
            return Vec::new();
        };
        let (_, turn) = self.running.swap_remove(at);
        let mut orders = match found {
            Ok(report) => {
                self.statistics.nodes += report.nodes;
                self.statistics.seconds += report.time.as_secs_f64();
                vec![self.answer(&turn, &report)]
            }
            Err(fault) => {
                self.statistics.errors += 1;
                vec![say(&Trouble::turn(&turn.id, turn.turn, format!("the player failed: {fault}")))]
            }
        };
        orders.extend(self.go_on());
        orders
    }

    fn ended(&mut self) -> Vec<Order> {
        self.input_ended = true;
        self.go_on()
    }

    fn listens(&self) -> bool {
        !self.quitting
    }
}
