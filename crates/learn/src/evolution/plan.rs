use emilia_classic::Genes;
use emilia_rules::Size;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::breeding::Breeding;
use super::saved;

/// The largest gene; the smallest is 0.
pub const GENE_MAX: u32 = 1000;

/// Everything that decides how an evolution goes: the same plan gives the same result.
///
/// The default is the published genetic algorithm: fourteen individuals, six generations, one game a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How the next generation is made.
    pub method: Method,
    /// Individuals in a generation.
    pub population: u32,
    /// Generations to breed.
    pub generations: u32,
    /// Where the random numbers begin.
    pub seed: u64,
    /// The board.
    #[serde(with = "saved::size")]
    pub size: Size,
    /// The name of the search that plays the games. Only compared: the search itself is in the
    /// [`Hall`](super::Hall).
    pub search: String,
    /// Who plays whom.
    pub opposition: Opposition,
    /// Games of a pairing. The first, third … are played with the colours as they are drawn up, the others with
    /// colours swapped and the same opening.
    pub games: u32,
    /// Random moves before the players take over.
    pub opening: u32,
    /// Points for a draw; a win is 1.
    pub draw: f64,
    /// Weights to begin with: a member of the first population, or the middle of the distribution.
    #[serde(with = "saved::start")]
    pub start: Option<Genes>,
}

/// How the next generation is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Method {
    /// The genetic algorithm.
    Genetic(Breeding),
    /// Hansen's evolution strategy with covariance matrix adaptation.
    CmaEs {
        /// Standard deviation of each coordinate at the beginning; coordinates go from 0 to 1000 on either scale.
        step: f64,
        /// How coordinates become genes.
        scale: Scale,
    },
}

/// How the coordinates of CMA-ES, from 0 to 1000, become genes, from 0 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// They are the genes.
    Linear,
    /// Equal steps multiply a gene by equal factors, so that small genes are told apart as well as large ones.
    Log,
}

impl Scale {
    /// The gene at this coordinate: a whole number. What lies outside the range is mirrored into it.
    #[must_use]
    pub fn gene(self, coordinate: f64) -> f64 {
        let max = f64::from(GENE_MAX);
        let folded = coordinate.rem_euclid(2.0 * max);
        let within = if folded > max { 2.0 * max - folded } else { folded };
        match self {
            Scale::Linear => within.round(),
            // One more than the gene grows from 1 to 1001.
            Scale::Log => ((max + 1.0).powf(within / max) - 1.0).round(),
        }
    }

    /// The coordinate of this gene.
    #[must_use]
    pub fn coordinate(self, gene: f64) -> f64 {
        let max = f64::from(GENE_MAX);
        let gene = gene.clamp(0.0, max);
        match self {
            Scale::Linear => gene,
            Scale::Log => max * (gene + 1.0).ln() / (max + 1.0).ln(),
        }
    }
}

/// Who plays whom to find out how fit everybody is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Opposition {
    /// Every individual plays every other one.
    RoundRobin,
    /// Every individual plays each of these.
    Fixed(#[serde(with = "saved::population")] Vec<Genes>),
}

