//! Clocks, flags and watchers are obeyed by every search, on the largest board with the slowest evaluator too.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::common::random_step;
use emilia_classic::{Control, Dice, Evaluator, MAX_DEPTH, Method, PaperWeights, Search};
use emilia_query::{Report, Stop};
use emilia_rules::{GridPosition, Playable, Size};

/// How late an answer may come.
const GRACE: Duration = Duration::from_millis(50);
/// A machine that is busy with other things is given another chance.
const CHANCES: usize = 8;

fn middle_game(size: Size, plies: usize) -> GridPosition {
    let mut dice = Dice::new(21);
    (0..plies)
        .fold(GridPosition::start(size), |position, _| random_step(&position, &mut dice).unwrap_or(position))
}

fn searches_without_end() -> Vec<Search> {
    let hour = Duration::from_secs(3600);
    let methods = [
        Method::Minimax { depth: MAX_DEPTH },
        Method::AlphaBeta { depth: MAX_DEPTH },
        Method::Iterative { time: hour, depth: MAX_DEPTH, split: false },
        Method::Iterative { time: hour, depth: MAX_DEPTH, split: true },
        Method::Beam { depth: MAX_DEPTH, width: 3 },
        Method::Mcts { playouts: u32::MAX, exploration: 1.4 },
    ];
    methods
        .into_iter()
        .flat_map(|method| {
            [Evaluator::Paper(PaperWeights::default()), Evaluator::Judge]
                .map(|evaluator| Search { evaluator, ..Search::new(method) })
        })
        .collect()
}

/// The answer must come in time at least once in a few attempts.
fn in_time(what: &str, attempt: impl Fn() -> Duration) {
    let latest = (0..CHANCES).map(|_| attempt()).find(|late| *late <= GRACE);
    assert!(latest.is_some(), "{what} was late {CHANCES} times");
}

fn assert_legal(position: &GridPosition, report: &Report, what: &str) {
    let mv = report.best_move().unwrap_or_else(|| panic!("{what} found no move"));
    assert!(position.play(mv).is_ok(), "{what} plays {mv}");
}

#[test]
fn deadlines_are_kept() {
    for (size, plies) in [(Size::EIGHT, 20), (Size::MAX, 200)] {
        let position = middle_game(size, plies);
        for search in searches_without_end() {
            let what = format!("{} with {} on {size}", search.method, search.evaluator);
            let time = Duration::from_millis(60);
            in_time(&what, || {
                let deadline = Instant::now() + time;
                let mut control = Control::unlimited().until(deadline);
                let report = search.run(&position, &mut Dice::new(1), &mut control);
                assert_legal(&position, &report, &what);
                Instant::now().saturating_duration_since(deadline)
            });
        }
    }
}

#[test]
fn the_time_of_the_method_is_kept() {
    let position = middle_game(Size::MAX, 300);
    for split in [false, true] {
        let time = Duration::from_millis(40);
        let method = Method::Iterative { time, depth: MAX_DEPTH, split };
        let search = Search { evaluator: Evaluator::Paper(PaperWeights::default()), ..Search::new(method) };
        in_time("iterative", || {
            let report = search.run(&position, &mut Dice::new(1), &mut Control::unlimited());
            assert_legal(&position, &report, "iterative");
            report.time.saturating_sub(time)
        });
    }
}

#[test]
fn no_time_at_all_still_gives_a_move() {
    let position = middle_game(Size::MAX, 100);
    for search in searches_without_end() {
        in_time(search.method.name(), || {
            let now = Instant::now();
            let report = search.run(&position, &mut Dice::new(1), &mut Control::unlimited().until(now));
            assert_legal(&position, &report, search.method.name());
            now.elapsed()
        });
    }
}

#[test]
fn a_flag_stops_every_search() {
    for (size, plies) in [(Size::EIGHT, 20), (Size::MAX, 200)] {
        let position = middle_game(size, plies);
        for search in searches_without_end() {
            in_time(search.method.name(), || {
                let stop = Stop::default();
                let mut told = Instant::now();
                let (report, answered) = std::thread::scope(|scope| {
                    let thinking = scope.spawn(|| {
                        let mut control = Control::unlimited().stopped_by(&stop);
                        let report = search.run(&position, &mut Dice::new(1), &mut control);
                        (report, Instant::now())
                    });
                    std::thread::sleep(Duration::from_millis(20));
                    told = Instant::now();
                    stop.request();
                    thinking.join().unwrap()
                });
                assert!(report.stopped, "{}", search.method);
                assert_legal(&position, &report, search.method.name());
                answered.saturating_duration_since(told)
            });
        }
    }
}

