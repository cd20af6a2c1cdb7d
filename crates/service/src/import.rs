//! Games in, in every format.

use std::collections::BTreeMap;

use emilia_record::{Game, Hint, json as own_format, read};
use emilia_rules::{GridPosition, Playable};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::answers;
use crate::error::ServiceError;
use crate::names::{ColorName, ObjectiveName};
use crate::request_error::Unreadable;
use crate::wthor::known_names;

/// What a file is called, and from which game on it is wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    name: Option<String>,
    from: Option<usize>,
}

/// Games of a file given at once, moves of all their variations, and bytes of the answer.
const GAMES: usize = 50;
const MOVES: usize = 20_000;
const BYTES: usize = 8 << 20;
/// Nodes of a game.
const NODES: usize = 4000;
/// Bytes of memory that a byte of a file may take while it is read: a move of three letters becomes a node of a tree.
const MEMORY_FOR_EACH_BYTE: u64 = 64;
/// Problems of a file that are told.
const PROBLEMS: usize = 20;

/// Bytes of memory that reading so many may take.
#[must_use]
pub fn bytes(length: usize) -> u64 {
    BYTES as u64 + length as u64 * MEMORY_FOR_EACH_BYTE
}

/// What was read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Import {
    format: &'static str,
    total: usize,
    problems: Vec<Problem>,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ImportedGame>"))]
    games: Vec<Box<RawValue>>,
}

/// A game that could not be read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    game: usize,
    pub(crate) message: String,
}

impl Problem {
    /// The first of these, as they are told.
    pub(crate) fn some(problems: &[emilia_record::Problem]) -> Vec<Problem> {
        let told = |problem: &emilia_record::Problem| Problem {
            game: problem.game,
            message: problem.fault.to_string(),
        };
        problems.iter().take(PROBLEMS).map(told).collect()
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ImportedGame {
    size: u8,
    objective: ObjectiveName,
    tags: BTreeMap<String, String>,
    result: Option<String>,
    start: String,
    start_turn: ColorName,
    transcript: String,
    nodes: Vec<Node>,
    /// The whole game in Emilia's own format.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    record: Box<RawValue>,
}

/// A node of the tree, which names its parent by its number.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Node {
    id: usize,
    parent: Option<usize>,
    ply: usize,
    #[serde(rename = "move")]
    mv: Option<String>,
    color: Option<ColorName>,
    cells: String,
    comment: String,
    discs: Option<f64>,
    time_ms: Option<u64>,
    /// What is drawn on the board: `TR f5`, `AR a1 c3`, `LB d3 A`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    markings: Vec<String>,
}

impl Import {
    /// Reads games in any format.
    pub fn read(bytes: &[u8], source: &Source) -> Result<Import, ServiceError> {
        let reading = read(bytes, &Hint { file_name: source.name.as_deref() }).map_err(Unreadable::Read)?;
        let problems = Problem::some(&reading.problems);
        let mut import = Import { format: reading.format.name(), total: 0, problems, games: Vec::new() };
        let mut room = Room { games: GAMES, moves: MOVES, bytes: BYTES };
        for game in reading.into_games_iter(known_names()) {
            if import.total >= source.from.unwrap_or(0) {
                match room.written(&game) {
                    Some(game) => import.games.push(game),
                    None if import.games.is_empty() => return Err(ServiceError::GameTooLarge(MOVES)),
                    // The rest is for another request.
                    None => room.games = 0,
                }
            }
            import.total += 1;
        }
        Ok(import)
    }
}

/// What an answer may still hold.
struct Room {
    games: usize,
    moves: usize,
    bytes: usize,
}

impl Room {
    /// The game as it is sent, if there is room for it.
    fn written(&mut self, game: &Game) -> Option<Box<RawValue>> {
        self.games = self.games.checked_sub(1)?;
        self.moves = self.moves.checked_sub(game.move_count())?;
        let written = to_raw_value(&ImportedGame::new(game)).expect("a game is a plain structure");
        self.bytes = self.bytes.checked_sub(written.get().len())?;
        Some(written)
    }
}

impl ImportedGame {
    fn new(game: &Game) -> ImportedGame {
        let tag = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        ImportedGame {
            size: game.size().get(),
            objective: game.objective.into(),
            tags: game.tags.iter().map(tag).collect(),
            result: game.result.as_ref().map(ToString::to_string),
            start: answers::cells(game.start()),
            start_turn: game.start().turn().into(),
            transcript: answers::transcript(game.main_line()),
            nodes: nodes(game),
            record: RawValue::from_string(own_format::write(game)).expect("our own format is JSON"),
        }
    }
}

/// The tree as a list, parents before their children.
fn nodes(game: &Game) -> Vec<Node> {
    // The nodes from the start to the one before, with their positions.
    let mut line: Vec<(usize, GridPosition)> = Vec::new();
    let mut nodes = Vec::new();
    for (path, mv, note) in game.walk().take(NODES) {
        line.truncate(path.len());
        let parent = line.last().copied();
        let (position, color) = match (mv, parent) {
            (Some(mv), Some((_, before))) => (before.played(mv), Some(before.turn())),
            _ => (*game.start(), None),
        };
        line.push((nodes.len(), position));
        nodes.push(Node {
            id: nodes.len(),
            parent: parent.map(|(id, _)| id),
            ply: path.len(),
            mv: mv.map(|mv| mv.to_string()),
            color: color.map(ColorName::from),
            cells: answers::cells(&position),
            comment: note.comment.clone(),
            discs: note.evaluation.as_ref().map(|evaluation| evaluation.discs),
            time_ms: note.time.map(|time| time.as_millis() as u64),
            markings: note.markings.iter().map(ToString::to_string).collect(),
        });
    }
    nodes
}
