//! An evolution as a request describes it: the options of `emilia evolve`, bounded for a server that others use too.

use emilia_classic::{Genes, Search};
use emilia_engine::Spec;
use emilia_learn::evolution::breeding::UnknownWay;
use emilia_learn::evolution::{self, Changes, Evolution, Plan, Scale};
use emilia_rules::Size;
use serde::Deserialize;
use serde_json::Value;

use crate::catalogue;
use crate::error::ServiceError;
use crate::request_error::{BadPlayer, RequestError};

/// What is wanted; whatever is not said is as in the published algorithm.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolutionRequest {
    /// Where an earlier run stopped. Then only `generations` may be said besides.
    checkpoint: Option<Value>,
    generations: Option<u32>,
    method: Option<MethodName>,
    population: Option<u32>,
    search: Option<String>,
    size: Option<usize>,
    games: Option<u32>,
    opening: Option<u32>,
    draw: Option<f64>,
    opponents: Vec<String>,
    start: Option<String>,
    seed: Option<u64>,
    selection: Option<String>,
    parents: Option<u32>,
    offspring: Option<u32>,
    crossover: Option<String>,
    mutation: Option<String>,
    mutation_rate: Option<f64>,
    elite: Option<u32>,
    step: Option<f64>,
    scale: Option<ScaleName>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum MethodName {
    Genetic,
    CmaEs,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum ScaleName {
    Linear,
    Log,
}

/// What a server does for somebody at most; the command line does more.
const MOST_GENERATIONS: u32 = 200;
const MOST_INDIVIDUALS: u32 = 100;
const MOST_GAMES: u64 = 20_000;
const MOST_OPPONENTS: usize = 20;

impl EvolutionRequest {
    /// The evolution to carry out, new or resumed, and the search that plays its games.
    pub fn evolution(self) -> Result<(Evolution, Search), ServiceError> {
        let evolution = match &self.checkpoint {
            Some(checkpoint) => self.resumed(checkpoint)?,
            None => Evolution::new(self.plan()?).map_err(RequestError::Plan)?,
        };
        let plan = evolution.plan();
        let bounds = [
            ("generations", u64::from(plan.generations), u64::from(MOST_GENERATIONS)),
            ("population", u64::from(plan.population), u64::from(MOST_INDIVIDUALS)),
            ("games a generation", plan.games_a_generation(), MOST_GAMES),
        ];
        if let Some((what, _, most)) = bounds.into_iter().find(|(_, wanted, most)| wanted > most) {
            return Err(RequestError::EvolvesTooMuch { what, most }.into());
        }
        let search = search(&plan.search)?;
        Ok((evolution, search))
    }

    fn resumed(&self, checkpoint: &Value) -> Result<Evolution, ServiceError> {
        let evolution =
            Evolution::from_checkpoint(&checkpoint.to_string()).map_err(RequestError::Checkpoint)?;
        if !matches!(self, EvolutionRequest {
            method: None, population: None, search: None, size: None, games: None, opening: None, draw: None,
            start: None, seed: None, selection: None, parents: None, offspring: None, crossover: None,
            mutation: None, mutation_rate: None, elite: None, step: None, scale: None, opponents, ..
        } if opponents.is_empty())
        {
            let sentence = "with a checkpoint only generations can be said; the rest is in the checkpoint";
            return Err(RequestError::Contradiction(sentence).into());
        }
        let generations = self.generations.unwrap_or(evolution.plan().generations);
        let plan = Plan { generations, ..evolution.plan().clone() };
        Ok(evolution.continued(plan).map_err(RequestError::Checkpoint)?)
    }

    fn plan(&self) -> Result<Plan, ServiceError> {
        if self.opponents.len() > MOST_OPPONENTS {
            return Err(RequestError::TooMuch { what: "opponents", most: MOST_OPPONENTS as u64 }.into());
        }
        let changes = Changes {
            method: self.method.map(|method| match method {
                MethodName::Genetic => evolution::MethodName::Genetic,
                MethodName::CmaEs => evolution::MethodName::CmaEs,
            }),
            population: self.population,
            generations: self.generations,
            seed: self.seed,
            size: self.size.map(Size::new).transpose()?,
            search: self.search.as_deref().map(|search| search.trim().to_owned()),
            opponents: self.opponents.iter().map(|text| weights(text)).collect::<Result<_, _>>()?,
            games: self.games,
            opening: self.opening,
            draw: self.draw,
            start: self.start.as_deref().map(weights).transpose()?,
            selection: way("selection", &self.selection)?,
            parents: self.parents,
            offspring: self.offspring,
            crossover: way("crossover", &self.crossover)?,
            mutation: way("mutation", &self.mutation)?,
            mutation_rate: self.mutation_rate,
            elite: self.elite,
            step: self.step,
            scale: self.scale.map(|scale| match scale {
                ScaleName::Linear => Scale::Linear,
                ScaleName::Log => Scale::Log,
            }),
        };
        Ok(Plan::default().changed(&changes).map_err(RequestError::Change)?)
    }
}

/// One of the ways to breed, by its name.
fn way<T: std::str::FromStr<Err = UnknownWay>>(
    option: &'static str,
    given: &Option<String>,
) -> Result<Option<T>, RequestError> {
    let parse = |text: &String| text.parse().map_err(|error| RequestError::Way { option, error });
    given.as_ref().map(parse).transpose()
}

/// The search of this name, whose evaluator is going to be replaced.
fn search(name: &str) -> Result<Search, ServiceError> {
    // Checked before anything is said about its parts.
    let candidate = catalogue::candidate(name)?;
    let spec: Spec = name.parse().map_err(BadPlayer::Unknown)?;
    for (setting, _) in spec.settings {
        match setting.as_str() {
            "eval" | "weights" => return Err(BadPlayer::Evolves(setting).into()),
            "seed" => return Err(BadPlayer::Seed.into()),
            _ => {}
        }
    }
    match candidate.evolvable() {
        Some(search) => Ok(*search),
        None => Err(BadPlayer::NoEvaluator(name.to_owned()).into()),
    }
}

/// Weights by name or spelled out.
fn weights(text: &str) -> Result<Genes, RequestError> {
    if let Some(genes) = Genes::named(text) {
        return Ok(genes);
    }
    let numbers: Option<Vec<f64>> = text.split('/').map(|number| number.trim().parse().ok()).collect();
    let six = numbers.and_then(|list| <[f64; Genes::COUNT]>::try_from(list).ok());
    let six = six.ok_or_else(|| RequestError::Weights(text.chars().take(60).collect()))?;
    Ok(Genes::new(six)?)
}

#[cfg(test)]
mod tests {
    use emilia_learn::evolution::Method;
    use serde_json::json;

    use super::*;

    fn evolution(value: Value) -> Result<Evolution, ServiceError> {
        serde_json::from_value::<EvolutionRequest>(value).unwrap().evolution().map(|(evolution, _)| evolution)
    }

    #[test]
    fn nothing_said_is_the_published_algorithm() {
        let plan = evolution(json!({})).unwrap().plan().clone();
        assert_eq!(plan, Plan::default());
        let cma = evolution(json!({"method": "cma-es", "size": 4, "scale": "linear"})).unwrap();
        assert!(matches!(cma.plan().method, Method::CmaEs { scale: Scale::Linear, .. }));
    }

    #[test]
    fn a_checkpoint_goes_on_and_may_only_grow() {
        let first = evolution(json!({"size": 4, "generations": 3, "seed": 9})).unwrap();
        let checkpoint: Value = serde_json::from_str(&first.checkpoint()).unwrap();
        assert_eq!(evolution(json!({"checkpoint": checkpoint})).unwrap(), first);
        let longer = evolution(json!({"checkpoint": checkpoint, "generations": 9})).unwrap();
        assert_eq!((longer.plan().generations, longer.plan().seed), (9, 9));
        for value in [json!({"checkpoint": checkpoint, "seed": 4}), json!({"checkpoint": {"format": "x"}})] {
            assert!(evolution(value).is_err());
        }
    }

    #[test]
    fn whatever_is_wrong_or_too_much_is_refused() {
        for value in [
            json!({"population": 1}),
            json!({"population": 101}),
            json!({"generations": 201}),
            json!({"games": 100_000}),
            json!({"size": 7}),
            json!({"search": "emilia"}),
            json!({"search": "random"}),
            json!({"search": "minimax:depth=2,eval=disc"}),
            json!({"search": "minimax:depth=2,weights=/etc/passwd"}),
            json!({"method": "cma-es", "elite": 1}),
            json!({"step": 3.0}),
            json!({"selection": "strongest"}),
            json!({"mutation_rate": 2.0}),
            json!({"start": "1/2/3"}),
            json!({"opponents": ["nobody"]}),
            json!({"opponents": vec!["default"; 21]}),
        ] {
            assert!(evolution(value.clone()).is_err(), "{value}");
        }
    }

    #[test]
    fn the_result_is_a_player_of_the_catalogue() {
        for search in ["alphabeta:depth=2", "minimax"] {
            let plan = Plan { search: search.to_owned(), ..Plan::default() };
            assert!(catalogue::candidate(&plan.player(&Genes::KUKREJA)).is_ok());
        }
    }
}
