//! Who can play here: the players of the engine, and levels for people who do not want to choose among them.

use emilia_classic::Evaluator;
use emilia_engine::{Candidate, KINDS, PRESETS, no_files};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// A strength with a name.
struct Level {
    name: &'static str,
    player: &'static str,
    summary: &'static str,
}

const LEVELS: &[Level] = &[
    Level { name: "beginner", player: "greedy", summary: "takes the most discs it can get" },
    Level { name: "easy", player: "alphabeta:depth=1,eval=static", summary: "knows good and bad squares" },
    Level { name: "medium", player: "alphabeta:depth=3,eval=kukreja", summary: "looks three moves ahead" },
    Level { name: "hard", player: "alphabeta:depth=6,eval=kukreja", summary: "looks six moves ahead" },
    Level { name: "expert", player: "iterative:time=1s,eval=kukreja", summary: "thinks for a second" },
    Level { name: "master", player: "iterative:time=5s,eval=kukreja", summary: "thinks for five seconds" },
];

/// The level of those who name no player.
pub(crate) const USUAL: &str = "medium";

/// Longest name of a player that is looked at.
const LONGEST: usize = 300;

/// The player of this name: a level, a preset or a kind with settings. Files cannot be named.
pub(crate) fn candidate(name: &str) -> Result<Candidate, Refusal> {
    let name = name.trim();
    if name.len() > LONGEST {
        return Err(Refusal::BadPlayer(format!("a player's name is at most {LONGEST} characters long")));
    }
    let level = LEVELS.iter().find(|level| level.name == name);
    let spelled = level.map_or(name, |level| level.player);
    Candidate::parse(spelled, &no_files).map_err(|error| Refusal::BadPlayer(error.to_string()))
}

/// Everything there is, for people to choose from.
pub(crate) fn listing() -> Value {
    let levels: Vec<Value> = LEVELS
        .iter()
        .map(|level| json!({"name": level.name, "player": level.player, "summary": level.summary}))
        .collect();
    let kinds: Vec<Value> = KINDS
        .iter()
        .map(|kind| {
            let settings: Vec<Value> = kind
                .settings
                .iter()
                .map(|setting| {
                    json!({"name": setting.name, "default": setting.default, "expects": setting.expects,
                           "about": setting.about})
                })
                .collect();
            json!({"name": kind.name, "summary": kind.summary, "settings": settings})
        })
        .collect();
    let presets: Vec<Value> = PRESETS
        .iter()
        .map(
            |preset| json!({"name": preset.name, "stands_for": preset.stands_for, "summary": preset.summary}),
        )
        .collect();
    let evaluators: Vec<Value> = Evaluator::all()
        .iter()
        .map(|evaluator| json!({"name": evaluator.name(), "summary": evaluator.summary()}))
        .collect();
    json!({"levels": levels, "kinds": kinds, "presets": presets, "evaluators": evaluators})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_a_player_and_files_are_refused() {
        for level in LEVELS {
            assert!(candidate(level.name).is_ok(), "{}", level.name);
        }
        assert!(candidate(USUAL).is_ok());
        let error = candidate("beam:weights=/etc/passwd").unwrap_err().to_string();
        assert_eq!(error, "/etc/passwd: files cannot be named here");
        assert!(candidate(&"x".repeat(5000)).is_err());
    }
}
