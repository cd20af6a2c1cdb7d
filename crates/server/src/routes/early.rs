//! The interface of the browser game that came before: forms in, JSON out, 8×8 only.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use emilia_rules::{Color, Move, Playable, Point};
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::{Form, GameId, Reply};
use super::games::fresh_token;
use crate::app::{Peer, Shared};
use crate::hall::Cell;
use crate::moment::now;
use crate::rate::Demand;
use crate::refusal::Refusal;
use crate::spelling;
use crate::table::{Holder, Mode, NewGame, Phase, Side, Table};
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
    for cell in app.hall.all() {
        let table = cell.lock();
        if is_early(&table) && table.terms.public && !matches!(table.phase, Phase::Over(_)) {
            let name = |color| table.seat(color).name.clone();
            let line = json!({"id": table.id, "white": name(Color::White), "black": name(Color::Black)});
            found.push((table.created, line));
        }
    }
    found.sort_by_key(|(created, _)| std::cmp::Reverse(*created));
    Reply(found.into_iter().take(MOST).map(|(_, line)| line).collect())
}

/// Whether the game could have been played in the earlier program.
fn is_early(table: &Table) -> bool {
    table.position().size().get() == 8
}

async fn find(app: &Shared, id: &str) -> Result<Arc<Cell>, Refusal> {
    let cell = app.hall.find(id).await?;
    let early = is_early(&cell.lock());
    if early { Ok(cell) } else { Err(Refusal::UnknownGame) }
}

/// `GET /game/{id}`
pub(super) async fn game(State(app): State<Shared>, GameId(id): GameId) -> Result<Reply<Value>, Refusal> {
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
) -> Result<Reply<Value>, Refusal> {
    app.rates.take(address, Demand::NewGame)?;
    let against_computer = match form.ai.as_str() {
        "true" => true,
        "false" | "" => false,
        _ => return Err(Refusal::BadRequest("ai is true or false".to_owned())),
    };
    let mut wanted = NewGame::plain(if against_computer { Mode::Computer } else { Mode::Link });
    wanted.black.name = Some(form.name);
    wanted.pause_ms = Some(0);
    if against_computer {
        wanted.white = Side { name: Some("AI".to_owned()), player: Some(COMPUTER.to_owned()) };
    }
    let token = fresh_token()?;
    let (terms, seats) = wanted.check(token)?;
    let table = Table::new(fresh_token()?, token, terms, seats, now());
    let cell = app.hall.open(table).await?;
    let mut answer = spelled(&cell.lock());
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
pub(super) async fn join(State(app): State<Shared>, Form(form): Form<Join>) -> Result<Reply<Value>, Refusal> {
    find(&app, &form.id).await?;
    let token = fresh_token()?;
    let joined =
        app.hall.change(&form.id, |table, now| table.join(Some(form.name), Some(Color::White), token, now));
    let (cell, _) = joined.await?;
    let table = cell.lock();
    let name = |color| table.seat(color).name.clone();
    Ok(Reply(json!({"id": table.id, "white": name(Color::White), "black": name(Color::Black),
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
pub(super) async fn play(State(app): State<Shared>, Form(form): Form<Play>) -> Result<Reply<Value>, Refusal> {
    let cell = find(&app, &form.id).await?;
    let size = cell.lock().position().size();
    let point = form.idx.trim().parse().ok().and_then(|index| Point::from_index(index, size));
    let point = point.ok_or_else(|| Refusal::BadMove("idx is a number from 0 to 63".to_owned()))?;
    // Each colour has a token of its own, and only that of the side to move is looked at.
    let token = |text: &Option<String>| -> Option<Token> { text.as_deref()?.trim().parse().ok() };
    let (black, white) = (token(&form.black_token), token(&form.white_token));
    let played = app.hall.change(&form.id, |table, now| {
        let holders = [table.holder(black), table.holder(white)];
        let seats = [holders[0].plays(Color::Black), holders[1].plays(Color::White)];
        table.play(Holder { seats, host: false }, Move::Place(point), None, now)
    });
    let (cell, ()) = played.await?;
    wait_for_computer(&cell).await;
    Ok(Reply(spelled(&cell.lock())))
}

/// The earlier program answered after the computer's reply.
async fn wait_for_computer(cell: &Cell) {
    let mut changes = cell.changes();
    let _ = tokio::time::timeout(PATIENCE, async {
        while cell.lock().computer_to_move().is_some() {
            if changes.changed().await.is_err() {
                return;
            }
        }
    })
    .await;
}

fn spelled(table: &Table) -> Value {
    let position = table.position();
    let counts = position.counts();
    let text: Vec<char> = spelling::cells(position)
        .chars()
        .map(|cell| match cell {
            'X' => 'b',
            'O' => 'w',
            _ => ' ',
        })
        .collect();
    let rows: Vec<String> =
        text.chunks(position.size().get().into()).map(|row| row.iter().collect()).collect();
    let state = match table.phase {
        Phase::Over(ended) => match ended.winner {
            Some(Color::Black) => "Black wins",
            Some(Color::White) => "White wins",
            None => "Tie",
        },
        _ => "In progress",
    };
    let index = |point: Point| point.index(position.size());
    let verdict = table.turns.iter().rev().find(|turn| turn.verdict.is_some());
    let legal: Vec<usize> = match table.phase {
        Phase::Over(_) => Vec::new(),
        _ => position.placements().into_iter().map(index).collect(),
    };
    json!({
        "id": table.id,
        "white": table.seat(Color::White).name,
        "black": table.seat(Color::Black).name,
        "board": rows.join("\n"),
        "player": spelling::color(position.turn()),
        "state": state,
        "white_count": counts.white,
        "black_count": counts.black,
        "n": position.size().get(),
        "legal": legal,
        "last": table.last().map(|last| index(last.point)),
        "nodes": verdict.and_then(|turn| turn.verdict).map_or(0, |verdict| verdict.nodes),
        "depth": verdict.and_then(|turn| turn.verdict).map_or(0, |verdict| verdict.depth),
        "time": verdict.map_or(0.0, |turn| turn.time_ms as f64 / 1000.0),
    })
}
