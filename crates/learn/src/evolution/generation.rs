use emilia_classic::Genes;
use serde::{Deserialize, Serialize};

use super::saved;

/// How the population of one generation did in its games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// Points of the fittest.
    pub best: f64,
    /// Points on average.
    pub mean: f64,
    /// Points of the least fit.
    pub worst: f64,
    /// Games played.
    pub games: u64,
    /// Games that somebody won.
    pub decisive: u64,
    /// The weights of the fittest.
    #[serde(with = "saved::genes")]
    pub fittest: Genes,
}

impl Generation {
    /// Sums up a population, given together with its points. Of equally fit ones the last counts as the fittest.
    pub(crate) fn of(
        number: u32,
        population: &[Genes],
        fitness: &[f64],
        (games, decisive): (u64, u64),
    ) -> Generation {
        let order = ranked(fitness);
        let points = |place: Option<&usize>| place.map_or(0.0, |index| fitness[*index]);
        Generation {
            number,
            best: points(order.last()),
            mean: fitness.iter().sum::<f64>() / fitness.len().max(1) as f64,
            worst: points(order.first()),
            games,
            decisive,
            fittest: order.last().map_or_else(Genes::default, |index| population[*index]),
        }
    }
}

/// The population by fitness, the least fit first; equally fit ones stay in order.
pub(crate) fn ranked(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|a, b| fitness[*a].total_cmp(&fitness[*b]));
    order
}
