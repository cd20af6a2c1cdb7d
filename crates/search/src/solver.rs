use emilia_eval::Learned;
use emilia_query::{Aim, Report, Stop, Watcher};
use emilia_rules::{Color, Move, Playable, Point, Position, Tier};

use crate::{Search, Table};

/// Solves positions to the end of the game.
#[derive(Debug)]
pub struct Solver<'s> {
    /// Who orders the moves.
    pub evaluator: &'s Learned,
    /// What is remembered within a position; it is cleared before each.
    pub table: &'s Table,
    /// A request ends it.
    pub stop: &'s Stop,
    /// Threads that share the work.
    pub threads: usize,
    /// Kind of processor to use.
    pub tier: Tier,
    /// The score, or only who wins.
    pub aim: Aim,
    /// Whether all moves get a score, not only the best.
    pub all_moves: bool,
}

/// A position to be solved, and what is known of its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// Scores in discs that others found for some moves. The highest must be the best one's.
    pub known: Vec<(Move<Point>, i32)>,
}

/// A score that does not agree with what was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The move.
    pub mv: Move<Point>,
    /// Its score as it was stated.
    pub stated: i32,
    /// Its score as it was found.
    pub found: i32,
}

impl<'s> Solver<'s> {
    /// A solver for scores on one thread.
    #[must_use]
    pub fn new(evaluator: &'s Learned, table: &'s Table, stop: &'s Stop) -> Solver<'s> {
        let (threads, tier, aim, all_moves) = (1, Tier::best(), Aim::Score, false);
        Solver { evaluator, table, stop, threads, tier, aim, all_moves }
    }

    /// Solves a position. The report says if that was stopped; it has no moves where the game is over.
    pub fn solve(&self, position: &Position, watcher: &mut dyn Watcher) -> Report {
        self.table.clear();
        let mut search = Search::new(self.evaluator, self.table, self.stop);
        search.threads = self.threads;
        search.tier = self.tier;
        search.aim = self.aim;
        search.straight = true;
        search.lines = if self.all_moves { usize::MAX } else { 1 };
        search.run(position, watcher)
    }
}

impl Problem {
    /// A position of which nothing is known.
    #[must_use]
    pub fn new(position: Position) -> Problem {
        Problem { position, known: Vec::new() }
    }

    /// The position's score in discs for the side to move, empty squares to the winner, by what a solver has found:
    /// 2, 0 or -2 if it was only to find out who wins.
    #[must_use]
    pub fn score(&self, report: &Report) -> i32 {
        let margin = self.position.counts().margin();
        let over = if self.position.turn() == Color::Black { margin } else { -margin };
        report.discs().map_or(over, |discs| discs as i32)
    }

    /// Where a solver that was not stopped has found another score than was known: for the best move, and for every
    /// other that was scored.
    #[must_use]
    pub fn differences(&self, report: &Report, aim: Aim) -> Vec<Difference> {
        let seen = |known: i32| if aim == Aim::Outcome { 2 * known.signum() } else { known };
        let found = self.score(report);
        let best = self.known.iter().max_by_key(|(_, known)| *known);
        let best = best.filter(|(_, known)| seen(*known) != found);
        let mut differences: Vec<Difference> =
            best.map(|(mv, stated)| Difference { mv: *mv, stated: *stated, found }).into_iter().collect();
        for scored in report.moves.iter().filter(|_| aim == Aim::Score && report.moves.len() > 1) {
            let found = scored.value.map_or(0, |value| value.number() as i32);
            let known = self.known.iter().find(|(mv, known)| *mv == scored.mv && *known != found);
            if let Some((mv, stated)) =
                known.filter(|(mv, _)| differences.iter().all(|other| other.mv != *mv))
            {
                differences.push(Difference { mv: *mv, stated: *stated, found });
            }
        }
        differences
    }
}
