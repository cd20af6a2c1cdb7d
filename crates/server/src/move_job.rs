//! A computer player at work on a move, with an audience.

use std::sync::Arc;
use std::time::{Duration, Instant};

use emilia_classic::Progress;
use emilia_engine::{Candidate, Stop};
use emilia_rules::{GridPosition, Move, Playable, Point};
use serde::Serialize;
use tokio::sync::watch;

use crate::answers::{self, Breakdown, Score, to_json};
use crate::computer::Computer;
use crate::game::Verdict;
use crate::live_game::LiveMessage;
use crate::names::ColorName;
use crate::player_cache::{PlayerCache, PlayerKey};
use crate::pool::Slot;

/// Longest that a move is thought about, whatever the player's settings say.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);
/// How often the audience is told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// What is to be thought about.
pub(crate) struct MoveJob {
    pub(crate) candidate: Candidate,
    pub(crate) name: String,
    pub(crate) position: GridPosition,
    /// Number of the move that is looked for.
    pub(crate) ply: usize,
    /// Which game it is, for players that throw dice.
    pub(crate) game: u64,
    pub(crate) time: Duration,
    pub(crate) stop: Arc<Stop>,
    pub(crate) audience: watch::Sender<Arc<str>>,
    /// Where the player's memory is between its moves.
    pub(crate) players: PlayerCache,
    pub(crate) key: PlayerKey,
}

impl MoveJob {
    /// Finds a move; nothing if the game is over or the search was stopped.
    pub(crate) fn think(self, slot: &Slot<'_>) -> Option<(Move<Point>, Verdict)> {
        let side = self.position.turn();
        let textbook = self.candidate.classic().filter(|(search, _)| search.method.evaluates());
        let breakdown = textbook.map(|(search, _)| Breakdown::new(&search.evaluator, &self.position));
        // Players that throw dice throw others for each move and each game.
        let fresh = || Computer::new(&self.candidate, self.game.wrapping_add(self.ply as u64));
        let mut computer = self.players.take(&self.key).unwrap_or_else(fresh);
        let mut told = Instant::now();
        let report = computer.think(&self.position, self.time, &self.stop, slot, &mut |progress| {
            if told.elapsed() >= TELL_EVERY && self.audience.receiver_count() > 0 {
                told = Instant::now();
                let line: Vec<Move<Point>> = progress.best.into_iter().collect();
                let score = progress.score.map(|score| Score::new(score, side));
                self.tell(progress, &line, score, &breakdown, false);
            }
        });
        self.players.put(self.key.clone(), computer);
        if self.stop.is_requested() {
            return None;
        }
        let progress = Progress {
            nodes: report.nodes,
            greatest_depth: report.greatest_depth,
            completed_depth: report.completed_depth,
            time: report.time,
            score: report.score,
            best: report.best,
        };
        let score = report.score.map(|score| Score::new(score, side));
        self.tell(&progress, &report.line, score, &breakdown, true);
        let depth = report.completed_depth.max(report.greatest_depth);
        // A player that was cut off before it knew anything still has to move.
        let best = report.best.or_else(|| self.position.moves().next())?;
        Some((best, Verdict { score: report.score, depth, nodes: report.nodes }))
    }

    fn tell(
        &self,
        progress: &Progress,
        line: &[Move<Point>],
        score: Option<Score>,
        breakdown: &Option<Breakdown>,
        done: bool,
    ) {
        let seconds = progress.time.as_secs_f64().max(1e-6);
        let thinking = Thinking {
            ply: self.ply,
            color: self.position.turn().into(),
            player: &self.name,
            done,
            depth: progress.completed_depth,
            greatest_depth: progress.greatest_depth,
            nodes: progress.nodes,
            nps: (progress.nodes as f64 / seconds) as u64,
            time_ms: progress.time.as_millis() as u64,
            score,
            best: progress.best.map(|mv| mv.to_string()),
            line: answers::moves(line),
            breakdown: breakdown.as_ref(),
        };
        self.audience.send_replace(to_json(&LiveMessage::<()>::Thinking(thinking)).into());
    }
}

/// What a computer thinks, for those who look on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Thinking<'j> {
    ply: usize,
    color: ColorName,
    player: &'j str,
    done: bool,
    depth: u32,
    greatest_depth: u32,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    score: Option<Score>,
    best: Option<String>,
    line: Vec<String>,
    breakdown: Option<&'j Breakdown>,
}
