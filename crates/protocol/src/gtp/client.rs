use std::collections::VecDeque;
use std::time::Duration;

use emilia_query::{Clocks, Limits, MoveReport, Query, Report, Source};
use emilia_rules::{Color, GridPosition, Move, Playable, Point};

use super::vertex::Letters;
use crate::{Step, clip};

/// Asks a GTP engine for moves.
///
/// It remembers the game that the engine has on its board, and tells only what is new. Answers of sloppy engines are
/// understood too: a blank before the id, any case, leftovers between answers.
#[derive(Debug, Default)]
pub struct Client {
    /// The game on the engine's board, once there is one.
    known: Option<(GridPosition, Vec<Move<Point>>)>,
    /// What the engine was told about time.
    time: Option<String>,
    /// The query that is being asked.
    query: Option<Query>,
    /// Commands still to be sent, one when the one before is answered.
    queue: VecDeque<Pending>,
    /// The command that is to be answered.
    pending: Option<Pending>,
    /// The answer so far.
    answer: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pending {
    command: String,
    /// Whether the engine may refuse.
    optional: bool,
}

impl Client {
    /// A client that has not said anything yet.
    #[must_use]
    pub fn new() -> Client {
        Client::default()
    }

    fn must(&mut self, command: String) {
        self.queue.push_back(Pending { command, optional: false });
    }

    fn may(&mut self, command: String) {
        self.queue.push_back(Pending { command, optional: true });
    }

    /// Sends the next command.
    fn next(&mut self) -> Vec<Step> {
        self.pending = self.queue.pop_front();
        self.pending.iter().map(|pending| Step::Send(pending.command.clone())).collect()
    }

    /// Queues what brings the engine's board to the query's position.
    fn tell_game(&mut self, query: &Query) {
        let known = self
            .known
            .take()
            .filter(|(start, moves)| start == query.start() && query.moves().starts_with(moves));
        let told = match &known {
            Some((_, moves)) => moves.len(),
            None => {
                let size = query.start().size();
                // Programs that know one size only may not know the command.
                let command = format!("boardsize {size}", size = size.get());
                if size == emilia_rules::Size::EIGHT {
                    self.may(command)
                } else {
                    self.must(command)
                }
                self.must("clear_board".to_owned());
                self.time = None;
                0
            }
        };
        let mut turn = query.start().turn();
        for (number, mv) in query.moves().iter().enumerate() {
            if number >= told {
                self.must(format!("play {turn} {}", Letters::Plain.write(*mv).to_ascii_lowercase()));
            }
            turn = !turn;
        }
        self.known = Some((*query.start(), query.moves().to_vec()));
    }

    fn tell_time(&mut self, limits: &Limits, turn: Color) {
        let settings = settings(limits);
        let told = match (limits.clocks, &self.time) {
            // Once a game: what is left is told before each move.
            (Some(_), Some(told)) => !told.starts_with("time_settings 0 "),
            (_, told) => *told == settings,
        };
        if let Some(settings) = settings.filter(|_| !told) {
            self.may(settings.clone());
            self.time = Some(settings);
        }
        if let Some(Clocks { own, opponent, .. }) = limits.clocks {
            self.may(format!("time_left {turn} {} 0", number(own)));
            self.may(format!("time_left {} {} 0", !turn, number(opponent)));
        } else if let Some(time) = limits.time {
            self.may(format!("time_left {turn} {} 1", number(time)));
        }
    }

