//! Games out, in every format.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use emilia_service::export::{self as service, ExportedFile, FormatQuery};
use serde_json::{Map, Value};

use super::body::{GameId, Json, Query};
use crate::app::Shared;
use crate::error::ApiError;

/// `POST /api/export`
pub(super) async fn export(Json(fields): Json<Map<String, Value>>) -> Result<Response, ApiError> {
    Ok(response(service::export(fields)?))
}

/// `GET /api/games/{id}/export`
pub(super) async fn export_game(
    State(app): State<Shared>,
    GameId(id): GameId,
    Query(wanted): Query<FormatQuery>,
) -> Result<Response, ApiError> {
    let live = app.games.find(&id).await?;
    let file = wanted.export(&live.lock())?;
    Ok(response(file))
}

/// A file that is handed to whoever asked.
pub(super) fn response(file: ExportedFile) -> Response {
    let name = format!("attachment; filename=\"{}\"", file.name);
    let headers = [(header::CONTENT_TYPE, file.media.to_owned()), (header::CONTENT_DISPOSITION, name)];
    (headers, file.bytes).into_response()
}
