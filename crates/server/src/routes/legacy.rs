//! The interface of the browser game that came before: forms in, JSON out, 8×8 only.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use emilia_rules::{Color, GridPosition, Move, Playable, Point};
use serde::{Deserialize, Serialize};

use super::body::{Form, GameId, Reply};
use super::games::{chance, fresh_token};
use crate::answers;
use crate::app::Shared;
use crate::error::ApiError;
use crate::game::{GameState, Holder, Mode, NewGame, Phase, Side};
use crate::live_game::LiveGame;
use crate::names::ColorName;
use crate::request_error::{BadMove, RequestError};
use crate::time::now;
use crate::token::Token;
use crate::visitor::Visitor;

/// What played White then.
const COMPUTER: &str = "s1";
/// How long an answer waits for the computer's reply. Who gets none asks again.
const PATIENCE: Duration = Duration::from_secs(5);
/// Games listed at most.
const MOST: usize = 200;

/// Who plays in a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LegacyPlayers {
    id: String,
    white: Option<String>,
    black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_token: Option<String>,
}

impl LegacyPlayers {
    fn of(state: &GameState, white_token: Option<Token>) -> LegacyPlayers {
        let name = |color| state.seat(color).name.clone();
        LegacyPlayers {
            id: state.id.clone(),
            white: name(Color::White),
            black: name(Color::Black),
            white_token: white_token.map(|token| token.to_string()),
        }
    }
}

/// `GET /games`
pub(super) async fn games(State(app): State<Shared>) -> Reply<Vec<LegacyPlayers>> {
    let mut found = Vec::new();
    for live in app.games.all() {
        let state = live.lock();
        if is_legacy(&state) && state.terms.public && !matches!(state.phase, Phase::Over(_)) {
            found.push((state.created, LegacyPlayers::of(&state, None)));
        }
    }
    found.sort_by_key(|(created, _)| std::cmp::Reverse(*created));
    Reply(found.into_iter().take(MOST).map(|(_, players)| players).collect())
}

/// Whether the game could have been played in the earlier program.
fn is_legacy(state: &GameState) -> bool {
    state.position().size().get() == 8
}

async fn find(app: &Shared, id: &str) -> Result<Arc<LiveGame>, ApiError> {
    let live = app.games.find(id).await?;
    let legacy = is_legacy(&live.lock());
    if legacy { Ok(live) } else { Err(ApiError::UnknownGame) }
}

/// `GET /game/{id}`
pub(super) async fn game(
    State(app): State<Shared>,
    GameId(id): GameId,
) -> Result<Reply<LegacyGame>, ApiError> {
    Ok(Reply(LegacyGame::of(&find(&app, &id).await?.lock(), None)))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Create {
    #[serde(default)]
    name: String,
    #[serde(default)]
    ai: String,
}

/// `POST /create`
pub(super) async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    Form(form): Form<Create>,
) -> Result<Reply<LegacyGame>, ApiError> {
    visitor.play(&app, &[])?;
    let against_computer = match form.ai.as_str() {
        "true" => true,
        "false" | "" => false,
        _ => return Err(RequestError::Contradiction("ai is true or false").into()),
    };
    let mut wanted = NewGame::plain(if against_computer { Mode::Computer } else { Mode::Link });
    wanted.black.name = Some(form.name);
    wanted.pause_ms = Some(0);
    if against_computer {
        wanted.white = Side { name: Some("AI".to_owned()), player: Some(COMPUTER.to_owned()) };
    }
    let token = fresh_token()?;
    let (terms, seats) = wanted.check(token, chance())?;
    let state = GameState::new(fresh_token()?, token, terms, seats, now());
    let live = app.games.open(state).await?;
    Ok(Reply(LegacyGame::of(&live.lock(), Some(token))))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Join {
    id: String,
    #[serde(default)]
    name: String,
}

/// `POST /join`
pub(super) async fn join(
    State(app): State<Shared>,
    Form(form): Form<Join>,
) -> Result<Reply<LegacyPlayers>, ApiError> {
    find(&app, &form.id).await?;
    let token = fresh_token()?;
    let joined = app
        .games
        .change(&form.id, |state, now| Ok(state.join(Some(form.name), Some(Color::White), token, now)?));
    let (live, _) = joined.await?;
    Ok(Reply(LegacyPlayers::of(&live.lock(), Some(token))))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
) -> Result<Reply<LegacyGame>, ApiError> {
    let live = find(&app, &form.id).await?;
    let size = live.lock().position().size();
    let point = form.idx.trim().parse().ok().and_then(|index| Point::from_index(index, size));
    let point = point.ok_or(BadMove::Index)?;
    // Each colour has a token of its own, and only that of the side to move is looked at.
    let token = |text: &Option<String>| -> Option<Token> { text.as_deref()?.trim().parse().ok() };
    let (black, white) = (token(&form.black_token), token(&form.white_token));
    let played = app.games.change(&form.id, |state, now| {
        let holders = [state.holder(black), state.holder(white)];
        let seats = [holders[0].plays(Color::Black), holders[1].plays(Color::White)];
        Ok(state.play(Holder { seats, host: false }, Move::Place(point), None, now)?)
    });
    let (live, ()) = played.await?;
    wait_for_computer(&live).await;
    let (version, game) = {
        let state = live.lock();
        (state.version, LegacyGame::of(&state, None))
    };
    live.settled(version).await;
    Ok(Reply(game))
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

/// A game as that program showed it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LegacyGame {
    id: String,
    white: Option<String>,
    black: Option<String>,
    board: String,
    player: ColorName,
    state: &'static str,
    white_count: u32,
    black_count: u32,
    n: u8,
    legal: Vec<usize>,
    last: Option<usize>,
    nodes: u64,
    depth: u32,
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_token: Option<String>,
}

impl LegacyGame {
    fn of(state: &GameState, black_token: Option<Token>) -> LegacyGame {
        let position = state.position();
        let counts = position.counts();
        let index = |point: Point| point.index(position.size());
        let over = matches!(state.phase, Phase::Over(_));
        let thought = state.turns.iter().rev().find_map(|turn| Some((turn.verdict?, turn.time_ms)));
        LegacyGame {
            id: state.id.clone(),
            white: state.seat(Color::White).name.clone(),
            black: state.seat(Color::Black).name.clone(),
            board: legacy_board(position),
            player: position.turn().into(),
            state: match state.phase {
                Phase::Over(ended) => match ended.winner {
                    Some(Color::Black) => "Black wins",
                    Some(Color::White) => "White wins",
                    None => "Tie",
                },
                _ => "In progress",
            },
            white_count: counts.white,
            black_count: counts.black,
            n: position.size().get(),
            legal: if over { Vec::new() } else { position.placements().into_iter().map(index).collect() },
            last: state.last().map(|last| index(last.point)),
            nodes: thought.map_or(0, |(verdict, _)| verdict.nodes),
            depth: thought.map_or(0, |(verdict, _)| verdict.depth),
            time: thought.map_or(0.0, |(_, time_ms)| time_ms as f64 / 1000.0),
            black_token: black_token.map(|token| token.to_string()),
        }
    }
}

/// Rows of `b`, `w` and blanks.
fn legacy_board(position: &GridPosition) -> String {
    let letters: Vec<char> = answers::cells(position)
        .chars()
        .map(|cell| match cell {
            'X' => 'b',
            'O' => 'w',
            _ => ' ',
        })
        .collect();
    let rows = letters.chunks(position.size().get().into()).map(|row| row.iter().collect());
    rows.collect::<Vec<String>>().join("\n")
}
