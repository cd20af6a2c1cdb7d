use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use emilia_classic::{Control, Dice, Evaluator, Genes, Search};
use emilia_query::Stop;
use emilia_rules::{Color, GridPosition, Move, Objective, Outcome, Playable, Point, Size};
use thiserror::Error;

use super::chance::{Purpose, dice};
use super::fixture::{Contestant, Fixture};
use super::plan::{Opposition, Plan};

/// Where the games of an evolution are played.
#[derive(Clone, Copy, Debug)]
pub struct Hall<'a> {
    /// How everybody looks ahead; its evaluator is replaced by the weights of whoever plays.
    pub search: Search,
    /// Games played at the same time. What happens in them does not depend on it.
    pub threads: usize,
    /// Set by somebody who wants the games to end.
    pub stop: &'a Stop,
}

/// The games were stopped; those of the generation under way are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the games were stopped")]
pub struct Interrupted;

/// What came of the games of a generation.
pub(crate) struct Results {
    /// Points of everybody.
    pub(crate) fitness: Vec<f64>,
    /// Games that somebody won.
    pub(crate) decisive: u64,
}

impl Hall<'_> {
    /// Plays all games of a generation and says after each how many are done.
    pub(crate) fn play(
        &self,
        plan: &Plan,
        generation: u32,
        population: &[Genes],
        mut watch: impl FnMut(u64),
    ) -> Result<Results, Interrupted> {
        let fixtures = Fixture::all(plan);
        let mut outcomes = vec![None; fixtures.len()];
        let next = AtomicUsize::new(0);
        let (send, receive) = mpsc::channel();
        emilia_threads::scope(|scope| {
            for _ in 0..self.threads.clamp(1, fixtures.len().max(1)) {
                let (send, next, fixtures) = (send.clone(), &next, &fixtures);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(fixture) = fixtures.get(number) else { return };
                        let outcome = self.game(plan, generation, number, fixture, population);
                        let Some(outcome) = outcome else { return };
                        if send.send((number, outcome)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for (done, (number, outcome)) in (1..).zip(receive.iter()) {
                outcomes[number] = Some(outcome);
                watch(done);
            }
        });
        let outcomes: Option<Vec<Outcome>> = outcomes.into_iter().collect();
        Ok(count(plan, &fixtures, &outcomes.ok_or(Interrupted)?))
    }

    /// Plays one game, or gives up when stopped.
    fn game(
        &self,
        plan: &Plan,
        generation: u32,
        number: usize,
        fixture: &Fixture,
        population: &[Genes],
    ) -> Option<Outcome> {
        let genes = |contestant| match (contestant, &plan.opposition) {
            (Contestant::Member(index), _) => population[index],
            (Contestant::Guest(index), Opposition::Fixed(guests)) => guests[index],
            (Contestant::Guest(_), Opposition::RoundRobin) => Genes::default(),
        };
        let player = |contestant| Search { evaluator: Evaluator::Genes(genes(contestant)), ..self.search };
        let (black, white) = (player(fixture.black), player(fixture.white));
        let mut opening_dice = dice(plan.seed, Purpose::Opening, generation, fixture.opening);
        let mut position = opening(plan.size, plan.opening, &mut opening_dice);
        let mut dice = dice(plan.seed, Purpose::Game, generation, number as u64);
        loop {
            let (first, second) = {
                let mut moves = position.moves();
                (moves.next(), moves.next())
            };
            let Some(only) = first else { break };
            let mv = if second.is_none() {
                // Nothing to think about, and nothing thrown for.
                only
            } else {
                let search = if position.turn() == Color::Black { &black } else { &white };
                let report =
                    search.run(&position, &mut dice, &mut Control::unlimited().stopped_by(self.stop));
                report.best_move()?
            };
            if self.stop.is_requested() {
                return None;
            }
            position = position.play(mv).ok()?;
        }
        Some(position.counts().outcome(Objective::Most))
    }
}

/// The position after so many random moves; drawn again if that ends the game.
fn opening(size: Size, plies: u32, dice: &mut Dice) -> GridPosition {
    /// Tries to find an opening after which there is something left to play.
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let mut position = GridPosition::start(size);
        for _ in 0..plies {
            let moves: Vec<Move<Point>> = position.moves().collect();
            let Some(mv) = moves.get(dice.below(moves.len() as u32) as usize) else { break };
            let Ok(next) = position.play(*mv) else { break };
            position = next;
        }
        if !position.is_over() {
            return position;
        }
    }
    GridPosition::start(size)
}

