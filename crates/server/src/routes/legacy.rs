//! The interface of the browser game that came before: forms in, JSON out, 8×8 only.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use emilia_rules::{Color, Move, Playable, Point};
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::{Form, GameId, Reply};
use super::games::fresh_token;
use crate::answers;
use crate::app::{Peer, Shared};
use crate::error::ApiError;
use crate::game::{GameState, Holder, Mode, NewGame, Phase, Side};
use crate::games::LiveGame;
use crate::rate::Demand;
use crate::time::now;
use crate::token::Token;

/// What played White then.
const COMPUTER: &str = "s1";
/// How long an answer waits for the computer's reply. Who gets none asks again.
const PATIENCE: Duration = Duration::from_secs(5);
/// Games listed at most.
const MOST: usize = 200;

/// `GET /games`
pub(super) async fn games(State(app): State<Shared>) -> Reply<Value> {
    let mut found: Vec<(u64, Value)> = Vec::new();
    for live in app.games.all() {
        let state = live.lock();
        if is_early(&state) && state.terms.public && !matches!(state.phase, Phase::Over(_)) {
            let name = |color| state.seat(color).name.clone();
            let line = json!({"id": state.id, "white": name(Color::White), "black": name(Color::Black)});
            found.push((state.created, line));
        }
    }
    found.sort_by_key(|(created, _)| std::cmp::Reverse(*created));
    Reply(found.into_iter().take(MOST).map(|(_, line)| line).collect())
}

/// Whether the game could have been played in the earlier program.
fn is_early(state: &GameState) -> bool {
    state.position().size().get() == 8
}

async fn find(app: &Shared, id: &str) -> Result<Arc<LiveGame>, ApiError> {
    let live = app.games.find(id).await?;
    let early = is_early(&live.lock());
    if early { Ok(live) } else { Err(ApiError::UnknownGame) }
}

/// `GET /game/{id}`
pub(super) async fn game(State(app): State<Shared>, GameId(id): GameId) -> Result<Reply<Value>, ApiError> {
    Ok(Reply(spelled(&find(&app, &id).await?.lock())))
}

#[derive(Deserialize)]
pub(super) struct Create {
    #[serde(default)]
    name: String,
    #[serde(default)]
    ai: String,
}

/// `POST /create`
pub(super) async fn create(
    State(app): State<Shared>,
    Peer(address): Peer,
    Form(form): Form<Create>,
) -> Result<Reply<Value>, ApiError> {
    app.rates.take(address, Demand::NewGame)?;
    let against_computer = match form.ai.as_str() {
        "true" => true,
        "false" | "" => false,
        _ => return Err(ApiError::BadRequest("ai is true or false".to_owned())),
    };
    let mut wanted = NewGame::plain(if against_computer { Mode::Computer } else { Mode::Link });
    wanted.black.name = Some(form.name);
    wanted.pause_ms = Some(0);
    if against_computer {
        wanted.white = Side { name: Some("AI".to_owned()), player: Some(COMPUTER.to_owned()) };
    }
    let token = fresh_token()?;
    let (terms, seats) = wanted.check(token)?;
    let state = GameState::new(fresh_token()?, token, terms, seats, now());
    let live = app.games.open(state).await?;
    let mut answer = spelled(&live.lock());
    answer["black_token"] = token.to_string().into();
    Ok(Reply(answer))
}

#[derive(Deserialize)]
pub(super) struct Join {
    id: String,
    #[serde(default)]
    name: String,
}

/// `POST /join`
pub(super) async fn join(
    State(app): State<Shared>,
    Form(form): Form<Join>,
) -> Result<Reply<Value>, ApiError> {
    find(&app, &form.id).await?;
    let token = fresh_token()?;
    let joined =
        app.games.change(&form.id, |state, now| state.join(Some(form.name), Some(Color::White), token, now));
    let (live, _) = joined.await?;
    let state = live.lock();
    let name = |color| state.seat(color).name.clone();
    Ok(Reply(json!({"id": state.id, "white": name(Color::White), "black": name(Color::Black),
                    "white_token": token.to_string()})))
}

#[derive(Deserialize)]
pub(super) struct Play {
    id: String,
    idx: String,
    black_token: Option<String>,
    white_token: Option<String>,
}

/// `POST /play`
pub(super) async fn play(
    State(app): State<Shared>,
    Form(form): Form<Play>,
) -> Result<Reply<Value>, ApiError> {
    let live = find(&app, &form.id).await?;
    let size = live.lock().position().size();
    let point = form.idx.trim().parse().ok().and_then(|index| Point::from_index(index, size));
    let point = point.ok_or_else(|| ApiError::BadMove("idx is a number from 0 to 63".to_owned()))?;
    // Each colour has a token of its own, and only that of the side to move is looked at.
    let token = |text: &Option<String>| -> Option<Token> { text.as_deref()?.trim().parse().ok() };
    let (black, white) = (token(&form.black_token), token(&form.white_token));
    let played = app.games.change(&form.id, |state, now| {
        let holders = [state.holder(black), state.holder(white)];
        let seats = [holders[0].plays(Color::Black), holders[1].plays(Color::White)];
        state.play(Holder { seats, host: false }, Move::Place(point), None, now)
    });
    let (live, ()) = played.await?;
    wait_for_computer(&live).await;
    Ok(Reply(spelled(&live.lock())))
}

/// The earlier program answered after the computer's reply.
async fn wait_for_computer(live: &LiveGame) {
    let mut changes = live.changes();
    let _ = tokio::time::timeout(PATIENCE, async {
        while live.lock().computer_to_move().is_some() {
            if changes.changed().await.is_err() {
                return;
            }
        }
    })
    .await;
}

fn spelled(state: &GameState) -> Value {
    let position = state.position();
    let counts = position.counts();
    let text: Vec<char> = answers::cells(position)
        .chars()
        .map(|live| match live {
            'X' => 'b',
            'O' => 'w',
            _ => ' ',
        })
        .collect();
    let rows: Vec<String> =
        text.chunks(position.size().get().into()).map(|row| row.iter().collect()).collect();
    let outcome = match state.phase {
        Phase::Over(ended) => match ended.winner {
            Some(Color::Black) => "Black wins",
            Some(Color::White) => "White wins",
            None => "Tie",
        },
        _ => "In progress",
    };
    let index = |point: Point| point.index(position.size());
    let verdict = state.turns.iter().rev().find(|turn| turn.verdict.is_some());
    let legal: Vec<usize> = match state.phase {
        Phase::Over(_) => Vec::new(),
        _ => position.placements().into_iter().map(index).collect(),
    };
    json!({
        "id": state.id,
        "white": state.seat(Color::White).name,
        "black": state.seat(Color::Black).name,
        "board": rows.join("\n"),
        "player": answers::color(position.turn()),
        "state": outcome,
        "white_count": counts.white,
        "black_count": counts.black,
        "n": position.size().get(),
        "legal": legal,
        "last": state.last().map(|last| index(last.point)),
        "nodes": verdict.and_then(|turn| turn.verdict).map_or(0, |verdict| verdict.nodes),
        "depth": verdict.and_then(|turn| turn.verdict).map_or(0, |verdict| verdict.depth),
        "time": verdict.map_or(0.0, |turn| turn.time_ms as f64 / 1000.0),
    })
}
