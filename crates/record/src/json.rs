//! Our own format: a game with everything in it, as JSON, one object a game (and a line).
//!
//! The moves of the main line and all variations are one list. A move follows the one before it in the list, or the one
//! whose number (from 1; 0 is the start) stands under `after`. Alternatives stand in their order, the main one first.
//! `docs/formats.md` describes every field.
//!
//! ```
//! use emilia_record::{json, Game};
//! use emilia_rules::{parse_move, Size};
//! let mut game = Game::new(Size::EIGHT);
//! game.play(parse_move("f5", Size::EIGHT)?)?;
//! let text = json::write(&game);
//! assert_eq!(text, r#"{"format":"emilia-game","version":1,"size":8,"moves":["f5"]}"#);
//! assert_eq!(json::parse(&text)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::time::Duration;

use emilia_rules::{Color, GridPosition, Objective, Size};
use serde::{Deserialize, Serialize};

use crate::fault::clip;
use crate::movetext::follow;
use crate::tree::{Id, START};
use crate::{Clock, Clocks, Ending, Evaluation, Fault, Game, GameResult, JsonError, Note, board};

/// What the field `format` says.
pub(crate) const NAME: &str = "emilia-game";
/// The version that is written, and the highest that is read.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    size: u8,
    /// The start as a board string, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    objective: Option<ObjectiveName>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<ResultText>,
    #[serde(default, skip_serializing_if = "ClockPair::is_empty")]
    clocks: ClockPair,
    /// The note at the start.
    #[serde(default, skip_serializing_if = "NoteText::is_empty")]
    note: NoteText,
    #[serde(default)]
    moves: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ObjectiveName {
    Most,
    Fewest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
    /// `black`, `white` or `draw`, where there is no margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    /// Words, where there is neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockPair {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteText {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    discs: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// What is drawn on the board: `TR f5`, `AR a1 c3`, `LB d3 A`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    markings: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Bare(String),
    Full(FullEntry),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FullEntry {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<usize>,
    #[serde(default, skip_serializing_if = "NoteText::is_empty")]
    note: NoteText,
}

impl ClockPair {
    fn is_empty(&self) -> bool {
        self.black.is_none() && self.white.is_none()
    }
}

impl NoteText {
    fn is_empty(&self) -> bool {
        self.comment.is_empty() && self.discs.is_none() && self.seconds.is_none() && self.markings.is_empty()
    }

    fn of(note: &Note) -> NoteText {
        NoteText {
            comment: note.comment.clone(),
            discs: note.evaluation.as_ref().map(|evaluation| evaluation.discs),
            depth: note.evaluation.as_ref().and_then(|evaluation| evaluation.depth.clone()),
            seconds: note.time.map(|time| time.as_millis() as f64 / 1000.0),
            markings: note.markings.iter().map(ToString::to_string).collect(),
        }
    }

    fn note(self) -> Result<Note, Fault> {
        let time = self.seconds.map(|seconds| {
            // The largest time is some thirty years, so that milliseconds are exact.
            if (0.0..=1e9).contains(&seconds) {
                Ok(Duration::from_millis((seconds * 1000.0).round() as u64))
            } else {
                Err(Fault::Field { what: "number of seconds", text: seconds.to_string() })
            }
        });
        let depth = self.depth;
        let evaluation = self.discs.map(|discs| finite(discs).map(|discs| Evaluation { discs, depth }));
        let marking = |text: &String| {
            text.parse().map_err(|_| Fault::Field { what: "marking on the board", text: clip(text) })
        };
        Ok(Note {
            comment: self.comment,
            evaluation: evaluation.transpose()?,
            time: time.transpose()?,
            markings: self.markings.iter().map(marking).collect::<Result<_, Fault>>()?,
        })
    }
}

fn finite(value: f64) -> Result<f64, Fault> {
    if value.abs() <= 1e6 {
        Ok(value)
    } else {
        Err(Fault::Field { what: "number of discs", text: value.to_string() })
    }
}

/// Reads one game.
pub fn parse(text: &str) -> Result<Game, Fault> {
    game(serde_json::from_str(text).map_err(JsonError::from)?)
}

/// Reads the game out of a JSON value.
pub fn from_value(value: serde_json::Value) -> Result<Game, Fault> {
    game(serde_json::from_value(value).map_err(JsonError::from)?)
}

fn game(document: Document) -> Result<Game, Fault> {
    if document.format != NAME || document.version > VERSION {
        let text = format!("{} {}", clip(&document.format), document.version);
        return Err(Fault::Field { what: "format and version that is known", text });
    }
    let side = usize::from(document.size);
    let size = Size::new(side).map_err(|_| Fault::Field { what: "board size", text: side.to_string() })?;
    let start = document.start.map_or_else(|| Ok(GridPosition::start(size)), |text| board::parse(&text))?;
    let mut game = Game::from_position(start);
    if game.size() != size {
        return Err(Fault::Field { what: "board size of the start", text: side.to_string() });
    }
    if matches!(document.objective, Some(ObjectiveName::Fewest)) {
        game.objective = Objective::Fewest;
    }
    for (name, value) in &document.tags {
        game.tags.set(name, value);
    }
    game.result = document.result.map(read_result).transpose()?;
    let clock = |text: Option<String>| -> Result<Option<Clock>, Fault> {
        text.map(|text| text.parse().map_err(|_| Fault::Field { what: "clock", text: clip(&text) }))
            .transpose()
    };
    game.clocks = Clocks { black: clock(document.clocks.black)?, white: clock(document.clocks.white)? };
    *game.note_mut() = document.note.note()?;
    // Node numbers as the document counts them; a forced pass that it leaves out has none.
    let mut ids: Vec<Id> = vec![START];
    for entry in document.moves {
        let (word, after, note) = match entry {
            Entry::Bare(word) => (word, None, NoteText::default()),
            Entry::Full(FullEntry { mv, after, note }) => (mv, after, note),
        };
        let after = after.unwrap_or(ids.len() - 1);
        let id = ids
            .get(after)
            .ok_or(Fault::Field { what: "number of an earlier move", text: after.to_string() })?;
        game.go_to(*id);
        follow(&mut game, &word)?;
        if !note.is_empty() {
            *game.note_mut() = note.note()?;
        }
        ids.push(game.here());
    }
    game.to_start();
    Ok(game)
}

fn read_result(result: ResultText) -> Result<GameResult, Fault> {
    let wrong = |what, text: &str| Fault::Field { what, text: clip(text) };
    let ending = match &result.ending {
        Some(name) => Ending::named(name).ok_or_else(|| wrong("ending", name))?,
        None => Ending::Counted,
    };
    match (result.margin, result.winner, result.words) {
        (Some(margin), None, None) => Ok(GameResult::Margin { black: finite(margin)?, ending }),
        (None, Some(name), None) => {
            let winner = match name.as_str() {
                "black" => Some(Color::Black),
                "white" => Some(Color::White),
                "draw" => None,
                _ => return Err(wrong("winner", &name)),
            };
            Ok(GameResult::Decided { winner, ending })
        }
        (None, None, Some(words)) => Ok(GameResult::Other(words)),
        _ => Err(wrong("result", "margin, winner and words")),
    }
}

/// The game with all its variations, on one line.
#[must_use]
pub fn write(game: &Game) -> String {
    serde_json::to_string(&document(game))
        .expect("plain structures of texts and finite numbers are always JSON")
}

/// The game as a JSON value.
#[must_use]
pub fn to_value(game: &Game) -> serde_json::Value {
    serde_json::to_value(document(game))
        .expect("plain structures of texts and finite numbers are always JSON")
}

fn document(game: &Game) -> Document {
    let mut numbers = vec![0; game.tree.len()];
    let mut moves = Vec::with_capacity(game.move_count());
    for id in game.tree.preorder().skip(1) {
        let parent = numbers[game.tree.parent(id).unwrap_or(START) as usize];
        let after = (parent != moves.len()).then_some(parent);
        let note = NoteText::of(game.tree.note(id));
        let mv = game.tree.mv(id).to_string();
        moves.push(if after.is_none() && note.is_empty() {
            Entry::Bare(mv)
        } else {
            Entry::Full(FullEntry { mv, after, note })
        });
        numbers[id as usize] = moves.len();
    }
    Document {
        format: NAME.to_owned(),
        version: VERSION,
        size: game.size().get(),
        start: (!game.is_usual_start()).then(|| board::write(game.start())),
        objective: (game.objective == Objective::Fewest).then_some(ObjectiveName::Fewest),
        tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        result: game.result.as_ref().map(write_result),
        clocks: ClockPair {
            black: game.clocks.black.map(|clock| clock.to_string()),
            white: game.clocks.white.map(|clock| clock.to_string()),
        },
        note: NoteText::of(game.tree.note(START)),
        moves,
    }
}

fn write_result(result: &GameResult) -> ResultText {
    let ending = Some(result.ending()).filter(|ending| *ending != Ending::Counted);
    let mut text = ResultText {
        margin: None,
        winner: None,
        ending: ending.map(|ending| ending.name().to_owned()),
        words: None,
    };
    match result {
        GameResult::Margin { black, .. } => text.margin = Some(*black),
        GameResult::Decided { winner, .. } => {
            text.winner = Some(winner.map_or_else(|| "draw".to_owned(), |color| color.to_string()));
        }
        GameResult::Other(words) => text.words = Some(words.clone()),
    }
    text
}
