//! Puzzles: which comes next for somebody, today, or in a run; judging an answer; what came of it.

use axum::extract::State;
use emilia_puzzle::Factory;
use emilia_service::learner::{
    PuzzleAnswer, PuzzleAnswerRequest, PuzzleAnswered, PuzzleLearner, PuzzleQuestion, PuzzleRequest, Puzzles,
    RunAnswer, RunRequest,
};

use super::body::{Bearer, Json, Reply};
use super::work::in_pool;
use crate::app::Shared;
use crate::error::ApiError;
use crate::pool::Owner;
use crate::rate::Demand;
use crate::time::now;
use crate::visitor::Visitor;

/// `GET /api/train/puzzles`
pub(super) async fn listing() -> Reply<Puzzles> {
    Reply(Puzzles::shipped())
}

/// `POST /api/train/puzzle`
pub(super) async fn next(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(request): Json<PuzzleRequest>,
) -> Result<Reply<PuzzleQuestion>, ApiError> {
    let learner = match token {
        Some(_) => app.profiles.of(token, |tables| PuzzleLearner::of(tables, now())).await?,
        None => PuzzleLearner::stranger(now()),
    };
    Ok(Reply(request.question(learner, now())?))
}

/// `POST /api/train/puzzle/answer`
pub(super) async fn answer(
    State(app): State<Shared>,
    visitor: Visitor,
    Bearer(token): Bearer,
    Json(request): Json<PuzzleAnswerRequest>,
) -> Result<Reply<PuzzleAnswered>, ApiError> {
    let asked = request.read()?;
    app.rates.take(visitor.address, Demand::Analysis)?;
    let _held = app.players.reserve((PuzzleAnswer::MEGABYTES as u64) << 20)?;
    let judged = in_pool(&app.pool, Owner::Client(visitor.address), move |_, stop| {
        let factory = Factory::sized(PuzzleAnswer::MEGABYTES).map_err(|_| ApiError::NoMemory)?;
        Ok::<_, ApiError>(asked.judge(&factory, stop)?)
    });
    let judged = judged.await??;
    if token.is_none() || !judged.is_decided() {
        return Ok(Reply(judged.answer()));
    }
    Ok(Reply(app.profiles.of(token, move |tables| judged.noted(tables, now())).await?))
}

/// `POST /api/train/runs`
pub(super) async fn run(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(request): Json<RunRequest>,
) -> Result<Reply<RunAnswer>, ApiError> {
    Ok(Reply(app.profiles.of(token, move |tables| RunAnswer::of(tables, &request, now())).await?))
}
