use std::io;
use std::string::FromUtf8Error;

use clap::{Args, ValueEnum};
use emilia_classic::{Genes, GenesError, Search, SetWeightsError};
use emilia_engine::{Candidate, Spec, no_files};
use emilia_learn::evolution::breeding::{Crossover, Mutation, Selection};
use emilia_learn::evolution::{ChangeError, Changes, Method, MethodName, Opposition, Plan, Scale};
use emilia_rules::Size;

use crate::Failure;
use crate::files::read_weights;
use crate::position::parse_size;

/// What decides how an evolution goes.
#[derive(Args)]
pub(super) struct Options {
    /// How the next generation is made [default: genetic]
    #[arg(long, value_enum)]
    method: Option<MethodArg>,

    /// Individuals in a generation [default: 14]
    #[arg(long, value_name = "N")]
    population: Option<u32>,

    /// Generations to breed [default: 6]
    #[arg(long, value_name = "N")]
    generations: Option<u32>,

    /// The search that plays the games, named as a player without evaluator; with one that thinks by the clock, runs
    /// are not repeatable [default: beam:depth=10,width=3]
    #[arg(long, value_name = "S")]
    search: Option<String>,

    /// Side of the board: an even number from 4 to 26 [default: 8]
    #[arg(long, value_name = "N", value_parser = parse_size)]
    size: Option<Size>,

    /// Games of each pairing; every second one with colours swapped [default: 1]
    #[arg(long, value_name = "N")]
    games: Option<u32>,

    /// Random moves before the players take over [default: 0]
    #[arg(long, value_name = "N")]
    opening: Option<u32>,

    /// Points for a draw; a win is 1 [default: 0]
    #[arg(long, value_name = "P")]
    draw: Option<f64>,

    /// Play against these weights instead of each other; can be given several times. "default", "kukreja", a file,
    /// or six numbers separated by /
    #[arg(long = "opponent", value_name = "WEIGHTS")]
    opponents: Vec<String>,

    /// Weights to begin with: the first individual, or the middle of the distribution [default: random]
    #[arg(long, value_name = "WEIGHTS")]
    start: Option<String>,

    /// Where the random numbers begin [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Genetic: who breeds: "fittest", or "tournament:K" for the fittest of K drawn at random [default: fittest]
    #[arg(long, value_name = "HOW")]
    selection: Option<Selection>,

    /// Genetic: how many of the fittest breed, an even number [default: 2]
    #[arg(long, value_name = "N")]
    parents: Option<u32>,

    /// Genetic: children a generation; they replace the least fit [default: as many as parents]
    #[arg(long, value_name = "N")]
    offspring: Option<u32>,

    /// Genetic: how children get their genes: "one-point" or "uniform" [default: one-point]
    #[arg(long, value_name = "HOW")]
    crossover: Option<Crossover>,

    /// Genetic: how children mutate: "redraw" one gene, or "gaussian:S" moves all genes [default: redraw]
    #[arg(long, value_name = "HOW")]
    mutation: Option<Mutation>,

    /// Genetic: how often children mutate: a fraction such as 2/3, or a decimal [default: 2/3]
    #[arg(long, value_name = "P", value_parser = parse_fraction)]
    mutation_rate: Option<f64>,

    /// Genetic: so many of the fittest are never replaced [default: 0]
    #[arg(long, value_name = "N")]
    elite: Option<u32>,

    /// CMA-ES: standard deviation of the coordinates, which go from 0 to 1000, at the beginning [default: 300]
    #[arg(long, value_name = "S")]
    step: Option<f64>,

