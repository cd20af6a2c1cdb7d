//! Who can play here: the players of the engine, and levels for people who do not want to choose among them.

use emilia_classic::Evaluator;
use emilia_engine::{Candidate, KINDS, Kind, PRESETS, Preset, Setting, Spec, no_files, rating_of_level};
use emilia_query::Level;
use serde::Serialize;

use crate::error::ServiceError;
use crate::request_error::BadPlayer;

/// The level of those who name no player.
pub const USUAL: &str = "club";

/// Longest name of a player that is looked at.
const LONGEST: usize = 300;
/// Megabytes of memory that a player gets, and may ask for.
const USUAL_MEMORY: &str = "16";
const MOST_MEMORY: u64 = 64;
const LEAST_MEMORY: &str = "1";
/// Threads that a player may ask for.
const MOST_THREADS: u64 = 4;

/// Plain words for strengths, which can be named too.
const WORDS: [(&str, &str); 3] = [("easy", "casual"), ("medium", "club"), ("hard", "emilia:level=8")];

/// The player of this name: a preset or a kind with settings. Files cannot be named, and memory is limited.
pub fn candidate(name: &str) -> Result<Candidate, ServiceError> {
    checked(name).and_then(|spec| Ok(Candidate::parse(&spec, &no_files).map_err(BadPlayer::Unknown)?))
}

/// The same as somebody's opponent: strong players open by the book.
pub fn opponent(name: &str) -> Result<Candidate, ServiceError> {
    checked(name).and_then(|spec| Ok(Candidate::for_people(&spec, &no_files).map_err(BadPlayer::Unknown)?))
}

/// The name with what is added to it here.
fn checked(name: &str) -> Result<String, ServiceError> {
    let name = name.trim();
    let name = WORDS.iter().find(|(word, _)| *word == name).map_or(name, |(_, player)| player);
    if name.len() > LONGEST {
        return Err(BadPlayer::LongName(LONGEST).into());
    }
    if Candidate::parse(name, &no_files).is_ok_and(|candidate| candidate.is_outside()) {
        return Err(BadPlayer::Outside.into());
    }
    let mut spec: Spec = name.parse().map_err(BadPlayer::Unknown)?;
    for (setting, most) in [("hash", MOST_MEMORY), ("threads", MOST_THREADS)] {
        let given = spec.settings.iter().find(|(known, _)| known == setting);
        if given.is_some_and(|(_, value)| value.parse::<u64>().is_ok_and(|value| value > most)) {
            return Err(BadPlayer::TooMuch { setting, most }.into());
        }
    }
    let given = |names: &[&str]| spec.settings.iter().any(|(known, _)| names.contains(&known.as_str()));
    let (memory, effort) = (given(&["hash"]), given(&["level", "time", "game", "depth", "nodes"]));
    if has_memory(&spec.kind) && !memory {
        spec.settings.push(("hash".to_owned(), USUAL_MEMORY.to_owned()));
    }
    // Who does not say how strong Emilia is to be does not mean: as strong as the longest time allows.
    if spec.kind == "emilia" && !effort {
        spec.settings.push(("level".to_owned(), Level::default().to_string()));
    }
    // The name as it was given, checked, makes the better error.
    Candidate::parse(name, &no_files).map_err(BadPlayer::Unknown)?;
    Ok(spec.to_string())
}

/// Megabytes that this player remembers positions in; 0 for those who remember none.
pub fn megabytes(candidate: &Candidate) -> usize {
    let Ok(spec) = candidate.name().parse::<Spec>() else { return 0 };
    let given = spec.settings.iter().find(|(known, _)| known == "hash");
    given.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
}

/// The same player with the least memory.
pub fn with_little_memory(candidate: &Candidate) -> Candidate {
    let smaller = || {
        let mut spec: Spec = candidate.name().parse().ok()?;
        for (_, value) in spec.settings.iter_mut().filter(|(known, _)| known == "hash") {
            *value = LEAST_MEMORY.to_owned();
        }
        let parse = if candidate.has_book() { Candidate::for_people } else { Candidate::parse };
        parse(&spec.to_string(), &no_files).ok()
    };
    smaller().unwrap_or_else(|| candidate.clone())
}

/// Whether this kind or preset of player remembers positions.
fn has_memory(name: &str) -> bool {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    let kind = preset.map_or(name, |preset| preset.stands_for.split(':').next().unwrap_or(name));
    KINDS.iter().any(|known| known.name == kind && known.setting("hash").is_some())
}

/// How strong a level is on the scale of the players `human`.
fn rating(stands_for: &str) -> Option<u32> {
    let number = stands_for.strip_prefix("emilia:level=")?.parse().ok()?;
    rating_of_level(Level::new(number).ok()?)
}

