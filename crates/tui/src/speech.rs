//! A session in words, for those who listen.

use emilia_query::Report;
use emilia_rules::{Color, Move, Playable, SquareSet};

use crate::State;
use crate::state::{Study, capital, signed};

/// What was said last, so that only what is new is said.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    message: String,
    moves: usize,
    depth: u32,
}

impl Speech {
    /// What is new, in sentences.
    pub fn news(&mut self, state: &State) -> Vec<String> {
        let mut said = Vec::new();
        if state.message() != self.message {
            state.message().clone_into(&mut self.message);
            // Nobody wants to hear of each of sixty moves that it was looked at.
            let is_progress = state.study == Study::Review && !state.reviewed.is_empty();
            if !self.message.is_empty() && !is_progress {
                said.push(self.message.clone());
            }
        }
        let moves = state.game().ply();
        if moves != self.moves {
            (self.moves, self.depth) = (moves, 0);
            said.push(summary(state));
            said.extend(state.why(moves).map(|explained| explained.sentence()));
        }
        if let Some(report) = state.report.as_ref().filter(|report| report.depth > self.depth) {
            self.depth = report.depth;
            said.extend(analysis(state, report));
        }
        said
    }
}

/// Who has how many discs, and who is to move.
fn summary(state: &State) -> String {
    let position = state.game().position();
    let counts = position.counts();
    let turn = match state.ending() {
        Some(_) => String::new(),
        None => format!(" {} to move.", capital(position.turn())),
    };
    let last = state.game().last_move().map(|mv| format!("After {mv}: ")).unwrap_or_default();
    format!("{last}Black {}, White {}.{turn}", counts.black, counts.white)
}

fn analysis(state: &State, report: &Report) -> Option<String> {
    let best = report.best()?;
    let worth = best.value.map(|value| signed(state.setup.judge.in_discs(value, state.game().size())));
    let line: Vec<String> = best.line.iter().map(Move::to_string).collect();
    Some(format!("Depth {}: {} {}", report.depth, worth.unwrap_or_default(), line.join(" ")))
}

/// The board row by row.
pub(crate) fn board(state: &State) -> Vec<String> {
    let position = state.game().position();
    let size = position.size();
    let row = |number: u8| {
        let squares = size.points().filter(|point| point.row() == number);
        let discs: Vec<String> = squares
            .filter_map(|point| {
                let color = Color::BOTH.into_iter().find(|color| position.discs(*color).contains(point))?;
                Some(format!("{point} {color}"))
            })
            .collect();
        let discs = if discs.is_empty() { "empty".to_owned() } else { discs.join(", ") };
        format!("Row {}: {discs}.", number + 1)
    };
    let mut lines: Vec<String> = (0..size.get()).map(row).collect();
    lines.push(moves(state));
    lines
}

/// What can be played.
pub(crate) fn moves(state: &State) -> String {
    let moves: Vec<String> = state.game().position().moves().map(|mv| mv.to_string()).collect();
    if moves.is_empty() {
        "The game is over.".to_owned()
    } else {
        format!("You can play {}.", moves.join(", "))
    }
}
