//! A search that goes deeper as long as somebody looks on, told step by step: one JSON object a line.
//!
//! Levels are for opponents. This ends when the position is solved, when nobody listens any more, or when its time is up;
//! whoever keeps the computer and asks again goes on from what it knows, about this position or the next.

use std::time::Duration;

use emilia_engine::{Candidate, Chances};
use emilia_query::{Aim, Limits, MoveReport, Query, Report, Stop};
use emilia_rules::{Color, Objective, Playable, Size};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answers::{self, Score};
use crate::catalogue;
use crate::clock::Instant;
use crate::computer::Computer;
use crate::error::ServiceError;
use crate::lines::Lines;
use crate::position::{AboutPosition, GamePosition};
use crate::slot::Slot;

/// How many moves are to be looked at, how long at a time, and who asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeepenRequest {
    lines: Option<usize>,
    time_ms: Option<u64>,
    /// Who asks again under this name finds what was known before.
    session: Option<String>,
}

/// Longest that one request is worked on; who still looks on asks again.
const LONGEST: u64 = 60_000;
/// Moves that get a value and a line of their own unless somebody says otherwise.
const USUAL_LINES: usize = 3;
/// Who searches: with as much memory as a player may have.
const ANALYST: &str = "emilia:hash=64,threads=";
/// Longest name of a session.
const LONGEST_SESSION: usize = 64;

/// A request that is checked.
pub struct Deepen {
    line: GamePosition,
    lines: usize,
    time: Duration,
    session: Option<String>,
}

impl Deepen {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Deepen, ServiceError> {
        let AboutPosition { position, request } = AboutPosition::<DeepenRequest>::read(fields)?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(LONGEST).clamp(1, LONGEST));
        let session = request.session.filter(|name| !name.is_empty() && name.len() <= LONGEST_SESSION);
        let lines = request.lines.unwrap_or(USUAL_LINES).max(1);
        Ok(Deepen { line: position.resolve()?, lines, time, session })
    }

    /// Who searches, on so many threads.
    pub fn analyst(threads: usize) -> Result<Candidate, ServiceError> {
        catalogue::candidate(&format!("{ANALYST}{}", threads.clamp(1, 4)))
    }

    /// Who asks, if it was said.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Searches ever deeper and tells each step. Every request ends with a line that is `done`.
    pub fn run(&self, computer: &mut Computer, lines: &dyn Lines, stop: &Stop, slot: &dyn Slot) {
        let began = Instant::now();
        let mut query = Query::new(*self.line.position());
        query.objective = Some(self.line.game.objective);
        query.aim = Some(Aim::Score);
        let wanted = query.position().moves().count().min(self.lines);
        query = query.with_lines(wanted.max(1));
        let in_one_go = query.position().size() == Size::EIGHT && self.line.game.objective == Objective::Most;
        let last = if in_one_go {
            let limits = Limits { time: Some(self.time), ..Limits::endless() };
            computer.think(&query.within(limits), stop, slot, &mut |report| {
                lines.write_if_read(&self.told(report, false));
            })
        } else {
            self.step_by_step(query, computer, lines, stop, slot)
        };
        lines.write(&self.told(&Report { time: began.elapsed(), ..last }, true));
    }

    /// Where one search finds one move, the moves are judged one by one: all of them to one depth, then to the next.
    fn step_by_step(
        &self,
        query: Query,
        computer: &mut Computer,
        lines: &dyn Lines,
        stop: &Stop,
        slot: &dyn Slot,
    ) -> Report {
        let (began, mut last) = (Instant::now(), Report::default());
        if query.position().is_over() {
            return last;
        }
        for depth in 1..=query.position().counts().empty.max(1) {
            let left = self.time.saturating_sub(began.elapsed());
            let limits = Limits { depth: Some(depth), time: Some(left), ..Limits::default() };
            let report = computer.think(&query.clone().within(limits), stop, slot, &mut |_| ());
            let nodes = last.nodes + report.nodes;
            let cut_off = stop.is_requested() || began.elapsed() >= self.time;
            if cut_off && !last.moves.is_empty() {
                last.nodes = nodes;
                break;
            }
            last = Report { nodes, time: began.elapsed(), ..report };
            lines.write_if_read(&self.told(&last, false));
            if cut_off || last.moves.iter().all(|found| found.exact) {
                break;
            }
        }
        last
    }

    fn told(&self, report: &Report, done: bool) -> Deepened {
        let position = self.line.position();
        let turn = position.turn();
        let best = report.best();
        let chances = best.and_then(|best| Chances::of(position, self.line.game.objective, best));
        Deepened {
            depth: report.depth,
            confidence: best.and_then(|best| best.selectivity).map(|selectivity| selectivity.percent()),
            solved: !report.moves.is_empty() && report.moves.iter().all(|found| found.exact),
            done,
            time_ms: report.time.as_millis() as u64,
            nodes: report.nodes,
            nps: report.speed() as u64,
            moves: report.moves.iter().map(|found| DeepenedMove::new(found, turn)).collect(),
            chances: chances.map(|chances| ChancesAnswer::new(chances, turn)),
        }
    }
}

