//! What a player thinks of every legal move of a position.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use emilia_classic::{Control, Dice, Ending, Method, Progress, Search};
use emilia_engine::Stop;
use emilia_rules::{GridPosition, Move, Playable, Point, SquareSet};

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

/// A way to value moves within some time.
pub(crate) struct Valuation<'a> {
    pub(crate) search: Search,
    pub(crate) seed: u64,
    /// For all moves together.
    pub(crate) time: Duration,
    pub(crate) stop: &'a Stop,
    pub(crate) slot: &'a Slot<'a>,
}

impl Valuation<'_> {
    /// Every legal move, the best first; moves that the player has no opinion about come last, row by row.
    pub(crate) fn moves(&self, position: &GridPosition) -> Vec<Evaluated> {
        let moves: Vec<Move<Point>> = position.moves().collect();
        let deadline = Instant::now() + self.time;
        let mut evaluated: Vec<Evaluated> = Vec::with_capacity(moves.len());
        for (index, mv) in moves.iter().enumerate() {
            // What earlier moves left over is shared by the later ones.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(moves.len() - index).unwrap_or(u32::MAX);
            evaluated.push(self.one(position, *mv, share));
        }
        evaluated.sort_by(|a, b| {
            let score = |move_: &Evaluated| move_.score.unwrap_or(f64::NEG_INFINITY);
            score(b).total_cmp(&score(a))
        });
        evaluated
    }

    fn one(&self, position: &GridPosition, mv: Move<Point>, share: Duration) -> Evaluated {
        let next = match mv {
            Move::Place(point) => position.placed(point),
            Move::Pass => position.passed(),
        };
        let mut evaluated = Evaluated {
            mv,
            score: None,
            depth: 0,
            nodes: 1,
            time: Duration::ZERO,
            line: vec![mv],
            solved: false,
            stopped: false,
        };
        if next.is_over() {
            evaluated.score = Some(self.result(&next));
            evaluated.solved = true;
            return evaluated;
        }
        let Some(method) = reply(self.search.method, share) else { return evaluated };
        let search = Search { method, ..self.search };
        let mut watch = |_: &Progress| {
            self.slot.breathe();
            ControlFlow::Continue(())
        };
        let mut control =
            Control::unlimited().within(share).stopped_by(self.stop.flag()).watched_by(&mut watch);
        let report = search.run(&next, &mut Dice::new(self.seed), &mut control);
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
        let difference = over.opponent().count() as i32 - over.own().count() as i32;
        let result = f64::from(difference.signum()) * Ending::WIN;
        match self.search.ending {
            Ending::WinLossDraw => result,
            Ending::Margin => result + f64::from(difference),
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
