use emilia_query::{Fault, Level, Limits, MoveReport, Query, Report, Source};
use emilia_record::fen;
use emilia_rules::{Color, GridPosition, Outcome, Playable, Status};

use super::{go::Go, read, word};
use crate::pondering::Pondering;
use crate::{Order, Session, clip};

/// The engine's side of UGI.
///
/// ```
/// use emilia_protocol::{ugi, Order, Session};
/// let mut session = ugi::Server::new("Emilia");
/// session.line("position startpos moves f5 d6");
/// assert_eq!(session.line("query p1turn"), [Order::Say("response true".to_owned())]);
/// ```
pub struct Server {
    name: String,
    query: Query,
    level: Option<Level>,
    lines: usize,
    /// Whether the reply that is expected is told with each move, so that the other side can have it pondered.
    tells_reply: bool,
    /// What the last `go` said about time.
    go: Go,
    busy: Option<Busy>,
    /// Thinking unasked while the other side does.
    pondering: Pondering,
    searches: u64,
    input_ended: bool,
}

/// The search that is running.
struct Busy {
    search: u64,
    /// The question.
    query: Query,
    /// Its answer is told only after `stop`, however early it is known.
    infinite: bool,
    /// The answer that waits for that.
    held: Option<String>,
    /// Only pondered so far.
    ponder: Option<Ponder>,
}

/// A question whose position is only expected: it is asked when the position has come.
enum Ponder {
    Running,
    /// It ended by itself: the position is solved, or the player does not ponder.
    Done(Report),
    /// It was stopped; what it has found is the answer.
    Stopping,
}

/// Best moves that can be shown at once.
const MOST_LINES: usize = 32;

impl Server {
    /// A session with a player of this name.
    #[must_use]
    pub fn new(name: &str) -> Server {
        Server {
            name: name.to_owned(),
            query: Query::new(GridPosition::default()),
            level: None,
            lines: 1,
            tells_reply: false,
            go: Go::default(),
            busy: None,
            pondering: Pondering::default(),
            searches: 0,
            input_ended: false,
        }
    }

    /// Thinking unasked while the other side does, or not.
    #[must_use]
    pub fn pondering(mut self, on: bool) -> Server {
        self.pondering.set(on);
        self
    }

    /// The same orders, and to think on while the other side does if there is nothing else to do.
    fn and_ponder(&mut self, mut orders: Vec<Order>) -> Vec<Order> {
        if self.busy.is_none() && !self.input_ended && orders.last() != Some(&Order::Quit) {
            let limits = |own| limited(&self.go, own, self.level);
            orders.extend(self.pondering.begin(self.query.position(), limits, &mut self.searches));
        }
        orders
    }

    fn greet(&self) -> Vec<Order> {
        [
            format!("id name {}", self.name),
            "id author The Emilia developers".to_owned(),
            "option name Level type spin default 16 min 1 max 30".to_owned(),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            "option name Ponder type check default false".to_owned(),
            "ugiok".to_owned(),
        ]
        .map(Order::Say)
        .into()
    }

    fn set_option(&mut self, text: &str) -> Vec<Order> {
        let (name, value) = match text.strip_prefix("name ").and_then(|rest| rest.split_once(" value ")) {
            Some((name, value)) => (name.trim().to_ascii_lowercase(), value.trim()),
            None => return complain("setoption: write setoption name N value V"),
        };
        let number = value.parse::<usize>().ok();
        match (name.as_str(), number) {
            ("level", Some(level @ 1..=30)) => self.level = Level::new(level as u32).ok(),
            ("multipv", Some(lines @ 1..=MOST_LINES)) => self.lines = lines,
            ("ponder", _) if matches!(value, "true" | "false") => self.tells_reply = value == "true",
            ("ponder", _) => return complain("setoption ponder: true or false is needed"),
            ("level" | "multipv", _) => {
                return complain(&format!("setoption {name}: {} is out of range", clip(value)));
            }
            _ => return complain(&format!("there is no option {}", clip(&name))),
        }
        Vec::new()
    }

