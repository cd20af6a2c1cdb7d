use std::sync::atomic::AtomicBool;
use std::time::Duration;

use emilia_eval::Evaluator;
use emilia_rules::{Move, Playable, Position, Tier};

use crate::{Aim, Observer, Report, Search, Table};

/// Solves positions to the end of the game.
#[derive(Debug)]
pub struct Solver<'s, E> {
    /// Who orders the moves.
    pub evaluator: &'s E,
    /// What is remembered within a position; it is cleared before each.
    pub table: &'s Table,
    /// Raise this to end.
    pub stop: &'s AtomicBool,
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
    pub known: Vec<(Move, i32)>,
}

/// A solved position.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Number of empty squares.
    pub empties: u32,
    /// The score in discs for the side to move, empty squares to the winner; with [`Aim::Outcome`] 2, 0 or -2.
    pub score: i32,
    /// Whether the score is proven: false only if the search was stopped.
    pub exact: bool,
    /// The best line, and with `all_moves` one for every move, best first. Empty if the game is over.
    pub lines: Vec<crate::Line>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// What does not agree with the scores given: the move, its score there, its score here.
    pub differences: Vec<(Move, i32, i32)>,
}

impl<'s, E: Evaluator> Solver<'s, E> {
    /// A solver for scores on one thread.
    #[must_use]
    pub fn new(evaluator: &'s E, table: &'s Table, stop: &'s AtomicBool) -> Solver<'s, E> {
        let (threads, tier, aim, all_moves) = (1, Tier::best(), Aim::Score, false);
        Solver { evaluator, table, stop, threads, tier, aim, all_moves }
    }

    /// Solves a position and compares it with what is known of it.
    pub fn solve(&self, problem: &Problem, observer: &mut dyn Observer) -> Solution {
        self.table.clear();
        let mut search = Search::new(self.evaluator, self.table, self.stop);
        search.threads = self.threads;
        search.tier = self.tier;
        search.aim = self.aim;
        search.lines = if self.all_moves { usize::MAX } else { 1 };
        let report = search.run(&problem.position, observer);
        let counts = problem.position.counts();
        let score = match report.lines.first() {
            Some(line) => line.score.discs(),
            None => {
                counts.margin() * if problem.position.turn() == emilia_rules::Color::Black { 1 } else { -1 }
            }
        };
        let mut solution = Solution {
            empties: counts.empty,
            score,
            exact: report.exact,
            lines: Vec::new(),
            nodes: report.nodes,
            time: report.time,
            differences: Vec::new(),
        };
        solution.differences = self.differences(problem, &report, score);
        solution.lines = report.lines;
        solution
    }

    /// Compares the best score, and each move's where all were scored.
    fn differences(&self, problem: &Problem, report: &Report, score: i32) -> Vec<(Move, i32, i32)> {
        let seen = |known: i32| if self.aim == Aim::Outcome { 2 * known.signum() } else { known };
        let mut differences = Vec::new();
        if !report.exact {
            return differences;
        }
        if let Some((best, known)) = problem.known.iter().max_by_key(|(_, known)| *known)
            && seen(*known) != score
        {
            differences.push((*best, *known, score));
        }
        if self.all_moves && self.aim == Aim::Score {
            for line in &report.lines {
                let first = line.moves.first();
                if let Some((mv, known)) = problem.known.iter().find(|(mv, _)| Some(mv) == first)
                    && *known != line.score.discs()
                    && !differences.iter().any(|(other, ..)| other == mv)
                {
                    differences.push((*mv, *known, line.score.discs()));
                }
            }
        }
        differences
    }
}
