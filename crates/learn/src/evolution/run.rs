use emilia_classic::Genes;
use serde::{Deserialize, Serialize};

use super::breeding::any_genes;
use super::chance::{Purpose, dice};
use super::cma::CmaEs;
use super::generation::ranked;
use super::hall::Results;
use super::plan::{GENE_MAX, Method, Plan, PlanError, Scale};
use super::{Generation, Hall, Interrupted, saved};

/// An evolution between two generations: what was planned, how far it got, who lives.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolution {
    pub(crate) plan: Plan,
    pub(crate) state: State,
}

/// What a checkpoint keeps beside the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    pub(crate) history: Vec<Generation>,
    pub(crate) stock: Stock,
}

/// Where the next population comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stock {
    /// It is there.
    Population(#[serde(with = "saved::population")] Vec<Genes>),
    /// It is drawn from this distribution.
    Distribution(CmaEs),
}

/// What came of an evolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolved {
    /// The weights it arrived at: those of the fittest individual of the last population, or the middle of the last
    /// distribution.
    pub genes: Genes,
    /// Their points in the last games.
    pub fitness: f64,
    /// The last games, which nobody breeds after.
    pub generation: Generation,
}

impl Evolution {
    /// The first population.
    pub fn new(plan: Plan) -> Result<Evolution, PlanError> {
        plan.check()?;
        let stock = match plan.method {
            Method::Genetic(_) => {
                let mut dice = dice(plan.seed, Purpose::Beginning, 0, 0);
                let mut population: Vec<Genes> = (0..plan.population).map(|_| any_genes(&mut dice)).collect();
                if let (Some(first), Some(start)) = (population.first_mut(), plan.start) {
                    *first = start;
                }
                Stock::Population(population)
            }
            Method::CmaEs { step, scale } => {
                let middle = [f64::from(GENE_MAX) / 2.0; Genes::COUNT];
                let start = plan.start.map(|genes| genes.values().map(|gene| scale.coordinate(gene)));
                Stock::Distribution(CmaEs::new(&start.unwrap_or(middle), step))
            }
        };
        Ok(Evolution { plan, state: State { history: Vec::new(), stock } })
    }

    /// How it is done.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The generations so far.
    #[must_use]
    pub fn history(&self) -> &[Generation] {
        &self.state.history
    }

    /// Games played so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.history().iter().map(|generation| generation.games).sum()
    }

    /// Whether all generations were bred, so that only the conclusion is left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.history().len() >= self.plan.generations as usize
    }

    /// One generation: everybody plays, then the next population is bred. If the games are stopped, nothing changes.
    pub fn advance(&mut self, hall: &Hall<'_>, watch: impl FnMut(u64)) -> Result<&Generation, Interrupted> {
        let number = self.number();
        let points = self.points(number);
        let population = self.population(&points);
        let results = hall.play(&self.plan, number, &population, watch)?;
        match (&mut self.state.stock, &self.plan.method) {
            (Stock::Population(population), Method::Genetic(breeding)) => {
                let mut dice = dice(self.plan.seed, Purpose::Breeding, number, 0);
                *population = breeding.next(population, &results.fitness, &mut dice);
            }
            (Stock::Distribution(cma), _) => cma.update(&points, &results.fitness),
            (Stock::Population(_), Method::CmaEs { .. }) => {}
        }
        let generation = self.summary(number, &population, &results);
        self.state.history.push(generation);
        Ok(&self.state.history[number as usize])
    }

    /// The last population plays once more, since its youngest have not played at all; the best weights are the
    /// result.
    pub fn conclude(&self, hall: &Hall<'_>, watch: impl FnMut(u64)) -> Result<Evolved, Interrupted> {
        let number = self.number();
        let points = self.points(number);
        let mut population = self.population(&points);
        if let (Stock::Distribution(cma), Some(first)) = (&self.state.stock, population.first_mut()) {
            *first = self.genes(cma.mean());
        }
        let results = hall.play(&self.plan, number, &population, watch)?;
        let answer = match self.state.stock {
            Stock::Population(_) => ranked(&results.fitness).last().copied().unwrap_or_default(),
            // Under noise the best of a few points is mostly the luckiest; the middle has learnt from all games.
            Stock::Distribution(_) => 0,
        };
        Ok(Evolved {
            genes: population[answer],
            fitness: results.fitness[answer],
            generation: self.summary(number, &population, &results),
        })
    }

    /// The number of the generation to come, from 0.
    fn number(&self) -> u32 {
        self.state.history.len() as u32
    }

    /// The points drawn from the distribution, where there is one.
    fn points(&self, number: u32) -> Vec<Vec<f64>> {
        match &self.state.stock {
            Stock::Population(_) => Vec::new(),
            Stock::Distribution(cma) => {
                let mut dice = dice(self.plan.seed, Purpose::Sampling, number, 0);
                cma.sample(self.plan.population as usize, &mut dice)
            }
        }
    }

    fn population(&self, points: &[Vec<f64>]) -> Vec<Genes> {
        match &self.state.stock {
            Stock::Population(population) => population.clone(),
            Stock::Distribution(_) => points.iter().map(|point| self.genes(point)).collect(),
        }
    }

    /// The weights at a point of the distribution.
    fn genes(&self, point: &[f64]) -> Genes {
        let scale = match self.plan.method {
            Method::CmaEs { scale, .. } => scale,
            Method::Genetic(_) => Scale::Linear,
        };
        let values = std::array::from_fn(|place| point.get(place).map_or(0.0, |x| scale.gene(*x)));
        Genes::new(values).unwrap_or_default()
    }

    fn summary(&self, number: u32, population: &[Genes], results: &Results) -> Generation {
        let games = (self.plan.games_a_generation(), results.decisive);
        Generation::of(number + 1, population, &results.fitness, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_population_is_drawn_and_may_hold_known_weights() {
        let Stock::Population(drawn) = Evolution::new(Plan::default()).unwrap().state.stock else {
            panic!("the genetic algorithm has a population")
        };
        assert_eq!(drawn.len(), 14);
        assert!(drawn.windows(2).all(|two| two[0] != two[1]));
        let plan = Plan { start: Some(Genes::KUKREJA), ..Plan::default() };
        let Stock::Population(started) = Evolution::new(plan).unwrap().state.stock else {
            panic!("the genetic algorithm has a population")
        };
        assert_eq!(started[0], Genes::KUKREJA);
        assert_eq!(started[1..], drawn[1..]);
    }
}
