//! Questions that somebody has to think about: each waits for its turn in the pool.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use emilia_query::Stop;
use emilia_service::analyse::{Analyse, Analysis};
use emilia_service::deepen::Deepen;
use emilia_service::duels::{Duel, DuelRequest};
use emilia_service::evaluate::{EvaluateAnswer, evaluate as judge};
use emilia_service::evolutions::Breeding;
use emilia_service::hint::{Hint, HintAnswer};
use emilia_service::import::{Import, Source};
use emilia_service::review::GameReview;
use emilia_service::steps::Watch;
use emilia_service::tree::Trace;
use emilia_service::wthor::{WthorFiles, WthorList};
use serde_json::{Map, Value};

use super::body::{DatabaseFiles, File, Held, Json, Query, Reply};
use super::ndjson::{StopOnDrop, ndjson};
use crate::answers::to_json;
use crate::app::Shared;
use crate::error::ApiError;
use crate::player_cache;
use crate::pool::{Owner, Pool, Slot};
use crate::visitor::Visitor;

/// Evolutions that run at a time, for everybody together: each keeps cores busy for minutes.
const MOST_EVOLUTIONS: u64 = 4;
/// Bytes that one of them takes: a hundred individuals and their games on every core.
const EVOLUTION_MEMORY: u64 = 16 << 20;

/// `POST /api/analyse`
pub(super) async fn analyse(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<Analysis>, ApiError> {
    let asked = Analyse::read(fields)?;
    let Some(candidate) = asked.candidate().cloned() else { return Ok(Reply(asked.plain())) };
    visitor.work(&app)?;
    let players = app.players.clone();
    let judged = in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| {
        players.fresh(&candidate, 0).map(|mut computer| asked.judged(&mut computer, stop, slot))
    });
    Ok(Reply(judged.await??))
}

/// `POST /api/deepen`
pub(super) async fn deepen(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Response, ApiError> {
    let asked = Deepen::read(fields)?;
    visitor.work(&app)?;
    // Half the cores, so that games go on meanwhile.
    let candidate = Deepen::analyst(app.config.threads.div_ceil(2))?;
    // Somebody who comes once gets memory now or is told that there is none.
    let fresh = match asked.session() {
        None => Some(app.players.fresh(&candidate, 0)?),
        Some(_) => None,
    };
    let (players, analysts) = (app.players.clone(), app.analysts.clone());
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    app.pool.run(Owner::Client(visitor.address), move |slot| {
        if let Some(mut computer) = fresh {
            return asked.run(&mut computer, &lines, &stop, slot);
        }
        let session = asked.session().unwrap_or_default();
        let mut lent = analysts.lend(&players, visitor.address, session, &candidate);
        if let Some(computer) = &mut lent.computer {
            asked.run(computer, &lines, &stop, slot);
        }
    })?;
    Ok(answer)
}

/// `POST /api/hint`
pub(super) async fn hint(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<HintAnswer>, ApiError> {
    let asked = Hint::read(fields)?;
    visitor.work(&app)?;
    let candidate = Hint::candidate()?;
    let players = app.players.clone();
    let found = in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| {
        players.fresh(&candidate, 0).and_then(|mut computer| Ok(asked.find(&mut computer, stop, slot)?))
    });
    Ok(Reply(found.await??))
}

/// `POST /api/import`
pub(super) async fn import(
    State(app): State<Shared>,
    visitor: Visitor,
    Query(source): Query<Source>,
    File(bytes): File,
) -> Result<Held, ApiError> {
    visitor.work(&app)?;
    let held = app.players.reserve(emilia_service::import::bytes(bytes.len()))?;
    let imported = in_pool(&app.pool, Owner::Client(visitor.address), move |_, _| {
        Import::read(&bytes, &source).map(|import| to_json(&import))
    });
    Ok(Held { text: imported.await??, held })
}

/// `POST /api/import/wthor`
pub(super) async fn wthor(
    State(app): State<Shared>,
    visitor: Visitor,
    Query(files): Query<WthorFiles>,
    DatabaseFiles(bytes): DatabaseFiles,
) -> Result<Response, ApiError> {
    visitor.work(&app)?;
    let held = app.players.reserve(emilia_service::wthor::bytes(bytes.len()))?;
    let list = WthorList::read(&bytes, &files)?;
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    app.pool.run(Owner::Client(visitor.address), move |_| {
        // Counted until the last game is told.
        let _held = held;
        list.run(&lines, &stop);
    })?;
    Ok(answer)
}

/// `POST /api/tree`
pub(super) async fn tree(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Held, ApiError> {
    let asked = Trace::read(fields)?;
    visitor.work(&app)?;
    let held = app.players.reserve(asked.bytes())?;
    let traced =
        in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| asked.answer(stop, slot));
    Ok(Held { text: to_json(&traced.await??), held })
}

/// `POST /api/steps`
pub(super) async fn steps(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Held, ApiError> {
    let asked = Watch::read(fields)?;
    visitor.work(&app)?;
    let held = app.players.reserve(asked.bytes())?;
    let watched =
        in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| asked.answer(stop, slot));
    Ok(Held { text: to_json(&watched.await??), held })
}

/// `POST /api/evaluate`
pub(super) async fn evaluate(
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<EvaluateAnswer>, ApiError> {
    Ok(Reply(judge(fields)?))
}

/// `POST /api/review`
pub(super) async fn review(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Response, ApiError> {
    let asked = GameReview::read(fields)?;
    visitor.work(&app)?;
    let judge = app.players.judge(asked.candidate().clone())?;
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    app.pool.run(Owner::Client(visitor.address), move |slot| asked.run(judge, &lines, &stop, slot))?;
    Ok(answer)
}

/// `POST /api/duels`
pub(super) async fn duel(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(request): Json<DuelRequest>,
) -> Result<Response, ApiError> {
    let asked = Duel::read(request)?;
    visitor.work(&app)?;
    let held = app.players.reserve(asked.players().iter().map(player_cache::bytes).sum())?;
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    app.pool.run(Owner::Client(visitor.address), move |slot| {
        // Counted until the last game is over.
        let _held = held;
        asked.run(&lines, &stop, slot);
    })?;
    Ok(answer)
}

/// `POST /api/evolutions`
pub(super) async fn evolve(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Response, ApiError> {
    let asked = Breeding::read(fields)?;
    visitor.work(&app)?;
    let permit = app.metrics.evolutions.enter(MOST_EVOLUTIONS);
    let permit =
        permit.ok_or(ApiError::TooMany("other evolutions are under way; wait until one has ended"))?;
    let held = app.players.reserve(EVOLUTION_MEMORY)?;
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    // Half the cores, so that games go on meanwhile.
    let threads = app.config.threads.div_ceil(2);
    app.pool.run(Owner::Client(visitor.address), move |slot| {
        let _counted = (permit, held);
        // The games have threads of their own, and the system shares out the cores.
        slot.outside(|| asked.run(threads, &lines, &stop));
    })?;
    Ok(answer)
}

/// Does work in the pool; if the client hangs up, the work stops.
pub(super) async fn in_pool<T: Send + 'static>(
    pool: &Pool,
    owner: Owner,
    work: impl FnOnce(&Slot<'_>, &Stop) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let stop: Arc<Stop> = Arc::default();
    let _guard = StopOnDrop(Arc::clone(&stop));
    let done = pool.run(owner, move |slot| work(slot, &stop))?;
    done.await.map_err(|_| ApiError::TooMany("the analysis could not be finished; try again"))
}
