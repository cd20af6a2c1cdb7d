//! Studies: made, read by whoever knows their names, changed by who has their secrets, in and out as files.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use emilia_service::error::ServiceError;
use emilia_service::export::ExportedFile;
use emilia_service::study::{
    ChangedStudy, DeletedStudy, KeptStudy, LARGEST_STUDY, MyStudies, MyStudiesRequest, StudyChange,
    StudyFile, StudyRequest, StudySource, memory,
};
use serde::de::DeserializeOwned;

use super::body::{Bearer, File, GameId, Held, Json, Query, Reply, Written, object};
use super::games::fresh_token;
use super::work::in_pool;
use crate::answers::to_json;
use crate::app::Shared;
use crate::error::ApiError;
use crate::game::Nothing;
use crate::memory::Reservation;
use crate::pool::Owner;
use crate::rate::Demand;
use crate::study_tables as tables;
use crate::time::now;
use crate::visitor::Visitor;

/// Bytes of a request: a study, and what stands around it.
const LARGEST: usize = LARGEST_STUDY + (16 << 10);

/// A study that was sent, and the memory that reading it takes.
async fn sent<T: DeserializeOwned>(app: &Shared, request: Request) -> Result<(T, Reservation), ApiError> {
    let (sent, length) = object(request, LARGEST).await?;
    Ok((sent, app.players.reserve(memory(length))?))
}

/// Reads a study where heavy work is done.
async fn read<T: Send + 'static>(
    app: &Shared,
    visitor: Visitor,
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ApiError> {
    Ok(in_pool(&app.pool, Owner::Client(visitor.address), move |_, _| work()).await??)
}

/// `POST /api/studies`
pub(super) async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    request: Request,
) -> Result<Response, ApiError> {
    app.rates.take(visitor.address, Demand::NewGame)?;
    let (study, _held) = sent::<StudyRequest>(&app, request).await?;
    let study = read(&app, visitor, || study.read()).await?;
    let kept = KeptStudy::new(fresh_token()?, fresh_token()?, study, now());
    let told = to_json(&kept.answer(Some(kept.token), true));
    let room = app.config.limits.studies;
    app.store.studies(move |connection| tables::add(connection, &kept, room)).await?;
    Ok((StatusCode::CREATED, Written(told)).into_response())
}

/// `GET /api/studies/{id}`
pub(super) async fn show(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
) -> Result<Written, ApiError> {
    let kept = app.store.studies(move |connection| tables::find(connection, &id)).await?;
    Ok(Written(to_json(&kept.answer(token, false))))
}

/// `POST /api/studies/{id}`
pub(super) async fn change(
    State(app): State<Shared>,
    visitor: Visitor,
    GameId(id): GameId,
    Bearer(token): Bearer,
    request: Request,
) -> Result<Reply<ChangedStudy>, ApiError> {
    app.rates.take(visitor.address, Demand::Analysis)?;
    let (change, _held) = sent::<StudyChange>(&app, request).await?;
    let (version, study) = read(&app, visitor, || change.read()).await?;
    let changed = app.store.studies(move |connection| {
        let mut kept = tables::find(connection, &id)?;
        kept.change(token, version, study, now())?;
        tables::put(connection, &kept)?;
        Ok(ChangedStudy { version: kept.version, changed: kept.changed })
    });
    Ok(Reply(changed.await?))
}

/// `POST /api/studies/{id}/delete`
pub(super) async fn delete(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Reply<DeletedStudy>, ApiError> {
    let deleted = app.store.studies(move |connection| {
        tables::find(connection, &id)?.check_owner(token)?;
        tables::delete(connection, &id)
    });
    deleted.await?;
    Ok(Reply(DeletedStudy { deleted: true }))
}

/// `GET /api/studies/{id}/export`
pub(super) async fn export(
    State(app): State<Shared>,
    visitor: Visitor,
    GameId(id): GameId,
) -> Result<Response, ApiError> {
    app.rates.take(visitor.address, Demand::Analysis)?;
    let kept = app.store.studies(move |connection| tables::find(connection, &id)).await?;
    let _held = app.players.reserve(memory(LARGEST_STUDY))?;
    Ok(super::export::response(read(&app, visitor, || kept.study.file()).await?))
}

/// `POST /api/my/studies`
pub(super) async fn mine(
    State(app): State<Shared>,
    Json(wanted): Json<MyStudiesRequest>,
) -> Result<Reply<MyStudies>, ApiError> {
    let found =
        app.store.studies(move |connection| MyStudies::of(wanted, |claim| tables::listed(connection, claim)));
    Ok(Reply(found.await?))
}

/// `POST /api/studies/read`
pub(super) async fn read_file(
    State(app): State<Shared>,
    visitor: Visitor,
    Query(source): Query<StudySource>,
    File(bytes): File,
) -> Result<Held, ApiError> {
    // A link may hold a whole study, and links are for everybody.
    app.rates.take(visitor.address, Demand::Analysis)?;
    let held = app.players.reserve(emilia_service::import::bytes(bytes.len()))?;
    let text =
        read(&app, visitor, move || StudyFile::read(&bytes, &source).map(|file| to_json(&file))).await?;
    Ok(Held { text, held })
}

/// `POST /api/studies/file`
pub(super) async fn file(
    State(app): State<Shared>,
    visitor: Visitor,
    request: Request,
) -> Result<Response, ApiError> {
    app.rates.take(visitor.address, Demand::Analysis)?;
    let (study, _held) = sent::<StudyRequest>(&app, request).await?;
    let file: ExportedFile = read(&app, visitor, || study.file()).await?;
    Ok(super::export::response(file))
}