    fn position(&mut self, text: &str) -> Vec<Order> {
        let (place, moves) = match text.split_once("moves") {
            Some((place, moves)) => (place.trim(), moves),
            None => (text.trim(), ""),
        };
        let start = match place.strip_prefix("fen") {
            _ if place == "startpos" => GridPosition::default(),
            Some(text) => match fen::parse(text.trim()) {
                Ok(start) => start,
                Err(error) => return complain(&format!("position: {error}")),
            },
            None => return complain("position: write startpos or fen"),
        };
        let mut query = Query::new(start);
        for text in moves.split_whitespace() {
            let Some(mv) = read(text, start.size()) else {
                return complain(&format!("position: {} is no move", clip(text)));
            };
            if let Err(error) = query.play(mv) {
                return complain(&format!("position: {error}"));
            }
        }
        self.query = query;
        Vec::new()
    }

    fn go(&mut self, text: &str) -> Vec<Order> {
        if self.busy.is_some() {
            return complain("go: a search is running; say stop first");
        }
        let go: Go = match text.parse() {
            Ok(go) => go,
            Err(error) => return complain(&format!("{error}")),
        };
        if self.query.position().is_over() {
            return vec![Order::Say("bestmove 0000".to_owned())];
        }
        self.go = go;
        self.pondering.forget();
        let limits = limited(&go, self.query.position().turn(), self.level);
        let query = self.query.clone().within(limits).with_lines(self.lines);
        self.searches += 1;
        let (search, asked) = (self.searches, Box::new(query.clone()));
        let ponder = go.ponder.then_some(Ponder::Running);
        self.busy = Some(Busy { search, query, infinite: go.infinite, held: None, ponder });
        vec![if go.ponder { Order::Ponder(search, asked) } else { Order::Think(search, asked) }]
    }

    /// What was only expected has come: it is asked now, and the clock runs.
    fn ponder_hit(&mut self) -> Vec<Order> {
        let Some(busy) = self.busy.as_mut().filter(|busy| busy.ponder.is_some()) else {
            return complain("ponderhit: nothing is pondered");
        };
        let stop = Order::Stop(busy.search);
        self.searches += 1;
        (busy.search, busy.ponder) = (self.searches, None);
        vec![stop, Order::Think(self.searches, Box::new(busy.query.clone()))]
    }

    /// Pondering was stopped, with this result: the answer, or if there is none, what an instant of thinking gives.
    fn give_up_pondering(&mut self, found: Report) -> Vec<Order> {
        if !found.moves.is_empty() {
            return self.tell(Ok(found));
        }
        let mut orders = self.ponder_hit();
        orders.push(Order::Stop(self.searches));
        orders
    }

    /// Ends the search; an answer that was held back is told.
    fn stop(&mut self) -> Vec<Order> {
        self.pondering.forget();
        let Some(busy) = &mut self.busy else { return Vec::new() };
        busy.infinite = false;
        match &mut busy.ponder {
            Some(Ponder::Done(found)) => {
                let found = std::mem::take(found);
                return self.give_up_pondering(found);
            }
            Some(ponder) => {
                *ponder = Ponder::Stopping;
                return vec![Order::Stop(busy.search)];
            }
            None => {}
        }
        match busy.held.take() {
            Some(answer) => {
                self.busy = None;
                vec![Order::Say(answer)]
            }
            None => vec![Order::Stop(busy.search)],
        }
    }

    fn query(&self, what: &str) -> Vec<Order> {
        let position = self.query.position();
        let answer = match (what, position.status()) {
            ("gameover", _) => position.is_over().to_string(),
            ("p1turn", _) => (position.turn() == Color::Black).to_string(),
            ("result", Status::Over(Outcome::Win(Color::Black))) => "p1win".to_owned(),
            ("result", Status::Over(Outcome::Win(Color::White))) => "p2win".to_owned(),
            ("result", Status::Over(Outcome::Draw)) => "draw".to_owned(),
            ("result", _) => "none".to_owned(),
            _ => return complain(&format!("query {} is unknown", clip(what))),
        };
        vec![Order::Say(format!("response {answer}"))]
    }

    /// A line has come.
    fn hear(&mut self, line: &str) -> Vec<Order> {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match first {
            "ugi" => self.greet(),
            "isready" => vec![Order::Say("readyok".to_owned())],
            "uginewgame" => {
                self.pondering.forget();
                self.query = Query::new(GridPosition::default());
                vec![Order::Forget]
            }
            "setoption" => self.set_option(rest.trim()),
            "position" => self.position(rest),
            "go" => self.go(rest),
            "ponderhit" => self.ponder_hit(),
            "stop" => self.stop(),
            "query" => self.query(rest.trim()),
            "quit" => {
                let stop = self.busy.take().map(|busy| Order::Stop(busy.search));
                stop.into_iter().chain([Order::Quit]).collect()
            }
            _ => complain(&format!("{} is unknown", clip(first))),
        }
    }

