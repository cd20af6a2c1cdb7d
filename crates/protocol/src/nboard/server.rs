use std::time::Duration;

use emilia_query::{Fault, Level, Limits, Query, Report, Source};
use emilia_record::ggf;
use emilia_rules::{Color, GridPosition, Move, Playable, Status};

use super::clock::GameClock;
use super::words;
use crate::pondering::Pondering;
use crate::{Order, Session, clip};

/// The engine's side of the NBoard protocol.
///
/// ```
/// use emilia_protocol::{nboard, Order, Session};
/// let mut session = nboard::Server::new("Emilia");
/// session.line("nboard 2");
/// assert_eq!(session.line("set depth 6"), [Order::Say("set myname Emilia6".to_owned())]);
/// assert_eq!(session.line("ping 3"), [Order::Say("pong 3".to_owned())]);
/// ```
pub struct Server {
    name: String,
    query: Query,
    clock: GameClock,
    level: Option<Level>,
    busy: Option<Busy>,
    pondering: Pondering,
    searches: u64,
    input_ended: bool,
}

/// The search that is running and what it is for.
struct Busy {
    search: u64,
    purpose: Purpose,
}

enum Purpose {
    Go,
    /// Hints, if need be until somebody interrupts them.
    Hint {
        endless: bool,
    },
    /// The positions of the game that are still to be found, the next one last.
    Analyze {
        made: usize,
        rest: Vec<Query>,
    },
}

/// Best moves that can be asked for.
const MOST_HINTS: usize = 26 * 26;

impl Server {
    /// A session with a player of this name.
    #[must_use]
    pub fn new(name: &str) -> Server {
        Server {
            // The other side reads one word.
            name: name.split_whitespace().collect::<Vec<_>>().join("_"),
            query: Query::new(GridPosition::default()),
            clock: GameClock::default(),
            level: None,
            busy: None,
            pondering: Pondering::default(),
            searches: 0,
            input_ended: false,
        }
    }

    /// Thinking while the other side does, or not.
    #[must_use]
    pub fn pondering(mut self, on: bool) -> Server {
        self.pondering.set(on);
        self
    }

    fn think(&mut self, purpose: Purpose, query: Query) -> Vec<Order> {
        self.searches += 1;
        self.busy = Some(Busy { search: self.searches, purpose });
        vec![Order::Think(self.searches, Box::new(query))]
    }

    /// The same orders, and to think on while the other side does if there is nothing else to do.
    fn and_ponder(&mut self, mut orders: Vec<Order>) -> Vec<Order> {
        if self.busy.is_none() && !self.input_ended && orders.last() != Some(&Order::Quit) {
            let limits = |own| Limits { level: self.level, ..self.clock.limits(own) };
            orders.extend(self.pondering.begin(self.query.position(), limits, &mut self.searches));
        }
        orders
    }

    /// Drops the running search: whatever it finds is not told.
    fn interrupt(&mut self) -> Vec<Order> {
        self.busy.take().map(|busy| Order::Stop(busy.search)).into_iter().collect()
    }

    fn set(&mut self, what: &str) -> Vec<Order> {
        let (name, value) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
        let value = value.trim();
        match name {
            "depth" => match value.parse::<u32>() {
                Ok(depth) => {
                    self.level = Some(Level::of_plies(depth));
                    let reached = depth.clamp(1, Level::MAX.plies().into());
                    vec![Order::Say(format!("set myname {}{reached}", self.name))]
                }
                Err(_) => complain(&format!("set depth {:?}: a number is needed", clip(value))),
            },
            "game" => match ggf::parse(value) {
                Ok(game) => {
                    let mut orders = self.interrupt();
                    self.clock = GameClock::of(&game);
                    // A game that was read is legal.
                    let moves = game.main_line();
                    let query =
                        Query::of_game(*game.start(), moves).unwrap_or_else(|_| Query::new(*game.start()));
                    if !is_same_game(&self.query, &query) {
                        orders.push(Order::Forget);
                    }
                    self.query = query;
                    orders
                }
                Err(error) => complain(&format!("set game: {error}")),
            },
            "contempt" => match value.parse::<i32>() {
                // Draws by the book: there is nothing to tilt.
                Ok(-100..=100) => Vec::new(),
                _ => {
                    complain(&format!("set contempt {:?}: a number from -100 to 100 is needed", clip(value)))
                }
            },
            _ => Vec::new(),
        }
    }

