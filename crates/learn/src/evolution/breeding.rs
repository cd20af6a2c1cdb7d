//! The genetic algorithm: who breeds, how children come about, whom they replace.
//!
//! As published: the two fittest are the parents; their genes are cut at one point and crossed, which gives two
//! children; two out of three children have one gene drawn anew; the children replace the two least fit.

use std::fmt;
use std::str::FromStr;

use emilia_classic::{Dice, Genes};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::chance::normal;
use super::generation::ranked;
use super::plan::{GENE_MAX, PlanError, is_deviation};

/// How the genetic algorithm makes the next generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breeding {
    /// Who breeds.
    pub selection: Selection,
    /// How many of the fittest breed, in pairs: the fittest with the second, the third with the fourth. A tournament
    /// draws a new pair each time instead.
    pub parents: u32,
    /// Children a generation; they replace as many of the least fit.
    pub offspring: u32,
    /// How children get their genes.
    pub crossover: Crossover,
    /// How a child mutates.
    pub mutation: Mutation,
    /// The probability that it does.
    pub mutation_rate: f64,
    /// So many of the fittest are never replaced.
    pub elite: u32,
}

/// Who breeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The fittest.
    Fittest,
    /// The fittest of so many drawn at random.
    Tournament(u32),
}

/// How two children get the genes of two parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Up to a point from one parent, from there on from the other.
    OnePoint,
    /// Each gene from either parent.
    Uniform,
}

/// How a child mutates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mutation {
    /// One gene is drawn anew.
    Redraw,
    /// Every gene moves by a normally distributed amount with this standard deviation.
    Gaussian(f64),
}

impl Default for Breeding {
    fn default() -> Breeding {
        Breeding {
            selection: Selection::Fittest,
            parents: 2,
            offspring: 2,
            crossover: Crossover::OnePoint,
            mutation: Mutation::Redraw,
            mutation_rate: 2.0 / 3.0,
            elite: 0,
        }
    }
}

impl Breeding {
    /// Checks that it works in a population of this size.
    pub(crate) fn check(&self, population: u32) -> Result<(), PlanError> {
        let Breeding { parents, offspring, elite, .. } = *self;
        if !(2..=population).contains(&parents) || !parents.is_multiple_of(2) {
            return Err(PlanError::Parents { parents, population });
        }
        if u64::from(offspring) + u64::from(elite) > u64::from(population) {
            return Err(PlanError::Room { offspring, elite, population });
        }
        match self.selection {
            Selection::Tournament(entrants) if !(1..=population).contains(&entrants) => {
                return Err(PlanError::Tournament { entrants, population });
            }
            _ => {}
        }
        match self.mutation {
            Mutation::Gaussian(deviation) if !is_deviation(deviation) => {
                return Err(PlanError::Deviation(deviation));
            }
            _ => {}
        }
        if (0.0..=1.0).contains(&self.mutation_rate) {
            Ok(())
        } else {
            Err(PlanError::MutationRate(self.mutation_rate))
        }
    }

    /// The next generation: as this one, but with children in the places of the least fit.
    #[must_use]
    pub fn next(&self, population: &[Genes], fitness: &[f64], dice: &mut Dice) -> Vec<Genes> {
        let order = ranked(fitness);
        let wanted = self.offspring as usize;
        let mut children = Vec::with_capacity(wanted + 1);
        let mut pair = 0;
        while children.len() < wanted && order.len() > 1 {
            let [mother, father] = self.pair(pair, &order, dice).map(|index| population[index]);
            for mut child in self.crossover.children(&mother, &father, dice) {
                if dice.fraction() < self.mutation_rate {
                    self.mutation.apply(&mut child, dice);
                }
                children.push(child);
            }
            pair += 1;
        }
        let mut next = population.to_vec();
        for (place, child) in order.into_iter().zip(children.into_iter().take(wanted)) {
            next[place] = child;
        }
        next
    }

