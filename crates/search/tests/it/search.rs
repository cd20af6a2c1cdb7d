//! How a search behaves: limits, reports, lines, repeatability.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::data;
use emilia_eval::Learned;
use emilia_query::{Aim, Bound, Limits, Report, Selectivity, Stop};
use emilia_rules::{Bitboard, GridPosition, Move, Playable, Point, Position, Size, Tier};
use emilia_search::{BENCH_DEPTH, Search, Table, bench};

const MIDGAME: &str = "--XO------XOO---OOOXX-O--OOXXOX--OOOXXX--OOO-X---OX-O----------- X";

fn search(position: &Position, limits: Limits, lines: usize) -> (Report, Vec<Report>) {
    let table = Table::new(4).unwrap();
    let stop = Stop::default();
    let mut search = Search::new(Learned::embedded(), &table, &stop);
    search.limits = limits;
    search.lines = lines;
    let mut reports = Vec::new();
    let last = search.run(position, &mut |report: &Report| {
        reports.push(report.clone());
        ControlFlow::Continue(())
    });
    (last, reports)
}

#[test]
fn the_same_search_twice_visits_the_same_nodes_on_every_processor() {
    let counts: Vec<u64> = Tier::available()
        .chain(Tier::available())
        .map(|tier| bench(Learned::embedded(), 7, tier).unwrap())
        .collect();
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

/// What `emilia bench` counts stands in the repository, so that nobody changes the search without knowing it.
#[test]
fn the_bench_counts_the_nodes_that_are_written_down() {
    let nodes = bench(Learned::embedded(), BENCH_DEPTH, Tier::best()).unwrap();
    let written = include_str!("../../bench.txt").trim();
    assert_eq!(
        nodes.to_string(),
        written,
        "if the search was meant to change, write the new count into crates/search/bench.txt and the commit"
    );
}

#[test]
fn reports_go_deeper_and_their_lines_are_legal() {
    let position = data::position(MIDGAME);
    let (last, reports) = search(&position, Limits::depth(8), 3);
    assert!(reports.windows(2).all(|pair| {
        let reach = |report: &Report| (report.depth, report.best().unwrap().selectivity);
        reach(&pair[0]) < reach(&pair[1]) && pair[0].nodes <= pair[1].nodes
    }));
    assert_eq!(last.depth, 8);
    for report in &reports {
        assert_eq!(report.moves.len(), 3);
        assert!(report.moves.is_sorted_by_key(|found| found.value.map(|value| -value.number() as i32)));
        for found in &report.moves {
            assert_eq!(found.line[0], found.mv);
            let start = GridPosition::from(position);
            found.line.iter().fold(start, |now, mv| now.play(*mv).unwrap());
        }
    }
}

/// Of a search that nobody breaks off, each step says how deep it was and what it found.
#[test]
fn complete_steps_are_as_deep_as_they_say() {
    for position in crate::prompt::game(Size::EIGHT).iter().take(50).step_by(7) {
        let (last, reports) = search(&Position::try_from(position).unwrap(), Limits::depth(6), 1);
        let told = reports.last().unwrap();
        assert!(last.nodes >= told.nodes && last.time > told.time);
        let depths: Vec<u32> = reports.iter().map(|report| report.depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5, 6, 6], "{position}");
        for report in reports.iter().chain([&last]) {
            let best = report.best().unwrap();
            assert_eq!(
                (best.depth, report.greatest_depth, best.bound),
                (report.depth, report.depth, Bound::Exact)
            );
        }
    }
}

