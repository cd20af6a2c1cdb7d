//! The tree that a textbook search goes through, for a classroom to look at.

use std::ops::ControlFlow;
use std::time::Duration;

use emilia_classic::TraceLimits;
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

/// Which search is to be looked at, and how much of its tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeRequest {
    player: Option<String>,
    nodes: Option<usize>,
    levels: Option<u32>,
    time_ms: Option<u64>,
}

/// What the search found, and the tree it went through.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeAnswer {
    player: String,
    report: ReportAnswer,
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    tree: Box<RawValue>,
}

/// Nodes of the tree that are kept, usually and at most.
const USUAL_NODES: usize = 400;
const MOST_NODES: usize = 5000;
/// Bytes that a node may take, in the tree and in the answer, and those of the search itself.
const BYTES_FOR_EACH_NODE: usize = 4 << 10;
const BESIDES: u64 = 1 << 20;
/// Time for the search, usually and at most.
const USUAL_TIME: u64 = 2000;
const LONGEST: u64 = 10_000;
/// A small tree to begin with.
const USUAL_PLAYER: &str = "alphabeta:depth=3";

/// A request that is checked.
pub struct Trace {
    query: Query,
    candidate: Candidate,
    name: String,
    limits: TraceLimits,
}

impl Trace {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Trace, ServiceError> {
        let AboutPosition { position, request } = AboutPosition::<TreeRequest>::read(fields)?;
        let position = *position.resolve()?.position();
        let name = request.player.unwrap_or_else(|| USUAL_PLAYER.to_owned());
        let candidate = catalogue::candidate(&name)?;
        candidate.evaluator().ok_or_else(|| BadPlayer::NoTree(name.clone()))?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL_TIME).clamp(1, LONGEST));
        let limits = TraceLimits {
            nodes: request.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES),
            depth: request.levels.unwrap_or(u32::MAX),
        };
        Ok(Trace { query: Query::new(position).within(Limits::time(time)), candidate, name, limits })
    }

    /// Bytes of memory that this may take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        BESIDES + (self.limits.nodes * BYTES_FOR_EACH_NODE) as u64
    }

    /// Searches.
    pub fn answer(self, stop: &Stop, slot: &dyn Slot) -> Result<TreeAnswer, ServiceError> {
        let mut watch = |_: &Report| {
            slot.yield_now();
            ControlFlow::Continue(())
        };
        let traced = self.candidate.trace(&self.query, self.limits, stop, &mut watch);
        let (report, tree) = traced.ok_or_else(|| BadPlayer::NoTree(self.name.clone()))?;
        let tree =
            RawValue::from_string(tree.to_json().trim_end().to_owned()).expect("a tree is written as JSON");
        let report = ReportAnswer::new(&report, self.query.position().turn());
        Ok(TreeAnswer { player: self.name, report, tree })
    }
}
