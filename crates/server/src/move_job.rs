//! A computer player at work on a move, with an audience.

use std::sync::Arc;
use std::time::{Duration, Instant};

use emilia_engine::Candidate;
use emilia_query::{Query, Report, Stop};
use emilia_rules::{Move, Playable, Point};
use serde::Serialize;
use tokio::sync::watch;

use crate::answers::{self, Breakdown, Score, to_json};
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
    pub(crate) query: Query,
    /// Number of the move that is looked for.
    pub(crate) ply: usize,
    /// Which game it is, for players that throw dice.
    pub(crate) game: u64,
    pub(crate) stop: Arc<Stop>,
    pub(crate) audience: watch::Sender<Arc<str>>,
    /// Where the player's memory is between its moves.
    pub(crate) players: PlayerCache,
    pub(crate) key: PlayerKey,
}

impl MoveJob {
    /// Finds a move; nothing if the game is over or the search was stopped.
    pub(crate) fn think(self, slot: &Slot<'_>) -> Option<(Move<Point>, Verdict)> {
        let position = self.query.position();
        let breakdown = self.candidate.evaluator().map(|evaluator| Breakdown::new(evaluator, position));
        // Players that throw dice throw others for each move and each game.
        let game = self.game.wrapping_add(self.ply as u64);
        let mut computer = self.players.take(&self.key, &self.candidate, game);
        let mut told = Instant::now();
        let report = computer.think(&self.query, &self.stop, slot, &mut |report| {
            if told.elapsed() >= TELL_EVERY && self.audience.receiver_count() > 0 {
                told = Instant::now();
                self.tell(report, &breakdown, false);
            }
        });
        self.players.put(self.key.clone(), computer);
        if self.stop.is_requested() {
            return None;
        }
        self.tell(&report, &breakdown, true);
        let verdict = Verdict {
            value: report.value(),
            depth: report.depth.max(report.greatest_depth),
            nodes: report.nodes,
        };
        // A player that was cut off before it knew anything still has to move.
        let best = report.best_move().or_else(|| position.moves().next())?;
        Some((best, verdict))
    }

    fn tell(&self, report: &Report, breakdown: &Option<Breakdown>, done: bool) {
        let side = self.query.position().turn();
        let thinking = Thinking {
            ply: self.ply,
            color: side.into(),
            player: &self.name,
            done,
            depth: report.depth,
            greatest_depth: report.greatest_depth,
            nodes: report.nodes,
            nps: report.speed() as u64,
            time_ms: report.time.as_millis() as u64,
            source: report.source.word(),
            score: report.value().map(|value| Score::new(value.number(), side)),
            best: report.best_move().map(|mv| mv.to_string()),
            line: answers::moves(report.line()),
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
    /// `search`, `book` or `textbook`.
    source: &'static str,
    score: Option<Score>,
    best: Option<String>,
    line: Vec<String>,
    breakdown: Option<&'j Breakdown>,
}