    /// Tells what was found, or keeps it until it is wanted.
    fn tell(&mut self, found: Result<Report, Fault>) -> Vec<Order> {
        let Some(mut busy) = self.busy.take() else { return Vec::new() };
        let (mut orders, answer) = match found {
            Ok(report) => {
                let best = report.best().map_or_else(|| "0000".to_owned(), |best| word(best.mv));
                let reply = report.line().get(1).filter(|_| self.tells_reply);
                let reply = reply.map_or_else(String::new, |reply| format!(" ponder {}", word(*reply)));
                if busy.ponder.is_none() && !busy.query.limits.endless {
                    self.pondering.expect(&busy.query, &report, *self.query.position());
                }
                (infos(&report, self.lines > 1), format!("bestmove {best}{reply}"))
            }
            Err(reason) => (complain(&format!("the player failed: {reason}")), "bestmove 0000".to_owned()),
        };
        if busy.infinite {
            busy.held = Some(answer);
            self.busy = Some(busy);
        } else {
            orders.push(Order::Say(answer));
        }
        if self.input_ended {
            orders.push(Order::Quit);
        }
        orders
    }
}

/// What a `go` line means for this side; the level counts where it says nothing.
fn limited(go: &Go, side: Color, level: Option<Level>) -> Limits {
    let limits = go.limits(side);
    Limits { level: level.filter(|_| limits.is_open()), ..limits }
}

/// Says what is wrong where a person can see it and a program need not care.
fn complain(text: &str) -> Vec<Order> {
    vec![Order::Say(format!("info string {text}"))]
}

/// What is report, a line for each move.
fn infos(report: &Report, numbered: bool) -> Vec<Order> {
    let milliseconds = report.time.as_millis();
    let speed = report.speed() as u64;
    let info = |(number, found): (usize, &MoveReport)| {
        let number = if numbered { format!(" multipv {}", number + 1) } else { String::new() };
        let score =
            found.discs().map_or_else(String::new, |value| format!(" score cp {}", (value * 100.0).round()));
        let line: Vec<String> = found.line.iter().map(|mv| word(*mv)).collect();
        Order::Say(format!(
            "info depth {}{number}{score} nodes {} time {milliseconds} nps {speed} pv {}",
            found.depth,
            report.nodes,
            line.join(" ")
        ))
    };
    let book = (report.source == Source::Book).then(|| Order::Say("info string from the book".to_owned()));
    book.into_iter().chain(report.moves.iter().enumerate().map(info)).collect()
}

impl Session for Server {
    fn line(&mut self, line: &str) -> Vec<Order> {
        let line = line.trim();
        if line.is_empty() {
            return Vec::new();
        }
        let mut orders: Vec<Order> = self.pondering.interrupt().into_iter().collect();
        orders.extend(self.hear(line));
        self.and_ponder(orders)
    }

    fn too_long(&mut self, bytes: usize) -> Vec<Order> {
        complain(&format!("a line of {bytes} bytes is too long"))
    }

    fn progress(&mut self, search: u64, report: &Report) -> Vec<Order> {
        match &self.busy {
            Some(busy) if busy.search == search => infos(report, self.lines > 1),
            _ => Vec::new(),
        }
    }

    fn finished(&mut self, search: u64, found: Result<Report, Fault>) -> Vec<Order> {
        let Some(busy) = self.busy.as_mut().filter(|busy| busy.search == search) else { return Vec::new() };
        let orders = match (&mut busy.ponder, found) {
            (Some(Ponder::Stopping), Ok(report)) => self.give_up_pondering(report),
            // A player that cannot ponder says why when it is asked.
            (Some(Ponder::Stopping), Err(_)) => self.give_up_pondering(Report::default()),
            (Some(ponder), found) => {
                *ponder = Ponder::Done(found.unwrap_or_default());
                Vec::new()
            }
            (None, found) => self.tell(found),
        };
        self.and_ponder(orders)
    }

    fn ended(&mut self) -> Vec<Order> {
        self.input_ended = true;
        let mut orders: Vec<Order> = self.pondering.interrupt().into_iter().collect();
        if self.busy.as_ref().is_some_and(|busy| busy.infinite || busy.ponder.is_some()) {
            orders.extend(self.stop());
        }
        // An answer that was held back is the last word.
        if self.busy.is_none() && orders.last() != Some(&Order::Quit) {
            orders.push(Order::Quit);
        }
        orders
    }
}
