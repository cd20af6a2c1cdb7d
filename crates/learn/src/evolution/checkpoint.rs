use emilia_classic::Genes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::plan::{Method, Plan, PlanError};
use super::run::{Evolution, State, Stock};

/// What the first field of a checkpoint says.
const FORMAT: &str = "emilia evolution";
/// Raised whenever an older program could not go on with a newer checkpoint, or would go on differently.
const VERSION: u32 = 2;
/// The version before there were checksums.
const UNPROTECTED: u32 = 1;

/// Why a text is no checkpoint to go on from.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The text is cut off, or something else altogether.
    #[error("this is no checkpoint of an evolution, or a broken one: {0}")]
    Unreadable(serde_json::Error),
    /// A text in the right form that says it is something else.
    #[error("this is no checkpoint of an evolution")]
    Foreign,
    /// Another program wrote it.
    #[error(
        "this checkpoint has version {0}; this program goes on from versions {UNPROTECTED} and {VERSION}"
    )]
    Version(u32),
    /// It is not as it was written.
    #[error("this checkpoint is damaged: its checksum is wrong")]
    Damaged,
    /// The plan in it cannot be carried out.
    #[error("the plan in this checkpoint is wrong: {0}")]
    Plan(#[from] PlanError),
    /// Plan and state do not belong together.
    #[error("this checkpoint contradicts itself: {0}")]
    Contradiction(&'static str),
    /// It belongs to another plan.
    #[error("this checkpoint was made with {setting} {saved}, not {wanted}")]
    OtherPlan {
        /// What differs.
        setting: String,
        /// What the checkpoint says.
        saved: String,
        /// What was asked for.
        wanted: String,
    },
}

/// A checkpoint as it is written.
#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u32,
    crc: String,
    plan: &'a Plan,
    state: &'a State,
}

/// How every checkpoint begins, whatever its version.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    version: u32,
    crc: Option<String>,
    plan: Plan,
    state: State,
}

impl Evolution {
    /// Writes down everything that is needed to go on.
    #[must_use]
    pub fn checkpoint(&self) -> String {
        let crc = checksum(&self.plan, &self.state);
        let written = Written { format: FORMAT, version: VERSION, crc, plan: &self.plan, state: &self.state };
        let mut text = serde_json::to_string_pretty(&written).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads a checkpoint. What follows is exactly what would have followed without the pause.
    pub fn from_checkpoint(text: &str) -> Result<Evolution, CheckpointError> {
        let head: Head = serde_json::from_str(text).map_err(CheckpointError::Unreadable)?;
        if head.format != FORMAT {
            return Err(CheckpointError::Foreign);
        }
        if ![UNPROTECTED, VERSION].contains(&head.version) {
            return Err(CheckpointError::Version(head.version));
        }
        let Body { version, crc, plan, state, .. } =
            serde_json::from_str(text).map_err(CheckpointError::Unreadable)?;
        if (version != UNPROTECTED || crc.is_some()) && crc != Some(checksum(&plan, &state)) {
            return Err(CheckpointError::Damaged);
        }
        plan.check()?;
        state.belongs_to(&plan)?;
        Ok(Evolution { plan, state })
    }

    /// Goes on with another plan, which may differ in the number of generations alone.
    pub fn continued(mut self, plan: Plan) -> Result<Evolution, CheckpointError> {
        plan.check()?;
        let same_length = Plan { generations: plan.generations, ..self.plan.clone() };
        if let Some(error) = difference(&same_length, &plan) {
            return Err(error);
        }
        if self.state.history.len() > plan.generations as usize {
            return Err(CheckpointError::OtherPlan {
                setting: "generations done".to_owned(),
                saved: self.state.history.len().to_string(),
                wanted: plan.generations.to_string(),
            });
        }
        self.plan = plan;
        Ok(self)
    }
}

/// CRC-32 of what a checkpoint says, however it is spaced and in whatever order.
fn checksum(plan: &Plan, state: &State) -> String {
    let said = serde_json::to_string(&(plan, state)).unwrap_or_default();
    format!("{:08x}", crc32fast::hash(said.as_bytes()))
}

impl State {
    fn belongs_to(&self, plan: &Plan) -> Result<(), CheckpointError> {
        let wrong = |what| Err(CheckpointError::Contradiction(what));
        if self.history.len() > plan.generations as usize {
            return wrong("more generations than planned");
        }
        if !(1..).zip(&self.history).all(|(number, generation)| generation.number == number) {
            return wrong("the generations are not numbered 1, 2, 3 …");
        }
        let games = plan.games_a_generation();
        if self.history.iter().any(|generation| generation.games != games || generation.decisive > games) {
            return wrong("generations with another number of games");
        }
        match (&self.stock, &plan.method) {
            (Stock::Population(population), Method::Genetic(_)) => {
                if population.len() != plan.population as usize {
                    return wrong("a population of another size");
                }
            }
            (Stock::Distribution(cma), Method::CmaEs { .. }) => {
                if !cma.is_sound(Genes::COUNT, self.history.len() as u32) {
                    return wrong("a distribution that cannot be");
                }
            }
            _ => return wrong("a population of another method"),
        }
        Ok(())
    }
}

/// The first setting in which two plans differ.
fn difference(saved: &Plan, wanted: &Plan) -> Option<CheckpointError> {
    if saved == wanted {
        return None;
    }
    let [old, new] = [saved, wanted].map(|plan| serde_json::to_value(plan).unwrap_or(Value::Null));
    let (setting, saved, wanted) = first_difference("", &old, &new)
        .unwrap_or_else(|| ("plan".to_owned(), "another".to_owned(), "this one".to_owned()));
    Some(CheckpointError::OtherPlan { setting, saved, wanted })
}

fn first_difference(name: &str, old: &Value, new: &Value) -> Option<(String, String, String)> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().find_map(|(key, value)| first_difference(key, value, b.get(key).unwrap_or(&Value::Null)))
        }
        _ if old == new => None,
        _ => Some((name.replace('_', " "), shown(old), shown(new))),
    }
}

/// A value for a sentence. Of a value with parts the name is enough.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(parts) => parts.keys().cloned().collect::<Vec<_>>().join(" "),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
