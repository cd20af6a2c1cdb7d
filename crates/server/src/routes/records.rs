//! Games in and out, in every format.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use emilia_record::draw::{Mark, Svg};
use emilia_record::{Format, Game, Hint, Path, WriteOptions, json as own_format, read, write};
use emilia_rules::{GridPosition, Move, Playable};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::body::{File, GameId, Json, Query, Reply};
use crate::answers;
use crate::app::{Peer, Shared};
use crate::error::ApiError;
use crate::position::{AboutPosition, GamePosition};
use crate::rate::Demand;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    name: Option<String>,
    from: Option<usize>,
}

/// Games of a file given at once, and nodes of a game.
const GAMES: usize = 50;
const NODES: usize = 4000;
/// Problems of a file that are told.
const PROBLEMS: usize = 20;

/// `POST /api/import`
pub(super) async fn import(
    State(app): State<Shared>,
    Peer(address): Peer,
    Query(source): Query<Source>,
    File(bytes): File,
) -> Result<Reply<Value>, ApiError> {
    app.rates.take(address, Demand::Analysis)?;
    // Reading a large file takes a while; other requests go on meanwhile.
    let reading = tokio::task::spawn_blocking(move || imported(&bytes, &source)).await;
    reading.map_err(|_| ApiError::Unreadable("the file could not be read".to_owned()))?.map(Reply)
}

fn imported(bytes: &[u8], source: &Source) -> Result<Value, ApiError> {
    let reading = read(bytes, &Hint { file_name: source.name.as_deref() })
        .map_err(|error| ApiError::Unreadable(error.to_string()))?;
    let format = reading.format;
    let problems: Vec<Value> = reading
        .problems
        .iter()
        .take(PROBLEMS)
        .map(|problem| json!({"game": problem.game, "message": problem.fault.to_string()}))
        .collect();
    let directory = Default::default();
    let mut total = 0;
    let mut games = Vec::new();
    for game in reading.into_games_iter(&directory) {
        if total >= source.from.unwrap_or(0) && games.len() < GAMES {
            games.push(spelled(&game));
        }
        total += 1;
    }
    Ok(json!({"format": format.name(), "total": total, "problems": problems, "games": games}))
}

fn spelled(game: &Game) -> Value {
    let mut tags = Map::new();
    for (name, value) in game.tags.iter() {
        tags.insert(name.to_owned(), value.into());
    }
    json!({
        "size": game.size().get(),
        "objective": answers::objective(game.objective),
        "tags": tags,
        "result": game.result.as_ref().map(ToString::to_string),
        "start": answers::cells(game.start()),
        "start_turn": answers::color(game.start().turn()),
        "transcript": answers::transcript(game.main_line()),
        "nodes": nodes(game),
        "record": own_format::to_value(game),
    })
}

/// The tree as a list; a node names its parent by its place there.
fn nodes(game: &Game) -> Vec<Value> {
    let mut places: BTreeMap<Path, (usize, GridPosition)> = BTreeMap::new();
    let mut nodes = Vec::new();
    for (path, mv, note) in game.walk().take(NODES) {
        let parent = path.parent().and_then(|parent| places.get(&parent).copied());
        let (position, color) = match (mv, parent) {
            (Some(mv), Some((_, before))) => {
                let after = match mv {
                    Move::Place(point) => before.placed(point),
                    Move::Pass => before.passed(),
                };
                (after, Some(answers::color(before.turn())))
            }
            _ => (*game.start(), None),
        };
        nodes.push(json!({
            "id": nodes.len(),
            "parent": parent.map(|(place, _)| place),
            "ply": path.len(),
            "move": mv.map(|mv| mv.to_string()),
            "color": color,
            "cells": answers::cells(&position),
            "comment": note.comment,
            "discs": note.evaluation.as_ref().map(|evaluation| evaluation.discs),
            "time_ms": note.time.map(|time| time.as_millis() as u64),
        }));
        places.insert(path, (nodes.len() - 1, position));
    }
    nodes
}

/// How a file is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportRequest {
    format: String,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    cell: Option<u32>,
    coordinates: Option<bool>,
    #[serde(default)]
    legal: bool,
    #[serde(default)]
    numbers: bool,
}

/// Tags of a request, and letters in each.
const MOST_TAGS: usize = 32;
const LONGEST_TAG: usize = 200;
/// Sides of a square in a picture, in pixels.
const CELLS: std::ops::RangeInclusive<u32> = 4..=400;

/// `POST /api/export`
pub(super) async fn export(Json(fields): Json<Map<String, Value>>) -> Result<Response, ApiError> {
    let AboutPosition { position, request } = AboutPosition::<ExportRequest>::read(fields)?;
    let mut line = position.resolve()?;
    let too_long = |text: &String| text.chars().count() > LONGEST_TAG || text.chars().any(char::is_control);
    if request.tags.len() > MOST_TAGS
        || request.tags.iter().any(|(name, value)| too_long(name) || too_long(value))
    {
        let sentence = format!("there are at most {MOST_TAGS} tags of {LONGEST_TAG} characters on one line");
        return Err(ApiError::BadRequest(sentence));
    }
    for (name, value) in &request.tags {
        line.game.tags.set(name, value);
    }
    if request.format.eq_ignore_ascii_case("svg") {
        return Ok(file("image/svg+xml", "svg", picture(&line, &request)?.into_bytes()));
    }
    written(&request.format, line.game)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    format: Option<String>,
}

/// `GET /api/games/{id}/export`
pub(super) async fn export_game(
    State(app): State<Shared>,
    GameId(id): GameId,
    Query(wanted): Query<Wanted>,
) -> Result<Response, ApiError> {
    let live = app.games.find(&id).await?;
    let (mut game, last) = {
        let state = live.lock();
        (state.record(), state.last())
    };
    game.to_end();
    let format = wanted.format.as_deref().unwrap_or("ggf");
    if format.eq_ignore_ascii_case("svg") {
        let picture = Svg { last: last.map(|last| last.point), ..Svg::new(game.position()) };
        return Ok(file("image/svg+xml", "svg", picture.to_string().into_bytes()));
    }
    written(format, game)
}

fn picture(line: &GamePosition, request: &ExportRequest) -> Result<String, ApiError> {
    let cell = request.cell.unwrap_or(50);
    if !CELLS.contains(&cell) {
        return Err(ApiError::BadRequest(format!("cell is {} to {} pixels", CELLS.start(), CELLS.end())));
    }
    let mut picture = Svg {
        cell,
        coordinates: request.coordinates.unwrap_or(true),
        legal: request.legal,
        last: line.last().map(|last| last.point),
        ..Svg::new(line.position())
    };
    if request.numbers {
        picture.last = None;
        let placed = line.moves.iter().filter_map(|mv| mv.square());
        picture.marks =
            (1..).zip(placed).map(|(number, point)| (point, Mark::new(&i32::to_string(&number)))).collect();
    }
    Ok(picture.to_string())
}

fn written(format: &str, game: Game) -> Result<Response, ApiError> {
    let format: Format =
        format.parse().map_err(|error: emilia_record::FormatError| ApiError::BadFormat(error.to_string()))?;
    let bytes = write(format, &[game], &WriteOptions::default())
        .map_err(|error| ApiError::BadFormat(error.to_string()))?;
    let media = match format {
        Format::Wthor => "application/octet-stream",
        Format::Json => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    Ok(file(media, format.extensions().first().copied().unwrap_or("txt"), bytes))
}

fn file(media: &'static str, extension: &str, bytes: Vec<u8>) -> Response {
    let name = format!("attachment; filename=\"game.{extension}\"");
    ([(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, name)], bytes).into_response()
}
