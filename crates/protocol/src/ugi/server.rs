use emilia_query::{Fault, Level, MoveReport, Query, Report, Source};
use emilia_record::fen;
use emilia_rules::{Color, GridPosition, Outcome, Playable, Status};

use super::{go::Go, read, word};
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
    busy: Option<Busy>,
    searches: u64,
    input_ended: bool,
}

/// The search that is running.
struct Busy {
    search: u64,
    /// Its answer is told only after `stop`, however early it is known.
    infinite: bool,
    /// The answer that waits for that.
    held: Option<String>,
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
            busy: None,
            searches: 0,
            input_ended: false,
        }
    }

    fn greet(&self) -> Vec<Order> {
        [
            format!("id name {}", self.name),
            "id author The Emilia developers".to_owned(),
            "option name Level type spin default 16 min 1 max 30".to_owned(),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
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
        self.searches += 1;
        self.busy = Some(Busy { search: self.searches, infinite: go.infinite, held: None });
        let mut limits = go.limits(self.query.position().turn());
        limits.level = self.level.filter(|_| limits.is_open());
        let query = self.query.clone().within(limits).with_lines(self.lines);
        vec![Order::Think(self.searches, Box::new(query))]
    }

    /// Ends the search; an answer that was held back is told.
    fn stop(&mut self) -> Vec<Order> {
        let Some(busy) = &mut self.busy else { return Vec::new() };
        busy.infinite = false;
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
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match first {
            "" => Vec::new(),
            "ugi" => self.greet(),
            "isready" => vec![Order::Say("readyok".to_owned())],
            "uginewgame" => {
                self.query = Query::new(GridPosition::default());
                vec![Order::Forget]
            }
            "setoption" => self.set_option(rest.trim()),
            "position" => self.position(rest),
            "go" => self.go(rest),
            "stop" => self.stop(),
            "query" => self.query(rest.trim()),
            "quit" => {
                let stop = self.busy.take().map(|busy| Order::Stop(busy.search));
                stop.into_iter().chain([Order::Quit]).collect()
            }
            _ => complain(&format!("{} is unknown", clip(first))),
        }
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
        let (mut orders, answer) = match found {
            Ok(report) => {
                let best = report.best().map_or_else(|| "0000".to_owned(), |best| word(best.mv));
                (infos(&report, self.lines > 1), format!("bestmove {best}"))
            }
            Err(reason) => (complain(&format!("the player failed: {reason}")), "bestmove 0000".to_owned()),
        };
        if busy.infinite {
            busy.held = Some(answer);
        } else {
            self.busy = None;
            orders.push(Order::Say(answer));
        }
        if self.input_ended {
            orders.push(Order::Quit);
        }
        orders
    }

    fn ended(&mut self) -> Vec<Order> {
        self.input_ended = true;
        match &self.busy {
            Some(busy) if !busy.infinite => Vec::new(),
            Some(_) => {
                let orders = self.stop();
                // An answer that was held back is the last word.
                let over = self.busy.is_none();
                orders.into_iter().chain(over.then_some(Order::Quit)).collect()
            }
            None => vec![Order::Quit],
        }
    }
}
