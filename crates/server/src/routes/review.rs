//! Every move of a game judged, as the judgements come.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use emilia_engine::Review;
use emilia_query::{Limits, Query};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::body::Json;
use super::ndjson::ndjson;
use crate::app::Shared;
use crate::catalogue;
use crate::error::ApiError;
use crate::pool::Owner;
use crate::position::AboutPosition;
use crate::review::{Judge, ReviewEvent};
use crate::visitor::Visitor;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ReviewRequest {
    player: Option<String>,
    time_ms: Option<u64>,
}

/// Time for each move on average, usually and at most: a long game is reviewed within 20 s.
const USUAL: u64 = 300;
const LONGEST: u64 = 10_000;
/// Who judges unless somebody else is named.
const JUDGE: &str = "emilia:level=12";

/// `POST /api/review`
pub(super) async fn review(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Response, ApiError> {
    let AboutPosition { position, request } = AboutPosition::<ReviewRequest>::read(fields)?;
    let line = position.resolve()?;
    let name = request.player.unwrap_or_else(|| JUDGE.to_owned());
    let candidate = catalogue::candidate(&name)?;
    visitor.work(&app)?;
    let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
    let mut judge = Judge::new(candidate, &app.players)?;
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    app.pool.run(Owner::Client(visitor.address), move |slot| {
        lines.write(&ReviewEvent::start(line.moves.len(), name));
        let mut review = Review::default();
        let mut query = Query::new(line.start);
        query.objective = Some(line.game.objective);
        let deadline = Instant::now() + time * line.moves.len() as u32;
        for (ply, mv) in (1..).zip(&line.moves) {
            // What easy moves leave over is for the hard ones: twice the average if there is so much.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / (line.moves.len() + 1 - ply) as u32 * 2;
            let judged = judge.judge(query.clone().within(Limits::time(share.min(left))), &stop, slot);
            slot.yield_now();
            if stop.is_requested() {
                return;
            }
            let reviewed = review.add(ply, query.position(), *mv, &judged);
            lines.write(&ReviewEvent::of_move(query.position(), reviewed));
            if query.play(*mv).is_err() {
                return;
            }
        }
        lines.write(&ReviewEvent::summary(&review));
    })?;
    Ok(answer)
}