#[test]
fn a_watcher_sees_every_thousandth_node_and_every_new_depth() {
    let mut seen: Vec<Report> = Vec::new();
    let mut watch = |report: &Report| {
        seen.push(report.clone());
        ControlFlow::Continue(())
    };
    let time = Duration::from_secs(3600);
    let search = Search::new(Method::Iterative { time, depth: 6, split: false });
    let mut control = Control::unlimited().watched_by(&mut watch);
    let report = search.run(&GridPosition::default(), &mut Dice::new(1), &mut control);
    for thousand in 1..=report.nodes / 1000 {
        assert!(seen.iter().any(|report| report.nodes == thousand * 1000));
    }
    for depth in 1..=6 {
        assert!(seen.iter().any(|report| report.greatest_depth == depth));
        assert!(seen.iter().any(|report| report.depth == depth && report.value().is_some()));
    }
    assert!(seen.is_sorted_by_key(|report| report.nodes));
    assert_eq!(report.depth, 6);
}

#[test]
fn a_watcher_can_stop_every_search() {
    let position = middle_game(Size::EIGHT, 10);
    for search in searches_without_end() {
        let mut calls = 0;
        let mut watch = |report: &Report| {
            calls += 1;
            if report.nodes < 2000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut control = Control::unlimited().watched_by(&mut watch);
        let report = search.run(&position, &mut Dice::new(1), &mut control);
        assert!(report.stopped && report.nodes >= 2000 && calls >= 2, "{}", search.method);
    }
}

#[test]
fn an_unfinished_depth_does_not_count() {
    let position = middle_game(Size::EIGHT, 16);
    let all = Search::new(Method::Iterative { time: Duration::from_secs(3600), depth: 5, split: false });
    let total = all.run(&position, &mut Dice::new(1), &mut Control::unlimited()).nodes;
    for stop_at in (0..total).step_by((total / 9) as usize) {
        let mut watch = |report: &Report| {
            if report.nodes < stop_at { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut control = Control::unlimited().watched_by(&mut watch);
        let stopped = all.run(&position, &mut Dice::new(1), &mut control);
        if stopped.depth == 0 {
            assert_eq!(stopped.value(), None);
            assert_eq!(stopped.best_move(), position.moves().next());
        } else {
            let same = Search::alphabeta(stopped.depth);
            let same = same.run(&position, &mut Dice::new(1), &mut Control::unlimited());
            let found = |report: &Report| (report.value(), report.line().to_vec());
            assert_eq!(found(&stopped), found(&same));
        }
    }
}

#[test]
fn a_search_ends_early_when_there_is_nothing_to_find() {
    let search = Search::iterative(Duration::from_secs(3600));
    // A single move.
    let position: GridPosition =
        "OX-- ---- ---- ---- X".parse::<emilia_rules::Setup>().unwrap().position().unwrap();
    let only = position.passed();
    let report = search.run(&only, &mut Dice::new(1), &mut Control::unlimited());
    assert_eq!(report.best_move().unwrap().to_string(), "c1");
    // A pass.
    let report = search.run(&position, &mut Dice::new(1), &mut Control::unlimited());
    assert_eq!(report.best_move().unwrap().to_string(), "pass");
    // A game that is over.
    let over = position.passed().play(report_best(&search, &only)).unwrap();
    assert!(over.is_over());
    let report = search.run(&over, &mut Dice::new(1), &mut Control::unlimited());
    assert_eq!((report.best(), report.nodes), (None, 1));
    // The end in sight.
    let mut dice = Dice::new(3);
    let mut late = GridPosition::default();
    while late.counts().empty > 7 {
        late = random_step(&late, &mut dice).unwrap_or_default();
    }
    let report = search.run(&late, &mut Dice::new(1), &mut Control::unlimited());
    assert!(report.is_exact() && !report.stopped);
}

fn report_best(search: &Search, position: &GridPosition) -> emilia_rules::Move<emilia_rules::Point> {
    search.run(position, &mut Dice::new(1), &mut Control::unlimited()).best_move().unwrap()
}
