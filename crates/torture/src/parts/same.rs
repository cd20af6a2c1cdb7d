//! What is proven does not depend on threads, memory or processor.

use emilia_eval::Learned;
use emilia_query::{Limits, Stop};
use emilia_rules::{GridPosition, Size, Tier};
use emilia_search::{Problem, Search, Solver, Table};

use crate::part::{Round, Tally};
use crate::parts::solver::reached;

pub(crate) fn round(round: &mut Round) -> Tally {
    let positions = round.scaled(3, 1);
    let small = Table::new(1).unwrap();
    let large = Table::new(round.scaled(1024, 64) as usize).unwrap();
    let stop = Stop::default();
    let mut solves = 0;
    for _ in 0..positions {
        let empties = round.scaled(16, 12) as u32;
        let position = reached(round, Size::EIGHT, empties);
        let mut known = None;
        let mut compare = |table: &Table, threads: usize, tier: Tier| {
            let mut solver = Solver::new(Learned::embedded(), table, &stop);
            (solver.threads, solver.tier) = (threads, tier);
            let score = Problem::new(position).score(&solver.solve(&position, &mut ()));
            let first = *known.get_or_insert(score);
            let where_ = GridPosition::from(position);
            assert_eq!(score, first, "{threads} threads, {tier}, {} bytes: {where_}", table.bytes());
            solves += 1;
        };
        for tier in Tier::available() {
            compare(&small, 1, tier);
        }
        for threads in [1, 2, 8] {
            compare(&small, threads, Tier::best());
            compare(&large, threads, Tier::best());
        }
        same_search(round, &small, &stop);
    }
    Tally::of(solves)
}

/// On one thread a search of a middle game visits the same nodes on every processor.
fn same_search(round: &mut Round, table: &Table, stop: &Stop) {
    let position = reached(round, Size::EIGHT, 40);
    let mut known = None;
    for tier in Tier::available() {
        table.clear();
        let mut search = Search::new(Learned::embedded(), table, stop);
        (search.limits, search.tier) = (Limits::depth(6), tier);
        let report = search.run(&position, &mut ());
        let found = (report.best_move(), report.value(), report.nodes);
        assert_eq!(*known.get_or_insert(found), found, "{tier}: {}", GridPosition::from(position));
    }
}
