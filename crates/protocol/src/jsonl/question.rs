use std::time::Duration;

use emilia_query::{Aim, Level, Limits, Query};
use emilia_record::thor::Directory;
use emilia_record::{Hint, board, fen, read};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Size, Status};
use serde_json::Value;

use super::field_error::{FieldError, FieldFault};
use super::fields::Fields;
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
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) id: Option<String>,
    pub(super) error: FieldError,
}

/// What a message can be.
const ACTIONS: &[&str] = &["ask", "cancel", "cancel_all", "forget", "version", "statistics", "quit"];
/// Characters of an id.
const LONGEST_ID: usize = 200;
/// Characters of a game or position.
const LONGEST_GAME: usize = 1 << 19;
/// Most lines: as many as there are squares on the largest board.
const MOST_LINES: i64 = 26 * 26;

impl Message {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Result<Message, Wrong> {
        let no_id = |error: FieldError| Wrong { id: None, error };
        let value =
            serde_json::from_str(line).map_err(|error| no_id(FieldFault::from(error).of_message()))?;
        let Value::Object(map) = value else { return Err(no_id(FieldFault::NotAnObject.of_message())) };
        let mut fields = Fields(map);
        let id = fields.text("id", LONGEST_ID).map_err(no_id)?;
        let id = id.ok_or_else(|| no_id(FieldFault::Missing.of("id")))?;
        Message::of(id.clone(), fields).map_err(|error| Wrong { id: Some(id), error })
    }

    fn of(id: String, mut fields: Fields) -> Result<Message, FieldError> {
        let message = match fields.text("action", 40)?.as_deref() {
            None | Some("ask") => return Question::parse(id, fields).map(Message::Ask),
            Some("cancel") => {
                let target = fields.text("target", LONGEST_ID)?;
                let target = target.ok_or_else(|| FieldFault::Missing.of("target"))?;
                Message::Cancel { id, target, turns: fields.turns("turns")? }
            }
            Some("cancel_all") => Message::CancelAll { id },
            Some("forget") => Message::Forget { id },
            Some("version") => Message::Version { id },
            Some("statistics") => Message::Statistics { id },
            Some("quit") => Message::Quit { id },
            Some(other) => {
                return Err(FieldFault::OtherAction { known: ACTIONS, text: clip(other) }.of("action"));
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
            return Err(FieldFault::NoTurn.of("turns"));
        }
        let mut queries: Vec<(usize, Query)> = Vec::new();
        for turn in turns {
            let moves = game.moves().len();
            if turn > moves {
                return Err(FieldFault::TurnAfterTheEnd { turn, moves }.of("turns"));
            }
            if queries.iter().any(|(known, _)| *known == turn) {
                return Err(FieldFault::TurnTwice(turn).of("turns"));
            }
            let moves = game.moves()[..turn].iter().copied();
            let mut query =
                Query::of_game(*game.start(), moves).map_err(|error| FieldFault::from(error).of("moves"))?;
            query.among = among(query.position(), allow.as_deref(), &avoid).ok_or_else(|| {
                FieldFault::NoMoveLeft(turn).of(if allow.is_some() { "allow" } else { "avoid" })
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
    let size = size.map(|size| Size::new(size as usize)).transpose();
    let size = size.map_err(|error| FieldFault::from(error).of("size"))?;
    let mut query = match (fields.text("game", LONGEST_GAME)?, fields.text("position", LONGEST_GAME)?) {
        (Some(_), Some(_)) => return Err(FieldFault::Together("game").of("position")),
        (Some(text), None) => recorded(&text).map_err(|fault| fault.of("game"))?,
        (None, Some(text)) => {
            let text = text.trim();
            let parsed = if text.contains('/') { fen::parse(text) } else { board::parse(text) };
            Query::new(parsed.map_err(|error| FieldFault::from(error).of("position"))?)
        }
        (None, None) => Query::new(GridPosition::start(size.unwrap_or(Size::EIGHT))),
    };
    if size.is_some_and(|size| size != query.start().size()) {
        return Err(FieldFault::OtherSize(query.start().size()).of("size"));
    }
    for (number, mv) in
        fields.moves("moves", query.start().size())?.unwrap_or_default().into_iter().enumerate()
    {
        // A forced pass may be left out.
        if mv != Move::Pass && query.position().status() == Status::MustPass {
            query.play(Move::Pass).map_err(|error| FieldFault::from(error).of("moves"))?;
        }
        let wrong = |error| FieldFault::IllegalAt { number: number + 1, error }.of("moves");
        query.play(mv).map_err(wrong)?;
    }
    Ok(query)
}

/// The first game of a text in any format.
fn recorded(text: &str) -> Result<Query, FieldFault> {
    let reading = read(text.as_bytes(), &Hint::default())?;
    let problem = reading.problems.first().cloned();
    let game = reading.into_games_iter(&Directory::default()).next();
    let game = game.ok_or_else(|| problem.map_or(FieldFault::NotAGame, FieldFault::from))?;
    Ok(Query::of_game(*game.start(), game.main_line())?)
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
        return Err(FieldFault::Together("depth or nodes").of("level"));
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