    /// Two different parents, as indices. The order is from the least fit to the fittest.
    fn pair(&self, number: usize, order: &[usize], dice: &mut Dice) -> [usize; 2] {
        match self.selection {
            Selection::Fittest => {
                let pairs = (self.parents as usize / 2).clamp(1, order.len() / 2);
                let mother = order.len() - 1 - 2 * (number % pairs);
                [order[mother], order[mother - 1]]
            }
            Selection::Tournament(entrants) => {
                let mut places: Vec<usize> = (0..order.len()).collect();
                let mother = tournament(&places, entrants, dice);
                places.retain(|place| *place != mother);
                [order[mother], order[tournament(&places, entrants, dice)]]
            }
        }
    }
}

/// The highest of some places drawn at random, with replacement.
fn tournament(places: &[usize], entrants: u32, dice: &mut Dice) -> usize {
    let mut draw = || places[dice.below(places.len() as u32) as usize];
    let first = draw();
    (1..entrants).fold(first, |best, _| best.max(draw()))
}

impl Crossover {
    /// Two children that share out the genes of their parents.
    #[must_use]
    pub fn children(self, mother: &Genes, father: &Genes, dice: &mut Dice) -> [Genes; 2] {
        let (mut one, mut other) = (mother.values(), father.values());
        match self {
            Crossover::OnePoint => {
                // Neither child is a copy of a parent's six genes.
                let point = 1 + dice.below(Genes::COUNT as u32 - 1) as usize;
                one[point..].swap_with_slice(&mut other[point..]);
            }
            Crossover::Uniform => {
                for (gene, twin) in one.iter_mut().zip(&mut other) {
                    if dice.below(2) == 1 {
                        std::mem::swap(gene, twin);
                    }
                }
            }
        }
        [one, other].map(|values| Genes::new(values).unwrap_or(*mother))
    }
}

impl Mutation {
    /// Changes these genes.
    pub fn apply(self, genes: &mut Genes, dice: &mut Dice) {
        let mut values = genes.values();
        match self {
            Mutation::Redraw => {
                let which = dice.below(Genes::COUNT as u32) as usize;
                values[which] = any_gene(dice);
            }
            Mutation::Gaussian(deviation) => {
                for gene in &mut values {
                    *gene = (*gene + deviation * normal(dice)).round().clamp(0.0, f64::from(GENE_MAX));
                }
            }
        }
        *genes = Genes::new(values).unwrap_or(*genes);
    }
}

/// Six genes drawn at random.
pub(crate) fn any_genes(dice: &mut Dice) -> Genes {
    let values = std::array::from_fn(|_| any_gene(dice));
    Genes::new(values).unwrap_or_default()
}

/// A whole number from 0 to 1000.
fn any_gene(dice: &mut Dice) -> f64 {
    f64::from(dice.below(GENE_MAX + 1))
}

/// A word that is no way of breeding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct UnknownWay(&'static str);

impl FromStr for Selection {
    type Err = UnknownWay;

    fn from_str(text: &str) -> Result<Selection, UnknownWay> {
        match text.split_once(':') {
            None if text == "fittest" => Some(Selection::Fittest),
            Some(("tournament", entrants)) => entrants.parse().ok().map(Selection::Tournament),
            _ => None,
        }
        .ok_or(UnknownWay("fittest, or tournament:K with a number of entrants"))
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Fittest => f.write_str("fittest"),
            Selection::Tournament(entrants) => write!(f, "tournament:{entrants}"),
        }
    }
}

impl FromStr for Crossover {
    type Err = UnknownWay;

    fn from_str(text: &str) -> Result<Crossover, UnknownWay> {
        match text {
            "one-point" => Ok(Crossover::OnePoint),
            "uniform" => Ok(Crossover::Uniform),
            _ => Err(UnknownWay("one-point or uniform")),
        }
    }
}

impl fmt::Display for Crossover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Crossover::OnePoint => "one-point",
            Crossover::Uniform => "uniform",
        })
    }
}

impl FromStr for Mutation {
    type Err = UnknownWay;

