//! What can be asked of a game, as requests say it.

use emilia_rules::{Color, Playable, parse_move};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{GameState, Holder, Word};
use crate::error::ServiceError;
use crate::names::ColorName;
use crate::request_error::BadMove;

/// Somebody takes a seat.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Join {
    /// How to call who sits there.
    pub name: Option<String>,
    /// Which seat, if that matters.
    pub color: Option<ColorName>,
}

/// A move.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: Option<usize>,
}

/// A body without fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nothing {}

/// What is said to somebody who wants to take back, or more time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    accept: bool,
}

/// Who gives up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resign {
    color: Option<ColorName>,
}

/// Whether computers wait.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pause {
    paused: bool,
}

/// Something to be said.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Greet {
    word: Word,
}

/// Something that whoever holds a seat can do.
#[derive(Debug)]
pub enum GameAction {
    /// Places a disc.
    Play(Play),
    /// Takes back, or asks to.
    Undo,
    /// Answers the one who asks to take back.
    AnswerUndo(Answer),
    /// Plays again what was taken back.
    Redo,
    /// Gives up.
    Resign(Resign),
    /// Closes a game nobody joined.
    Close,
    /// Holds the computer, or lets it go on.
    Pause(Pause),
    /// One computer move while paused.
    Step,
    /// Says something ready-made.
    Greet(Greet),
    /// Asks for more time.
    AskTime,
    /// Answers the one who asks for more time.
    AnswerTime(Answer),
}

impl GameAction {
    /// The action that the last part of a path names, with its body; nothing if none is called like that.
    pub fn read(name: &str, body: Value) -> Option<Result<GameAction, ServiceError>> {
        fn of<T: DeserializeOwned>(
            body: Value,
            action: impl FnOnce(T) -> GameAction,
        ) -> Result<GameAction, ServiceError> {
            Ok(action(serde_json::from_value(body)?))
        }
        Some(match name {
            "moves" => of(body, GameAction::Play),
            "undo" => of(body, |Nothing {}| GameAction::Undo),
            "undo/answer" => of(body, GameAction::AnswerUndo),
            "redo" => of(body, |Nothing {}| GameAction::Redo),
            "resign" => of(body, GameAction::Resign),
            "close" => of(body, |Nothing {}| GameAction::Close),
            "pause" => of(body, GameAction::Pause),
            "step" => of(body, |Nothing {}| GameAction::Step),
            "greet" => of(body, GameAction::Greet),
            "time" => of(body, |Nothing {}| GameAction::AskTime),
            "time/answer" => of(body, GameAction::AnswerTime),
            _ => return None,
        })
    }
}

impl GameState {
    /// Somebody does something.
    pub fn act(&mut self, holder: Holder, action: &GameAction, now: u64) -> Result<(), ServiceError> {
        match action {
            GameAction::Play(Play { mv, ply }) => {
                let mv = parse_move(mv, self.position().size()).map_err(BadMove::Text)?;
                self.play(holder, mv, *ply, now)
            }
            GameAction::Undo => self.undo(holder, now),
            GameAction::AnswerUndo(Answer { accept }) => self.answer_undo(holder, *accept, now),
            GameAction::Redo => self.redo(holder, now),
            GameAction::Resign(Resign { color }) => self.resign(holder, color.map(Color::from)),
            GameAction::Close => self.close(holder),
            GameAction::Pause(Pause { paused }) => self.pause(holder, *paused),
            GameAction::Step => self.step(holder),
            GameAction::Greet(Greet { word }) => self.greet(holder, *word),
            GameAction::AskTime => self.ask_time(holder),
            GameAction::AnswerTime(Answer { accept }) => self.answer_time(holder, *accept),
        }
    }
}