/// Why a plan cannot be carried out.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlanError {
    /// The population is too small or too large.
    #[error("a population has from 2 to {max} individuals, not {0}", max = Plan::MAX_POPULATION)]
    Population(u32),
    /// CMA-ES needs enough individuals to choose from.
    #[error("CMA-ES needs a population of at least 4, not {0}")]
    TooFewToChooseFrom(u32),
    /// Too many generations.
    #[error("at most {max} generations can be bred, not {0}", max = Plan::MAX_GENERATIONS)]
    Generations(u32),
    /// Parents come in pairs out of the population.
    #[error("parents are an even number from 2 to the size of the population, {population}, not {parents}")]
    Parents {
        /// How many were asked for.
        parents: u32,
        /// How many individuals there are.
        population: u32,
    },
    /// More offspring and protected individuals than there is room for.
    #[error(
        "{offspring} offspring and {elite} protected individuals do not fit into a population of {population}"
    )]
    Room {
        /// New individuals a generation.
        offspring: u32,
        /// Individuals that nobody replaces.
        elite: u32,
        /// How many individuals there are.
        population: u32,
    },
    /// A tournament needs entrants.
    #[error("a tournament has from 1 entrant to the size of the population, {population}, not {entrants}")]
    Tournament {
        /// How many were asked for.
        entrants: u32,
        /// How many individuals there are.
        population: u32,
    },
    /// Something that is no probability.
    #[error("the mutation rate is a number from 0 to 1, not {0}")]
    MutationRate(f64),
    /// Something that is no standard deviation.
    #[error("a standard deviation of genes is a number above 0, at most {GENE_MAX}, not {0}")]
    Deviation(f64),
    /// A draw is worth at least nothing and at most a win.
    #[error("a draw is worth from 0 to 1 points, not {0}")]
    Draw(f64),
    /// No games, no fitness.
    #[error("every pairing needs at least one game")]
    NoGames,
    /// Nobody to play against.
    #[error("there is nobody to play against")]
    NoOpponents,
    /// More games than can be kept track of.
    #[error("{0} games a generation are more than {max}", max = Plan::MAX_GAMES)]
    TooManyGames(u64),
    /// The opening leaves nothing to play.
    #[error("an opening of {plies} moves leaves nothing to play on {size}; at most {most} do")]
    Opening {
        /// How long it should be.
        plies: u32,
        /// The board.
        size: Size,
        /// How long it may be.
        most: u32,
    },
}

impl Plan {
    /// The largest population.
    pub const MAX_POPULATION: u32 = 1000;
    /// The most generations.
    pub const MAX_GENERATIONS: u32 = 100_000;
    /// The most games in a generation.
    pub const MAX_GAMES: u64 = 1_000_000;

    /// Games in one generation.
    #[must_use]
    pub fn games_a_generation(&self) -> u64 {
        let population = u64::from(self.population);
        let pairings = match &self.opposition {
            Opposition::RoundRobin => population * population.saturating_sub(1) / 2,
            Opposition::Fixed(opponents) => population.saturating_mul(opponents.len() as u64),
        };
        pairings.saturating_mul(u64::from(self.games))
    }

    /// The most points an individual can have.
    #[must_use]
    pub fn most_points(&self) -> f64 {
        let opponents = match &self.opposition {
            Opposition::RoundRobin => self.population.saturating_sub(1) as usize,
            Opposition::Fixed(opponents) => opponents.len(),
        };
        opponents as f64 * f64::from(self.games)
    }

    /// Games of the whole run: those of each generation, and those of the last population once more.
    #[must_use]
    pub fn games_in_all(&self) -> u64 {
        self.games_a_generation().saturating_mul(u64::from(self.generations) + 1)
    }

    /// The name of the player that has these weights and plays by this search.
    #[must_use]
    pub fn player(&self, genes: &Genes) -> String {
        let joint = if self.search.contains(':') { ',' } else { ':' };
        format!("{}{joint}eval=genes,weights={}", self.search, genes.on_one_line())
    }

    /// Checks that it can be carried out.
    pub fn check(&self) -> Result<(), PlanError> {
        let population = self.population;
        if !(2..=Plan::MAX_POPULATION).contains(&population) {
            return Err(PlanError::Population(population));
        }
        if self.generations > Plan::MAX_GENERATIONS {
            return Err(PlanError::Generations(self.generations));
        }
        match &self.method {
            Method::Genetic(breeding) => breeding.check(population)?,
            Method::CmaEs { .. } if population < 4 => return Err(PlanError::TooFewToChooseFrom(population)),
            Method::CmaEs { step, .. } if !is_deviation(*step) => return Err(PlanError::Deviation(*step)),
            Method::CmaEs { .. } => {}
        }
        if !(0.0..=1.0).contains(&self.draw) {
            return Err(PlanError::Draw(self.draw));
        }
        if self.games == 0 {
            return Err(PlanError::NoGames);
        }
        let games = self.games_a_generation();
        if games == 0 {
            return Err(PlanError::NoOpponents);
        }
        if games > Plan::MAX_GAMES {
            return Err(PlanError::TooManyGames(games));
        }
        // Four discs stand already, and the last move should be the players' own.
        let most = self.size.cells() as u32 - 5;
        if self.opening > most {
            return Err(PlanError::Opening { plies: self.opening, size: self.size, most });
        }
        Ok(())
    }
}

/// The search that plays if nothing is said, which takes seven seconds of one core a generation: docs/evolution.md says
/// what others cost.
const USUAL_SEARCH: &str = "beam:depth=10,width=3";