    fn from_str(text: &str) -> Result<Mutation, UnknownWay> {
        match text.split_once(':') {
            None if text == "redraw" => Some(Mutation::Redraw),
            Some(("gaussian", deviation)) => deviation.parse().ok().map(Mutation::Gaussian),
            _ => None,
        }
        .ok_or(UnknownWay("redraw, or gaussian:S with a standard deviation"))
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutation::Redraw => f.write_str("redraw"),
            Mutation::Gaussian(deviation) => write!(f, "gaussian:{deviation}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fourteen individuals whose genes tell who they are: 10·index + place.
    fn fourteen() -> Vec<Genes> {
        (0..14)
            .map(|index| {
                Genes::new(std::array::from_fn(|place| f64::from(index * 10 + place as u32))).unwrap()
            })
            .collect()
    }

    /// Individual 4 is the fittest, 9 the second; 7 the least fit, 2 the last but one.
    const FITNESS: [f64; 14] = [5.0, 6.0, 2.0, 8.0, 12.0, 7.0, 3.0, 1.0, 9.0, 11.0, 4.0, 10.0, 6.0, 7.0];

    #[test]
    fn two_children_of_the_two_fittest_replace_the_two_least_fit() {
        let before = fourteen();
        let breeding = Breeding { mutation_rate: 0.0, ..Breeding::default() };
        for seed in 0..50 {
            let after = breeding.next(&before, &FITNESS, &mut Dice::new(seed));
            assert_eq!(after.len(), 14);
            for index in (0..14).filter(|index| ![7, 2].contains(index)) {
                assert_eq!(after[index], before[index], "only the two least fit are replaced");
            }
            let (one, other) = (after[7].values(), after[2].values());
            let (mother, father) = (before[4].values(), before[9].values());
            let point = (0..6).find(|place| one[*place] != mother[*place]).unwrap();
            assert!((1..=5).contains(&point));
            assert_eq!((&one[..point], &one[point..]), (&mother[..point], &father[point..]));
            assert_eq!((&other[..point], &other[point..]), (&father[..point], &mother[point..]));
        }
    }

    #[test]
    fn every_point_from_1_to_5_is_a_crossover_point_and_equally_likely() {
        let [mother, father] = [Genes::new([0.0; 6]).unwrap(), Genes::new([1.0; 6]).unwrap()];
        let mut dice = Dice::new(3);
        let mut counts = [0u32; 7];
        for _ in 0..10_000 {
            let [child, _] = Crossover::OnePoint.children(&mother, &father, &mut dice);
            counts[child.values().iter().filter(|gene| **gene == 0.0).count()] += 1;
        }
        assert_eq!((counts[0], counts[6]), (0, 0));
        // 2000 each; five standard deviations are 200.
        assert!(counts[1..6].iter().all(|count| count.abs_diff(2000) < 200), "{counts:?}");
    }

    #[test]
    fn two_children_in_three_mutate_and_then_in_one_gene() {
        let same = vec![Genes::new([2000.0; 6]).unwrap(); 2];
        let breeding = Breeding::default();
        let mut dice = Dice::new(11);
        let (mut mutants, mut places, mut children) = (0u32, [0u32; 6], 0u32);
        for _ in 0..15_000 {
            for child in breeding.next(&same, &[0.0, 0.0], &mut dice) {
                let changed: Vec<usize> = (0..6).filter(|place| child.values()[*place] != 2000.0).collect();
                assert!(changed.len() <= 1);
                for place in changed {
                    let gene = child.values()[place];
                    assert!((0.0..=1000.0).contains(&gene) && gene.fract() == 0.0);
                    mutants += 1;
                    places[place] += 1;
                }
                children += 1;
            }
        }
        // 30,000 children: 20,000 mutate, give or take 82; five deviations are 408.
        assert_eq!(children, 30_000);
        assert!(mutants.abs_diff(20_000) < 408, "{mutants}");
        assert!(places.iter().all(|count| count.abs_diff(20_000 / 6) < 270), "{places:?}");
    }

    #[test]
    fn genes_are_drawn_evenly_from_0_to_1000() {
        let mut dice = Dice::new(5);
        let mut tenths = [0u32; 10];
        let (mut low, mut high) = (false, false);
        for _ in 0..20_000 {
            for gene in any_genes(&mut dice).values() {
                low |= gene == 0.0;
                high |= gene == 1000.0;
                tenths[(gene as usize).min(999) / 100] += 1;
            }
        }
        assert!(low && high);
        // 12,000 each; five standard deviations are 520.
        assert!(tenths.iter().all(|count| count.abs_diff(12_000) < 520), "{tenths:?}");
    }

    #[test]
    fn more_parents_breed_in_pairs_down_the_ranking() {
        let before = fourteen();
        let breeding = Breeding {
            parents: 4,
            offspring: 6,
            mutation_rate: 0.0,
            crossover: Crossover::Uniform,
            ..Breeding::default()
        };
        let after = breeding.next(&before, &FITNESS, &mut Dice::new(1));
        // From the least fit up: 7, 2, 6, 10, 0, 1. The pairs are (4, 9), (11, 8) and (4, 9) again.
        let family = |place: usize| -> Vec<u32> {
            let mut parents: Vec<u32> = after[place].values().map(|gene| gene as u32 / 10).to_vec();
            parents.sort_unstable();
            parents.dedup();
            parents
        };
        for (place, parents) in
            [(7, [4, 9]), (2, [4, 9]), (6, [8, 11]), (10, [8, 11]), (0, [4, 9]), (1, [4, 9])]
        {
            assert!(
                family(place).iter().all(|parent| parents.contains(parent)),
                "{place}: {:?}",
                family(place)
            );
        }
        let changed = (0..14).filter(|index| after[*index] != before[*index]).count();
        assert_eq!(changed, 6);
    }

    #[test]
    fn a_tournament_of_everybody_many_times_over_finds_the_fittest_and_never_pairs_one_with_itself() {
        let order: Vec<usize> = (0..14).collect();
        let breeding = Breeding { selection: Selection::Tournament(200), ..Breeding::default() };
        let mut dice = Dice::new(9);
        for number in 0..100 {
            assert_eq!(breeding.pair(number, &order, &mut dice), [13, 12]);
        }
        let loose = Breeding { selection: Selection::Tournament(1), ..Breeding::default() };
        for number in 0..1000 {
            let [mother, father] = loose.pair(number, &order, &mut dice);
            assert_ne!(mother, father);
        }
    }

    #[test]
    fn the_elite_is_kept_when_everybody_else_is_replaced() {
        let before = fourteen();
        let breeding = Breeding {
            offspring: 12,
            elite: 2,
            mutation: Mutation::Gaussian(100.0),
            mutation_rate: 1.0,
            ..Breeding::default()
        };
        assert_eq!(breeding.check(14), Ok(()));
        let after = breeding.next(&before, &FITNESS, &mut Dice::new(4));
        assert_eq!((after[4], after[9]), (before[4], before[9]));
        assert_eq!((0..14).filter(|index| after[*index] != before[*index]).count(), 12);
        let genes = after.iter().flat_map(Genes::values);
        assert!(genes.clone().all(|gene| (0.0..=1000.0).contains(&gene) && gene.fract() == 0.0));
    }

    #[test]
    fn a_population_of_two_is_replaced_whole() {
        let before = &fourteen()[..2];
        let breeding = Breeding { mutation_rate: 0.0, ..Breeding::default() };
        let after = breeding.next(before, &[0.0, 0.0], &mut Dice::new(2));
        assert_eq!(after.len(), 2);
        let sum = |population: &[Genes]| population.iter().flat_map(Genes::values).sum::<f64>();
        assert_eq!(sum(&after), sum(before), "no gene is lost");
        assert_ne!(after, before);
    }

    #[test]
    fn ways_as_text_and_back() {
        for text in ["fittest", "tournament:3"] {
            assert_eq!(text.parse::<Selection>().unwrap().to_string(), text);
        }
        for text in ["one-point", "uniform"] {
            assert_eq!(text.parse::<Crossover>().unwrap().to_string(), text);
        }
        for text in ["redraw", "gaussian:50.5"] {
            assert_eq!(text.parse::<Mutation>().unwrap().to_string(), text);
        }
        assert_eq!(
            "best".parse::<Selection>().unwrap_err().to_string(),
            "expected fittest, or tournament:K with a number of entrants"
        );
        assert!("tournament:".parse::<Selection>().is_err());
        assert!("gaussian".parse::<Mutation>().is_err());
    }
}
