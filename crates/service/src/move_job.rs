//! A computer player at work on a move, with an audience.

use std::time::Duration;

use emilia_engine::Candidate;
use emilia_query::{Clocks, Limits, Query, Report, Stop};
use emilia_rules::{Color, Move, Playable, Point};
use serde::Serialize;

use crate::answers::{self, Breakdown, Score};
use crate::catalogue;
use crate::clock::Instant;
use crate::computer::Computer;
use crate::error::ErrorBody;
use crate::game::{GameState, Verdict, View};
use crate::names::ColorName;
use crate::slot::Slot;

/// Longest that a move is thought about, whatever the player's settings say.
const LONGEST: Duration = Duration::from_secs(60);
/// How often the audience is told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// What those who look on are told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LiveMessage<'m, G> {
    /// The game has changed.
    Game(View<G>),
    /// What a computer thinks.
    Thinking(Thinking<'m>),
    /// Something that was said cannot be done.
    Error(ErrorBody),
}

/// What is to be thought about.
pub struct MoveJob {
    /// Who thinks.
    pub candidate: Candidate,
    /// How that player is called in the game.
    pub name: String,
    /// What is asked.
    pub query: Query,
    /// How long the move is held back at least, so that people can follow.
    pub pause: Duration,
    /// Number of the move that is looked for.
    ply: usize,
    /// Which game it is, for players that throw dice.
    game: u64,
}

impl MoveJob {
    /// What the computer has to think about now, if it is its turn.
    #[must_use]
    pub fn of(state: &GameState, now: u64) -> Option<MoveJob> {
        let name = state.computer_to_move()?.to_owned();
        let candidate = catalogue::opponent(&name)
            .or_else(|error| {
                tracing::warn!(%error, "a player of a saved game is no longer known");
                catalogue::candidate(catalogue::USUAL)
            })
            .ok()?;
        // The whole game, because a player that opens by the book minds what it gave away.
        let moves = state.turns.iter().map(|turn| turn.mv);
        let game = Query::of_game(state.terms.start, moves).ok();
        let mut query = game.unwrap_or_else(|| Query::new(*state.position()));
        query.objective = Some(state.terms.objective);
        query.limits = Limits::time(LONGEST);
        let mut pause = Duration::from_millis(state.terms.pause_ms);
        if let Some(clocks) = state.clocks {
            let turn = state.turn();
            let own = Duration::from_millis(clocks.left_to(turn, now));
            let opponent = Duration::from_millis(clocks.left[!turn as usize]);
            let increment = Duration::from_millis(clocks.terms.increment_ms);
            query.limits.clocks = Some(Clocks { own, opponent, increment });
            pause = pause.min(own / 20);
        }
        Some(MoveJob { candidate, name, query, pause, ply: state.turns.len() + 1, game: state.created })
    }

    /// Which dice are thrown: others for each move and each game.
    #[must_use]
    pub fn dice(&self) -> u64 {
        self.game.wrapping_add(self.ply as u64)
    }

    /// Whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.query.position().turn()
    }

    /// Finds a move; nothing if the game is over or the search was stopped. The audience is told every now and then,
    /// and at the end.
    pub fn think(
        &self,
        computer: &mut Computer,
        stop: &Stop,
        slot: &dyn Slot,
        tell: &mut dyn FnMut(&LiveMessage<'_, ()>),
    ) -> Option<(Move<Point>, Verdict)> {
        let position = self.query.position();
        let breakdown = self.candidate.evaluator().map(|evaluator| Breakdown::new(evaluator, position));
        let mut told = Instant::now();
        let report = computer.think(&self.query, stop, slot, &mut |report| {
            if told.elapsed() >= TELL_EVERY {
                told = Instant::now();
                tell(&self.thinking(report, &breakdown, false));
            }
        });
        if stop.is_requested() {
            return None;
        }
        tell(&self.thinking(&report, &breakdown, true));
        let verdict = Verdict { value: report.value(), depth: report.value_depth(), nodes: report.nodes };
        // A player that was cut off before it knew anything still has to move.
        let best = report.best_move().or_else(|| position.moves().next())?;
        Some((best, verdict))
    }

    fn thinking<'j>(
        &'j self,
        report: &Report,
        breakdown: &'j Option<Breakdown>,
        done: bool,
    ) -> LiveMessage<'j, ()> {
        let side = self.turn();
        LiveMessage::Thinking(Thinking {
            ply: self.ply,
            color: side.into(),
            player: &self.name,
            done,
            depth: report.value_depth(),
            greatest_depth: report.greatest_depth,
            nodes: report.nodes,
            nps: report.speed() as u64,
            time_ms: report.time.as_millis() as u64,
            source: report.source.word(),
            score: report.value().map(|value| Score::new(value.number(), side)),
            best: report.best_move().map(|mv| mv.to_string()),
            line: answers::moves(report.line()),
            breakdown: breakdown.as_ref(),
        })
    }
}

/// What a computer thinks, for those who look on.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thinking<'j> {
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
