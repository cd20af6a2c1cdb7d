use std::time::Duration;

use emilia_query::{Aim, Level, Limits, Query};
use emilia_record::thor::Directory;
use emilia_record::{Hint, board, fen, read};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Size, Status};
use serde_json::Value;

use super::fields::{FieldError, Fields};
use crate::clip;

/// A message from the other side.
#[derive(Clone, Debug)]
pub(super) enum Message {
    /// Positions to be found.
    Ask(Question),
    /// A question is no longer wanted, or some of its turns.
    Cancel {
        id: String,
        target: String,
        turns: Option<Vec<usize>>,
    },
    CancelAll {
        id: String,
    },
    Forget {
        id: String,
    },
    Version {
        id: String,
    },
    Statistics {
        id: String,
    },
    Quit {
        id: String,
    },
}

/// Positions of one game that are to be found alike.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) id: String,
    pub(super) priority: i64,
    /// The turns, each with its position.
    pub(super) queries: Vec<(usize, Query)>,
    /// Whose view the values take; the side to move if nobody is named.
    pub(super) side: Option<Color>,
    /// How often to report, if at all.
    pub(super) every: Option<Duration>,
}

/// A message that makes no sense: whose it was, and which field is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) id: Option<String>,
    pub(super) error: FieldError,
}

/// Characters of an id.
const LONGEST_ID: usize = 200;
/// Characters of a game or position.
const LONGEST_GAME: usize = 1 << 19;
/// Most lines: as many as there are squares on the largest board.
const MOST_LINES: i64 = 26 * 26;

impl Message {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Result<Message, Wrong> {
        let no_id = |field: &str, message: String| Wrong { id: None, error: FieldError::new(field, message) };
        let value = serde_json::from_str(line).map_err(|error| no_id("", format!("is no JSON: {error}")))?;
        let Value::Object(map) = value else { return Err(no_id("", "must be an object".to_owned())) };
        let mut fields = Fields(map);
        let id = match fields.text("id", LONGEST_ID) {
            Ok(Some(id)) => id,
            Ok(None) => return Err(no_id("id", "is missing".to_owned())),
            Err(error) => return Err(Wrong { id: None, error }),
        };
        Message::of(id.clone(), fields).map_err(|error| Wrong { id: Some(id), error })
    }

    fn of(id: String, mut fields: Fields) -> Result<Message, FieldError> {
        let message = match fields.text("action", 40)?.as_deref() {
            None | Some("ask") => return Question::parse(id, fields).map(Message::Ask),
            Some("cancel") => {
                let target = fields.text("target", LONGEST_ID)?;
                let target = target.ok_or_else(|| FieldError::new("target", "is missing"))?;
                Message::Cancel { id, target, turns: fields.turns("turns")? }
            }
            Some("cancel_all") => Message::CancelAll { id },
            Some("forget") => Message::Forget { id },
            Some("version") => Message::Version { id },
            Some("statistics") => Message::Statistics { id },
            Some("quit") => Message::Quit { id },
            Some(other) => {
                let known = "must be one of ask, cancel, cancel_all, forget, version, statistics, quit";
                return Err(FieldError::new("action", format!("{known}, not {}", clip(other))));
            }
        };
        fields.finish()?;
        Ok(message)
    }
}

impl Question {
    fn parse(id: String, mut fields: Fields) -> Result<Question, FieldError> {
        let game = game(&mut fields)?;
        let size = game.start().size();
        let limits = limits(&mut fields)?;
        let aim = fields.word("aim", &[("score", Aim::Score), ("outcome", Aim::Outcome)])?;
        let lines = fields.number("lines", 1, MOST_LINES)?.unwrap_or(1) as usize;
        let allow = fields.moves("allow", size)?;
        let avoid = fields.moves("avoid", size)?.unwrap_or_default();
        let every = fields.seconds("report_every")?;
        let turns = fields.turns("turns")?.unwrap_or_else(|| vec![game.moves().len()]);
        if turns.is_empty() {
            return Err(FieldError::new("turns", "names no turn"));
        }
        let mut queries: Vec<(usize, Query)> = Vec::new();
        for turn in turns {
            if turn > game.moves().len() {
                let message = format!("has turn {turn}, but the game has only {} moves", game.moves().len());
                return Err(FieldError::new("turns", message));
            }
            if queries.iter().any(|(known, _)| *known == turn) {
                return Err(FieldError::new("turns", format!("has turn {turn} twice")));
            }
            let moves = game.moves()[..turn].iter().copied();
            let mut query = Query::of_game(*game.start(), moves)
                .map_err(|error| FieldError::new("moves", error.to_string()))?;
            query.among = among(query.position(), allow.as_deref(), &avoid).ok_or_else(|| {
                FieldError::new(
                    if allow.is_some() { "allow" } else { "avoid" },
                    format!("leaves no move at turn {turn}"),
                )
            })?;
            query.aim = aim;
            queries.push((turn, query.within(limits).with_lines(lines)));
        }
        let priority = fields.number("priority", i64::MIN, i64::MAX)?.unwrap_or(0);
        let side = fields.word(
            "side",
            &[("to_move", None), ("black", Some(Color::Black)), ("white", Some(Color::White))],
        )?;
        fields.finish()?;
        Ok(Question { id, priority, queries, side: side.flatten(), every })
    }
}

