//! What a learner has: cards that come back when they are due, answers, ratings; in and out as one file.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use emilia_service::learner::{
    self, AddedCards, AnswerRequest, Answered, CardFilter, Cards, Deleted, FILE_NAME, History, HistoryFilter,
    ImportedAnswer, LearnerError, NewCards, NewProfile, NewProfileAnswer, ProfileAnswer, ProfileList,
    RemovedCards, UnwantedCards,
};
use emilia_trainer::ProfileFile;

use super::body::{Bearer, Json, Query, Reply, collect};
use super::games::fresh_token;
use crate::app::Shared;
use crate::error::ApiError;
use crate::game::Nothing;
use crate::rate::Demand;
use crate::time::now;
use crate::visitor::Visitor;

/// Bytes of a file for each card that there may be, and bytes of memory for each byte while it is read.
const BYTES_FOR_EACH_CARD: usize = 4 << 10;
const MEMORY_FOR_EACH_BYTE: u64 = 4;

/// `POST /api/profiles`
pub(super) async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(wanted): Json<NewProfile>,
) -> Result<Response, ApiError> {
    let name = wanted.name()?;
    app.rates.take(visitor.address, Demand::NewGame)?;
    let token = fresh_token()?;
    let profile = app.profiles.create(token, name, |tables| ProfileAnswer::of(tables, now())).await?;
    let answer = NewProfileAnswer { token: token.to_string(), profile };
    Ok((StatusCode::CREATED, Reply(answer)).into_response())
}

/// `GET /api/profiles`: those who share a machine trust each other; strangers see nothing.
pub(super) async fn list(State(app): State<Shared>) -> Result<Reply<ProfileList>, ApiError> {
    let profiles = if app.config.public.is_some() { Vec::new() } else { app.profiles.all().await? };
    Ok(Reply(ProfileList { profiles }))
}

/// `GET /api/profile`
pub(super) async fn show(
    State(app): State<Shared>,
    Bearer(token): Bearer,
) -> Result<Reply<ProfileAnswer>, ApiError> {
    Ok(Reply(app.profiles.of(token, |tables| ProfileAnswer::of(tables, now())).await?))
}

/// `POST /api/profile`
pub(super) async fn rename(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(wanted): Json<NewProfile>,
) -> Result<Reply<ProfileAnswer>, ApiError> {
    let name = wanted.name()?;
    Ok(Reply(app.profiles.of(token, move |tables| ProfileAnswer::renamed(tables, &name, now())).await?))
}

/// `POST /api/profile/delete`
pub(super) async fn delete(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(_): Json<Nothing>,
) -> Result<Reply<Deleted>, ApiError> {
    Ok(Reply(app.profiles.of(token, |tables| Deleted::all(tables)).await?))
}

/// `GET /api/profile/cards`
pub(super) async fn cards(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Query(filter): Query<CardFilter>,
) -> Result<Reply<Cards>, ApiError> {
    Ok(Reply(app.profiles.of(token, move |tables| Cards::of(tables, &filter, now())).await?))
}

/// `POST /api/profile/cards`
pub(super) async fn add(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(wanted): Json<NewCards>,
) -> Result<Reply<AddedCards>, ApiError> {
    let cards = wanted.read(now())?;
    Ok(Reply(app.profiles.of(token, move |tables| AddedCards::of(tables, cards, now())).await?))
}

/// `POST /api/profile/cards/remove`
pub(super) async fn remove(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(unwanted): Json<UnwantedCards>,
) -> Result<Reply<RemovedCards>, ApiError> {
    Ok(Reply(app.profiles.of(token, move |tables| RemovedCards::of(tables, &unwanted)).await?))
}

/// `POST /api/profile/answers`
pub(super) async fn answer(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(request): Json<AnswerRequest>,
) -> Result<Reply<Answered>, ApiError> {
    Ok(Reply(app.profiles.of(token, move |tables| Answered::of(tables, &request, now())).await?))
}

/// `GET /api/profile/answers`
pub(super) async fn history(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Query(filter): Query<HistoryFilter>,
) -> Result<Reply<History>, ApiError> {
    Ok(Reply(app.profiles.of(token, move |tables| History::of(tables, &filter)).await?))
}

/// `GET /api/profile/export`
pub(super) async fn export(State(app): State<Shared>, Bearer(token): Bearer) -> Result<Response, ApiError> {
    let file = app.profiles.of(token, |tables| learner::export(tables)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{FILE_NAME}\"")),
    ];
    Ok((headers, file.write()).into_response())
}

/// `POST /api/profile/import`
pub(super) async fn import(
    State(app): State<Shared>,
    visitor: Visitor,
    Bearer(token): Bearer,
    request: Request,
) -> Result<Reply<ImportedAnswer>, ApiError> {
    app.rates.take(visitor.address, Demand::Analysis)?;
    let room = app.profiles.room;
    // As many bytes as are announced, or as many as there may be.
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
    let most = room.cards.saturating_mul(BYTES_FOR_EACH_CARD);
    let _held = app.players.reserve(most.min(announced) as u64 * MEMORY_FOR_EACH_BYTE)?;
    let bytes = collect(request.into_body(), most).await?;
    let file = ProfileFile::read(&bytes)?;
    if file.cards.len() > room.cards {
        return Err(LearnerError::TooManyCards(room.cards).into());
    }
    Ok(Reply(app.profiles.of(token, move |tables| ImportedAnswer::of(tables, file, now())).await?))
}
