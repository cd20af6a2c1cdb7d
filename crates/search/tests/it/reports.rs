//! What is said of a search: passes, lines to the end of the game, who wins, several threads, and boards of every size.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::data;
use crate::prompt::game;
use emilia_eval::Learned;
use emilia_query::{Aim, Bound, Limits, MoveReport, Report, Selectivity, Stop, Value};
use emilia_rules::{Bitboard, Color, GridPosition, Move, Playable, Point, Position, Size};
use emilia_search::{
    Difference, GridMemory, GridSearch, Problem, Search, Solver, SquareValues, Table, endgame_nodes,
};

fn solve(position: &Position, set: impl Fn(&mut Solver<'_>)) -> Report {
    let (table, stop) = (Table::new(1).unwrap(), Stop::new());
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    set(&mut solver);
    solver.solve(position, &mut ())
}

/// The first positions of a file.
fn some(file: &str, count: usize) -> Vec<Problem> {
    data::obf(file).into_iter().take(count).collect()
}

fn played(position: Position, line: &[Move<Point>]) -> Position {
    line.iter().fold(position, |now, mv| now.play(mv.map(|point| now.square(point).unwrap())).unwrap())
}

/// Where a game is solved, the line is the game to its end, and its result is the score.
#[test]
fn lines_of_solved_positions_lead_to_their_score() {
    for file in ["exact/e07.obf", "exact/e10.obf", "exact/e12.obf", "exact/pass.obf"] {
        for problem in some(file, 25) {
            let report = solve(&problem.position, |_| {});
            let best = report.best().unwrap();
            let end = played(problem.position, &best.line);
            let sign = if problem.position.turn() == Color::Black { 1 } else { -1 };
            assert!(end.is_over(), "{}: {:?}", problem.position, best.line);
            assert_eq!(sign * end.counts().margin(), problem.score(&report), "{}", problem.position);
            assert!(best.exact && best.bound == Bound::Exact && !report.stopped);
            assert_eq!(best.selectivity, Some(Selectivity::Certain));
        }
    }
}

/// A pass is worth what the other side can make of it.
#[test]
fn a_pass_is_reported_with_what_follows() {
    for problem in some("exact/pass.obf", 15) {
        let position = problem.position;
        if position.moves().any(|mv| mv != Move::Pass) {
            continue;
        }
        for aim in [Aim::Score, Aim::Outcome] {
            let (pass, after) = (
                solve(&position, |solver| solver.aim = aim),
                solve(&position.passed(), |solver| solver.aim = aim),
            );
            let (found, next) = (pass.best().unwrap(), after.best().unwrap());
            assert_eq!((pass.moves.len(), found.mv, found.line[0]), (1, Move::Pass, Move::Pass));
            assert_eq!(found.line[1..], next.line[..]);
            assert_eq!(found.value, next.value.map(Value::negated));
            let opposite = match next.bound {
                Bound::Lower => Bound::Upper,
                Bound::Upper => Bound::Lower,
                Bound::Exact => Bound::Exact,
            };
            assert_eq!(found.bound, opposite);
        }
    }
}

#[test]
fn who_asks_who_wins_hears_a_bound() {
    let mut seen = [0; 3];
    for problem in some("exact/e08.obf", 60) {
        let known = problem.known.iter().map(|(_, score)| *score).max().unwrap();
        let report = solve(&problem.position, |solver| solver.aim = Aim::Outcome);
        let best = report.best().unwrap();
        let bound = [Bound::Upper, Bound::Exact, Bound::Lower][(known.signum() + 1) as usize];
        assert_eq!((report.discs(), best.bound), (Some(f64::from(2 * known.signum())), bound));
        seen[(known.signum() + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn only_the_moves_that_are_asked_for_are_considered() {
    let problem = &some("exact/e10.obf", 1)[0];
    let moves: Vec<Move<Point>> = solve(&problem.position, |solver| solver.all_moves = true)
        .moves
        .iter()
        .map(|found| found.mv)
        .collect();
    let (table, stop) = (Table::new(1).unwrap(), Stop::new());
    let best = |among: Option<Bitboard>| {
        let mut search = Search::new(Learned::embedded(), &table, &stop);
        search.among = among;
        search.run(&problem.position, &mut ()).best_move().unwrap()
    };
    for mv in &moves {
        let Move::Place(point) = mv else { panic!("{mv}") };
        assert_eq!(best(Some(Bitboard(1 << point.square().unwrap().index()))), *mv);
    }
    // Where none of them is legal, all are.
    assert_eq!(best(Some(Bitboard(0))), moves[0]);
    assert_eq!(best(None), moves[0]);
}

/// A score does not depend on how many threads found it, nor do they lose count of a node.
#[test]
fn several_threads_share_a_search() {
    for problem in some("exact/e16.obf", 4).into_iter().chain(some("exact/e18.obf", 2)) {
        let mut nodes = 0;
        let (table, stop) = (Table::new(1).unwrap(), Stop::new());
        let mut solver = Solver::new(Learned::embedded(), &table, &stop);
        solver.threads = 3;
        let report = solver.solve(&problem.position, &mut |report: &Report| {
            assert!(report.nodes >= nodes);
            nodes = report.nodes;
            ControlFlow::Continue(())
        });
        assert_eq!(problem.differences(&report, Aim::Score), [], "{}", problem.position);
        assert!(!report.stopped && report.nodes >= nodes);
    }
}

#[test]
fn differences_name_every_move_whose_score_is_another() {
    let problems = some("exact/e08.obf", 50);
    let problem = problems.iter().find(|problem| problem.position.moves().count() > 2).unwrap();
    let report = solve(&problem.position, |solver| solver.all_moves = true);
    let scores: Vec<(Move<Point>, i32)> =
        report.moves.iter().map(|found| (found.mv, found.value.unwrap().number() as i32)).collect();
    let differences = |known: &[(Move<Point>, i32)], report: &Report, aim| {
        Problem { position: problem.position, known: known.to_vec() }.differences(report, aim)
    };
    assert_eq!(differences(&scores, &report, Aim::Score), []);
    // The best, the last, and both.
    let (best, last) = (scores[0], scores[scores.len() - 1]);
    let wrong = |(mv, score): (Move<Point>, i32), by: i32| (mv, score + by);
    let difference = |(mv, found), by: i32| Difference { mv, stated: found + by, found };
    assert_eq!(differences(&[wrong(best, 2)], &report, Aim::Score), [difference(best, 2)]);
    assert_eq!(differences(&[best, wrong(last, -2)], &report, Aim::Score), [difference(last, -2)]);
    assert_eq!(
        differences(&[wrong(best, 2), wrong(last, -2)], &report, Aim::Score),
        [difference(best, 2), difference(last, -2)]
    );
    // Who only solved for the best move knows nothing of the others.
    let one = solve(&problem.position, |_| {});
    assert_eq!(differences(&[best, wrong(last, -2)], &one, Aim::Score), []);
    // Not even if it is another move that was found, as good as the best.
    let value = Some(Value::Discs(best.1.into()));
    let one = Report::of(vec![MoveReport { value, ..MoveReport::new(last.0) }]);
    assert_eq!(differences(&[best, (last.0, best.1 - 2)], &one, Aim::Score), []);
    // Who asked who wins only sees the sign.
    let outcome = solve(&problem.position, |solver| solver.aim = Aim::Outcome);
    let sign = best.1.signum();
    assert_ne!(sign, 0);
    assert_eq!(differences(&[(best.0, sign * 60)], &outcome, Aim::Outcome), []);
    assert_eq!(
        differences(&[(best.0, -sign * 4)], &outcome, Aim::Outcome),
        [Difference { mv: best.0, stated: -sign * 4, found: 2 * sign }]
    );
}

/// A finished game has the score of its discs, for whoever would be to move.
#[test]
fn a_finished_game_is_worth_its_discs() {
    for (side, score) in [("X", 20), ("O", -20)] {
        let over = data::position(&format!("{}{} {side}", "X".repeat(42), "O".repeat(22)));
        let report = solve(&over, |_| {});
        assert_eq!(Problem::new(over).score(&report), score);
    }
}

#[test]
fn proofs_of_endgames_take_the_nodes_that_are_written_down() {
    let boards: Vec<_> = ["exact/e09.obf", "exact/e11.obf", "exact/e12.obf"]
        .into_iter()
        .flat_map(|file| some(file, 10))
        .map(|problem| {
            let score = problem.known.iter().map(|(_, score)| *score).max().unwrap();
            (problem.position.board(), score)
        })
        .collect();
    assert_eq!(endgame_nodes(&boards, &SquareValues::FITTED), 154_622);
}

/// What is said of a search on any board: deeper each time, and exact at the end.
#[test]
fn searches_on_any_board_say_how_far_they_came() {
    let game = game(Size::SIX);
    let late = game.iter().rev().find(|position| position.counts().empty == 7).unwrap();
    let early = &game[4];
    let run = |position: &GridPosition, limits, memory: &mut GridMemory| {
        let (mut depths, mut before) = (Vec::new(), (0, Duration::ZERO));
        let report =
            GridSearch::new(limits).run(position, memory, &Stop::default(), &mut |report: &Report| {
                depths.push(report.depth);
                assert!(report.nodes > before.0 && report.time > before.1);
                before = (report.nodes, report.time);
                ControlFlow::Continue(())
            });
        assert!(report.nodes >= before.0.max(1) && report.time > before.1);
        // What was begun and broken off took nodes, too.
        assert!(!report.stopped || report.nodes > before.0);
        (report, depths)
    };
    let (solved, _) = run(late, Limits::default(), &mut GridMemory::new(1));
    let best = solved.best().unwrap();
    assert!(best.exact && !solved.stopped && best.selectivity == Some(Selectivity::Certain));
    let (four, depths) = run(early, Limits::depth(4), &mut GridMemory::new(1));
    let best = four.best().unwrap();
    assert_eq!((depths, best.depth, best.line.len(), best.exact), (vec![1, 2, 3, 4], 4, 4, false));
    assert_eq!((best.line[0], best.selectivity, four.stopped), (best.mv, None, false));
    let (few, _) = run(early, Limits { nodes: Some(600), ..Limits::default() }, &mut GridMemory::new(1));
    assert!(few.stopped && (600..900).contains(&few.nodes), "{}", few.nodes);
    // Who is stopped before the first depth is complete says so.
    let stop = Stop::default();
    stop.request();
    for side in [6, 10, 26] {
        let position = &super::prompt::game(Size::new(side).unwrap())[9];
        let search = GridSearch::new(Limits { nodes: Some(1), ..Limits::default() });
        let report = search.run(position, &mut GridMemory::new(1), &stop, &mut ());
        assert!(report.stopped && report.nodes > 0, "{side}");
    }
    // What is remembered spares work; what is forgotten does not.
    for side in [6, 10, 20] {
        let game = super::prompt::game(Size::new(side).unwrap());
        let position = &game[20];
        let mut memory = GridMemory::new(1);
        let (new, _) = run(position, Limits::depth(3), &mut memory);
        let (again, _) = run(position, Limits::depth(3), &mut memory);
        memory.forget();
        let (forgotten, _) = run(position, Limits::depth(3), &mut memory);
        // But at the root a move is wanted: that is looked at again, at each of three depths.
        assert!(again.nodes < new.nodes && again.nodes > 3, "{} {}", again.nodes, new.nodes);
        assert_eq!((forgotten.nodes, &forgotten.moves), (new.nodes, &new.moves));
    }
}

/// Boards of different sizes may have the same discs in the same place: what is remembered of one says nothing of the other.
#[test]
fn a_table_tells_boards_of_different_sizes_apart() {
    let discs = |side: usize| {
        let mut text = String::new();
        for row in 0..side {
            for column in 0..side {
                let small = row < 6 && column < 6;
                text.push(if small { SIX[row * 6 + column] as char } else { '-' });
            }
        }
        data::position(&format!("{text} X"))
    };
    let (small, large) = (discs(6), discs(8));
    assert_eq!(small.board(), large.board());
    let run = |position: &Position, table: &Table| {
        let stop = Stop::new();
        let mut search = Search::new(Learned::embedded(), table, &stop);
        search.limits = Limits::depth(5);
        let report = search.run(position, &mut ());
        (report.nodes, report.moves)
    };
    let shared = Table::new(1).unwrap();
    for position in [&small, &large, &small] {
        let alone = run(position, &Table::new(1).unwrap());
        if position.size() == large.size() {
            assert_eq!(run(position, &shared), alone);
        } else {
            run(position, &shared);
        }
    }
}

/// A position of 6×6 in the middle of the game.
const SIX: &[u8; 36] = b"--------OX---XXO--OOXX---XO---------";
