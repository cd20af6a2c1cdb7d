//! A position taken apart: what is legal, what each move is worth, what the board looks like to a player.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use emilia_classic::{Stability, View};
use emilia_engine::Stop;
use emilia_record::Opening;
use emilia_rules::{Color, Grid, GridPosition, Playable, SquareSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::body::{Json, Reply};
use super::ndjson::StopOnDrop;
use crate::answers::{self, Score, squares};
use crate::app::{Peer, Shared};
use crate::catalogue;
use crate::computer::Computer;
use crate::error::ApiError;
use crate::evaluate::{Evaluated, Valuation};
use crate::pool::{Owner, Pool, Slot};
use crate::position::{AboutPosition, GamePosition};
use crate::rate::Demand;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalyseRequest {
    player: Option<String>,
    time_ms: Option<u64>,
    #[serde(default)]
    overlays: bool,
}

/// Longest and usual time for all moves together.
const LONGEST: u64 = 30_000;
const USUAL: u64 = 1000;

/// `POST /api/analyse`
pub(super) async fn analyse(
    State(app): State<Shared>,
    Peer(address): Peer,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<Value>, ApiError> {
    let AboutPosition { position, request } = AboutPosition::<AnalyseRequest>::read(fields)?;
    let line = position.resolve()?;
    let position = *line.position();
    let mut answer = json!({
        "position": answers::position(&position, line.moves.len(), line.last(), line.game.objective),
        "moves": spelled_moves(&line),
        "opening": answers::opening(Opening::of(&line.game)),
        "player": request.player,
        "evaluations": [],
        "breakdown": null,
        "overlays": request.overlays.then(|| overlays(&position)),
    });
    if let Some(name) = request.player {
        let candidate = catalogue::candidate(&name)?.aiming_for(line.game.objective);
        app.rates.take(address, Demand::Analysis)?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
        if let Some((search, _)) = candidate.classic().filter(|(search, _)| search.method.evaluates()) {
            answer["breakdown"] = answers::breakdown(&search.evaluator, &position);
        }
        let evaluated = in_pool(&app.pool, Owner::Client(address), move |slot, stop| {
            let mut computer = Computer::new(&candidate, 0);
            Valuation { candidate: &candidate, by_discs: false, time, stop, slot }
                .moves(&position, &mut computer)
        })
        .await?;
        let spelled = (1..).zip(&evaluated).map(|(rank, one)| spelled(rank, one, position.turn()));
        answer["evaluations"] = spelled.collect();
    }
    Ok(Reply(answer))
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

fn spelled_moves(line: &GamePosition) -> Vec<Value> {
    let first = line.start.turn();
    let spell = |(index, mv): (usize, &emilia_rules::Move<_>)| {
        let side = if index.is_multiple_of(2) { first } else { !first };
        json!({"ply": index + 1, "color": answers::color(side), "move": mv.to_string()})
    };
    line.moves.iter().enumerate().map(spell).collect()
}

fn spelled(rank: u32, evaluated: &Evaluated, side: Color) -> Value {
    json!({
        "move": evaluated.mv.to_string(),
        "rank": rank,
        "score": evaluated.score.map(|score| Score::new(score, side)),
        "depth": evaluated.depth,
        "nodes": evaluated.nodes,
        "time_ms": evaluated.time.as_millis() as u64,
        "line": answers::moves(&evaluated.line),
        "solved": evaluated.solved,
        "stopped": evaluated.stopped,
    })
}

/// What a player sees on a board: where both could move, which discs are exposed, which are safe, which gaps are odd.
fn overlays(position: &GridPosition) -> Value {
    let by_color = |own: Value, opponent: Value| match position.turn() {
        Color::Black => json!({"black": own, "white": opponent}),
        Color::White => json!({"black": opponent, "white": own}),
    };
    let other = position.passed();
    let open = position.empties().grown();
    let (own, opponent) = Stability::both(&View::new(position));
    let stability = |of: Stability<Grid>| {
        json!({"stable": squares(of.stable), "semi_stable": squares(of.semi_stable),
               "unstable": squares(of.unstable)})
    };
    json!({
        "mobility": by_color(json!(squares(position.placements())), json!(squares(other.placements()))),
        "frontier": by_color(json!(squares(position.own() & open)), json!(squares(position.opponent() & open))),
        "stability": by_color(stability(own), stability(opponent)),
        "regions": regions(position),
    })
}

/// The connected groups of empty squares, in all eight directions.
fn regions(position: &GridPosition) -> Vec<Value> {
    let mut rest = position.empties();
    let mut regions = Vec::new();
    while let Some(first) = rest.into_iter().next() {
        let mut region = Grid::only(first);
        loop {
            let wider = region.grown() & rest;
            if wider == region {
                break;
            }
            region = wider;
        }
        rest = rest - region;
        regions.push(json!({"squares": squares(region), "odd": region.count() % 2 == 1}));
    }
    regions
}
