//! The search for boards of every size: right where it can be checked, prompt everywhere.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use emilia_eval::Patterns;
use emilia_rules::{GridPosition, Objective, Playable, Position, Setup, Size};
use emilia_search::{GridMemory, GridReport, GridSearch, Limits, Search, Table};

fn run(search: GridSearch, position: &GridPosition) -> GridReport {
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    search.run(position, &mut GridMemory::new(16), &AtomicBool::new(false), go_on)
}

/// Plays moves picked by a small generator until so few squares are empty; nothing if the game ends before.
fn late_position(size: Size, empties: u32, seed: &mut u64) -> Option<GridPosition> {
    let mut position = GridPosition::start(size);
    while position.counts().empty > empties {
        let moves: Vec<_> = position.moves().collect();
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves.get((*seed >> 33) as usize % moves.len().max(1))?;
        position = position.play(*mv).ok()?;
    }
    (!position.is_over()).then_some(position)
}

#[test]
fn endgames_agree_with_the_exact_solver() {
    let table = Table::new(1).unwrap();
    let stop = AtomicBool::new(false);
    let mut seed = 1;
    let mut compared = 0;
    for size in [Size::MIN, Size::SIX, Size::EIGHT] {
        for _ in 0..25 {
            let Some(position) = late_position(size, 9, &mut seed) else { continue };
            let report = run(GridSearch::new(Limits::default()), &position);
            let solved = Search::new(Patterns::embedded(), &table, &stop)
                .run(&Position::try_from(&position).unwrap(), &mut ());
            assert!(report.exact);
            assert_eq!(report.discs(), f64::from(solved.score().discs()), "{position}");
            assert!(position.play(report.best().unwrap()).is_ok());
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

/// With the fewest discs winning, every result changes its sign: the same plain tree search says so.
#[test]
fn fewest_discs_are_searched_exactly_too() {
    fn plain(position: &GridPosition) -> i32 {
        let counts = position.counts();
        let sign = if position.turn() == emilia_rules::Color::Black { 1 } else { -1 };
        position
            .moves()
            .map(|mv| -plain(&position.play(mv).unwrap()))
            .max()
            .unwrap_or_else(|| -sign * counts.margin())
    }
    let mut seed = 7;
    for _ in 0..20 {
        let Some(position) = late_position(Size::SIX, 6, &mut seed) else { continue };
        let search = GridSearch { objective: Objective::Fewest, ..GridSearch::new(Limits::default()) };
        assert_eq!(run(search, &position).discs(), f64::from(plain(&position)), "{position}");
    }
}

#[test]
fn a_move_comes_in_time_on_every_board() {
    for size in Size::all() {
        let mut seed = u64::from(size.get());
        let middle = late_position(size, size.cells() as u32 / 2, &mut seed);
        for position in [Some(GridPosition::start(size)), middle].into_iter().flatten() {
            for milliseconds in [0, 1, 30] {
                let began = Instant::now();
                let report =
                    run(GridSearch::new(Limits::time(Duration::from_millis(milliseconds))), &position);
                assert!(position.play(report.best().unwrap()).is_ok());
                // Generous: the machine may be busy with other tests.
                assert!(began.elapsed() < Duration::from_millis(milliseconds + 300), "{size}");
            }
        }
    }
}

#[test]
fn fixed_nodes_and_depth_repeat_and_a_raised_flag_stops() {
    let position = GridPosition::start(Size::new(12).unwrap());
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    let first = run(GridSearch::new(limits), &position);
    let second = run(GridSearch::new(limits), &position);
    assert_eq!((&first.line, first.score, first.nodes), (&second.line, second.score, second.nodes));
    assert!(first.nodes <= 5_008, "{}", first.nodes);
    let stopped = AtomicBool::new(true);
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let report = GridSearch::new(Limits::default()).run(&position, &mut GridMemory::new(1), &stopped, go_on);
    assert!(report.best().is_some() && report.nodes < 100);
}

#[test]
fn a_forced_pass_and_a_finished_game_are_understood() {
    let pass: Setup = "XO-------------- O".parse().unwrap();
    let position = pass.position().unwrap();
    let report = run(GridSearch::new(Limits::default()), &position);
    assert_eq!(report.best().unwrap().to_string(), "pass");
    let over: Setup = "XXXXXXXXXXXXOOOO O".parse().unwrap();
    let report = run(GridSearch::new(Limits::default()), &over.position().unwrap());
    assert!(report.exact && report.best().is_none());
    assert_eq!(report.discs(), -8.0);
}