    fn play(&mut self, text: &str) -> Vec<Order> {
        let Some((mv, _, seconds)) = words::read(text, self.query.position().size()) else {
            return complain(&format!("move {:?}: that is no square", clip(text)));
        };
        let mut orders = self.interrupt();
        let turn = self.query.position().turn();
        let time = seconds.filter(|time| (0.0..1e7).contains(time)).map(Duration::from_secs_f64);
        match self.query.play(mv) {
            Ok(()) => self.clock.spend(turn, time),
            Err(error) => orders.extend(complain(&format!("move {}: {error}", clip(text)))),
        }
        orders
    }

    fn go(&mut self) -> Vec<Order> {
        let mut orders = self.interrupt();
        let turn = self.query.position().turn();
        match self.query.position().status() {
            Status::Over(_) => orders.extend(complain("the game is over")),
            Status::MustPass => orders.push(Order::Say(format!("=== {}", words::square(Move::Pass)))),
            Status::ToPlace => {
                let limits = Limits { level: self.level, ..self.clock.limits(turn) };
                let query = self.query.clone().within(limits);
                orders.push(Order::Say(format!("status {} is thinking", self.name)));
                orders.extend(self.think(Purpose::Go, query));
            }
        }
        orders
    }

    fn hint(&mut self, number: &str) -> Vec<Order> {
        let mut orders = self.interrupt();
        self.pondering.forget();
        let lines = number.trim().parse().unwrap_or(1_usize).clamp(1, MOST_HINTS);
        if self.query.position().is_over() {
            orders.extend(complain("the game is over"));
            return orders;
        }
        let limits = self.level.map_or_else(Limits::endless, Limits::level);
        let query = self.query.clone().within(limits).with_lines(lines);
        orders.push(Order::Say(format!("status {} is analysing", self.name)));
        orders.extend(self.think(Purpose::Hint { endless: self.level.is_none() }, query));
        orders
    }

    fn analyze(&mut self) -> Vec<Order> {
        let mut orders = self.interrupt();
        self.pondering.forget();
        let mut positions = vec![Query::new(*self.query.start())];
        for mv in self.query.moves() {
            let mut next = positions[positions.len() - 1].clone();
            if next.play(*mv).is_err() {
                break;
            }
            positions.push(next);
        }
        positions.reverse();
        orders.extend(self.judge_next(0, positions));
        orders
    }

    /// Judges the next position of the game; finished games need no search.
    fn judge_next(&mut self, mut made: usize, mut rest: Vec<Query>) -> Vec<Order> {
        let mut orders = Vec::new();
        while let Some(query) = rest.pop() {
            if !query.position().is_over() {
                // Without a depth every position gets the same quick look.
                const USUAL: u32 = 12;
                let limits = Limits::level(self.level.unwrap_or(Level::of_plies(USUAL)));
                orders.extend(self.think(Purpose::Analyze { made, rest }, query.within(limits)));
                return orders;
            }
            let margin = f64::from(query.position().counts().margin());
            let own = if query.position().turn() == Color::Black { margin } else { -margin };
            orders.push(Order::Say(format!("analysis {made} {own:.2}")));
            made += 1;
        }
        orders.push(Order::Say("status".to_owned()));
        orders
    }

    /// A line has come.
    fn hear(&mut self, line: &str) -> Vec<Order> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "set" => self.set(rest.trim()),
            "move" => self.play(rest),
            "go" => self.go(),
            "hint" => self.hint(rest),
            "analyze" => self.analyze(),
            "learn" => {
                let mut orders = self.interrupt();
                orders.push(Order::Say("learned".to_owned()));
                orders
            }
            "ping" => {
                let mut orders = self.interrupt();
                orders.push(Order::Say(format!("pong {}", clip(rest.trim()))));
                orders
            }
            "quit" => {
                let mut orders = self.interrupt();
                orders.push(Order::Quit);
                orders
            }
            // Version 1 sends bare moves.
            bare if rest.is_empty() && words::read(bare, self.query.position().size()).is_some() => {
                self.play(bare)
            }
            // "nboard 2", and whatever later versions may say.
            _ => Vec::new(),
        }
    }

    /// The end of the input: a search that ends by itself is still answered.
    fn close(&mut self) -> Vec<Order> {
        match &self.busy {
            Some(Busy { purpose, .. }) if !matches!(purpose, Purpose::Hint { endless: true }) => Vec::new(),
            _ => {
                let mut orders = self.interrupt();
                orders.push(Order::Quit);
                orders
            }
        }
    }
}

/// Whether somebody who looks at the first position may look at the second without another game having begun: the game
/// went on, or one steps back in it, or tries another move. Back at the very start it may be either.
fn is_same_game(before: &Query, after: &Query) -> bool {
    let (old, new) = (before.moves(), after.moves());
    let common = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let near = common > 0 && common + 1 >= old.len().min(new.len());
    before.start() == after.start() && (common == old.len() || near)
}

