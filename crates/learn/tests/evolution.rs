//! Whole runs: the same plan gives the same result, on any number of threads, in one go or in pieces.

use emilia_classic::{Genes, Search};
use emilia_learn::evolution::breeding::{Breeding, Crossover, Mutation, Selection};
use emilia_learn::evolution::{Evolution, Evolved, Hall, Method, Opposition, Plan, Scale};
use emilia_query::Stop;
use emilia_rules::Size;

static NEVER: Stop = Stop::new();

fn hall(threads: usize) -> Hall<'static> {
    Hall { search: Search::beam(2, 3), threads, stop: &NEVER }
}

/// One plan of each kind, small enough to be quick.
fn plans() -> Vec<Plan> {
    let small =
        Plan { size: Size::SIX, population: 6, generations: 5, seed: 17, opening: 4, ..Plan::default() };
    let modern = Breeding {
        selection: Selection::Tournament(3),
        offspring: 5,
        crossover: Crossover::Uniform,
        mutation: Mutation::Gaussian(60.0),
        mutation_rate: 0.9,
        elite: 1,
        ..Breeding::default()
    };
    let guests = Opposition::Fixed(vec![Genes::default(), Genes::KUKREJA]);
    let cma = Method::CmaEs { step: 300.0, scale: Scale::Log };
    vec![
        small.clone(),
        Plan { method: Method::Genetic(modern), games: 2, draw: 0.5, ..small.clone() },
        Plan { method: cma.clone(), start: Some(Genes::default()), ..small.clone() },
        Plan { method: cma, opposition: guests, games: 2, size: Size::EIGHT, ..small },
    ]
}

fn run(mut evolution: Evolution, threads: usize) -> (Evolution, Evolved) {
    while !evolution.is_done() {
        evolution.advance(&hall(threads), |_| ()).expect("nobody stops it");
    }
    let evolved = evolution.conclude(&hall(threads), |_| ()).expect("nobody stops it");
    (evolution, evolved)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for plan in plans() {
        let one = run(Evolution::new(plan.clone()).unwrap(), 1);
        let four = run(Evolution::new(plan).unwrap(), 4);
        assert_eq!(one, four);
    }
}

#[test]
fn a_run_resumed_after_any_generation_ends_as_one_that_was_never_interrupted() {
    for plan in plans() {
        let whole = run(Evolution::new(plan.clone()).unwrap(), 2);
        let mut pieces = Evolution::new(plan).unwrap();
        while !pieces.is_done() {
            pieces = Evolution::from_checkpoint(&pieces.checkpoint()).unwrap();
            pieces.advance(&hall(2), |_| ()).unwrap();
        }
        assert_eq!(run(Evolution::from_checkpoint(&pieces.checkpoint()).unwrap(), 2), whole);
    }
}

#[test]
fn another_seed_is_another_run() {
    let plan = plans().swap_remove(0);
    let one = run(Evolution::new(plan.clone()).unwrap(), 2).1;
    let other = run(Evolution::new(Plan { seed: 18, ..plan }).unwrap(), 2).1;
    assert_ne!(one, other);
}

#[test]
fn every_generation_is_summed_up() {
    let (evolution, evolved) = run(Evolution::new(plans().swap_remove(0)).unwrap(), 2);
    assert_eq!(evolution.history().len(), 5);
    for (number, generation) in (1..).zip(evolution.history().iter().chain([&evolved.generation])) {
        assert_eq!((generation.number, generation.games), (number, 15));
        assert!((generation.mean * 6.0 - generation.decisive as f64).abs() < 1e-9, "the sum of all points");
        assert!(generation.worst <= generation.mean && generation.mean <= generation.best);
    }
    assert_eq!((evolved.genes, evolved.fitness), (evolved.generation.fittest, evolved.generation.best));
}

#[test]
fn an_interrupted_generation_leaves_no_trace() {
    let stop = Stop::new();
    stop.request();
    let mut evolution = Evolution::new(plans().swap_remove(2)).unwrap();
    let before = evolution.clone();
    assert!(evolution.advance(&Hall { stop: &stop, ..hall(2) }, |_| ()).is_err());
    assert!(evolution.conclude(&Hall { stop: &stop, ..hall(2) }, |_| ()).is_err());
    assert_eq!(evolution, before);
}

