use std::time::Duration;

use emilia_query::{Clocks, MoveReport, Query, Report, Source, Value};
use emilia_record::fen;
use emilia_rules::{Color, GridPosition, Playable};

use super::{read, word};
use crate::{Step, clip};

/// Asks a UGI engine for moves.
#[derive(Debug, Default)]
pub struct Client {
    state: State,
    /// Where the game began that the engine knows, and how many moves it had.
    game: Option<(GridPosition, usize)>,
    query: Option<Query>,
    /// What it thinks, as far as it has said.
    report: Report,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing was said yet.
    #[default]
    New,
    /// The greeting was sent; `ugiok` is awaited.
    Greeting,
    /// `readyok` is awaited.
    Waiting,
    /// A move is awaited.
    Thinking,
    Idle,
}

impl Client {
    /// A client that has not said anything yet.
    #[must_use]
    pub fn new() -> Client {
        Client::default()
    }

    /// Everything up to the question whether it is ready.
    fn prepare(&mut self) -> Vec<Step> {
        let Some(query) = &self.query else { return Vec::new() };
        let goes_on =
            self.game.is_some_and(|(start, moves)| start == *query.start() && query.moves().len() >= moves);
        let mut lines = Vec::new();
        if !goes_on {
            lines.push("uginewgame".to_owned());
        }
        self.game = Some((*query.start(), query.moves().len()));
        lines.push("isready".to_owned());
        self.state = State::Waiting;
        lines.into_iter().map(Step::Send).collect()
    }

    fn start(&mut self) -> Vec<Step> {
        let Some(query) = &self.query else { return Vec::new() };
        self.state = State::Thinking;
        self.report = Report { source: Source::Program, ..Report::default() };
        [position(query), go(query)].map(Step::Send).into()
    }

    /// `info depth 12 score cp 150 nodes 1000 … pv f5 d6`.
    fn info(&mut self, rest: &str) -> Option<Step> {
        let query = self.query.as_ref()?;
        let mut words = rest.split_whitespace();
        let mut line = Vec::new();
        let (mut value, mut depth) = (None, None);
        while let Some(name) = words.next() {
            match name {
                "depth" => depth = words.next()?.parse().ok(),
                "nodes" => self.report.nodes = words.next()?.parse().ok()?,
                "time" => self.report.time = Duration::from_millis(words.next()?.parse().ok()?),
                "score" if words.next()? == "cp" => {
                    value = words.next()?.parse::<f64>().ok().map(|value| value / 100.0);
                }
                "multipv" if words.next()? != "1" => return None,
                "pv" => line = words.by_ref().map_while(|word| read(word, query.start().size())).collect(),
                "string" => return None,
                _ => {}
            }
        }
        self.report.depth = depth.unwrap_or(self.report.depth);
        let first = *line.first()?;
        let value = value.filter(|value: &f64| value.is_finite()).map(Value::Discs);
        self.report.moves =
            vec![MoveReport { value, depth: self.report.depth, line, ..MoveReport::new(first) }];
        Some(Step::Progress(self.report.clone()))
    }

    fn moved(&mut self, rest: &str) -> Vec<Step> {
        self.state = State::Idle;
        let text = rest.split_whitespace().next().unwrap_or_default();
        let mv = self.query.as_ref().and_then(|query| read(text, query.start().size()));
        let mut report = std::mem::take(&mut self.report);
        let report = mv.map(|mv| {
            if report.best().is_none_or(|best| best.mv != mv) {
                report.moves = vec![MoveReport::new(mv)];
            }
            Box::new(report)
        });
        vec![Step::Moved(clip(text), report)]
    }
}

fn position(query: &Query) -> String {
    let mut line = if *query.start() == GridPosition::default() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", fen::write(query.start()))
    };
    if !query.moves().is_empty() {
        line.push_str(" moves");
        for mv in query.moves() {
            line.push(' ');
            line.push_str(&word(*mv));
        }
    }
    line
}

fn go(query: &Query) -> String {
    /// How long an engine may think if nobody says anything.
    const USUAL: Duration = Duration::from_secs(1);
    let limits = &query.limits;
    if let Some(Clocks { own, opponent, increment }) = limits.clocks {
        let [black, white] =
            if query.position().turn() == Color::Black { [own, opponent] } else { [opponent, own] };
        let [black, white, increment] = [black, white, increment].map(|time| time.as_millis());
        return format!("go p1time {black} p2time {white} p1inc {increment} p2inc {increment}");
    }
    match (limits.time, limits.depth, limits.nodes) {
        (Some(time), ..) => format!("go movetime {}", time.as_millis().max(1)),
        (None, Some(depth), _) => format!("go depth {depth}"),
        (None, None, Some(nodes)) => format!("go nodes {nodes}"),
        (None, None, None) => format!("go movetime {}", USUAL.as_millis()),
    }
}

impl crate::Client for Client {
    fn greet(&mut self) -> Vec<Step> {
        self.state = State::Greeting;
        vec![Step::Send("ugi".to_owned())]
    }

    fn ask(&mut self, query: &Query) -> Vec<Step> {
        self.query = Some(query.clone());
        if self.state == State::New {
            self.state = State::Greeting;
            return vec![Step::Send("ugi".to_owned())];
        }
        self.prepare()
    }

    fn line(&mut self, line: &str) -> Vec<Step> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (first, self.state) {
            ("ugiok", State::Greeting) if self.query.is_none() => {
                self.state = State::Idle;
                vec![Step::Ready]
            }
            ("ugiok", State::Greeting) => self.prepare(),
            ("readyok", State::Waiting) => self.start(),
            ("info", State::Thinking) => self.info(rest).into_iter().collect(),
            ("bestmove", State::Thinking) => self.moved(rest),
            _ => Vec::new(),
        }
    }

    fn stop(&mut self) -> Option<String> {
        (self.state == State::Thinking).then(|| "stop".to_owned())
    }

    fn asked(&self) -> String {
        match self.state {
            State::New | State::Greeting => "ugi",
            State::Waiting => "isready",
            State::Thinking | State::Idle => "go",
        }
        .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Client as _;

    #[test]
    fn a_game_is_asked_for_step_by_step() {
        let mut client = Client::new();
        let mut query = Query::new(GridPosition::default());
        let send = |line: &str| Step::Send(line.to_owned());
        assert_eq!(client.ask(&query), [send("ugi")]);
        assert_eq!(client.line("id name nothello"), []);
        assert_eq!(client.line("ugiok"), [send("uginewgame"), send("isready")]);
        assert_eq!(client.line("readyok"), [send("position startpos"), send("go movetime 1000")]);
        assert!(matches!(
            client.line("info depth 3 score cp 150 nodes 77 pv f5 d6").as_slice(),
            [Step::Progress(report)] if report.discs() == Some(1.5) && report.nodes == 77
        ));
        let steps = client.line("bestmove f5");
        let [Step::Moved(_, Some(report))] = steps.as_slice() else { panic!("{steps:?}") };
        assert_eq!(report.moves[0].line.len(), 2);
        for word in ["f5", "d6"] {
            query.play(emilia_rules::parse_move(word, emilia_rules::Size::EIGHT).unwrap()).unwrap();
        }
        assert_eq!(client.ask(&query), [send("isready")]);
        assert_eq!(client.line("readyok")[0], send("position startpos moves f5 d6"));
        assert_eq!(client.line("bestmove"), [Step::Moved(String::new(), None)]);
    }
}
