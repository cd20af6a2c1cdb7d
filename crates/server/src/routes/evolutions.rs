//! Weights evolve while somebody watches.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use emilia_learn::evolution::{Evolution, Generation, Hall};
use serde_json::{Map, Value, json};

use super::body::Json;
use super::ndjson::{NdjsonWriter, ndjson};
use crate::app::{Peer, Shared};
use crate::error::ApiError;
use crate::evolution_request::{EvolutionRequest, player, spelled_weights};
use crate::pool::Owner;
use crate::rate::Demand;

/// Evolutions that run at a time, for everybody together: each keeps cores busy for minutes.
const MOST: u64 = 4;
/// How often the count of games is told.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// `POST /api/evolutions`
pub(super) async fn evolve(
    State(app): State<Shared>,
    Peer(address): Peer,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Response, ApiError> {
    // An object, not a list: that would be read as one with nothing said.
    let request: EvolutionRequest = serde_json::from_value(Value::Object(fields))
        .map_err(|error| ApiError::BadJson(error.to_string()))?;
    let (mut evolution, search) = request.evolution()?;
    app.rates.take(address, Demand::Analysis)?;
    let permit = app.metrics.evolutions.enter(MOST);
    let permit =
        permit.ok_or(ApiError::TooMany("other evolutions are under way; wait until one has ended"))?;
    let (lines, answer) = ndjson();
    let stop = lines.stop();
    // Half the cores, so that games go on meanwhile.
    let threads = app.config.threads.div_ceil(2);
    app.pool.run(Owner::Client(address), move |slot| {
        let _permit = permit;
        lines.write(&started(&evolution));
        // The games have threads of their own, and the system shares out the cores.
        slot.outside(|| {
            let hall = Hall { search, threads, stop: stop.flag() };
            run(&mut evolution, &hall, &lines);
        });
    })?;
    Ok(answer)
}

/// Breeds until all is done or nobody watches any more.
fn run(evolution: &mut Evolution, hall: &Hall<'_>, lines: &NdjsonWriter) {
    while !evolution.is_done() {
        let mut count = Counter::new(evolution, lines);
        if evolution.advance(hall, |done| count.tell(done)).is_err() {
            return;
        }
        let Some(generation) = evolution.history().last() else { return };
        let mut line = spelled(generation, evolution);
        line["type"] = "generation".into();
        line["checkpoint"] = checkpoint(evolution);
        lines.write(&line);
    }
    let mut count = Counter::new(evolution, lines);
    let Ok(evolved) = evolution.conclude(hall, |done| count.tell(done)) else { return };
    let mut line = spelled(&evolved.generation, evolution);
    line["type"] = "end".into();
    line["genes"] = json!(evolved.genes.values());
    line["weights"] = spelled_weights(&evolved.genes).into();
    line["player"] = player(&evolution.plan().search, &evolved.genes).into();
    line["fitness"] = evolved.fitness.into();
    lines.write(&line);
}

/// Tells how many games of a generation are done, not too often.
struct Counter<'l> {
    lines: &'l NdjsonWriter,
    generation: usize,
    games: u64,
    told: Instant,
}

impl Counter<'_> {
    fn new<'l>(evolution: &Evolution, lines: &'l NdjsonWriter) -> Counter<'l> {
        let games = evolution.plan().games_a_generation();
        Counter { lines, generation: evolution.history().len() + 1, games, told: Instant::now() }
    }

    fn tell(&mut self, done: u64) {
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let (generation, games) = (self.generation, self.games);
            self.lines.write_if_read(
                &json!({"type": "games", "generation": generation, "done": done, "games": games}),
            );
        }
    }
}

fn started(evolution: &Evolution) -> Value {
    let plan = evolution.plan();
    let history: Vec<Value> =
        evolution.history().iter().map(|generation| spelled(generation, evolution)).collect();
    json!({"type": "start", "plan": plan, "most_points": plan.most_points(),
           "games_a_generation": plan.games_a_generation(), "history": history, "checkpoint": checkpoint(evolution)})
}

fn spelled(generation: &Generation, evolution: &Evolution) -> Value {
    let fittest = &generation.fittest;
    json!({
        "generation": generation.number,
        "best": generation.best,
        "mean": generation.mean,
        "worst": generation.worst,
        "games": generation.games,
        "decisive": generation.decisive,
        "genes": fittest.values(),
        "weights": spelled_weights(fittest),
        "player": player(&evolution.plan().search, fittest),
    })
}

/// What is needed to go on later, in one object.
fn checkpoint(evolution: &Evolution) -> Value {
    serde_json::from_str(&evolution.checkpoint()).unwrap_or_default()
}
