//! Making games and playing them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use emilia_rules::Color;
use emilia_service::error::ServiceError;
use serde::{Deserialize, Serialize};

use super::body::{Bearer, GameId, Json, Query, Reply, Written};
use crate::app::Shared;
use crate::error::ApiError;
use crate::game::{
    Answer, GameAction, GameState, GameStatus, Greet, Join, LobbyEntry, MOST_SEATS, MyGames, MyGamesRequest,
    NewGame, Nothing, Pause, Play, Resign,
};
use crate::time::now;
use crate::token::Token;
use crate::visitor::Visitor;

/// A secret; the system gives random numbers or nothing works.
pub(super) fn fresh_token() -> Result<Token, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "no random numbers");
        ApiError::TooMany("the system has no random numbers now")
    })?;
    Ok(Token::new(bytes))
}

/// What is left to chance in a new game.
pub(super) fn chance() -> u32 {
    getrandom::u32().unwrap_or(0)
}

/// `POST /api/games`
pub(super) async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(wanted): Json<NewGame>,
) -> Result<Response, ApiError> {
    visitor.play(&app, &wanted.computers())?;
    let token = fresh_token()?;
    let (terms, seats) = wanted.check(token, chance())?;
    let state = GameState::new(fresh_token()?, token, terms, seats, now());
    let live = app.games.open(state).await?;
    Ok((StatusCode::CREATED, Written(live.view(Some(token), true).await)).into_response())
}

/// Which games the lobby shows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Filter {
    status: Option<GameStatus>,
    limit: Option<usize>,
}

/// The games that the lobby shows, and how many there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Lobby {
    games: Vec<LobbyEntry>,
    total: usize,
}

/// Games that the lobby shows at most, and usually.
const LOBBY_MOST: usize = 200;
const LOBBY_USUAL: usize = 50;

/// `GET /api/games`
pub(super) async fn lobby(State(app): State<Shared>, Query(filter): Query<Filter>) -> Reply<Lobby> {
    let mut found = Vec::new();
    for live in app.games.all() {
        let state = live.lock();
        let shown = match filter.status {
            Some(status) => state.status() == status,
            None => state.status() != GameStatus::Over,
        };
        if shown && state.terms.public {
            found.push((state.created, Arc::clone(&live)));
        }
    }
    let total = found.len();
    found.sort_by_key(|(created, _)| std::cmp::Reverse(*created));
    let games = found
        .iter()
        .take(filter.limit.unwrap_or(LOBBY_USUAL).min(LOBBY_MOST))
        .map(|(_, live)| live.lock().lobby_entry(live.watchers()))
        .collect();
    Reply(Lobby { games, total })
}

/// `POST /api/my/games`
pub(super) async fn mine(
    State(app): State<Shared>,
    Json(MyGamesRequest { seats }): Json<MyGamesRequest>,
) -> Reply<MyGames> {
    let mut games = MyGames::default();
    for claim in seats.into_iter().take(MOST_SEATS) {
        let id = claim.id.clone();
        match app.games.peek(&id, |state| MyGames::one(state, &claim)).await {
            Some(game) => games.add(id, game),
            None => games.add(id, None),
        }
    }
    Reply(games.sorted())
}

/// What became of a game that was to be deleted.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct DeletedGame {
    deleted: bool,
}

/// `POST /api/games/{id}/delete`
pub(super) async fn delete(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Reply<DeletedGame>, ApiError> {
    app.games.delete(&id, token).await?;
    Ok(Reply(DeletedGame { deleted: true }))
}

/// `GET /api/games/{id}`
pub(super) async fn show(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(token): Bearer,
) -> Result<Written, ApiError> {
    Ok(Written(app.games.find(&id).await?.view(token, false).await))
}

/// `POST /api/games/{id}/join`
pub(super) async fn join(
    State(app): State<Shared>,
    GameId(id): GameId,
    Bearer(own): Bearer,
    Json(join): Json<Join>,
) -> Result<Written, ApiError> {
    let token = fresh_token()?;
    let (live, _) = app
        .games
        .change(&id, |state, now| {
            if state.holder(own).is_seated() {
                return Err(ServiceError::NotNow("you sit at this table already").into());
            }
            Ok(state.join(join.name, join.color.map(Color::from), token, now)?)
        })
        .await?;
    Ok(Written(live.view(Some(token), true).await))
}

/// Changes a game on behalf of whoever holds the token, and answers with what it looks like then.
async fn act(app: &Shared, id: &str, token: Option<Token>, action: GameAction) -> Result<Written, ApiError> {
    let changed = app.games.change(id, |state, now| Ok(state.act(state.holder(token), &action, now)?));
    Ok(Written(changed.await?.0.view(token, false).await))
}

/// What can be done to a game, each at an address of its own.
macro_rules! actions {
    ($($path:literal $name:ident($body:ty) => $action:expr;)*) => {$(
        #[doc = concat!("`POST /api/games/{id}/", $path, "`")]
        pub(super) async fn $name(
            State(app): State<Shared>,
            GameId(id): GameId,
            Bearer(token): Bearer,
            Json(body): Json<$body>,
        ) -> Result<Written, ApiError> {
            let action: fn($body) -> GameAction = $action;
            act(&app, &id, token, action(body)).await
        }
    )*};
}

actions! {
    "moves" play(Play) => GameAction::Play;
    "undo" undo(Nothing) => |Nothing {}| GameAction::Undo;
    "undo/answer" answer_undo(Answer) => GameAction::AnswerUndo;
    "redo" redo(Nothing) => |Nothing {}| GameAction::Redo;
    "resign" resign(Resign) => GameAction::Resign;
    "close" close(Nothing) => |Nothing {}| GameAction::Close;
    "pause" pause(Pause) => GameAction::Pause;
    "step" step(Nothing) => |Nothing {}| GameAction::Step;
    "greet" greet(Greet) => GameAction::Greet;
    "time" ask_time(Nothing) => |Nothing {}| GameAction::AskTime;
    "time/answer" answer_time(Answer) => GameAction::AnswerTime;
}

/// `POST /api/games/{id}/rematch`
pub(super) async fn rematch(
    State(app): State<Shared>,
    visitor: Visitor,
    GameId(id): GameId,
    Bearer(token): Bearer,
    Json(Nothing {}): Json<Nothing>,
) -> Result<Response, ApiError> {
    visitor.play(&app, &[])?;
    let offered = app.games.change(&id, |state, _| Ok(state.offer_rematch(state.holder(token))?));
    let (live, agreed) = offered.await?;
    if !agreed {
        return Ok(Written(live.view(token, false).await).into_response());
    }
    let next = live.lock().next_game(fresh_token()?, now());
    let next = app.games.open(next).await?;
    let name = next.lock().id.clone();
    app.games
        .change(&id, |state, _| {
            state.note_rematch(state.holder(token), &name);
            Ok(())
        })
        .await?;
    Ok((StatusCode::CREATED, Written(next.view(token, true).await)).into_response())
}
