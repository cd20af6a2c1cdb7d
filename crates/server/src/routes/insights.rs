//! A picture of somebody's play: games in, judged one after the other, summed up.

use axum::extract::{FromRequest, Request, State};
use axum::response::Response;
use emilia_insight::JudgedGame;
use emilia_service::insights::{GamesFound, Insights, InsightsRequest, LARGEST, NamedFile, PlayedGames};
use serde::de::DeserializeOwned;

use super::body::{Held, Query, Reply, collect, object};
use super::ndjson::ndjson;
use super::work::in_pool;
use crate::answers::to_json;
use crate::app::Shared;
use crate::error::ApiError;
use crate::game::GameState;
use crate::insight_tables;
use crate::player_cache;
use crate::pool::Owner;
use crate::request_error::RequestError;
use crate::time::now;
use crate::visitor::Visitor;

/// Pictures that are made at a time, for everybody together: each keeps cores busy for minutes.
const MOST_AT_ONCE: u64 = 2;
/// Games of one picture on a server that is open to others.
const MOST_IN_PUBLIC: usize = 300;
/// Games of this server that are offered.
const MOST_PLAYED: usize = 2000;
/// Bytes of memory that a byte of a file may take while it is read: a move of two letters becomes a node of a tree.
const MEMORY_FOR_EACH_BYTE: u64 = 64;

/// A body with many games.
pub(super) struct Games<T>(T, usize);

impl<T: DeserializeOwned> FromRequest<Shared> for Games<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &Shared) -> Result<Games<T>, ApiError> {
        object(request, LARGEST).await.map(|(object, length)| Games(object, length))
    }
}

/// `POST /api/insights/games`
pub(super) async fn games(
    State(app): State<Shared>,
    visitor: Visitor,
    Query(file): Query<NamedFile>,
    request: Request,
) -> Result<Held, ApiError> {
    visitor.work(&app)?;
    let bytes = collect(request.into_body(), LARGEST).await?;
    let held = app.players.reserve(bytes.len() as u64 * MEMORY_FOR_EACH_BYTE)?;
    let found = in_pool(&app.pool, Owner::Client(visitor.address), move |_, _| {
        GamesFound::read(&bytes, file.name.as_deref()).map(|found| to_json(&found))
    });
    Ok(Held { text: found.await??, held })
}

/// `GET /api/insights/played`: those who share a machine share its games; strangers see those of the lobby.
pub(super) async fn played(State(app): State<Shared>) -> Result<Reply<PlayedGames>, ApiError> {
    let kept = app.profiles.tables(|tables| insight_tables::finished(tables, MOST_PLAYED)).await?;
    let everybody = app.config.public.is_none();
    let states = kept.iter().filter_map(|game| GameState::restore(game, now()).ok());
    Ok(Reply(PlayedGames::of(states.filter(|state| everybody || state.terms.public))))
}

/// `POST /api/insights`
pub(super) async fn insights(
    State(app): State<Shared>,
    visitor: Visitor,
    Games(request, length): Games<InsightsRequest>,
) -> Result<Response, ApiError> {
    let asked = Insights::read(request)?;
    if app.config.public.is_some() && asked.games() > MOST_IN_PUBLIC {
        return Err(RequestError::TooMuch { what: "games of a player", most: MOST_IN_PUBLIC as u64 }.into());
    }
    visitor.work(&app)?;
    let permit = app.metrics.insights.enter(MOST_AT_ONCE);
    let permit =
        permit.ok_or(ApiError::TooMany("other games are being judged; wait until that has ended"))?;
    // Half the cores, so that games go on meanwhile.
    let threads = app.config.threads.div_ceil(2);
    let players = threads as u64 * player_cache::bytes(asked.candidate());
    let held = app.players.reserve(length as u64 * MEMORY_FOR_EACH_BYTE + players)?;
    let keys = asked.keys();
    let known = app.profiles.tables(move |tables| insight_tables::judged(tables, &keys)).await?;
    let (lines, answer) = ndjson();
    let (stop, profiles) = (lines.stop(), app.profiles.clone());
    let runtime = tokio::runtime::Handle::current();
    app.pool.run(Owner::Client(visitor.address), move |slot| {
        let _counted = (&permit, &held);
        let keep = |game: &JudgedGame| {
            let (game, profiles) = (game.clone(), profiles.clone());
            // What cannot be kept is judged again another time.
            runtime.spawn(
                async move { profiles.tables(move |tables| insight_tables::keep(tables, &game)).await },
            );
        };
        // The games have threads of their own, and the system shares out the cores.
        slot.outside(|| asked.run(known, keep, threads, &lines, &stop));
    })?;
    Ok(answer)
}
