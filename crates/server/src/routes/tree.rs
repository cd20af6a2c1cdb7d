//! The tree that a textbook search goes through, for a classroom to look at.

use std::ops::ControlFlow;
use std::time::Duration;

use axum::extract::State;
use emilia_classic::TraceLimits;
use emilia_query::{Limits, Query, Report};
use emilia_rules::Playable;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::analyse::in_pool;
use super::body::{Held, Json};
use crate::answers::{ReportAnswer, to_json};
use crate::app::Shared;
use crate::catalogue;
use crate::error::ApiError;
use crate::pool::Owner;
use crate::position::AboutPosition;
use crate::request_error::BadPlayer;
use crate::visitor::Visitor;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TreeRequest {
    player: Option<String>,
    nodes: Option<usize>,
    levels: Option<u32>,
    time_ms: Option<u64>,
}

/// What the search found, and the tree it went through.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TreeAnswer {
    player: String,
    report: ReportAnswer,
    #[cfg_attr(test, schemars(with = "Map<String, Value>"))]
    tree: Box<RawValue>,
}

/// Nodes of the tree that are kept, usually and at most.
const USUAL_NODES: usize = 400;
const MOST_NODES: usize = 5000;
/// Bytes that a node may take, in the tree and in the answer, and those of the search itself.
const BYTES_FOR_EACH_NODE: usize = 4 << 10;
const BESIDES: u64 = 1 << 20;
/// Time for the search, usually and at most.
const USUAL_TIME: u64 = 2000;
const LONGEST: u64 = 10_000;
/// A small tree to begin with.
const USUAL_PLAYER: &str = "alphabeta:depth=3";

/// `POST /api/tree`
pub(super) async fn tree(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Held, ApiError> {
    let AboutPosition { position, request } = AboutPosition::<TreeRequest>::read(fields)?;
    let position = *position.resolve()?.position();
    let name = request.player.unwrap_or_else(|| USUAL_PLAYER.to_owned());
    let candidate = catalogue::candidate(&name)?;
    let no_tree = || ApiError::from(BadPlayer::NoTree(name.clone()));
    candidate.evaluator().ok_or_else(no_tree)?;
    visitor.work(&app)?;
    let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL_TIME).clamp(1, LONGEST));
    let limits = TraceLimits {
        nodes: request.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES),
        depth: request.levels.unwrap_or(u32::MAX),
    };
    let held = app.players.reserve(BESIDES + (limits.nodes * BYTES_FOR_EACH_NODE) as u64)?;
    let query = Query::new(position).within(Limits::time(time));
    let traced = in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| {
        let mut watch = |_: &Report| {
            slot.yield_now();
            ControlFlow::Continue(())
        };
        candidate.trace(&query, limits, stop, &mut watch)
    });
    let (report, tree) = traced.await?.ok_or_else(no_tree)?;
    let tree =
        RawValue::from_string(tree.to_json().trim_end().to_owned()).expect("a tree is written as JSON");
    let report = ReportAnswer::new(&report, position.turn());
    Ok(Held { text: to_json(&TreeAnswer { player: name, report, tree }), held })
}
