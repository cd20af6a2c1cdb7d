//! How positions, scores and sets of squares are written in JSON.

use emilia_classic::{Breakdown, Ending, Evaluator, Report};
use emilia_record::Opening;
use emilia_rules::{Color, Counts, Grid, GridPosition, Move, Objective, Playable, Point, Status};
use serde::Serialize;
use serde_json::{Value, json};

/// `"black"` or `"white"`.
pub(crate) fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// `"most"` or `"fewest"`.
pub(crate) fn objective(objective: Objective) -> &'static str {
    match objective {
        Objective::Most => "most",
        Objective::Fewest => "fewest",
    }
}

/// The squares of a set, row by row.
pub(crate) fn squares(set: Grid) -> Vec<String> {
    set.into_iter().map(|point| point.to_string()).collect()
}

/// A line of moves.
pub(crate) fn moves(moves: &[Move<Point>]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The placements one after the other, as `moves` of a request takes them; passes are left out.
pub(crate) fn transcript(moves: impl Iterator<Item = Move<Point>>) -> String {
    moves.filter_map(Move::square).map(|point| point.to_string()).collect()
}

/// The board as one string of `X`, `O` and `-`.
pub(crate) fn cells(position: &GridPosition) -> String {
    let mut text = position.to_string();
    // The side to move follows after a blank.
    text.truncate(position.size().cells());
    text
}

/// How many discs there are.
pub(crate) fn counts(counts: Counts) -> Value {
    json!({"black": counts.black, "white": counts.white, "empty": counts.empty})
}

/// What somebody thinks of a position.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Score {
    value: f64,
    text: String,
    decided: bool,
    #[serde(rename = "for")]
    side: &'static str,
}

impl Score {
    /// A score as this side sees it.
    pub(crate) fn new(value: f64, side: Color) -> Score {
        let text = Ending::spell(value);
        Score { value, text, decided: Ending::is_decided(value), side: color(side) }
    }
}

/// A square where a disc can be placed, and what it would flip.
#[derive(Debug, Serialize)]
pub(crate) struct Legal {
    square: String,
    flips: Vec<String>,
}

/// Every legal placement with its flips.
pub(crate) fn legal(position: &GridPosition) -> Vec<Legal> {
    let placements = position.placements().into_iter();
    placements
        .map(|point| Legal { square: point.to_string(), flips: squares(position.flips(point)) })
        .collect()
}

/// What an opening is called, by language.
pub(crate) fn opening(opening: Option<Opening>) -> Value {
    match opening {
        Some(Opening { english, japanese }) => json!({"en": english, "ja": japanese}),
        None => Value::Null,
    }
}

/// The last placement, and what it flipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub(crate) ply: usize,
    pub(crate) color: Color,
    pub(crate) point: Point,
    pub(crate) flips: Grid,
}

impl Last {
    pub(crate) fn value(&self) -> Value {
        json!({"ply": self.ply, "color": color(self.color), "square": self.point.to_string(),
               "flips": squares(self.flips)})
    }
}

/// A position by itself.
pub(crate) fn position(
    position: &GridPosition,
    ply: usize,
    last: Option<Last>,
    objective: Objective,
) -> Value {
    let status = match position.status() {
        Status::ToPlace => "to_place",
        Status::MustPass => "must_pass",
        Status::Over(_) => "over",
    };
    json!({
        "size": position.size().get(),
        "cells": cells(position),
        "turn": color(position.turn()),
        "ply": ply,
        "status": status,
        "counts": counts(position.counts()),
        "legal": legal(position),
        "last": last.map(|last| last.value()),
        "board": position.to_string(),
        "objective": self::objective(objective),
    })
}

/// The parts of an evaluation, as the side to move sees them.
pub(crate) fn breakdown(evaluator: &Evaluator, position: &GridPosition) -> Value {
    let parts: Breakdown<Grid> = evaluator.breakdown(position, position.turn());
    let components: Vec<Value> = parts
        .components
        .iter()
        .map(|part| {
            json!({"name": part.name, "own": part.own, "opponent": part.opponent, "value": part.value,
                   "weight": part.weight, "contribution": part.contribution()})
        })
        .collect();
    json!({"evaluator": parts.evaluator, "for": color(parts.side), "total": parts.total(),
           "components": components})
}

/// What a search found.
pub(crate) fn report(report: &Report, side: Color) -> Value {
    json!({
        "best": report.best.map(|mv| mv.to_string()),
        "score": report.score.map(|score| Score::new(score, side)),
        "line": moves(&report.line),
        "nodes": report.nodes,
        "depth": report.completed_depth.max(report.greatest_depth),
        "time_ms": report.time.as_millis() as u64,
        "stopped": report.stopped,
        "solved": report.solved,
    })
}
