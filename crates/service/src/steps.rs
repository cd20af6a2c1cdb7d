//! The steps of a textbook search, to be watched one by one.

use std::ops::ControlFlow;
use std::time::Duration;

use emilia_engine::Candidate;
use emilia_query::{Limits, Query, Report, Stop};
use emilia_rules::Playable;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::answers::ReportAnswer;
use crate::catalogue;
use crate::error::ServiceError;
use crate::position::AboutPosition;
use crate::request_error::BadPlayer;
use crate::slot::Slot;

/// Which search is to be watched, and how many of its steps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepsRequest {
    player: Option<String>,
    steps: Option<usize>,
    time_ms: Option<u64>,
}

/// What the search found, and every step on the way.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepsAnswer {
    player: String,
    report: ReportAnswer,
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    steps: Box<RawValue>,
}

/// Steps that are kept, usually and at most: a tree of 100,000 nodes takes about 230,000.
const USUAL_STEPS: usize = 20_000;
const MOST_STEPS: usize = 300_000;
/// Bytes that a step may take, as numbers and in the answer, and those of the search itself.
const BYTES_FOR_EACH_STEP: usize = 256;
const BESIDES: u64 = 16 << 20;
/// Time for the search, usually and at most.
const USUAL_TIME: u64 = 5000;
const LONGEST: u64 = 10_000;
/// A small tree to begin with.
const USUAL_PLAYER: &str = "alphabeta:depth=3";

/// A request that is checked.
pub struct Watch {
    query: Query,
    candidate: Candidate,
    name: String,
    most: usize,
}

impl Watch {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Watch, ServiceError> {
        let AboutPosition { position, request } = AboutPosition::<StepsRequest>::read(fields)?;
        let line = position.resolve()?;
        let name = request.player.unwrap_or_else(|| USUAL_PLAYER.to_owned());
        let candidate = catalogue::candidate(&name)?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL_TIME).clamp(1, LONGEST));
        let mut query = Query::new(*line.position()).within(Limits::time(time));
        query.objective = Some(line.game.objective);
        let most = request.steps.unwrap_or(USUAL_STEPS).clamp(1, MOST_STEPS);
        Ok(Watch { query, candidate, name, most })
    }

    /// Bytes of memory that this may take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        BESIDES + (self.most * BYTES_FOR_EACH_STEP) as u64
    }

    /// Searches.
    pub fn answer(self, stop: &Stop, slot: &dyn Slot) -> Result<StepsAnswer, ServiceError> {
        let mut watch = |_: &Report| {
            slot.yield_now();
            ControlFlow::Continue(())
        };
        let watched = self.candidate.steps(&self.query, self.most, stop, &mut watch);
        let (report, steps) = watched.ok_or_else(|| BadPlayer::NoSteps(self.name.clone()))?;
        let steps = RawValue::from_string(steps.to_json()).expect("steps are written as JSON");
        let report = ReportAnswer::new(&report, self.query.position().turn());
        Ok(StepsAnswer { player: self.name, report, steps })
    }
}