    /// A complete answer: the sign and the text.
    fn answered(&mut self, answer: &str) -> Vec<Step> {
        let Some(pending) = self.pending.clone() else { return Vec::new() };
        let (accepted, text) = match (answer.strip_prefix('='), answer.strip_prefix('?')) {
            (Some(text), _) => (true, text),
            (_, Some(text)) => (false, text),
            _ => return vec![Step::NotUnderstood(clip(answer))],
        };
        if !accepted && !pending.optional {
            return vec![Step::Refused { asked: pending.command, reason: clip(text.trim()) }];
        }
        if !pending.command.starts_with("genmove") {
            let steps = self.next();
            return if steps.is_empty() { vec![Step::Ready] } else { steps };
        }
        self.pending = None;
        let word = text.split_whitespace().next().unwrap_or_default();
        let size = self.query.as_ref().map(|query| query.start().size());
        let mv = size.and_then(|size| Letters::Plain.read(word, size));
        if let (Some(mv), Some((_, moves))) = (mv, &mut self.known) {
            moves.push(mv);
        }
        let report = mv
            .map(|mv| Box::new(Report { source: Source::Program, ..Report::of(vec![MoveReport::new(mv)]) }));
        vec![Step::Moved(clip(word), report)]
    }
}

/// How the time is told: `time_settings main byo-yomi stones`. The four ways in which engines read the numbers agree
/// on these.
fn settings(limits: &Limits) -> Option<String> {
    match (limits.clocks, limits.time) {
        (Some(Clocks { own, increment, .. }), _) => {
            // Whole seconds, as the protocol has them; what is really left follows with time_left.
            let main = own.as_secs().max(1);
            Some(format!("time_settings {main} {} 0", increment.as_secs()))
        }
        (None, Some(time)) => {
            let time = time.as_secs().max(1);
            Some(format!("time_settings 0 {time} 1"))
        }
        (None, None) => None,
    }
}

/// Seconds with as few decimals as do.
fn number(time: Duration) -> String {
    let text = format!("{:.2}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl crate::Client for Client {
    fn greet(&mut self) -> Vec<Step> {
        self.may("name".to_owned());
        self.next()
    }

    fn ask(&mut self, query: &Query) -> Vec<Step> {
        if *query.start() != GridPosition::start(query.start().size()) {
            return vec![Step::Refused {
                asked: "a game from another start".to_owned(),
                reason: "GTP has no way to set up a position".to_owned(),
            }];
        }
        self.queue.clear();
        self.answer = None;
        self.query = Some(query.clone());
        self.tell_game(query);
        let turn = query.position().turn();
        self.tell_time(&query.limits, turn);
        self.must(format!("genmove {turn}"));
        self.next()
    }

    fn line(&mut self, line: &str) -> Vec<Step> {
        let line = line.trim();
        match &mut self.answer {
            None if line.starts_with(['=', '?']) => self.answer = Some(without_id(line)),
            // Banners and chatter between answers.
            None => return Vec::new(),
            Some(answer) if !line.is_empty() => {
                /// Bytes of an answer that matter: a move is short.
                const LONGEST: usize = 4096;
                if answer.len() + line.len() < LONGEST {
                    answer.push('\n');
                    answer.push_str(line);
                }
            }
            Some(_) => {}
        }
        if !line.is_empty() {
            return Vec::new();
        }
        match self.answer.take() {
            Some(answer) => self.answered(&answer),
            None => Vec::new(),
        }
    }

    fn stop(&mut self) -> Option<String> {
        None
    }

    fn asked(&self) -> String {
        self.pending.as_ref().map(|pending| pending.command.clone()).unwrap_or_default()
    }
}

/// The answer without an id after its sign; some engines put a blank before it.
fn without_id(line: &str) -> String {
    let (sign, rest) = line.split_at(1);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{sign}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Client as _;

    fn sent(steps: &[Step]) -> &str {
        match steps {
            [Step::Send(line)] => line,
            other => panic!("{other:?}"),
        }
    }

    fn answer(client: &mut Client, text: &str) -> Vec<Step> {
        let mut steps: Vec<Step> = text.lines().flat_map(|line| client.line(line)).collect();
        steps.extend(client.line(""));
        steps
    }

    #[test]
    fn only_what_is_new_is_told() {
        let mut client = Client::new();
        assert_eq!(sent(&client.greet()), "name");
        assert_eq!(answer(&mut client, "= Edax"), [Step::Ready]);
        let mut query = Query::new(GridPosition::default());
        assert_eq!(sent(&client.ask(&query)), "boardsize 8");
        assert_eq!(sent(&answer(&mut client, "? unknown command")), "clear_board");
        assert_eq!(sent(&answer(&mut client, "=")), "genmove black");
        let steps = answer(&mut client, "= F5");
        let [Step::Moved(word, Some(report))] = steps.as_slice() else { panic!("{steps:?}") };
        assert_eq!((word.as_str(), report.moves[0].mv.to_string().as_str()), ("F5", "f5"));
        for word in ["f5", "d6"] {
            query.play(emilia_rules::parse_move(word, emilia_rules::Size::EIGHT).unwrap()).unwrap();
        }
        assert_eq!(sent(&client.ask(&query)), "play white d6");
        assert_eq!(sent(&answer(&mut client, "=")), "genmove black");
        assert_eq!(answer(&mut client, "= zz"), [Step::Moved("zz".to_owned(), None)]);
    }

    #[test]
    fn a_refused_move_is_a_fault_and_time_is_told_before_the_move() {
        let mut client = Client::new();
        let mut query = Query::new(GridPosition::default());
        let second = Duration::from_secs(1);
        query.limits.clocks = Some(Clocks { own: second * 60, opponent: second * 59, increment: second });
        client.ask(&query);
        answer(&mut client, "=");
        assert_eq!(sent(&answer(&mut client, "=")), "time_settings 60 1 0");
        assert_eq!(sent(&answer(&mut client, "? unknown command")), "time_left black 60 0");
        assert_eq!(sent(&answer(&mut client, "=")), "time_left white 59 0");
        assert_eq!(sent(&answer(&mut client, "=")), "genmove black");
        let steps = answer(&mut client, "? no idea");
        let refused = Step::Refused { asked: "genmove black".to_owned(), reason: "no idea".to_owned() };
        assert_eq!(steps, [refused]);
    }
}