/// The presets that are strengths of the strongest player, weakest first.
fn levels() -> impl Iterator<Item = &'static Preset> {
    PRESETS.iter().filter(|preset| preset.stands_for.contains("level="))
}

/// Everything there is, for people to choose from.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Players {
    levels: Vec<LevelAnswer>,
    kinds: Vec<KindAnswer>,
    presets: Vec<PresetAnswer>,
    evaluators: Vec<EvaluatorAnswer>,
}

/// A strength of the strongest player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Level"))]
struct LevelAnswer {
    name: &'static str,
    player: &'static str,
    summary: &'static str,
    /// On the scale of the players `human`.
    rating: Option<u32>,
}

/// A kind of player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Kind"))]
struct KindAnswer {
    name: &'static str,
    summary: &'static str,
    settings: Vec<SettingAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Setting"))]
struct SettingAnswer {
    name: &'static str,
    default: &'static str,
    expects: &'static str,
    about: &'static str,
}

/// A player with a name of its own.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Preset"))]
struct PresetAnswer {
    name: &'static str,
    stands_for: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Evaluator"))]
struct EvaluatorAnswer {
    name: &'static str,
    summary: &'static str,
    weights: Vec<WeightAnswer>,
}

/// A weight that can be set, and what it is usually.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Weight"))]
struct WeightAnswer {
    name: &'static str,
    usual: f64,
}

/// Everything there is.
pub fn listing() -> Players {
    let level = |&Preset { name, stands_for, summary, .. }: &Preset| LevelAnswer {
        name,
        player: stands_for,
        summary,
        rating: rating(stands_for),
    };
    let preset =
        |&Preset { name, stands_for, summary, .. }: &Preset| PresetAnswer { name, stands_for, summary };
    let setting = |&Setting { name, default, expects, about, .. }: &Setting| SettingAnswer {
        name,
        default,
        expects,
        about,
    };
    let kind = |kind: &Kind| KindAnswer {
        name: kind.name,
        summary: kind.summary,
        // Files cannot be named here.
        settings: kind
            .settings
            .iter()
            .filter(|setting| !setting.expects.starts_with("a file of"))
            .map(setting)
            .collect(),
    };
    let weight = |(&name, usual): (&&'static str, f64)| WeightAnswer { name, usual };
    let evaluator = |evaluator: &Evaluator| EvaluatorAnswer {
        name: evaluator.name(),
        summary: evaluator.summary(),
        weights: evaluator.weights().iter().zip(evaluator.weight_values()).map(weight).collect(),
    };
    Players {
        levels: levels().map(level).collect(),
        kinds: KINDS.iter().map(kind).collect(),
        presets: PRESETS.iter().map(preset).collect(),
        evaluators: Evaluator::all().iter().map(evaluator).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_a_player_and_files_are_refused() {
        assert!(levels().count() >= 5);
        // They are spread over the scale of people: every step is felt, and none is a wall. Names keep their levels, so that what
        // people have saved means what it meant; the steps follow what the levels are worth.
        let ratings: Vec<u32> = levels().filter_map(|level| rating(level.stands_for)).collect();
        assert_eq!(ratings.len(), levels().count());
        assert!(ratings.windows(2).all(|pair| (250..=500).contains(&(pair[1] - pair[0]))), "{ratings:?}");
        for level in levels() {
            assert!(candidate(level.name).is_ok(), "{}", level.name);
        }
        assert!(levels().any(|level| level.name == USUAL));
        for (word, _) in WORDS {
            assert!(candidate(word).is_ok(), "{word}");
        }
        assert_eq!(megabytes(&candidate("club").unwrap()), 16);
        assert_eq!(megabytes(&candidate("emilia:hash=3").unwrap()), 3);
        assert_eq!(megabytes(&candidate("greedy").unwrap()), 0);
        assert_eq!(megabytes(&with_little_memory(&candidate("club").unwrap())), 1);
        let master = opponent("master").unwrap();
        assert!(master.has_book() && with_little_memory(&master).has_book());
        assert!(!opponent("club").unwrap().has_book() && !candidate("master").unwrap().has_book());
        assert!(candidate("emilia:hash=1000000").is_err());
        assert!(candidate("club:threads=900").is_err());
        let error = candidate("beam:weights=/etc/passwd").unwrap_err().to_string();
        assert_eq!(error, "/etc/passwd: files cannot be named here");
        for name in [
            "emilia:weights=/etc/passwd",
            "club:weights=/etc/passwd",
            "gtp:rm -rf /",
            " NBOARD: sh",
            "ugi:",
            "ugi:'",
        ] {
            assert!(candidate(name).is_err(), "{name}");
        }
        assert!(candidate(&"x".repeat(5000)).is_err());
    }
}
