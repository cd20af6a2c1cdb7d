//! A position taken apart: what is legal, what each move is worth, what the board looks like to a player.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use emilia_query::{Limits, MoveReport, Query, Report, Stop};
use emilia_record::Opening;
use emilia_rules::{Color, Move, Playable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::body::{Json, Reply};
use super::ndjson::StopOnDrop;
use super::overlays::Overlays;
use crate::answers::{self, Breakdown, OpeningAnswer, PositionAnswer, Score};
use crate::app::Shared;
use crate::catalogue;
use crate::error::ApiError;
use crate::names::ColorName;
use crate::pool::{Owner, Pool, Slot};
use crate::position::{AboutPosition, GamePosition};
use crate::visitor::Visitor;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AnalyseRequest {
    player: Option<String>,
    time_ms: Option<u64>,
    #[serde(default)]
    overlays: bool,
}

/// Longest and usual time for all moves together.
const LONGEST: u64 = 30_000;
const USUAL: u64 = 1000;

/// `POST /api/analyse`
pub(super) async fn analyse(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<Analysis>, ApiError> {
    let AboutPosition { position, request } = AboutPosition::<AnalyseRequest>::read(fields)?;
    let line = position.resolve()?;
    let position = *line.position();
    let mut analysis = Analysis {
        position: PositionAnswer::new(&position, line.moves.len(), line.last(), line.game.objective),
        moves: moves(&line),
        opening: Opening::of(&line.game).map(OpeningAnswer::from),
        player: request.player.clone(),
        evaluations: Vec::new(),
        breakdown: None,
        overlays: request.overlays.then(|| Overlays::new(&position)),
    };
    if let Some(name) = request.player {
        let candidate = catalogue::candidate(&name)?;
        visitor.work(&app)?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
        if let Some(evaluator) = candidate.evaluator() {
            analysis.breakdown = Some(Breakdown::new(evaluator, &position));
        }
        let mut query = Query::new(position).within(Limits::time(time));
        query.objective = Some(line.game.objective);
        let players = app.players.clone();
        let judged = in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| {
            players.fresh(&candidate, 0).map(|mut computer| computer.judge(query, stop, slot))
        });
        let report = judged.await??;
        let ranked = (1..).zip(&report.moves);
        let answer = |(rank, found)| EvaluationAnswer::new(rank, found, &report, position.turn());
        analysis.evaluations = ranked.map(answer).collect();
    }
    Ok(Reply(analysis))
}

/// A position taken apart.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Analysis {
    position: PositionAnswer,
    moves: Vec<LineMove>,
    opening: Option<OpeningAnswer>,
    player: Option<String>,
    evaluations: Vec<EvaluationAnswer>,
    breakdown: Option<Breakdown>,
    overlays: Option<Overlays>,
}

/// A move of the line that led to the position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LineMove {
    ply: usize,
    color: ColorName,
    #[serde(rename = "move")]
    mv: String,
}

/// What a move is worth.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Evaluation"))]
struct EvaluationAnswer {
    #[serde(rename = "move")]
    mv: String,
    rank: u32,
    score: Option<Score>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    line: Vec<String>,
    solved: bool,
    stopped: bool,
}

impl EvaluationAnswer {
    /// Nodes and time are those of all moves together.
    fn new(rank: u32, found: &MoveReport, report: &Report, side: Color) -> EvaluationAnswer {
        EvaluationAnswer {
            mv: found.mv.to_string(),
            rank,
            score: found.value.map(|value| Score::new(value.number(), side)),
            depth: found.depth,
            nodes: report.nodes,
            time_ms: report.time.as_millis() as u64,
            line: answers::moves(&found.line),
            solved: found.exact,
            stopped: report.stopped && !found.exact,
        }
    }
}

fn moves(line: &GamePosition) -> Vec<LineMove> {
    let first = line.start.turn();
    let answer = |(index, mv): (usize, &Move<_>)| {
        let side = if index.is_multiple_of(2) { first } else { !first };
        LineMove { ply: index + 1, color: side.into(), mv: mv.to_string() }
    };
    line.moves.iter().enumerate().map(answer).collect()
}

/// Does work in the pool; if the client hangs up, the work stops.
pub(super) async fn in_pool<T: Send + 'static>(
    pool: &Pool,
    owner: Owner,
    work: impl FnOnce(&Slot<'_>, &Stop) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let stop: Arc<Stop> = Arc::default();
    let _guard = StopOnDrop(Arc::clone(&stop));
    let done = pool.run(owner, move |slot| work(slot, &stop))?;
    done.await.map_err(|_| ApiError::TooMany("the analysis could not be finished; try again"))
}
