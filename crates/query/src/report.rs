use std::time::Duration;

use emilia_rules::{Move, Point};

use crate::{Bound, Selectivity, Value};

/// What a player has found, while it thinks or at the end.
///
/// Law: unless the game is over, or another program was stopped before it answered, a player's last report has at
/// least one move, and its moves are legal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The moves it has an opinion on, best first.
    pub moves: Vec<MoveReport>,
    /// Plies looked ahead completely; 0 if it does not look ahead or was stopped before.
    pub depth: u32,
    /// Plies to the farthest position looked at.
    pub greatest_depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Since it began.
    pub time: Duration,
    /// Who found it.
    pub source: Source,
    /// Whether it ended before it was done: a limit was reached, or somebody said stop.
    pub stopped: bool,
}

/// A move and what is thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub mv: Move<Point>,
    /// What it is worth to the side that makes it; players that do not judge say nothing.
    pub value: Option<Value>,
    /// What the value says about the truth at its depth.
    pub bound: Bound,
    /// Plies looked ahead.
    pub depth: u32,
    /// How sure the search is of what it left out, if that was measured.
    pub selectivity: Option<Selectivity>,
    /// Whether the value is proven to the end of the game.
    pub exact: bool,
    /// What is expected to be played, this move first.
    pub line: Vec<Move<Point>>,
}

/// Who found what a report says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Emilia's own search.
    #[default]
    Search,
    /// A book of openings.
    Book,
    /// A textbook player.
    Textbook,
    /// Another program.
    Program,
}

impl Report {
    /// A report on these moves, best first, looked at equally deep.
    #[must_use]
    pub fn of(moves: Vec<MoveReport>) -> Report {
        let depth = moves.iter().map(|found| found.depth).min().unwrap_or(0);
        Report { moves, depth, greatest_depth: depth, ..Report::default() }
    }

    /// What is thought best.
    #[must_use]
    pub fn best(&self) -> Option<&MoveReport> {
        self.moves.first()
    }

    /// The best move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move<Point>> {
        self.best().map(|best| best.mv)
    }

    /// What the best move is worth.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        self.best().and_then(|best| best.value)
    }

    /// What the best move is worth in discs, if that is what the player counts.
    #[must_use]
    pub fn discs(&self) -> Option<f64> {
        self.best().and_then(MoveReport::discs)
    }

    /// How far ahead the search looked that gave the best move its value: one that was broken off does not count.
    #[must_use]
    pub fn value_depth(&self) -> u32 {
        self.best().map_or(self.depth, |best| best.depth)
    }

    /// What is expected to be played.
    #[must_use]
    pub fn line(&self) -> &[Move<Point>] {
        self.best().map_or(&[], |best| &best.line)
    }

    /// Whether the best move's value is proven to the end of the game.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.best().is_some_and(|best| best.exact)
    }

    /// Positions looked at in a second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-6)
    }

    /// The same, with those of these moves that it did not come to put last, without a value.
    #[must_use]
    pub fn covering(mut self, moves: impl IntoIterator<Item = Move<Point>>) -> Report {
        for mv in moves {
            if self.moves.iter().all(|found| found.mv != mv) {
                self.moves.push(MoveReport::new(mv));
            }
        }
        self
    }

    /// The best first; moves without a value come last, in the order they had.
    pub fn sort(&mut self) {
        let worth = |found: &MoveReport| found.value.map_or(f64::NEG_INFINITY, Value::number);
        self.moves.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    }
}

impl MoveReport {
    /// A bare move.
    #[must_use]
    pub fn new(mv: Move<Point>) -> MoveReport {
        MoveReport {
            mv,
            value: None,
            bound: Bound::Exact,
            depth: 0,
            selectivity: None,
            exact: false,
            line: vec![mv],
        }
    }

    /// What it is worth in discs, if that is what the player counts.
    #[must_use]
    pub fn discs(&self) -> Option<f64> {
        self.value.and_then(Value::discs)
    }

    /// This move, if that is what is best in the position after it.
    #[must_use]
    pub fn answered_by(mv: Move<Point>, answer: &MoveReport) -> MoveReport {
        MoveReport {
            mv,
            value: answer.value.map(Value::negated),
            bound: answer.bound.reversed(),
            depth: answer.depth + 1,
            selectivity: answer.selectivity,
            exact: answer.exact,
            // What was not looked at is not expected either.
            line: std::iter::once(mv)
                .chain(answer.line.iter().copied().filter(|_| answer.depth > 0 && answer.value.is_some()))
                .collect(),
        }
    }
}

impl Source {
    /// Its word in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Source::Search => "search",
            Source::Book => "book",
            Source::Textbook => "textbook",
            Source::Program => "program",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_of_a_value_is_that_of_the_search_that_found_it() {
        let best = MoveReport { depth: 6, value: Some(Value::Discs(2.0)), ..MoveReport::new(Move::Pass) };
        // Time was up while the seventh ply was looked at.
        let report = Report { greatest_depth: 9, stopped: true, ..Report::of(vec![best]) };
        assert_eq!(report.value_depth(), 6);
        assert_eq!(Report { depth: 3, ..Report::default() }.value_depth(), 3, "nothing found yet");
    }
}
