//! Weights evolve while somebody watches.

use std::time::Duration;

use emilia_classic::{Genes, Search};
use emilia_learn::evolution::{Evolution, Generation, Hall, Plan};
use emilia_query::Stop;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::clock::Instant;
use crate::error::ServiceError;
use crate::evolution_request::EvolutionRequest;
use crate::lines::Lines;

/// How often the count of games is told.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// A request that is checked: weights that are going to evolve.
pub struct Breeding {
    evolution: Evolution,
    search: Search,
}

impl Breeding {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Breeding, ServiceError> {
        // An object, not a list: that would be read as one with nothing said.
        let request: EvolutionRequest = serde_json::from_value(Value::Object(fields))?;
        let (evolution, search) = request.evolution()?;
        Ok(Breeding { evolution, search })
    }

    /// Breeds on so many threads until all is done or somebody stops it.
    pub fn run(mut self, threads: usize, lines: &dyn Lines, stop: &Stop) {
        lines.write(&EvolutionEvent::start(&self.evolution));
        let hall = Hall { search: self.search, threads, stop };
        run(&mut self.evolution, &hall, lines);
    }
}

/// What is told, one object a line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EvolutionEvent<'e> {
    /// What is going to be done.
    Start {
        #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
        plan: &'e Plan,
        most_points: f64,
        games_a_generation: u64,
        history: Vec<GenerationAnswer>,
        #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
        checkpoint: Value,
    },
    /// How many games of a generation are done.
    Games { generation: usize, done: u64, games: u64 },
    /// A generation is done.
    Generation {
        #[serde(flatten)]
        generation: GenerationAnswer,
        #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
        checkpoint: Value,
    },
    /// All is done; the genes are those of the fittest of all.
    End {
        #[serde(flatten)]
        generation: GenerationAnswer,
        fitness: f64,
    },
}

/// A generation, and its fittest.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GenerationAnswer {
    generation: u32,
    best: f64,
    mean: f64,
    worst: f64,
    games: u64,
    decisive: u64,
    genes: [f64; Genes::COUNT],
    weights: String,
    player: String,
}

impl<'e> EvolutionEvent<'e> {
    fn start(evolution: &'e Evolution) -> EvolutionEvent<'e> {
        let plan = evolution.plan();
        let history = evolution.history().iter();
        EvolutionEvent::Start {
            plan,
            most_points: plan.most_points(),
            games_a_generation: plan.games_a_generation(),
            history: history
                .map(|generation| GenerationAnswer::new(generation, &generation.fittest, evolution))
                .collect(),
            checkpoint: checkpoint(evolution),
        }
    }
}

impl GenerationAnswer {
    fn new(generation: &Generation, genes: &Genes, evolution: &Evolution) -> GenerationAnswer {
        GenerationAnswer {
            generation: generation.number,
            best: generation.best,
            mean: generation.mean,
            worst: generation.worst,
            games: generation.games,
            decisive: generation.decisive,
            genes: genes.values(),
            weights: genes.on_one_line(),
            player: evolution.plan().player(genes),
        }
    }
}

/// Breeds until all is done or nobody watches any more.
fn run(evolution: &mut Evolution, hall: &Hall<'_>, lines: &dyn Lines) {
    while !evolution.is_done() {
        let mut count = Counter::new(evolution, lines);
        if evolution.advance(hall, |done| count.tell(done)).is_err() {
            return;
        }
        let Some(generation) = evolution.history().last() else { return };
        let generation = GenerationAnswer::new(generation, &generation.fittest, evolution);
        lines.write(&EvolutionEvent::Generation { generation, checkpoint: checkpoint(evolution) });
    }
    let mut count = Counter::new(evolution, lines);
    let Ok(evolved) = evolution.conclude(hall, |done| count.tell(done)) else { return };
    let generation = GenerationAnswer::new(&evolved.generation, &evolved.genes, evolution);
    lines.write(&EvolutionEvent::End { generation, fitness: evolved.fitness });
}

/// Tells how many games of a generation are done, not too often.
struct Counter<'l> {
    lines: &'l dyn Lines,
    generation: usize,
    games: u64,
    told: Instant,
}

impl Counter<'_> {
    fn new<'l>(evolution: &Evolution, lines: &'l dyn Lines) -> Counter<'l> {
        let games = evolution.plan().games_a_generation();
        Counter { lines, generation: evolution.history().len() + 1, games, told: Instant::now() }
    }

    fn tell(&mut self, done: u64) {
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let (generation, games) = (self.generation, self.games);
            self.lines.write_if_read(&EvolutionEvent::Games { generation, done, games });
        }
    }
}

/// What is needed to go on later, in one object.
fn checkpoint(evolution: &Evolution) -> Value {
    serde_json::from_str(&evolution.checkpoint()).unwrap_or_default()
}
