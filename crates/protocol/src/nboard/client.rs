use std::time::Duration;

use emilia_query::{MoveReport, Query, Report, Source, Value};
use emilia_record::{Clock, Game, ggf};
use emilia_rules::{Color, Playable};

use super::words;
use crate::{Step, clip};

/// Asks an NBoard engine for moves. Every question begins with the whole game, so nothing can get out of step.
#[derive(Debug, Default)]
pub struct Client {
    greeted: bool,
    pings: u32,
    state: State,
    query: Option<Query>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    /// The pong to this ping is awaited; then it is ready.
    Greeted(u32),
    /// The pong to this ping is awaited; then it is asked to go.
    Pinged(u32),
    /// A move is awaited.
    Thinking,
}

impl Client {
    /// A client that has not said anything yet.
    #[must_use]
    pub fn new() -> Client {
        Client::default()
    }

    fn moved(&mut self, text: &str) -> Vec<Step> {
        self.state = State::Idle;
        let size = self.query.as_ref().map(|query| query.start().size());
        let report = size.and_then(|size| words::read(text, size)).map(|(mv, value, seconds)| {
            let time = seconds.filter(|time| (0.0..1e7).contains(time)).unwrap_or_default();
            let found = MoveReport { value: value.map(Value::Discs), ..MoveReport::new(mv) };
            Box::new(Report {
                time: Duration::from_secs_f64(time),
                source: Source::Program,
                ..Report::of(vec![found])
            })
        });
        vec![Step::Moved(clip(text), report)]
    }

    /// A `search` or `book` line: `search F5d6C3 1.25 0 14`.
    fn hint(&self, source: Source, rest: &str) -> Option<Step> {
        let query = self.query.as_ref()?;
        let mut fields = rest.split_whitespace();
        let pv = fields.next()?;
        let value: f64 = fields.next()?.split(',').next()?.parse().ok()?;
        let depth = fields.nth(1)?;
        let digits = depth.bytes().take_while(u8::is_ascii_digit).count();
        let square = pv.split('-').next()?;
        let square = if square.len() > 3 { square.get(..2)? } else { square };
        let (mv, ..) = words::read(square, query.start().size())?;
        let value = Some(value).filter(|value| value.is_finite()).map(Value::Discs);
        let depth = depth[..digits].parse().ok()?;
        let found = MoveReport { value, depth, ..MoveReport::new(mv) };
        Some(Step::Progress(Report { source, ..Report::of(vec![found]) }))
    }
}

/// The game so far, with what the clocks show now as if they had been set to that.
fn record(query: &Query) -> String {
    let mut game = Game::from_position(*query.start());
    for mv in query.moves() {
        if game.play(*mv).is_err() {
            break;
        }
    }
    let clock = |main: Duration, increment: Duration| Some(Clock { main, increment, grace: Duration::ZERO });
    let turn = query.position().turn();
    if let Some(clocks) = query.limits.clocks {
        let own = clock(clocks.own, clocks.increment);
        let other = clock(clocks.opponent, clocks.increment);
        let (black, white) = if turn == Color::Black { (own, other) } else { (other, own) };
        (game.clocks.black, game.clocks.white) = (black, white);
    } else if let Some(time) = query.limits.time {
        // A clock for the rest of the game that comes to so much a move.
        let moves = query.position().counts().empty.div_ceil(2).max(1);
        game.clocks.black = clock(time.saturating_mul(moves), Duration::ZERO);
        game.clocks.white = game.clocks.black;
    }
    ggf::write(&game)
}

impl crate::Client for Client {
    fn greet(&mut self) -> Vec<Step> {
        self.greeted = true;
        self.pings += 1;
        self.state = State::Greeted(self.pings);
        ["nboard 2".to_owned(), format!("ping {}", self.pings)].map(Step::Send).into()
    }

    fn ask(&mut self, query: &Query) -> Vec<Step> {
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.greeted, true) {
            lines.push("nboard 2".to_owned());
        }
        lines.push(format!("set game {}", record(query)));
        if let Some(depth) = query.limits.depth.or(query.limits.level.map(|level| level.plies().into())) {
            lines.push(format!("set depth {depth}"));
        }
        self.pings += 1;
        lines.push(format!("ping {}", self.pings));
        self.state = State::Pinged(self.pings);
        self.query = Some(query.clone());
        lines.into_iter().map(Step::Send).collect()
    }

    fn line(&mut self, line: &str) -> Vec<Step> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, self.state) {
            ("pong", State::Pinged(number)) if rest.trim().parse() == Ok(number) => {
                self.state = State::Thinking;
                vec![Step::Send("go".to_owned())]
            }
            ("pong", State::Greeted(number)) if rest.trim().parse() == Ok(number) => {
                self.state = State::Idle;
                vec![Step::Ready]
            }
            ("===", State::Thinking) => self.moved(rest),
            ("search", State::Thinking) => self.hint(Source::Program, rest).into_iter().collect(),
            ("book", State::Thinking) => self.hint(Source::Book, rest).into_iter().collect(),
            // Names, counters, states: chatter.
            _ => Vec::new(),
        }
    }

    fn stop(&mut self) -> Option<String> {
        None
    }

    fn asked(&self) -> String {
        match self.state {
            State::Pinged(number) | State::Greeted(number) => format!("ping {number}"),
            _ => "go".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Client as _;
    use emilia_rules::GridPosition;

    /// The session recorded in the description of the protocol, with Edax's blanks.
    #[test]
    fn the_recorded_session_is_understood() {
        let mut client = Client::new();
        let mut query = Query::new(GridPosition::default());
        for word in ["f5", "f6"] {
            query.play(emilia_rules::parse_move(word, emilia_rules::Size::EIGHT).unwrap()).unwrap();
        }
        query.limits.depth = Some(6);
        let steps = client.ask(&query);
        let sent: Vec<&str> = steps
            .iter()
            .map(|step| match step {
                Step::Send(line) => line.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(sent[0], "nboard 2");
        assert!(
            sent[1].starts_with("set game (;GM[Othello]") && sent[1].ends_with("B[f5]W[f6];)"),
            "{}",
            sent[1]
        );
        assert_eq!(sent[2..], ["set depth 6", "ping 1"]);
        assert_eq!(client.line("set myname Edax6"), []);
        assert_eq!(client.line("=== a1"), [], "an answer to something older");
        assert_eq!(client.line("pong 1"), [Step::Send("go".to_owned())]);
        assert_eq!(client.line("status Edax is thinking"), []);
        assert_eq!(client.line("nodestats 35805 0.00"), []);
        let steps = client.line("=== e6 -1.00 0.5");
        let [Step::Moved(text, Some(report))] = steps.as_slice() else { panic!("{steps:?}") };
        assert_eq!(text, "e6 -1.00 0.5");
        assert_eq!((report.discs(), report.time), (Some(-1.0), Duration::from_millis(500)));
    }
}
