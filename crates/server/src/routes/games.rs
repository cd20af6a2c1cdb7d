//! Making games and playing them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use emilia_rules::{Color, Playable, parse_move};
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::{Bearer, GameId, Json, Query, Reply, Written};
use crate::app::{Peer, Shared};
use crate::moment::now;
use crate::rate::Demand;
use crate::refusal::Refusal;
use crate::table::{ColorName, Holder, Mode, NewGame, Table};
use crate::token::Token;

/// A secret; the system gives random numbers or nothing works.
pub(super) fn fresh_token() -> Result<Token, Refusal> {
    Token::random().map_err(|error| {
        tracing::error!(%error, "no random numbers");
        Refusal::TooMany("the system has no random numbers now")
    })
}

/// `POST /api/games`
pub(super) async fn create(
    State(app): State<Shared>,
    Peer(address): Peer,
    Json(wanted): Json<NewGame>,
) -> Result<Response, Refusal> {
    app.rates.take(address, Demand::NewGame)?;
    let token = fresh_token()?;
    let (terms, seats) = wanted.check(token)?;
    let table = Table::new(fresh_token()?, token, terms, seats, now());
    let cell = app.hall.open(table).await?;
    Ok((StatusCode::CREATED, Written(cell.view(Some(token), true))).into_response())
}

/// Which games the lobby shows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    status: Option<StatusName>,
    limit: Option<usize>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum StatusName {
    Open,
    Playing,
    Over,
}

/// Games that the lobby shows at most, and usually.
const LOBBY_MOST: usize = 200;
const LOBBY_USUAL: usize = 50;

/// `GET /api/games`
pub(super) async fn lobby(State(app): State<Shared>, Query(filter): Query<Filter>) -> Reply<Value> {
    let mut found = Vec::new();
    for cell in app.hall.all() {
        let table = cell.lock();
        let shown = match filter.status {
            Some(StatusName::Open) => table.status_name() == "open",
            Some(StatusName::Playing) => table.status_name() == "playing",
            Some(StatusName::Over) => table.status_name() == "over",
            None => table.status_name() != "over",
        };
        if shown && table.terms.public {
            found.push((table.created, Arc::clone(&cell)));
        }
    }
    let total = found.len();
    found.sort_by_key(|(created, _)| std::cmp::Reverse(*created));
    let games: Vec<Value> = found
        .iter()
        .take(filter.limit.unwrap_or(LOBBY_USUAL).min(LOBBY_MOST))
        .map(|(_, cell)| cell.lock().lobby_line(cell.watchers()))
        .collect();
    Reply(json!({"games": games, "total": total}))
}

/// `GET /api/games/{id}`
pub(super) async fn show(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
) -> Result<Written, Refusal> {
    Ok(Written(app.hall.find(&id).await?.view(token, false)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Join {
    name: Option<String>,
    color: Option<ColorName>,
}

/// `POST /api/games/{id}/join`
pub(super) async fn join(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(own): Bearer,
    Json(join): Json<Join>,
) -> Result<Written, Refusal> {
    let token = fresh_token()?;
    let (cell, _) = app
        .hall
        .change(&id, |table, now| {
            if table.holder(own).is_seated() {
                return Err(Refusal::NotNow("you sit at this table already"));
            }
            table.join(join.name, join.color.map(Color::from), token, now)
        })
        .await?;
    Ok(Written(cell.view(Some(token), true)))
}

/// Changes a table on behalf of whoever holds the token, and answers with what it looks like then.
async fn act(
    app: &Shared,
    id: &str,
    token: Option<Token>,
    action: impl FnOnce(&mut Table, Holder, u64) -> Result<(), Refusal>,
) -> Result<Written, Refusal> {
    let changed = app.hall.change(id, |table, now| {
        let holder = table.holder(token);
        action(table, holder, now)
    });
    Ok(Written(changed.await?.0.view(token, false)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: Option<usize>,
}

/// `POST /api/games/{id}/moves`
pub(super) async fn play(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(play): Json<Play>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, now| {
        let mv = parse_move(&play.mv, table.position().size())
            .map_err(|error| Refusal::BadMove(error.to_string()))?;
        table.play(holder, mv, play.ply, now)
    })
    .await
}

/// A body without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// `POST /api/games/{id}/undo`
pub(super) async fn undo(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, now| table.undo(holder, now)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    accept: bool,
}

/// `POST /api/games/{id}/undo/answer`
pub(super) async fn answer_undo(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(answer): Json<Answer>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, now| table.answer_undo(holder, answer.accept, now)).await
}

/// `POST /api/games/{id}/redo`
pub(super) async fn redo(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, now| table.redo(holder, now)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Resign {
    color: Option<ColorName>,
}

/// `POST /api/games/{id}/resign`
pub(super) async fn resign(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(resign): Json<Resign>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, _| table.resign(holder, resign.color.map(Color::from))).await
}

/// `POST /api/games/{id}/close`
pub(super) async fn close(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, _| table.close(holder)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pause {
    paused: bool,
}

/// `POST /api/games/{id}/pause`
pub(super) async fn pause(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(pause): Json<Pause>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, _| table.pause(holder, pause.paused)).await
}

/// `POST /api/games/{id}/step`
pub(super) async fn step(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Written, Refusal> {
    act(&app, &id, token, |table, holder, _| table.step(holder)).await
}

/// `POST /api/games/{id}/rematch`
pub(super) async fn rematch(
    State(app): State<Shared>,
    Peer(address): Peer,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Response, Refusal> {
    app.rates.take(address, Demand::NewGame)?;
    let offered = app.hall.change(&id, |table, _| table.offer_rematch(table.holder(token)));
    let (cell, agreed) = offered.await?;
    if !agreed {
        return Ok(Written(cell.view(token, false)).into_response());
    }
    let next = {
        let table = cell.lock();
        let [black, white] = table.seats.clone();
        let seats = if table.terms.mode == Mode::Local { [black, white] } else { [white, black] };
        Table::new(fresh_token()?, table.host, table.terms.clone(), seats, now())
    };
    let next = app.hall.open(next).await?;
    let name = next.lock().id.clone();
    app.hall
        .change(&id, |table, _| {
            table.note_rematch(table.holder(token), &name);
            Ok(())
        })
        .await?;
    Ok((StatusCode::CREATED, Written(next.view(token, true))).into_response())
}
