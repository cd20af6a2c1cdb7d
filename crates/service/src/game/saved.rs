use emilia_query::Value;
use emilia_record::board;
use emilia_rules::{IllegalMove, MoveTextError, Objective, Point, parse_move};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ClockTerms, Clocks, GameState, Mode, Phase, Rematch, Seat, Series, Terms, Turn, Verdict};
use crate::names::VariantStart;
use crate::token::Token;

/// A game as it is kept on disk.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    pub id: String,
    pub version: u64,
    pub created: u64,
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
    pub phase: Phase,
    turns: Vec<SavedTurn>,
    undone: Vec<SavedTurn>,
    clocks: Option<Clocks>,
    paused: bool,
    /// Whether a computer still has to make the one move that was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    step: bool,
    rematch: Option<Rematch>,
    /// How the same two have fared before; games from before that was counted have nothing.
    #[serde(default)]
    series: Series,
}

/// Move, milliseconds, what the computer thought.
#[derive(Serialize, Deserialize)]
struct SavedTurn(String, u64, Option<SavedVerdict>);

/// What a computer thought of its move. Games that were saved before there were units have none.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SavedVerdict {
    score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<Unit>,
    depth: u32,
    nodes: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Discs,
    Points,
    Games,
}

impl From<Verdict> for SavedVerdict {
    fn from(verdict: Verdict) -> SavedVerdict {
        let unit = |value| match value {
            Value::Discs(_) => Unit::Discs,
            Value::Points(_) => Unit::Points,
            Value::Games(_) => Unit::Games,
        };
        let Verdict { value, depth, nodes } = verdict;
        SavedVerdict { score: value.map(Value::number), unit: value.map(unit), depth, nodes }
    }
}

impl From<SavedVerdict> for Verdict {
    fn from(saved: SavedVerdict) -> Verdict {
        /// Without a unit, scores up to this were taken for discs.
        const MOST_DISCS: f64 = 64.0;
        let value = |score: f64| match saved.unit {
            Some(Unit::Discs) => Value::Discs(score),
            Some(Unit::Points) => Value::Points(score),
            Some(Unit::Games) => Value::Games(score),
            None if score.abs() <= MOST_DISCS => Value::Discs(score),
            None => Value::Points(score),
        };
        Verdict { value: saved.score.map(value), depth: saved.depth, nodes: saved.nodes }
    }
}

/// Why a row of the file is no game.
#[derive(Debug, Error)]
pub enum SavedError {
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
    pub fn saved(&self, now: u64) -> Saved {
        let turns = |turns: &[Turn]| -> Vec<SavedTurn> {
            let verdict = |turn: &Turn| turn.verdict.map(SavedVerdict::from);
            turns.iter().map(|turn| SavedTurn(turn.mv.to_string(), turn.time_ms, verdict(turn))).collect()
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
            step: self.step,
            rematch: self.rematch.clone(),
            series: self.series,
        }
    }

    /// The game that a row of the file describes.
    pub fn restore(json: &str, now: u64) -> Result<GameState, SavedError> {
        let saved: Saved = serde_json::from_str(json)?;
        let start = board::parse(&saved.start)?;
        let size = emilia_rules::Playable::size(&start);
        let read = |turns: Vec<SavedTurn>| -> Result<Vec<Turn>, SavedError> {
            let parse = |(at, SavedTurn(text, time_ms, verdict)): (usize, SavedTurn)| {
                let mv = parse_move(&text, size).map_err(|error| SavedError::Text(at + 1, error))?;
                Ok(Turn { mv, time_ms, verdict: verdict.map(Verdict::from) })
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
            step: saved.step,
            undo_offer: None,
            time_offer: None,
            greetings: [None; 2],
            series: saved.series,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Value> {
        Verdict::from(serde_json::from_str::<SavedVerdict>(json).expect("JSON")).value
    }

    #[test]
    fn a_score_is_saved_with_its_unit() {
        for value in [Value::Discs(-4.0), Value::Points(4.0), Value::Points(1e6), Value::Games(0.5)] {
            let verdict = Verdict { value: Some(value), depth: 3, nodes: 9 };
            let json = serde_json::to_string(&SavedVerdict::from(verdict)).expect("JSON");
            assert_eq!(Verdict::from(serde_json::from_str::<SavedVerdict>(&json).expect("JSON")), verdict);
        }
    }

    /// As games lie on the disks of those who played before there were units.
    #[test]
    fn scores_without_a_unit_are_discs_as_far_as_there_are_discs() {
        assert_eq!(read(r#"{"score":-6.5,"depth":8,"nodes":100}"#), Some(Value::Discs(-6.5)));
        assert_eq!(read(r#"{"score":1034.0,"depth":8,"nodes":100}"#), Some(Value::Points(1034.0)));
        assert_eq!(read(r#"{"score":null,"depth":0,"nodes":0}"#), None);
    }
}