#[test]
fn a_run_can_be_made_longer_but_not_otherwise_changed() {
    let plan = plans().swap_remove(0);
    let longer = Plan { generations: 7, ..plan.clone() };
    let (short, _) = run(Evolution::new(plan.clone()).unwrap(), 2);
    let resumed = Evolution::from_checkpoint(&short.checkpoint()).unwrap();
    let continued = run(resumed.clone().continued(longer.clone()).unwrap(), 2);
    assert_eq!(continued, run(Evolution::new(longer).unwrap(), 2));

    let refused = |plan: Plan| resumed.clone().continued(plan).unwrap_err().to_string();
    assert_eq!(
        refused(Plan { generations: 4, ..plan.clone() }),
        "this checkpoint was made with generations done 5, not 4"
    );
    assert_eq!(
        refused(Plan { population: 8, ..plan.clone() }),
        "this checkpoint was made with population 6, not 8"
    );
    assert_eq!(
        refused(Plan { search: "minimax".to_owned(), ..plan.clone() }),
        "this checkpoint was made with search beam:depth=10,width=3, not minimax"
    );
    assert_eq!(
        refused(Plan {
            method: Method::Genetic(Breeding { mutation_rate: 0.5, ..Breeding::default() }),
            ..plan.clone()
        }),
        "this checkpoint was made with mutation rate 0.6666666666666666, not 0.5"
    );
    assert_eq!(
        refused(Plan { method: Method::CmaEs { step: 1.0, scale: Scale::Linear }, ..plan }),
        "this checkpoint was made with method genetic, not cma-es"
    );
}

#[test]
fn broken_checkpoints_are_refused_and_never_panic() {
    // Every bit of the first. Of the others one in seven, so that all eight of a byte have their turn.
    for (plan, step) in plans().into_iter().zip(std::iter::once(1).chain(std::iter::repeat(7))) {
        let (evolution, _) = run(Evolution::new(plan).unwrap(), 2);
        let text = evolution.checkpoint();
        assert_eq!(Evolution::from_checkpoint(&text).unwrap(), evolution);
        for length in (0..text.trim_end().len()).step_by(step) {
            assert!(Evolution::from_checkpoint(&text[..length]).is_err(), "cut off after {length}");
        }
        for bit in (0..8 * text.len()).step_by(step) {
            let mut flipped = text.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // Another kind of blank between two values changes nothing, nor does a last digit that is finer than the
            // number it belongs to.
            if let Ok(read) = Evolution::from_checkpoint(&String::from_utf8_lossy(&flipped)) {
                assert!(read == evolution, "bit {bit}");
            }
        }
        let damaged = text.replacen("\"seed\": 17", "\"seed\": 18", 1);
        let error = Evolution::from_checkpoint(&damaged).unwrap_err();
        assert_eq!(error.to_string(), "this checkpoint is damaged: its checksum is wrong");
        // A checkpoint as it was before there were checksums; what it says is looked at all the same.
        let sum = text.lines().find(|line| line.contains("\"crc\"")).unwrap();
        let text = text.replacen(&format!("{sum}\n"), "", 1).replacen("\"version\": 2", "\"version\": 1", 1);
        assert_eq!(Evolution::from_checkpoint(&text).unwrap(), evolution);
        let refused = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Evolution::from_checkpoint(&text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert_eq!(refused("emilia evolution", "diary"), "this is no checkpoint of an evolution");
        assert_eq!(
            refused("\"version\": 1", "\"version\": 9"),
            "this checkpoint has version 9; this program goes on from versions 1 and 2"
        );
        assert_eq!(
            refused("\"version\": 1", "\"version\": 2"),
            "this checkpoint is damaged: its checksum is wrong"
        );
        assert!(refused("\"population\": 6", "\"population\": 7").contains("contradicts itself"));
        assert!(
            refused("\"generations\": 5", "\"generations\": 3").contains("more generations than planned")
        );
        assert!(refused("\"number\": 2", "\"number\": 3").contains("not numbered"));
        assert!(refused("\"population\": 6", "\"population\": 1").contains("the plan in this checkpoint"));
        assert!(refused("\"seed\": 17", "\"seed\": 17, \"spare\": 1").contains("spare"));
        assert!(refused("\"size\": ", "\"size\": 3").contains("even number"));
    }
    assert!(Evolution::from_checkpoint("").is_err());
    assert!(Evolution::from_checkpoint(&"[".repeat(100_000)).is_err());
}
