use emilia_record::board;
use emilia_rules::{IllegalMove, MoveTextError, Objective, Point, parse_move};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ClockTerms, Clocks, GameState, Mode, Phase, Rematch, Seat, Terms, Turn, Verdict};
use crate::names::VariantStart;
use crate::token::Token;

/// A game as it is kept on disk.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) id: String,
    pub(crate) version: u64,
    pub(crate) created: u64,
    mode: Mode,
    start: String,
    start_name: VariantStart,
    fewest: bool,
    opening: usize,
    clock: Option<ClockTerms>,
    pause_ms: u64,
    public: bool,
    seats: [Seat; 2],
    host: Token,
    pub(crate) phase: Phase,
    turns: Vec<SavedTurn>,
    undone: Vec<SavedTurn>,
    clocks: Option<Clocks>,
    paused: bool,
    rematch: Option<Rematch>,
}

/// Move, milliseconds, what the computer thought.
#[derive(Serialize, Deserialize)]
struct SavedTurn(String, u64, Option<Verdict>);

/// Why a row of the file is no game.
#[derive(Debug, Error)]
pub(crate) enum SavedError {
    #[error("not a saved game: {0}")]
    Json(#[from] serde_json::Error),
    #[error("its start: {0}")]
    Start(#[from] emilia_record::Fault),
    #[error("its move {0}: {1}")]
    Text(usize, MoveTextError),
    #[error("its move {0}: {1}")]
    Move(usize, IllegalMove<Point>),
}

impl GameState {
    /// What has to be on disk for the game to go on after a crash.
    pub(crate) fn saved(&self, now: u64) -> Saved {
        let turns = |turns: &[Turn]| -> Vec<SavedTurn> {
            turns.iter().map(|turn| SavedTurn(turn.mv.to_string(), turn.time_ms, turn.verdict)).collect()
        };
        // The running clock is kept as it stands, and starts anew from there.
        let clocks = self.clocks.map(|mut clocks| {
            clocks.freeze(self.turn(), now);
            clocks
        });
        Saved {
            id: self.id.clone(),
            version: self.version,
            created: self.created,
            mode: self.terms.mode,
            start: board::write(&self.terms.start),
            start_name: self.terms.start_name,
            fewest: self.terms.objective == Objective::Fewest,
            opening: self.terms.opening.len(),
            clock: self.terms.clock,
            pause_ms: self.terms.pause_ms,
            public: self.terms.public,
            seats: self.seats.clone(),
            host: self.host,
            phase: self.phase,
            turns: turns(&self.turns),
            undone: turns(&self.undone),
            clocks,
            paused: self.paused,
            rematch: self.rematch.clone(),
        }
    }

    /// The game that a row of the file describes.
    pub(crate) fn restore(json: &str, now: u64) -> Result<GameState, SavedError> {
        let saved: Saved = serde_json::from_str(json)?;
        let start = board::parse(&saved.start)?;
        let size = emilia_rules::Playable::size(&start);
        let read = |turns: Vec<SavedTurn>| -> Result<Vec<Turn>, SavedError> {
            let parse = |(at, SavedTurn(text, time_ms, verdict)): (usize, SavedTurn)| {
                let mv = parse_move(&text, size).map_err(|error| SavedError::Text(at + 1, error))?;
                Ok(Turn { mv, time_ms, verdict })
            };
            turns.into_iter().enumerate().map(parse).collect()
        };
        let turns = read(saved.turns)?;
        let undone = read(saved.undone)?;
        let terms = Terms {
            mode: saved.mode,
            start,
            start_name: saved.start_name,
            objective: if saved.fewest { Objective::Fewest } else { Objective::Most },
            opening: turns.iter().take(saved.opening).map(|turn| turn.mv).collect(),
            clock: saved.clock,
            pause_ms: saved.pause_ms,
            public: saved.public,
        };
        let mut state = GameState {
            id: saved.id,
            version: saved.version,
            created: saved.created,
            position: start,
            terms,
            seats: saved.seats,
            host: saved.host,
            phase: saved.phase,
            turns: Vec::new(),
            undone,
            last: None,
            opening: None,
            turn_began: now,
            clocks: saved.clocks,
            paused: saved.paused,
            step: false,
            undo_offer: None,
            rematch: saved.rematch,
        };
        for (at, turn) in turns.into_iter().enumerate() {
            emilia_rules::Playable::play(&state.position, turn.mv)
                .map_err(|error| SavedError::Move(at + 1, error))?;
            state.push(turn);
        }
        let moved = state.turns.len() > state.terms.opening.len();
        if let Some(clocks) = &mut state.clocks
            && state.phase == Phase::Playing
            && moved
        {
            clocks.start(now);
        }
        Ok(state)
    }
}