/// Of a step that is broken off, nothing is told unless it found a better move; then the search is still as deep as it was before.
#[test]
fn a_step_that_is_broken_off_is_not_as_deep_as_it_was_meant_to_be() {
    let (mut nothing, mut better) = (0, 0);
    for position in data::obf("hard-20.obf").iter().take(15).map(|problem| &problem.position) {
        let (_, steps) = search(position, Limits::depth(5), 1);
        for (pair, part) in steps.windows(2).flat_map(|pair| [1, 40, 80].map(|part| (pair, part))) {
            let (before, next) = (&pair[0], &pair[1]);
            let nodes = Some(before.nodes + 1 + (next.nodes - before.nodes) * part / 100);
            let (last, told) = search(position, Limits { nodes, ..Limits::depth(5) }, 1);
            // What is asked for to the node may come a few later.
            if last.nodes >= next.nodes {
                continue;
            }
            assert_eq!((last.depth, last.stopped), (before.depth, true), "{position}");
            assert_eq!(
                told.last().map(|report| (report.depth, &report.moves)),
                Some((last.depth, &last.moves))
            );
            if last.best().unwrap().bound == Bound::Exact {
                assert_eq!((&last.moves, last.greatest_depth), (&before.moves, before.depth), "{position}");
                nothing += 1;
            } else {
                assert_eq!(last.greatest_depth, next.depth, "{position}");
                better += u32::from(next.depth > before.depth);
            }
        }
    }
    assert!(nothing > 20 && better > 2, "{nothing} {better}");
}

/// However much a table knows.
#[test]
fn a_line_is_no_longer_than_the_search_is_deep() {
    let mut longest = 0;
    for position in crate::prompt::game(Size::EIGHT).iter().take(50).step_by(7) {
        let position = Position::try_from(position).unwrap();
        let (table, stop) = (Table::new(1).unwrap(), Stop::default());
        for depth in [7, 4] {
            let mut search = Search::new(Learned::embedded(), &table, &stop);
            search.limits = Limits::depth(depth);
            let report = search.run(&position, &mut ());
            let placed = report.best().unwrap().line.iter().filter(|mv| **mv != Move::Pass).count();
            assert!(placed <= depth as usize, "{position}: {placed} moves");
            longest = longest.max(placed);
        }
    }
    assert_eq!(longest, 7);
}

#[test]
fn several_lines_begin_with_different_moves() {
    let (last, _) = search(&data::position(MIDGAME), Limits::depth(5), 100);
    let mut first: Vec<_> = last.moves.iter().map(|found| found.mv).collect();
    first.sort();
    first.dedup();
    assert_eq!(first.len(), data::position(MIDGAME).moves().count());
}