/// What is known after a step.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deepened {
    depth: u32,
    /// How sure the search is of what it left out, in percent.
    confidence: Option<u32>,
    /// Whether every value is proven.
    solved: bool,
    /// Whether this is the last line of the answer.
    done: bool,
    time_ms: u64,
    nodes: u64,
    nps: u64,
    /// The best first.
    moves: Vec<DeepenedMove>,
    /// How likely each side wins if neither errs; nothing where that was not measured.
    chances: Option<ChancesAnswer>,
}

/// A move and what is known of it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DeepenedMove {
    #[serde(rename = "move")]
    mv: String,
    score: Option<Score>,
    depth: u32,
    solved: bool,
    line: Vec<String>,
}

impl DeepenedMove {
    fn new(found: &MoveReport, turn: Color) -> DeepenedMove {
        DeepenedMove {
            mv: found.mv.to_string(),
            score: found.value.map(|value| Score::new(value.number(), turn)),
            depth: found.depth,
            solved: found.exact,
            line: answers::moves(&found.line),
        }
    }
}

/// How likely a game ends how.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Chances"))]
struct ChancesAnswer {
    black: f64,
    draw: f64,
    white: f64,
}

impl ChancesAnswer {
    /// Those of the side to move.
    fn new(Chances { win, draw, loss }: Chances, turn: Color) -> ChancesAnswer {
        let (black, white) = if turn == Color::Black { (win, loss) } else { (loss, win) };
        ChancesAnswer { black, draw, white }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::json;

    use super::*;
    use crate::slot::Alone;

    struct Heard<'s> {
        lines: RefCell<Vec<Value>>,
        /// After how many lines the listener goes away.
        leaves: usize,
        stop: &'s Stop,
    }

    impl Lines for Heard<'_> {
        fn take(&self, line: String) {
            self.lines.borrow_mut().push(serde_json::from_str(&line).unwrap());
            if self.lines.borrow().len() >= self.leaves {
                self.stop.request();
            }
        }

        fn has_room(&self) -> bool {
            true
        }
    }

    fn heard(computer: &mut Computer, request: Value, leaves: usize) -> Vec<Value> {
        let (Value::Object(fields), stop) = (request, Stop::default()) else { panic!("not an object") };
        let lines = Heard { lines: RefCell::default(), leaves, stop: &stop };
        Deepen::read(fields).unwrap().run(computer, &lines, &stop, &Alone);
        lines.lines.into_inner()
    }

    fn computer() -> Computer {
        Computer::new(&Deepen::analyst(1).unwrap(), 0)
    }

    #[test]
    fn each_line_is_deeper_and_the_last_one_says_so() {
        let lines = heard(&mut computer(), json!({"moves": "f5d6c3", "lines": 2}), 4);
        let (last, steps) = lines.split_last().unwrap();
        let depths: Vec<u64> = steps.iter().map(|line| line["depth"].as_u64().unwrap()).collect();
        assert!(depths.len() >= 3 && depths.is_sorted_by(|a, b| a < b), "{depths:?}");
        assert!(
            steps.iter().all(|line| line["done"] == false && line["moves"].as_array().unwrap().len() == 2)
        );
        assert_eq!((&last["done"], &last["solved"]), (&json!(true), &json!(false)));
        let chances = &last["chances"];
        let sum: f64 = ["black", "draw", "white"].iter().map(|side| chances[side].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{chances}");
    }

    #[test]
    fn small_boards_are_solved_and_large_ones_deepen_move_by_move() {
        let solved = heard(&mut computer(), json!({"size": 4, "lines": 9}), usize::MAX);
        let last = solved.last().unwrap();
        assert_eq!((&last["solved"], last["chances"]["white"].as_f64()), (&json!(true), Some(1.0)));
        // Perfect play on 4×4 ends 3 to 11, and the two squares that stay empty go to White.
        assert_eq!(last["moves"][0]["score"]["value"], -10.0);
        let large = heard(&mut computer(), json!({"size": 10, "lines": 2}), 3);
        assert!(large.last().unwrap()["depth"].as_u64() >= Some(2), "{large:?}");
        assert!(large.iter().all(|line| line["chances"].is_null()));
    }

    #[test]
    fn a_computer_that_is_asked_again_goes_on_from_what_it_knows() {
        let (mut computer, request) = (computer(), json!({"moves": "f5d6c3d3c4f4", "lines": 1}));
        let first = heard(&mut computer, request.clone(), 5);
        let again = heard(&mut computer, request, 5);
        let nodes = |lines: &[Value]| lines[4]["nodes"].as_u64().unwrap();
        assert_eq!(first[4]["depth"], again[4]["depth"]);
        assert!(nodes(&again) * 4 < nodes(&first), "{} after {}", nodes(&again), nodes(&first));
    }

    #[test]
    fn a_game_that_is_over_has_nothing_to_look_for() {
        let lines = heard(&mut computer(), json!({"position": "XXXXXXXXXXXXXXXX X"}), usize::MAX);
        assert_eq!((lines.len(), &lines[0]["moves"]), (1, &json!([])));
    }
}
