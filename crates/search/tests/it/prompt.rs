//! A search that is told to stop does so at once, wherever it is. Counted in nodes: time depends on the machine.

use std::ops::ControlFlow;
use std::time::Duration;

use emilia_eval::Learned;
use emilia_query::{Limits, Report, Stop};
use emilia_rules::{GridPosition, Playable, Position, Size};
use emilia_search::{GridMemory, GridSearch, Search, Table};

/// Nodes that may pass before a search sees that it is over: its moves put in order, and one portion of nodes between
/// two looks at the clock.
const AT_ONCE: u64 = 30_000;

/// Positions of a game, from the start to the end, in which each side plays what flips most, or least.
pub(crate) fn game(size: Size) -> Vec<GridPosition> {
    let mut positions = vec![GridPosition::start(size)];
    while let Some(here) = positions.last().filter(|here| !here.is_over()) {
        let discs = |next: &GridPosition| next.opponent().into_iter().count();
        let next = here.moves().map(|mv| here.play(mv).unwrap());
        let next = if positions.len() % 3 == 0 { next.max_by_key(discs) } else { next.min_by_key(discs) };
        positions.push(next.unwrap());
    }
    positions
}

/// A request that was made already, or not.
fn stop(requested: bool) -> Stop {
    let stop = Stop::default();
    if requested {
        stop.request();
    }
    stop
}

/// The nodes of a search that should be over before it begins, and its move.
fn run(position: &Position, stopped: bool, limits: Limits, lines: usize, threads: usize) -> Report {
    let table = Table::new(1).unwrap();
    let stop = stop(stopped);
    let mut search = Search::new(Learned::embedded(), &table, &stop);
    (search.limits, search.lines, search.threads) = (limits, lines, threads);
    search.run(position, &mut ())
}

#[test]
fn a_search_that_is_over_before_it_begins_has_a_move_at_once() {
    for size in [Size::new(6).unwrap(), Size::EIGHT] {
        for position in game(size).iter().filter(|position| !position.is_over()) {
            let position = Position::try_from(position).unwrap();
            for (lines, threads) in [(1, 1), (1, 2), (60, 1)] {
                let stopped = run(&position, true, Limits::default(), lines, threads);
                assert!(stopped.nodes < 100, "{} nodes: {position:?}", stopped.nodes);
                let late = run(&position, false, Limits::time(Duration::ZERO), lines, threads);
                assert!(late.nodes < AT_ONCE, "{} nodes: {position:?}", late.nodes);
                for report in [stopped, late] {
                    let best = report.best_move().unwrap().map(|point| position.square(point).unwrap());
                    assert!(position.play(best).is_ok());
                }
            }
        }
    }
}

#[test]
fn a_search_on_any_board_that_is_over_before_it_begins_has_a_move_at_once() {
    for side in [4, 6, 10, 26] {
        let mut memory = GridMemory::new(1);
        for position in
            game(Size::new(side).unwrap()).iter().filter(|position| !position.is_over()).step_by(5)
        {
            for (stopped, limits) in [(true, Limits::default()), (false, Limits::time(Duration::ZERO))] {
                let search = GridSearch::new(limits);
                let report = search.run(position, &mut memory, &stop(stopped), &mut ());
                assert!(report.nodes <= 256, "{} nodes: {position}", report.nodes);
                assert!(position.play(report.best_move().unwrap()).is_ok());
            }
        }
    }
}

/// What is found after a step must not wait for lines of best play that nobody wants any more.
#[test]
fn a_search_stopped_after_a_step_ends_there() {
    let position = Position::try_from(&game(Size::EIGHT)[44]).unwrap();
    for steps in 1..6 {
        let table = Table::new(1).unwrap();
        let stop = Stop::default();
        let search = Search::new(Learned::embedded(), &table, &stop);
        let (mut told, mut nodes) = (0, 0);
        let last = search.run(&position, &mut |report: &Report| {
            (told, nodes) = (told + 1, report.nodes);
            if told == steps {
                stop.request();
            }
            ControlFlow::Continue(())
        });
        assert_eq!((told, last.nodes), (steps, nodes));
    }
}
