use emilia_classic::Genes;
use emilia_rules::Size;
use thiserror::Error;

use super::breeding::{Breeding, Crossover, Mutation, Selection};
use super::{Method, Opposition, Plan, PlanError, Scale};

/// What somebody wants to be different in a [`Plan`]. What is not said stays.
///
/// ```
/// use emilia_learn::evolution::{Changes, MethodName, Plan};
/// let changes = Changes { population: Some(20), parents: Some(4), ..Changes::default() };
/// let plan = Plan::default().changed(&changes)?;
/// assert_eq!((plan.population, plan.generations), (20, 6));
/// let other = Changes { method: Some(MethodName::CmaEs), elite: Some(1), ..Changes::default() };
/// assert_eq!(plan.changed(&other).unwrap_err().to_string(), "elite is for the genetic algorithm");
/// # Ok::<(), emilia_learn::evolution::ChangeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Another method begins with what is usual there.
    pub method: Option<MethodName>,
    /// As in [`Plan`].
    pub population: Option<u32>,
    /// As in [`Plan`].
    pub generations: Option<u32>,
    /// As in [`Plan`].
    pub seed: Option<u64>,
    /// As in [`Plan`].
    pub size: Option<Size>,
    /// As in [`Plan`].
    pub search: Option<String>,
    /// Whom everybody plays, if anybody is named.
    pub opponents: Vec<Genes>,
    /// As in [`Plan`].
    pub games: Option<u32>,
    /// As in [`Plan`].
    pub opening: Option<u32>,
    /// As in [`Plan`].
    pub draw: Option<f64>,
    /// As in [`Plan`].
    pub start: Option<Genes>,
    /// As in [`Breeding`].
    pub selection: Option<Selection>,
    /// As in [`Breeding`]. As many are bred, unless another number is said.
    pub parents: Option<u32>,
    /// As in [`Breeding`].
    pub offspring: Option<u32>,
    /// As in [`Breeding`].
    pub crossover: Option<Crossover>,
    /// As in [`Breeding`].
    pub mutation: Option<Mutation>,
    /// As in [`Breeding`].
    pub mutation_rate: Option<f64>,
    /// As in [`Breeding`].
    pub elite: Option<u32>,
    /// As in [`Method::CmaEs`].
    pub step: Option<f64>,
    /// As in [`Method::CmaEs`].
    pub scale: Option<Scale>,
}

/// A [`Method`] without its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodName {
    /// The genetic algorithm.
    Genetic,
    /// Hansen's evolution strategy.
    CmaEs,
}

/// Why a plan cannot be changed so.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ChangeError {
    /// A setting of the genetic algorithm, which is not the method.
    #[error("{0} is for the genetic algorithm")]
    GeneticOnly(&'static str),
    /// A setting of CMA-ES, which is not the method.
    #[error("{0} is for CMA-ES")]
    CmaEsOnly(&'static str),
    /// What comes of it cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// Standard deviation of the coordinates at the beginning of CMA-ES if nothing is said: a third of their range.
const USUAL_STEP: f64 = 300.0;

impl Plan {
    /// This plan with these changes, if it can be carried out.
    pub fn changed(mut self, changes: &Changes) -> Result<Plan, ChangeError> {
        match (changes.method, &self.method) {
            (Some(MethodName::CmaEs), Method::Genetic(_)) => {
                self.method = Method::CmaEs { step: USUAL_STEP, scale: Scale::Log }
            }
            (Some(MethodName::Genetic), Method::CmaEs { .. }) => {
                self.method = Method::Genetic(Breeding::default());
            }
            _ => {}
        }
        match &mut self.method {
            Method::Genetic(breeding) => changes.breeding(breeding)?,
            Method::CmaEs { step, scale } => changes.strategy(step, scale)?,
        }
        if !changes.opponents.is_empty() {
            self.opposition = Opposition::Fixed(changes.opponents.clone());
        }
        self.start = changes.start.or(self.start);
        set(&mut self.search, changes.search.clone());
        set(&mut self.population, changes.population);
        set(&mut self.generations, changes.generations);
        set(&mut self.seed, changes.seed);
        set(&mut self.size, changes.size);
        set(&mut self.games, changes.games);
        set(&mut self.opening, changes.opening);
        set(&mut self.draw, changes.draw);
        self.check()?;
        Ok(self)
    }
}

impl Changes {
    fn breeding(&self, breeding: &mut Breeding) -> Result<(), ChangeError> {
        let foreign = [("step", self.step.is_some()), ("scale", self.scale.is_some())];
        if let Some(name) = first_given(&foreign) {
            return Err(ChangeError::CmaEsOnly(name));
        }
        if let Some(parents) = self.parents.filter(|parents| *parents != breeding.parents) {
            breeding.offspring = parents;
        }
        set(&mut breeding.selection, self.selection);
        set(&mut breeding.parents, self.parents);
        set(&mut breeding.offspring, self.offspring);
        set(&mut breeding.crossover, self.crossover);
        set(&mut breeding.mutation, self.mutation);
        set(&mut breeding.mutation_rate, self.mutation_rate);
        set(&mut breeding.elite, self.elite);
        Ok(())
    }

    fn strategy(&self, step: &mut f64, scale: &mut Scale) -> Result<(), ChangeError> {
        let foreign = [
            ("selection", self.selection.is_some()),
            ("parents", self.parents.is_some()),
            ("offspring", self.offspring.is_some()),
            ("crossover", self.crossover.is_some()),
            ("mutation", self.mutation.is_some()),
            ("mutation_rate", self.mutation_rate.is_some()),
            ("elite", self.elite.is_some()),
        ];
        if let Some(name) = first_given(&foreign) {
            return Err(ChangeError::GeneticOnly(name));
        }
        set(step, self.step);
        set(scale, self.scale);
        Ok(())
    }
}

fn first_given(options: &[(&'static str, bool)]) -> Option<&'static str> {
    options.iter().find(|(_, given)| *given).map(|(name, _)| *name)
}

fn set<T>(place: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *place = value;
    }
}
