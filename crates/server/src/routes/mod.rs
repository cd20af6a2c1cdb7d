//! What can be asked, one file for each subject.

mod analyse;
mod body;
mod duels;
mod evolutions;
mod games;
mod legacy;
mod live;
mod ndjson;
mod records;
mod review;
mod tree;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

pub(crate) use body::Reply;

use crate::app::Shared;
use crate::error::ApiError;
use crate::{catalogue, middleware, page};

/// The description of all this for machines.
const OPENAPI: &str = include_str!("../../../../docs/openapi.json");

/// Every route, behind the guard.
pub(crate) fn router(app: Shared) -> Router {
    Router::new()
        .route("/api/games", get(games::lobby).post(games::create))
        .route("/api/games/{id}", get(games::show))
        .route("/api/games/{id}/join", post(games::join))
        .route("/api/games/{id}/moves", post(games::play))
        .route("/api/games/{id}/undo", post(games::undo))
        .route("/api/games/{id}/undo/answer", post(games::answer_undo))
        .route("/api/games/{id}/redo", post(games::redo))
        .route("/api/games/{id}/resign", post(games::resign))
        .route("/api/games/{id}/close", post(games::close))
        .route("/api/games/{id}/pause", post(games::pause))
        .route("/api/games/{id}/step", post(games::step))
        .route("/api/games/{id}/rematch", post(games::rematch))
        .route("/api/games/{id}/export", get(records::export_game))
        .route("/api/games/{id}/live", get(live::live))
        .route("/api/players", get(players))
        .route("/api/analyse", post(analyse::analyse))
        .route("/api/import", post(records::import))
        .route("/api/export", post(records::export))
        .route("/api/tree", post(tree::tree))
        .route("/api/review", post(review::review))
        .route("/api/duels", post(duels::duel))
        .route("/api/evolutions", post(evolutions::evolve))
        .route("/api/openapi.json", get(openapi))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/games", get(legacy::games))
        .route("/game/{id}", get(legacy::game))
        .route("/create", post(legacy::create))
        .route("/join", post(legacy::join))
        .route("/play", post(legacy::play))
        .fallback(page::serve)
        .method_not_allowed_fallback(|| async { ApiError::BadMethod })
        // Every body is read with a limit of its own.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), middleware::handle))
        .with_state(app)
}

async fn players() -> Reply<Value> {
    Reply(catalogue::listing())
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn health(State(app): State<Shared>) -> Reply<Value> {
    Reply(json!({"status": "ok", "games": app.games.len()}))
}

async fn metrics(State(app): State<Shared>) -> Response {
    let text = app.metrics.text(app.games.len());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