#[test]
fn limits_of_nodes_and_time_are_kept() {
    let nodes = 20_000;
    let (last, _) = search(&data::position(MIDGAME), Limits { nodes: Some(nodes), ..Limits::default() }, 1);
    assert!(last.nodes >= nodes && last.nodes < nodes + 2_000, "{}", last.nodes);
    assert!(last.best().is_some());
    let began = Instant::now();
    let (last, _) = search(&data::position(MIDGAME), Limits::time(Duration::from_millis(50)), 1);
    assert!(last.best().is_some());
    // The limit is kept to a few milliseconds; the rest is for a machine that has other things to do.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// What one move is worth by a full-width search of so many plies.
fn value_of(position: &Position, mv: Move<Point>, depth: u32) -> i32 {
    let table = Table::new(4).unwrap();
    let stop = Stop::default();
    let mut search = Search::new(Learned::embedded(), &table, &stop);
    search.limits = Limits::depth(depth);
    let Move::Place(point) = mv else { panic!("{mv} is no disc placed") };
    search.among = Some(Bitboard(1 << point.square().unwrap().index()));
    search.run(position, &mut ()).best().unwrap().value.unwrap().number() as i32
}

#[test]
fn a_step_that_is_broken_off_only_changes_its_mind_for_the_better() {
    const DEPTH: u32 = 7;
    let mut changed = 0;
    for position in data::obf("hard-20.obf").iter().take(40).map(|problem| &problem.position) {
        let (whole, steps) = search(position, Limits::depth(DEPTH), 1);
        let before = &steps[steps.len() - 2];
        // The last step, which leaves nothing out, is broken off at several places.
        for part in 1..10 {
            let nodes = before.nodes + (whole.nodes - before.nodes) * part / 10;
            let (last, _) = search(position, Limits { nodes: Some(nodes), ..Limits::depth(DEPTH) }, 1);
            let (found, known) = (last.best().unwrap(), before.best().unwrap());
            if found.bound == Bound::Lower {
                assert!(last.stopped && found.selectivity == Some(Selectivity::Certain), "{position}");
                let worth = value_of(position, found.mv, DEPTH);
                assert!(worth > value_of(position, known.mv, DEPTH), "{position}: {}", found.mv);
                assert!(f64::from(worth) >= found.value.unwrap().number(), "{position}: {}", found.mv);
                changed += 1;
            }
        }
    }
    assert!(changed > 10, "{changed}");
}

#[test]
fn a_raised_flag_ends_the_search() {
    let table = Table::new(4).unwrap();
    let stop = Stop::default();
    let position = data::position(MIDGAME);
    std::thread::scope(|scope| {
        let search = Search::new(Learned::embedded(), &table, &stop);
        let thinking = scope.spawn(move || search.run(&position, &mut ()));
        std::thread::sleep(Duration::from_millis(50));
        stop.request();
        let raised = Instant::now();
        assert!(thinking.join().unwrap().best().is_some());
        assert!(raised.elapsed() < Duration::from_secs(10), "{:?}", raised.elapsed());
    });
}

#[test]
fn a_search_stopped_before_it_began_still_has_a_move() {
    let (last, _) = search(&data::position(MIDGAME), Limits::time(Duration::ZERO), 1);
    assert!(last.stopped);
    assert!(GridPosition::from(data::position(MIDGAME)).play(last.best_move().unwrap()).is_ok());
}

#[test]
fn a_finished_game_has_no_move() {
    let over = data::position(&format!("{} X", "X".repeat(64)));
    let (last, _) = search(&over, Limits::depth(5), 1);
    assert_eq!((last.best(), last.stopped), (None, false));
}

/// Searches that the bench has none of: smaller boards, boards on which one side is far ahead, all moves, who wins, to the end.
/// Nodes and values stand here, so that nobody changes the search without knowing it.
#[test]
fn other_searches_count_the_nodes_that_are_written_down() {
    let run = |position: &Position, set: &dyn Fn(&mut Search<'_>)| {
        let (table, stop) = (Table::new(1).unwrap(), Stop::default());
        let mut search = Search::new(Learned::embedded(), &table, &stop);
        set(&mut search);
        let report = search.run(position, &mut ());
        (report.nodes, report.moves.iter().map(|found| found.value.unwrap().number() as i64).sum::<i64>())
    };
    let all = |positions: &[Position], set: &dyn Fn(&mut Search<'_>)| {
        positions
            .iter()
            .map(|position| run(position, set))
            .fold((0, 0), |(nodes, sum), (more, value)| (nodes + more, sum + value))
    };
    let game = |side: usize, step: usize| -> Vec<Position> {
        let game = crate::prompt::game(Size::new(side).unwrap());
        let going_on = game.iter().filter(|position| !position.is_over()).step_by(step);
        going_on.map(|position| Position::try_from(position).unwrap()).collect()
    };
    let likely = |search: &mut Search<'_>| {
        search.limits = Limits { selectivity: Some(Selectivity::Likely), ..Limits::depth(8) };
    };
    let exact = |empties: u32, count: usize| -> Vec<Position> {
        let problems = data::obf(&format!("exact/e{empties}.obf"));
        problems.iter().take(count).map(|problem| problem.position).collect()
    };
    let found = [
        all(&game(4, 1), &|_| {}),
        all(&game(6, 3), &likely),
        all(&game(6, 5), &|search| search.limits = Limits::depth(6)),
        all(&game(8, 5), &likely),
        all(&game(8, 9), &|search| search.limits = Limits::depth(5)),
        all(&game(8, 11), &|search| (search.limits, search.lines) = (Limits::depth(4), 5)),
        all(&exact(14, 6), &|_| {}),
        all(&exact(16, 2), &|_| {}),
        all(&exact(16, 4), &|search| search.aim = Aim::Outcome),
        all(&exact(12, 3), &|search| search.lines = 100),
        // So deep that moves are put in order by searches.
        all(&game(6, 1)[5..6], &|search| search.limits.selectivity = Some(Selectivity::Likely)),
    ];
    let written = [
        (4499, -4),
        (66_312, 5),
        (17_673, 49),
        (70_569, 86),
        (17_748, 125),
        (17_876, 115),
        (273_711, -76),
        (199_432, 34),
        (119_616, -4),
        (163_371, 432),
        (48_127, 36),
    ];
    assert_eq!(found, written, "if the search was meant to change, write down what it counts now");
}