    /// CMA-ES: how coordinates become genes [default: log]
    #[arg(long, value_enum)]
    scale: Option<ScaleArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// The genetic algorithm
    Genetic,
    /// Hansen's evolution strategy with covariance matrix adaptation
    CmaEs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScaleArg {
    /// They are the genes
    Linear,
    /// Equal steps multiply a gene by equal factors
    Log,
}

/// Why options do not go together.
#[derive(Debug, thiserror::Error)]
enum OptionError {
    #[error("--{} is for the genetic algorithm; --method is cma-es", .0.replace('_', "-"))]
    GeneticOnly(&'static str),
    #[error("--{0} is for CMA-ES; --method is genetic")]
    CmaEsOnly(&'static str),
    #[error("--search {name}: leave out {setting}, {why}")]
    Setting { name: String, setting: String, why: &'static str },
    #[error("--search {0} does not judge positions, so weights make no difference to it")]
    NoJudge(String),
    #[error("{0}: {1}")]
    Weights(String, WeightsError),
}

/// Why a text is no six weights.
#[derive(Debug, thiserror::Error)]
enum WeightsError {
    #[error(transparent)]
    Set(#[from] SetWeightsError),
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("this is no text")]
    NoText(#[from] FromUtf8Error),
    #[error(transparent)]
    File(#[from] GenesError),
}

impl Options {
    /// This plan with what was asked for changed.
    pub(super) fn plan(&self, plan: Plan) -> Result<Plan, Failure> {
        if let Some(name) = &self.search {
            search(name)?;
        }
        let changes = Changes {
            method: self.method.map(|method| match method {
                MethodArg::Genetic => MethodName::Genetic,
                MethodArg::CmaEs => MethodName::CmaEs,
            }),
            population: self.population,
            generations: self.generations,
            seed: self.seed,
            size: self.size,
            search: self.search.clone(),
            opponents: self.opponents.iter().map(|text| weights(text)).collect::<Result<_, _>>()?,
            games: self.games,
            opening: self.opening,
            draw: self.draw,
            start: self.start.as_deref().map(weights).transpose()?,
            selection: self.selection,
            parents: self.parents,
            offspring: self.offspring,
            crossover: self.crossover,
            mutation: self.mutation,
            mutation_rate: self.mutation_rate,
            elite: self.elite,
            step: self.step,
            scale: self.scale.map(|scale| match scale {
                ScaleArg::Linear => Scale::Linear,
                ScaleArg::Log => Scale::Log,
            }),
        };
        plan.changed(&changes).map_err(|error| match error {
            ChangeError::GeneticOnly(name) => Failure::usage(OptionError::GeneticOnly(name)),
            ChangeError::CmaEsOnly(name) => Failure::usage(OptionError::CmaEsOnly(name)),
            ChangeError::Plan(error) => Failure::usage(error),
        })
    }
}

/// The search of this name, whose evaluator is going to be replaced.
pub(super) fn search(name: &str) -> Result<Search, Failure> {
    let spec: Spec = name.parse().map_err(Failure::usage)?;
    for (setting, _) in &spec.settings {
        let why = match setting.as_str() {
            "eval" | "weights" => "it is what evolves",
            "seed" => "--seed decides all chances",
            _ => continue,
        };
        let (name, setting) = (name.to_owned(), setting.clone());
        return Err(Failure::usage(OptionError::Setting { name, setting, why }));
    }
    let candidate = Candidate::parse(name, &no_files).map_err(Failure::usage)?;
    let search = candidate.evolvable().copied();
    search.ok_or_else(|| Failure::usage(OptionError::NoJudge(name.to_owned())))
}

/// Weights by name, from a file, or spelled out.
fn weights(text: &str) -> Result<Genes, Failure> {
    let found = Genes::named(text).map_or_else(|| spelled_or_kept(text), Ok);
    found.map_err(|error| Failure::usage(OptionError::Weights(text.to_owned(), error)))
}

/// Weights spelled out with slashes between them, or those of a file.
fn spelled_or_kept(text: &str) -> Result<Genes, WeightsError> {
    let numbers: Option<Vec<f64>> = text.split('/').map(|number| number.trim().parse().ok()).collect();
    match numbers {
        Some(numbers) => Ok(Genes::from_slice(&numbers)?),
        None => Ok(String::from_utf8(read_weights(text)?)?.parse()?),
    }
}

/// The call that repeats an evolution, with every option.
pub(super) fn command_line(plan: &Plan) -> String {
    let mut words = vec!["emilia evolve".to_owned()];
    let mut say = |option: &str, value: String| words.push(format!("--{option} {value}"));
    match &plan.method {
        Method::Genetic(breeding) => {
            say("method", "genetic".to_owned());
            say("selection", breeding.selection.to_string());
            say("parents", breeding.parents.to_string());
            say("offspring", breeding.offspring.to_string());
            say("crossover", breeding.crossover.to_string());
            say("mutation", breeding.mutation.to_string());
            let rate = breeding.mutation_rate;
            say("mutation-rate", if rate == 2.0 / 3.0 { "2/3".to_owned() } else { rate.to_string() });
            say("elite", breeding.elite.to_string());
        }
        Method::CmaEs { step, scale } => {
            say("method", "cma-es".to_owned());
            say("step", step.to_string());
            say("scale", if *scale == Scale::Log { "log" } else { "linear" }.to_owned());
        }
    }
    say("population", plan.population.to_string());
    say("generations", plan.generations.to_string());
    say("search", plan.search.clone());
    say("size", plan.size.get().to_string());
    say("games", plan.games.to_string());
    say("opening", plan.opening.to_string());
    say("draw", plan.draw.to_string());
    if let Opposition::Fixed(opponents) = &plan.opposition {
        opponents.iter().for_each(|genes| say("opponent", genes.on_one_line()));
    }
    if let Some(genes) = &plan.start {
        say("start", genes.on_one_line());
    }
    say("seed", plan.seed.to_string());
    words.join(" ")
}

/// A share such as `2/3` or `0.5`.
fn parse_fraction(text: &str) -> Result<f64, FractionError> {
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| FractionError);
    match text.split_once('/') {
        Some((above, below)) => Ok(number(above)? / number(below)?),
        None => number(text),
    }
}

/// A text that is no share.
#[derive(Clone, Debug, thiserror::Error)]
#[error("expected a fraction such as 2/3 or 0.5")]
struct FractionError;

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Call {
        #[command(flatten)]
        options: Options,
    }

    fn plan(words: &str) -> Plan {
        let words = words.split_whitespace().skip(1);
        Call::parse_from(words).options.plan(Plan::default()).unwrap()
    }

    #[test]
    fn the_call_that_is_echoed_gives_the_same_plan() {
        for words in [
            "emilia evolve",
            "emilia evolve --parents 4 --mutation-rate 0.25 --seed 18446744073709551615 --draw 0.5",
            "emilia evolve --selection tournament:3 --offspring 12 --elite 2 --mutation gaussian:80.5",
            "emilia evolve --method cma-es --opponent default --opponent 1/2/3/4/5/6.25 --start kukreja --size 6 --scale linear",
        ] {
            let plan_asked = plan(words);
            assert_eq!(plan(&command_line(&plan_asked)), plan_asked);
        }
        assert_eq!(plan("emilia evolve"), Plan::default());
    }

    #[test]
    fn fractions() {
        assert_eq!(parse_fraction("2/3").unwrap(), 2.0 / 3.0);
        assert_eq!(parse_fraction("0.5").unwrap(), 0.5);
        assert!(parse_fraction("2/").is_err() && parse_fraction("x").is_err());
        assert!(!parse_fraction("1/0").unwrap().is_finite(), "the plan refuses it");
    }
}
