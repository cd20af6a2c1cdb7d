//! What a player thinks of every legal move of a position.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use emilia_classic::{Ending, Method, Search};
use emilia_engine::{Candidate, Player, Question, Stop};
use emilia_rules::{Color, GridPosition, Move, Objective, Playable, Point};

use crate::computer::Computer;
use crate::pool::Slot;

/// A move and what it is worth to the side that makes it.
#[derive(Clone, Debug)]
pub(crate) struct Evaluated {
    pub(crate) mv: Move<Point>,
    pub(crate) score: Option<f64>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    /// What is expected to follow, this move first.
    pub(crate) line: Vec<Move<Point>>,
    /// Whether the score is the result with best play.
    pub(crate) solved: bool,
    /// Whether time was up before the player's depth was reached.
    pub(crate) stopped: bool,
}

impl Evaluated {
    /// A move that nobody has looked at.
    fn unknown(mv: Move<Point>) -> Evaluated {
        Evaluated {
            mv,
            score: None,
            depth: 0,
            nodes: 1,
            time: Duration::ZERO,
            line: vec![mv],
            solved: false,
            stopped: false,
        }
    }
}

/// The best first.
fn sort(evaluated: &mut [Evaluated]) {
    let score = |move_: &Evaluated| move_.score.unwrap_or(f64::NEG_INFINITY);
    evaluated.sort_by(|a, b| score(b).total_cmp(&score(a)));
}

/// A way to value moves within some time.
pub(crate) struct Valuation<'a> {
    pub(crate) candidate: &'a Candidate,
    /// Whether finished games count by their discs, whatever the player cares for.
    pub(crate) by_discs: bool,
    /// For all moves together.
    pub(crate) time: Duration,
    pub(crate) stop: &'a Stop,
    pub(crate) slot: &'a Slot<'a>,
}

impl Valuation<'_> {
    /// Every legal move, the best first; moves that the player has no opinion about come last, row by row. The computer is
    /// the player's: what it remembers of earlier positions helps.
    pub(crate) fn moves(&self, position: &GridPosition, computer: &mut Computer) -> Vec<Evaluated> {
        if let Computer::Other(player, _) = computer {
            return self.slot.outside(|| self.together(position, player.as_mut()));
        }
        let moves: Vec<Move<Point>> = position.moves().collect();
        let deadline = Instant::now() + self.time;
        let mut evaluated: Vec<Evaluated> = Vec::with_capacity(moves.len());
        for (index, mv) in moves.iter().enumerate() {
            // What earlier moves left over is shared by the later ones.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(moves.len() - index).unwrap_or(u32::MAX);
            evaluated.push(self.one(computer, position, *mv, share));
        }
        sort(&mut evaluated);
        evaluated
    }

    /// All moves in one search, so that they are looked at equally deep. Those it did not come to have no score.
    fn together(&self, position: &GridPosition, player: &mut dyn Player) -> Vec<Evaluated> {
        let begin = Instant::now();
        let mut watch = |_: &_| ControlFlow::Continue(());
        let mut question = Question::new(self.stop, &mut watch);
        question.limits.time = Some(self.time);
        question.lines = position.moves().count();
        // Players of the web never fail: they are all our own.
        let thought = player.analyse(position, question).unwrap_or_default();
        let time = begin.elapsed();
        let stopped = self.stop.is_requested() || time >= self.time;
        let mut evaluated: Vec<Evaluated> = position.moves().map(Evaluated::unknown).collect();
        for judged in thought.moves {
            let Some(place) = evaluated.iter_mut().find(|known| known.mv == judged.mv) else { continue };
            *place = Evaluated {
                mv: judged.mv,
                score: judged.value,
                depth: judged.depth,
                nodes: thought.nodes,
                time,
                line: judged.line,
                solved: judged.exact,
                stopped: stopped && !judged.exact,
            };
        }
        sort(&mut evaluated);
        evaluated
    }

    fn one(
        &self,
        computer: &mut Computer,
        position: &GridPosition,
        mv: Move<Point>,
        share: Duration,
    ) -> Evaluated {
        let next = match mv {
            Move::Place(point) => position.placed(point),
            Move::Pass => position.passed(),
        };
        let mut evaluated = Evaluated::unknown(mv);
        if next.is_over() {
            evaluated.score = Some(self.result(&next));
            evaluated.solved = true;
            return evaluated;
        }
        let report = match (&mut *computer, self.candidate.classic()) {
            (Computer::Textbook(search, _), Some((own, _))) => {
                let Some(method) = reply(own.method, share) else { return evaluated };
                let ending = if self.by_discs { Ending::Margin } else { own.ending };
                *search = Search { method, ending, ..own };
                computer.think(&next, share, self.stop, self.slot, &mut |_| ())
            }
            _ => computer.think(&next, share, self.stop, self.slot, &mut |_| ()),
        };
        evaluated.score = report.score.map(|score| 0.0 - score);
        evaluated.depth = report.completed_depth.max(report.greatest_depth) + 1;
        evaluated.nodes += report.nodes;
        evaluated.time = report.time;
        evaluated.line.extend(report.line);
        evaluated.solved = report.solved;
        evaluated.stopped = report.stopped;
        evaluated
    }

    /// What a finished game is worth to the side that made the last move.
    fn result(&self, over: &GridPosition) -> f64 {
        let counts = over.counts();
        let difference = if over.turn() == Color::White { counts.difference() } else { -counts.difference() };
        let Some((search, _)) = self.candidate.classic() else {
            // Discs, the empty squares to the winner.
            let margin = if over.turn() == Color::White { counts.margin() } else { -counts.margin() };
            return f64::from(margin);
        };
        let sign = if search.objective == Objective::Fewest { -1 } else { 1 };
        let result = f64::from(sign * difference.signum()) * Ending::WIN;
        match search.ending {
            Ending::WinLossDraw if !self.by_discs => result,
            _ => result + f64::from(sign * difference),
        }
    }
}

/// The search that values the position after a move: one ply less. Fixed depths deepen step by step, so that there is
/// an answer whenever time is up.
fn reply(method: Method, share: Duration) -> Option<Method> {
    let deepen = |depth: u32| match depth {
        0 | 1 => Method::AlphaBeta { depth: 0 },
        depth => Method::Iterative { time: share, depth: depth - 1, split: false },
    };
    match method {
        Method::Minimax { depth } | Method::AlphaBeta { depth } | Method::Iterative { depth, .. } => {
            Some(deepen(depth))
        }
        Method::Beam { depth, width } => Some(Method::Beam { depth: depth.saturating_sub(1).max(1), width }),
        Method::Mcts { .. } => Some(method),
        Method::Random | Method::First | Method::Greedy => None,
    }
}