/// Whether genes may be spread so far.
pub(crate) fn is_deviation(value: f64) -> bool {
    value > 0.0 && value <= f64::from(GENE_MAX)
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            method: Method::Genetic(Breeding::default()),
            population: 14,
            generations: 6,
            seed: 0,
            size: Size::EIGHT,
            search: USUAL_SEARCH.to_owned(),
            opposition: Opposition::RoundRobin,
            games: 1,
            opening: 0,
            draw: 0.0,
            start: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::breeding::{Mutation, Selection};
    use super::*;

    fn with(change: impl FnOnce(&mut Plan, &mut Breeding)) -> Result<(), PlanError> {
        let (mut plan, mut breeding) = (Plan::default(), Breeding::default());
        change(&mut plan, &mut breeding);
        plan.method = Method::Genetic(breeding);
        plan.check()
    }

    #[test]
    fn the_published_algorithm_plays_91_games_a_generation() {
        let plan = Plan::default();
        assert_eq!((plan.games_a_generation(), plan.most_points(), plan.games_in_all()), (91, 13.0, 637));
        assert_eq!(plan.check(), Ok(()));
    }

    #[test]
    fn coordinates_and_genes_belong_to_each_other() {
        for scale in [Scale::Linear, Scale::Log] {
            for gene in [0.0, 1.0, 10.0, 97.0, 832.0, 1000.0] {
                assert_eq!(scale.gene(scale.coordinate(gene)), gene);
            }
            assert_eq!((scale.gene(0.0), scale.gene(1000.0)), (0.0, 1000.0));
            assert_eq!((scale.gene(-30.4), scale.gene(2300.0)), (scale.gene(30.4), scale.gene(300.0)));
            assert!((0.0..=1000.0).contains(&scale.gene(1e300)));
        }
        // Half way is the square root of 1001, less 1.
        assert_eq!((Scale::Linear.gene(500.4), Scale::Log.gene(500.0)), (500.0, 31.0));
    }

    #[test]
    fn what_cannot_be_carried_out_is_named() {
        assert_eq!(with(|plan, _| plan.population = 1), Err(PlanError::Population(1)));
        assert_eq!(with(|plan, _| plan.generations = u32::MAX), Err(PlanError::Generations(u32::MAX)));
        assert_eq!(with(|plan, _| plan.games = 0), Err(PlanError::NoGames));
        assert_eq!(with(|plan, _| plan.games = u32::MAX), Err(PlanError::TooManyGames(91 * 4_294_967_295)));
        assert_eq!(with(|plan, _| plan.opposition = Opposition::Fixed(vec![])), Err(PlanError::NoOpponents));
        assert!(matches!(with(|plan, _| plan.draw = f64::NAN), Err(PlanError::Draw(_))));
        assert!(matches!(with(|plan, _| plan.opening = 60), Err(PlanError::Opening { most: 59, .. })));
        assert!(matches!(
            with(|_, breeding| breeding.parents = 3),
            Err(PlanError::Parents { parents: 3, .. })
        ));
        assert!(matches!(with(|_, breeding| breeding.parents = 16), Err(PlanError::Parents { .. })));
        assert!(matches!(with(|_, breeding| breeding.elite = 13), Err(PlanError::Room { elite: 13, .. })));
        assert!(matches!(with(|_, breeding| breeding.offspring = u32::MAX), Err(PlanError::Room { .. })));
        assert!(matches!(
            with(|_, breeding| breeding.selection = Selection::Tournament(0)),
            Err(PlanError::Tournament { .. })
        ));
        assert_eq!(
            with(|_, breeding| breeding.mutation = Mutation::Gaussian(-1.0)),
            Err(PlanError::Deviation(-1.0))
        );
        assert_eq!(with(|_, breeding| breeding.mutation_rate = 2.0), Err(PlanError::MutationRate(2.0)));
        let cma = |step, population| {
            Plan { method: Method::CmaEs { step, scale: Scale::Log }, population, ..Plan::default() }.check()
        };
        assert_eq!(cma(300.0, 3), Err(PlanError::TooFewToChooseFrom(3)));
        assert_eq!(cma(0.0, 14), Err(PlanError::Deviation(0.0)));
        assert_eq!(cma(300.0, 4), Ok(()));
    }
}
