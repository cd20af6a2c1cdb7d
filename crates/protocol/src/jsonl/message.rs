use emilia_query::{MoveReport, Query, Report, Source, Value};
use emilia_rules::{Color, Playable, Status};
use serde::Serialize;

use super::field_error::FieldError;

/// What is report of a position: a report on the way, or the final answer.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) id: &'a str,
    pub(super) turn: usize,
    /// The side that the values are for.
    pub(super) side: String,
    pub(super) to_move: String,
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) cancelled: bool,
    /// The final disc difference for the side, where the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<i32>,
    pub(super) moves: Vec<MoveLine>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

/// A move and what is report of it.
#[derive(Serialize)]
pub(super) struct MoveLine {
    #[serde(rename = "move")]
    mv: String,
    value: Option<f64>,
    /// What the value counts.
    unit: Option<&'static str>,
    bound: &'static str,
    depth: u32,
    confidence: Option<Sure>,
    source: &'static str,
    line: Vec<String>,
}

/// Percent, or the word for certainty.
#[derive(Serialize)]
#[serde(untagged)]
enum Sure {
    Percent(u32),
    Exact(&'static str),
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        kind: &'static str,
        id: &'a str,
        turn: usize,
        query: &Query,
        side: Option<Color>,
        report: &Report,
    ) -> Answer<'a> {
        let to_move = query.position().turn();
        let side = side.unwrap_or(to_move);
        let status = query.position().status();
        let margin = query.position().counts().margin();
        Answer {
            kind,
            id,
            turn,
            side: side.to_string(),
            to_move: to_move.to_string(),
            status: match status {
                Status::ToPlace => "to_place",
                Status::MustPass => "must_pass",
                Status::Over(_) => "over",
            },
            cancelled: false,
            result: matches!(status, Status::Over(_)).then_some(if side == Color::Black {
                margin
            } else {
                -margin
            }),
            moves: report
                .moves
                .iter()
                .map(|found| MoveLine::new(found, report.source, side == to_move))
                .collect(),
            depth: report.depth,
            nodes: report.nodes,
            seconds: (report.time.as_secs_f64() * 1e6).round() / 1e6,
        }
    }
}

impl MoveLine {
    /// For the side that makes the move, or for the other.
    fn new(found: &MoveReport, source: Source, own: bool) -> MoveLine {
        let value = found.value.map(|value| if own { value } else { value.negated() });
        let percent = found.selectivity.map(|selectivity| Sure::Percent(selectivity.percent()));
        MoveLine {
            mv: found.mv.to_string(),
            value: value.map(Value::number),
            unit: value.map(Value::unit),
            bound: if own { found.bound } else { found.bound.reversed() }.word(),
            depth: found.depth,
            confidence: if found.exact { Some(Sure::Exact("exact")) } else { percent },
            source: if found.exact && source != Source::Book { "solved" } else { source.word() },
            line: found.line.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Something is wrong: with a message, or with the player at work on a turn.
#[derive(Serialize)]
pub(super) struct Trouble<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    message: String,
}

impl<'a> Trouble<'a> {
    /// A field of a message is wrong.
    pub(super) fn field(id: Option<&'a str>, error: &'a FieldError) -> Trouble<'a> {
        let field = error.field.as_deref();
        let message = match field {
            Some(field) => format!("{field}: {}", error.fault),
            None => format!("the message {}", error.fault),
        };
        Trouble { kind: "error", id, turn: None, field, message }
    }

    /// A turn cannot be found.
    pub(super) fn turn(id: &'a str, turn: usize, message: String) -> Trouble<'a> {
        Trouble { kind: "error", id: Some(id), turn: Some(turn), field: None, message }
    }
}

/// What an action has done.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Done<'a> {
    Version {
        id: &'a str,
        name: &'a str,
        version: &'a str,
        protocol: u32,
    },
    Statistics {
        id: &'a str,
        #[serde(flatten)]
        statistics: Statistics,
        running: usize,
        waiting: usize,
        workers: usize,
    },
    /// So many turns will be answered as cancelled.
    Cancelled {
        id: &'a str,
        turns: usize,
    },
    Forgotten {
        id: &'a str,
    },
    Goodbye {
        id: &'a str,
    },
}

/// What was done since the beginning.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Statistics {
    pub(super) questions: u64,
    pub(super) answers: u64,
    pub(super) cancelled: u64,
    pub(super) errors: u64,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

/// A message as a line.
pub(super) fn text(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("texts, numbers and lists always become JSON")
}
