//! A position and how it came about, as requests give it.

use emilia_record::{Game, Hint, Path, board, read, transcript};
use emilia_rules::{GridPosition, Move, Playable, Point, Size, Start};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answers::Last;
use crate::error::ServiceError;
use crate::names::{ObjectiveName, StartName};
use crate::request_error::{BadMove, BadPosition, RequestError, Unreadable};

/// The fields of a request that say which position is meant.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionRequest {
    #[serde(default)]
    size: Option<usize>,
    #[serde(default)]
    start: Option<StartName>,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Option<Moves>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    game: Option<usize>,
    #[serde(default)]
    ply: Option<usize>,
    #[serde(default)]
    objective: Option<ObjectiveName>,
}

/// The names of those fields.
pub const FIELDS: [&str; 8] = ["size", "start", "position", "moves", "text", "game", "ply", "objective"];

/// Moves in one text or one by one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Moves {
    Text(String),
    List(Vec<String>),
}

/// A game up to a position.
#[derive(Debug)]
pub struct GamePosition {
    pub start: GridPosition,
    /// The moves from the start to the position.
    pub moves: Vec<Move<Point>>,
    /// The whole game, looked at from that position.
    pub game: Game,
}

impl PositionRequest {
    /// A position given by its start alone.
    pub fn of_start(
        size: Option<usize>,
        start: Option<StartName>,
        position: Option<String>,
        moves: Option<Moves>,
    ) -> PositionRequest {
        PositionRequest { size, start, position, moves, ..PositionRequest::default() }
    }

    /// Reads the record or plays the moves.
    pub fn resolve(self) -> Result<GamePosition, ServiceError> {
        let mut game = match self.text {
            Some(text) => {
                let given = self.position.is_some() || self.moves.is_some() || self.size.is_some();
                if given || self.start.is_some() {
                    let sentence = "give either text, or size, start, position and moves";
                    return Err(RequestError::Contradiction(sentence).into());
                }
                recorded(&text, self.game.unwrap_or(0))?
            }
            None => spelled(self.size, self.start, self.position.as_deref(), self.moves)?,
        };
        if let Some(objective) = self.objective {
            game.objective = objective.into();
        }
        game.to_start();
        match self.ply {
            None => game.to_end(),
            Some(ply) => {
                if !game.go(&Path::main(ply.min(1 << 16))) {
                    return Err(RequestError::NoMove(ply).into());
                }
            }
        }
        Ok(GamePosition { start: *game.start(), moves: game.moves().collect(), game })
    }
}

impl GamePosition {
    pub fn position(&self) -> &GridPosition {
        self.game.position()
    }

    /// The last placement, and what it flipped.
    pub fn last(&self) -> Option<Last> {
        Last::of(self.start, &self.moves)
    }
}

/// The game of this number in a record of any format.
fn recorded(text: &str, number: usize) -> Result<Game, ServiceError> {
    let mut reading = read(text.as_bytes(), &Hint::default()).map_err(Unreadable::Read)?;
    let problems = std::mem::take(&mut reading.problems);
    let mut games = reading.into_games(&Default::default());
    if number < games.len() {
        return Ok(games.swap_remove(number));
    }
    let problem = problems.into_iter().next().map(|problem| Unreadable::Game(problem.fault));
    Err(problem.unwrap_or(Unreadable::NoGame(number)).into())
}

fn spelled(
    size: Option<usize>,
    layout: Option<StartName>,
    position: Option<&str>,
    moves: Option<Moves>,
) -> Result<Game, ServiceError> {
    let start = match position {
        Some(text) => {
            let start = board::parse(text).map_err(BadPosition::Board)?;
            if size.is_some_and(|size| size != usize::from(start.size().get())) {
                return Err(BadPosition::OtherSize.into());
            }
            start
        }
        None => {
            let layout = layout.map_or(Start::Standard, Start::from);
            GridPosition::start_as(Size::new(size.unwrap_or(8))?, layout)
        }
    };
    let moves = match moves {
        None => return Ok(Game::from_position(start)),
        Some(Moves::Text(text)) => text,
        Some(Moves::List(list)) => list.join(" "),
    };
    if moves.contains(';') {
        return Err(BadMove::NoSquares.into());
    }
    // A transcript with its start in front is read on every board.
    Ok(transcript::parse(&format!("{};{moves}", board::write(&start))).map_err(BadMove::Line)?)
}

/// A request that names a position and something to be done there.
pub struct AboutPosition<T> {
    pub position: PositionRequest,
    pub request: T,
}

impl<T: DeserializeOwned> AboutPosition<T> {
    /// Tells the fields of the position from the others; neither part takes unknown ones.
    pub fn read(fields: Map<String, Value>) -> Result<AboutPosition<T>, ServiceError> {
        let (position, request): (Map<_, _>, Map<_, _>) =
            fields.into_iter().partition(|(name, _)| FIELDS.contains(&name.as_str()));
        let position = serde_json::from_value(Value::Object(position))?;
        let request = serde_json::from_value(Value::Object(request))?;
        Ok(AboutPosition { position, request })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(value: Value) -> Result<GamePosition, ServiceError> {
        serde_json::from_value::<PositionRequest>(value).unwrap().resolve()
    }

    #[test]
    fn a_position_is_a_start_with_moves_or_any_record() {
        let usual = line(json!({"moves": "f5d6c3"})).unwrap();
        assert_eq!(usual.moves.len(), 3);
        assert_eq!(usual.last().unwrap().flips.into_iter().count(), 1);
        assert_eq!(line(json!({"moves": ["f5", "d6", "c3"]})).unwrap().position(), usual.position());
        assert_eq!(line(json!({"text": "1. F5 d6 2. C3"})).unwrap().position(), usual.position());
        assert_eq!(line(json!({"moves": "f5d6c3", "ply": 1})).unwrap().moves.len(), 1);
        assert_eq!(line(json!({"size": 4, "moves": "b1"})).unwrap().position().size().get(), 4);
        assert_eq!(line(json!({"size": 26, "moves": "m12"})).unwrap().moves.len(), 1);
    }

    #[test]
    fn whatever_is_wrong_is_refused_with_a_sentence() {
        for value in [
            json!({"size": 7}),
            json!({"moves": "a1"}),
            json!({"moves": "f5;f5"}),
            json!({"moves": "f5", "ply": 9}),
            json!({"position": "XX"}),
            json!({"position": "-----OX--XO----- X", "size": 8}),
            json!({"text": "hello"}),
            json!({"text": "f5", "game": 3}),
            json!({"text": "f5", "size": 8}),
        ] {
            assert!(line(value.clone()).is_err(), "{value}");
        }
    }
}
