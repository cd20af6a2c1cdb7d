//! The opening trainer: a step of it, with searches where nothing else knows, and what was missed as cards.

use axum::extract::State;
use emilia_openings::{Filter, Page};
use emilia_rules::{GridPosition, Point};
use emilia_service::learner::{
    Findings, LinesAnswer, LinesRequest, Missing, OpeningStep, Openings, Purpose, TrainRequest, Training,
    Valued,
};

use super::body::{Bearer, Json, Reply};
use super::openings::blocking;
use super::work::in_pool;
use crate::TOURNAMENTS;
use crate::app::Shared;
use crate::error::ApiError;
use crate::pool::Owner;
use crate::rate::Demand;
use crate::time::now;
use crate::visitor::Visitor;

/// `GET /api/train/openings`
pub(super) async fn openings() -> Reply<Openings> {
    Reply(Openings::all())
}

/// `POST /api/train/opening`
pub(super) async fn train(
    State(app): State<Shared>,
    visitor: Visitor,
    Bearer(token): Bearer,
    Json(request): Json<TrainRequest>,
) -> Result<Reply<Training>, ApiError> {
    let step = request.read()?;
    let mut found = Findings::default();
    let walk = loop {
        match step.walk(&found) {
            Ok(walk) => break walk,
            Err(missing) => find(&app, &visitor, missing, &mut found).await?,
        }
    };
    if token.is_none() || !walk.is_to_be_noted() {
        return Ok(Reply(walk.told()));
    }
    Ok(Reply(app.profiles.of(token, move |tables| walk.noted(tables, now())).await?))
}

/// Finds what a step has to know.
async fn find(
    app: &Shared,
    visitor: &Visitor,
    missing: Missing,
    found: &mut Findings,
) -> Result<(), ApiError> {
    match missing {
        Missing::People { position } => found.people(*position, people(app, *position).await?),
        Missing::Values { position, purpose } => {
            let values = match (searched(app, visitor, *position).await, purpose) {
                (Ok(values), _) => Some(values),
                (Err(_), Purpose::Loss) => None,
                // Where the book ends and nobody may search, so does the opening.
                (Err(ApiError::NotInvited), Purpose::Reply) => None,
                (Err(error), _) => return Err(error),
            };
            found.value(*position, values);
        }
    }
    Ok(())
}

/// How often people played each move in tournaments.
async fn people(app: &Shared, position: GridPosition) -> Result<Valued, ApiError> {
    let explored = blocking(&app.library, move |library| {
        library.explore(TOURNAMENTS, &position, &Filter::default(), Page::first(0))
    });
    let moves = explored.await?.moves.into_iter();
    let placed = moves.filter_map(|known| Some((Point::from(known.mv.square()?), known.tally.games as f64)));
    Ok(placed.collect())
}

/// What each move is worth by a search.
async fn searched(app: &Shared, visitor: &Visitor, position: GridPosition) -> Result<Valued, ApiError> {
    visitor.work(app)?;
    let mut judge = app.players.judge(OpeningStep::judge()?)?;
    let values = in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| {
        OpeningStep::search(position, &mut judge, stop, slot)
    });
    values.await
}

/// `POST /api/train/lines`
pub(super) async fn lines(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(request): Json<LinesRequest>,
) -> Result<Reply<LinesAnswer>, ApiError> {
    let question = request.read()?;
    app.rates.take(visitor.address, Demand::Analysis)?;
    let counted = in_pool(&app.pool, Owner::Client(visitor.address), move |_, _| question.answer());
    Ok(Reply(counted.await??))
}
