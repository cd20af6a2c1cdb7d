//! The judgement of one position, taken apart down to the squares.

use std::collections::BTreeMap;

use emilia_engine::Candidate;
use emilia_rules::{GridPosition, Playable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answers::Breakdown;
use crate::catalogue;
use crate::error::ServiceError;
use crate::position::AboutPosition;
use crate::request_error::BadPlayer;

/// Whose evaluator is to judge.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvaluateRequest {
    player: String,
}

/// The judgement, and for each component what it counts on which square: for the side to move above 0, for the other
/// side below.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvaluateAnswer {
    breakdown: Breakdown,
    squares: BTreeMap<&'static str, BTreeMap<String, i32>>,
}

/// Judges a position.
pub fn evaluate(fields: Map<String, Value>) -> Result<EvaluateAnswer, ServiceError> {
    let AboutPosition { position, request } = AboutPosition::<EvaluateRequest>::read(fields)?;
    let line = position.resolve()?;
    let position: &GridPosition = line.position();
    let candidate: Candidate = catalogue::candidate(&request.player)?;
    let evaluator = candidate.evaluator().ok_or(BadPlayer::NoEvaluator(request.player))?;
    let squares_of = |component: &'static str| {
        let counted = evaluator.on_board(position, component).into_iter();
        counted.map(|it| (it.square.to_string(), if it.own { it.points } else { -it.points })).collect()
    };
    let components = evaluator.breakdown(position, position.turn()).components;
    let squares = components.iter().map(|component| (component.name, squares_of(component.name))).collect();
    Ok(EvaluateAnswer { breakdown: Breakdown::new(evaluator, position), squares })
}