/// Gives everybody their points.
fn count(plan: &Plan, fixtures: &[Fixture], outcomes: &[Outcome]) -> Results {
    let mut results = Results { fitness: vec![0.0; plan.population as usize], decisive: 0 };
    let mut give = |contestant, points| {
        if let Contestant::Member(index) = contestant {
            results.fitness[index] += points;
        }
    };
    for (fixture, outcome) in fixtures.iter().zip(outcomes) {
        match outcome {
            Outcome::Win(color) => {
                give(if *color == Color::Black { fixture.black } else { fixture.white }, 1.0);
                results.decisive += 1;
            }
            Outcome::Draw => {
                give(fixture.black, plan.draw);
                give(fixture.white, plan.draw);
            }
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    static NEVER: Stop = Stop::new();

    fn hall(threads: usize) -> Hall<'static> {
        Hall { search: Search::beam(2, 3), threads, stop: &NEVER }
    }

    fn population(count: u32) -> Vec<Genes> {
        let mut dice = Dice::new(3);
        (0..count).map(|_| super::super::breeding::any_genes(&mut dice)).collect()
    }

    #[test]
    fn the_sum_of_fitness_is_the_number_of_decisive_games() {
        let plan = Plan { size: Size::SIX, ..Plan::default() };
        for generation in 0..3 {
            let mut done = Vec::new();
            let results = hall(2).play(&plan, generation, &population(14), |games| done.push(games)).unwrap();
            assert_eq!(results.fitness.iter().sum::<f64>(), results.decisive as f64);
            assert!(results.decisive <= 91 && results.decisive > 0);
            assert!(results.fitness.iter().all(|points| (0.0..=13.0).contains(points)));
            assert_eq!(done, (1..=91).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn a_draw_is_worth_what_the_plan_says() {
        let plan = |draw| Plan { population: 3, draw, ..Plan::default() };
        let outcomes = [Outcome::Draw, Outcome::Draw, Outcome::Win(Color::White)];
        let of = |draw| count(&plan(draw), &Fixture::all(&plan(draw)), &outcomes);
        assert_eq!((of(0.0).fitness, of(0.0).decisive), (vec![0.0, 0.0, 1.0], 1));
        assert_eq!(of(0.5).fitness, [1.0, 0.5, 1.5]);
    }

    #[test]
    fn only_the_seed_decides_and_not_the_threads() {
        let plan = Plan { size: Size::SIX, population: 8, opening: 3, ..Plan::default() };
        let fitness = |threads, seed, generation| {
            let plan = Plan { seed, ..plan.clone() };
            hall(threads).play(&plan, generation, &population(8), |_| ()).unwrap().fitness
        };
        assert_eq!(fitness(1, 5, 0), fitness(4, 5, 0));
        assert_ne!(fitness(1, 5, 0), fitness(1, 6, 0));
        assert_ne!(fitness(1, 5, 0), fitness(1, 5, 1), "a new generation has new openings and dice");
    }

    #[test]
    fn a_stop_is_heeded() {
        let stop = Stop::new();
        let hall = Hall { search: Search::alphabeta(40), threads: 2, stop: &stop };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(100));
                stop.request();
            });
            assert!(hall.play(&Plan::default(), 0, &population(14), |_| ()).is_err());
        });
    }

    #[test]
    fn openings_leave_something_to_play() {
        for number in 0..50 {
            let mut dice = dice(1, Purpose::Opening, 0, number);
            let position = opening(Size::MIN, 8, &mut dice);
            assert!(!position.is_over());
        }
        assert_eq!(opening(Size::EIGHT, 0, &mut Dice::new(1)), GridPosition::start(Size::EIGHT));
    }

    /// Somebody who values corners beats somebody who gives them away.
    #[test]
    fn better_weights_have_more_points() {
        let plan = Plan { population: 2, games: 20, opening: 6, size: Size::SIX, ..Plan::default() };
        let fool = Genes::new([0.0, 0.0, 0.0, -800.0, -300.0, 0.0]).unwrap();
        let results = hall(2).play(&plan, 0, &[Genes::default(), fool], |_| ()).unwrap();
        assert!(results.fitness[0] >= 18.0, "{:?}", results.fitness);
    }
}