/// Says what is wrong where a person can see it and a program need not care.
fn complain(text: &str) -> Vec<Order> {
    vec![Order::Say(format!("status {text}"))]
}

/// What is report, as hints: a line for each move, then the counters.
fn hints(report: &Report) -> Vec<Order> {
    let mut orders: Vec<Order> = report
        .moves
        .iter()
        .map(|found| {
            let kind = if report.source == Source::Book { "book" } else { "search" };
            let value = found.discs().unwrap_or_default();
            Order::Say(format!("{kind} {} {value:.2} 0 {}", words::line(found), words::depth(found)))
        })
        .collect();
    orders.push(counters(report));
    orders
}

fn counters(report: &Report) -> Order {
    Order::Say(format!("nodestats {} {:.2}", report.nodes, report.time.as_secs_f64()))
}

impl Session for Server {
    fn line(&mut self, line: &str) -> Vec<Order> {
        let mut orders: Vec<Order> = self.pondering.interrupt().into_iter().collect();
        orders.extend(self.hear(line.trim()));
        self.and_ponder(orders)
    }

    fn too_long(&mut self, bytes: usize) -> Vec<Order> {
        complain(&format!("a line of {bytes} bytes is too long"))
    }

    fn progress(&mut self, search: u64, report: &Report) -> Vec<Order> {
        match &self.busy {
            Some(Busy { search: wanted, purpose: Purpose::Hint { .. } }) if *wanted == search => {
                hints(report)
            }
            Some(Busy { search: wanted, purpose: Purpose::Go }) if *wanted == search => {
                vec![counters(report)]
            }
            _ => Vec::new(),
        }
    }

    fn finished(&mut self, search: u64, found: Result<Report, Fault>) -> Vec<Order> {
        let Some(busy) = self.busy.take_if(|busy| busy.search == search) else { return Vec::new() };
        let mut orders = match (busy.purpose, found) {
            (_, Err(reason)) => complain(&format!("the player failed: {reason}")),
            (Purpose::Hint { .. }, Ok(report)) => {
                let mut orders = hints(&report);
                orders.push(Order::Say("status".to_owned()));
                orders
            }
            (Purpose::Go, Ok(report)) => match report.best() {
                Some(best) => {
                    self.pondering.expect(&self.query, &report, *self.query.position());
                    let value = best.discs().map_or_else(String::new, |value| format!("{value:.2}"));
                    let time = report.time.as_secs_f64();
                    let answer = format!("=== {}/{value}/{time:.2}", words::square(best.mv));
                    let status =
                        if report.source == Source::Book { "status from the book" } else { "status" };
                    vec![counters(&report), Order::Say(answer), Order::Say(status.to_owned())]
                }
                None => complain("the player found no move"),
            },
            (Purpose::Analyze { made, rest }, Ok(report)) => {
                let value = report.discs().unwrap_or_default();
                let mut orders = vec![Order::Say(format!("analysis {made} {value:.2}"))];
                orders.extend(self.judge_next(made + 1, rest));
                orders
            }
        };
        if self.input_ended {
            orders.extend(self.close());
        }
        self.and_ponder(orders)
    }

    fn ended(&mut self) -> Vec<Order> {
        self.input_ended = true;
        let ponder = self.pondering.interrupt();
        ponder.into_iter().chain(self.close()).collect()
    }
}

#[cfg(test)]
mod tests {
    use emilia_rules::{Size, parse_move};

    use super::*;

    #[test]
    fn a_game_is_the_same_as_long_as_one_steps_through_it() {
        let game = |text: &str| {
            let words = text.split_whitespace().map(|word| parse_move(word, Size::EIGHT).unwrap());
            Query::of_game(GridPosition::default(), words).unwrap()
        };
        let same = |before: &str, after: &str| is_same_game(&game(before), &game(after));
        assert!(same("", "") && same("", "f5 d6") && same("f5 d6", "f5 d6 c3"), "forwards");
        assert!(same("f5 d6 c3", "f5 d6") && same("f5 d6 c3 d3", "f5"), "backwards");
        assert!(same("f5 d6 c3", "f5 f6") && same("f5 d6 c3", "f5 d6 c4"), "another move");
        assert!(!same("f5 d6 c3", "f5 f6 e6") && !same("f5 d6", "d3 c3"), "another game");
        assert!(!same("f5 d6 c3", ""), "a new game");
        let other = Query::new(GridPosition::start(Size::new(6).unwrap()));
        assert!(!is_same_game(&game(""), &other));
    }
}
