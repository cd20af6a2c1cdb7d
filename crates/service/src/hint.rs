//! One good square for somebody who is stuck, and what can be counted that speaks for it.

use std::time::Duration;

use emilia_engine::Candidate;
use emilia_insight::Merit;
use emilia_query::{Limits, Query, Stop};
use emilia_rules::{Playable, SquareSet};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answers::{self, Score};
use crate::catalogue;
use crate::computer::Computer;
use crate::error::ServiceError;
use crate::position::{AboutPosition, GamePosition};
use crate::slot::Slot;

/// Nothing but the position is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HintRequest {}

/// Who looks, and for how long at most.
const JUDGE: &str = "emilia:level=14";
const TIME: Duration = Duration::from_millis(1500);

/// A request that is checked.
pub struct Hint {
    line: GamePosition,
}

impl Hint {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Hint, ServiceError> {
        let AboutPosition { position, request: HintRequest {} } = AboutPosition::<HintRequest>::read(fields)?;
        let line = position.resolve()?;
        if line.position().placements().is_empty() {
            return Err(ServiceError::NotNow("there is no disc to place here"));
        }
        Ok(Hint { line })
    }

    /// Who looks for the move.
    pub fn candidate() -> Result<Candidate, ServiceError> {
        catalogue::candidate(JUDGE)
    }

    /// Looks for it.
    pub fn find(
        &self,
        computer: &mut Computer,
        stop: &Stop,
        slot: &dyn Slot,
    ) -> Result<HintAnswer, ServiceError> {
        let (position, objective) = (self.line.position(), self.line.game.objective);
        let mut query = Query::new(*position).within(Limits::time(TIME));
        query.objective = Some(objective);
        let report = computer.think(&query, stop, slot, &mut |_| ());
        let square = report.best_move().and_then(|mv| mv.square());
        let (Some(best), Some(square)) = (report.best(), square) else {
            return Err(ServiceError::NotNow("there is no disc to place here"));
        };
        Ok(HintAnswer {
            mv: best.mv.to_string(),
            line: answers::moves(&best.line),
            score: best.value.map(|value| Score::new(value.number(), position.turn())),
            depth: best.depth,
            solved: best.exact,
            merits: Merit::of(position, square, objective).into_iter().map(MeritAnswer::from).collect(),
        })
    }
}

/// A good square.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Hint"))]
pub struct HintAnswer {
    #[serde(rename = "move")]
    mv: String,
    line: Vec<String>,
    score: Option<Score>,
    depth: u32,
    solved: bool,
    /// What speaks for it, the most telling first; empty if nothing that is counted does.
    merits: Vec<MeritAnswer>,
}

/// Something that can be counted.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Merit"))]
struct MeritAnswer {
    kind: &'static str,
    count: u32,
    /// The same after a middling other move, or before.
    other: u32,
}

impl From<Merit> for MeritAnswer {
    fn from(merit: Merit) -> MeritAnswer {
        let (count, other) = merit.counts();
        MeritAnswer { kind: merit.name(), count, other }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::slot::Alone;

    fn asked(request: Value) -> Result<Value, ServiceError> {
        let Value::Object(fields) = request else { panic!("not an object") };
        let mut computer = Computer::new(&catalogue::candidate("emilia:depth=8").unwrap(), 0);
        let answer = Hint::read(fields)?.find(&mut computer, &Stop::default(), &Alone)?;
        Ok(serde_json::to_value(answer).unwrap())
    }

    #[test]
    fn a_corner_that_wins_is_hinted_at_and_said_to_be_one() {
        let cells = format!("-OX-----OOX-----XXX{}", "-".repeat(45));
        let hint = asked(json!({"position": format!("{cells} X")})).unwrap();
        assert_eq!((&hint["move"], &hint["merits"][0]["kind"]), (&json!("a1"), &json!("takes_corner")));
        assert_eq!(hint["line"][0], "a1");
    }

    #[test]
    fn where_nothing_can_be_placed_there_is_no_hint() {
        assert!(asked(json!({"position": "XXXXXXXXXXXXXXX- X"})).is_err());
    }
}