/// The game that a question names: `game`, or `position` or `size` to begin with and `moves` to follow.
fn game(fields: &mut Fields) -> Result<Query, FieldError> {
    let size = fields.number("size", 4, 26)?;
    let size =
        size.map(|size| Size::new(size as usize).map_err(|error| FieldError::new("size", error.to_string())));
    let size = size.transpose()?;
    let mut query = match (fields.text("game", LONGEST_GAME)?, fields.text("position", LONGEST_GAME)?) {
        (Some(_), Some(_)) => return Err(FieldError::new("position", "cannot be given together with game")),
        (Some(text), None) => recorded(&text)?,
        (None, Some(text)) => {
            let text = text.trim();
            let parsed = if text.contains('/') { fen::parse(text) } else { board::parse(text) };
            Query::new(parsed.map_err(|error| FieldError::new("position", error.to_string()))?)
        }
        (None, None) => Query::new(GridPosition::start(size.unwrap_or(Size::EIGHT))),
    };
    if size.is_some_and(|size| size != query.start().size()) {
        return Err(FieldError::new("size", format!("does not fit: the board is {}", query.start().size())));
    }
    for (number, mv) in
        fields.moves("moves", query.start().size())?.unwrap_or_default().into_iter().enumerate()
    {
        // A forced pass may be left out.
        if mv != Move::Pass && query.position().status() == Status::MustPass {
            query.play(Move::Pass).map_err(|error| FieldError::new("moves", error.to_string()))?;
        }
        let wrong = |error| FieldError::new("moves", format!("number {}: {error}", number + 1));
        query.play(mv).map_err(wrong)?;
    }
    Ok(query)
}

/// The first game of a text in any format.
fn recorded(text: &str) -> Result<Query, FieldError> {
    let wrong = |message: String| FieldError::new("game", message);
    let reading = read(text.as_bytes(), &Hint::default()).map_err(|error| wrong(error.to_string()))?;
    let problem = reading.problems.first().map(ToString::to_string);
    let game = reading.into_games_iter(&Directory::default()).next();
    let game = game.ok_or_else(|| wrong(problem.unwrap_or_else(|| "is no game".to_owned())))?;
    Query::of_game(*game.start(), game.main_line()).map_err(|error| wrong(error.to_string()))
}

fn limits(fields: &mut Fields) -> Result<Limits, FieldError> {
    let limits = Limits {
        level: fields.number("level", 1, 30)?.map(|level| Level::nearest(level as u32)),
        depth: fields.number("depth", 1, 60)?.map(|depth| depth as u32),
        nodes: fields.number("nodes", 1, i64::MAX)?.map(i64::unsigned_abs),
        time: fields.seconds("seconds")?,
        ..Limits::default()
    };
    if limits.level.is_some() && (limits.depth.is_some() || limits.nodes.is_some()) {
        return Err(FieldError::new("level", "cannot be given together with depth or nodes"));
    }
    Ok(limits)
}

/// The moves that may be considered, if they are not all; nothing if none is left.
fn among(
    position: &GridPosition,
    allow: Option<&[Move<Point>]>,
    avoid: &[Move<Point>],
) -> Option<Option<Vec<Move<Point>>>> {
    if allow.is_none() && avoid.is_empty() || position.is_over() {
        return Some(None);
    }
    let allowed = |mv: &Move<Point>| allow.is_none_or(|allow| allow.contains(mv)) && !avoid.contains(mv);
    let left: Vec<Move<Point>> = position.moves().filter(allowed).collect();
    (!left.is_empty()).then_some(Some(left))
}
