//! Exact scores, against positions that other programs have solved.

use crate::data;
use emilia_eval::Learned;
use emilia_query::{Aim, Stop, Value};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Position, Size, Status, Tier, parse_move};
use emilia_search::{Problem, Solver, Table};

fn check(problems: &[Problem], set: impl Fn(&mut Solver<'_>)) {
    let table = Table::new(1).unwrap();
    let stop = Stop::new();
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    set(&mut solver);
    for problem in problems {
        let report = solver.solve(&problem.position, &mut ());
        assert!(!report.stopped);
        assert_eq!(problem.differences(&report, solver.aim), [], "{}", problem.position);
    }
}

#[test]
fn best_scores_of_solved_positions() {
    for empties in 1..=14 {
        let problems = data::obf(&format!("exact/e{empties:02}.obf"));
        let some = if empties > 11 { 40 } else { problems.len() };
        check(&problems[..some.min(problems.len())], |_| {});
    }
}

/// The endgames of the Fédération Française d'Othello, as far as they are quick.
#[test]
fn forum_endgames() {
    check(&data::obf("fforum-1-19.obf"), |_| {});
}

#[test]
fn forced_passes() {
    check(&data::obf("exact/pass.obf"), |_| {});
}

#[test]
fn every_move_has_its_score() {
    for file in ["exact/e05.obf", "exact/e08.obf", "exact/e10.obf"] {
        let problems = data::obf(file);
        check(&problems[..problems.len().min(40)], |solver| solver.all_moves = true);
    }
}

#[test]
fn who_wins_is_the_sign_of_the_score() {
    let problems = data::obf("exact/e11.obf");
    check(&problems[..problems.len().min(60)], |solver| solver.aim = Aim::Outcome);
}

#[test]
fn every_processor_and_every_number_of_threads_agree() {
    let problems = data::obf("exact/e13.obf");
    let some = &problems[..problems.len().min(10)];
    for tier in Tier::available() {
        check(some, |solver| solver.tier = tier);
    }
    check(some, |solver| solver.threads = 3);
}

/// Perfect play that others published: the score is the same all along the line, and the game ends with it.
#[test]
fn solved_games_keep_their_value() {
    let mut lines = 0;
    for row in include_str!("../../../../data/solved/game-values.tsv").lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (side, line): (u8, &str) = (cells[0][..1].parse().unwrap(), cells[6]);
        let value: i32 = cells[3].parse().unwrap();
        let size = Size::new(side.into()).unwrap();
        let mut position = Position::try_from(&GridPosition::start(size)).unwrap();
        if line.is_empty() {
            assert_eq!(score(position), value, "{row}");
            continue;
        }
        // The line for 6×6 is written in the middle of a board of 8×8.
        let margin = (8 - side) / 2;
        for at in (0..line.len()).step_by(2) {
            let square = parse_move(&line[at..at + 2], Size::EIGHT).unwrap().square().unwrap();
            let square = Point::new(square.column() - margin, square.row() - margin).unwrap();
            if position.status() == Status::MustPass {
                position = position.play(Move::Pass).unwrap();
            }
            if position.counts().empty <= SOLVED_FROM {
                let sign = if position.turn() == Color::Black { 1 } else { -1 };
                assert_eq!(score(position), sign * value, "{row} at {at}");
            }
            position = position.play(Move::Place(square.square().unwrap())).unwrap();
        }
        assert!(position.is_over());
        assert_eq!(position.counts().margin(), value, "{row}");
        lines += 1;
    }
    assert_eq!(lines, 2);
}

/// Empty squares from which the lines are solved: quick even without all optimisations.
const SOLVED_FROM: u32 = 14;

/// The value of a position for the side to move.
fn score(position: Position) -> i32 {
    let table = Table::new(1).unwrap();
    let stop = Stop::new();
    let solver = Solver::new(Learned::embedded(), &table, &stop);
    Problem::new(position).score(&solver.solve(&position, &mut ()))
}

#[test]
fn four_by_four_from_the_start() {
    let position = data::position("-----OX--XO----- X");
    let table = Table::new(1).unwrap();
    let stop = Stop::new();
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    solver.all_moves = true;
    let report = solver.solve(&position, &mut ());
    // 3:11 with two squares empty, which go to the winner. The first move is the same by symmetry.
    assert_eq!(report.moves.len(), 4);
    assert!(report.moves.iter().all(|found| found.value == Some(Value::Discs(-10.0))));
}

/// A pass is one move with one score, however many replies there are.
#[test]
fn all_moves_of_a_side_that_must_pass_are_one_pass() {
    // All the board is Black's but for two corners; White can take the other two.
    let position = data::position(&format!("-XXXXXXO{}-XXXXXXO X", "X".repeat(48)));
    assert_eq!((position.moves().count(), position.passed().moves().count()), (1, 2));
    let table = Table::new(1).unwrap();
    let stop = Stop::new();
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    solver.all_moves = true;
    let report = solver.solve(&position, &mut ());
    assert_eq!(report.moves.iter().map(|found| found.mv).collect::<Vec<_>>(), [Move::Pass]);
    let replies = solver.solve(&position.passed(), &mut ());
    assert_eq!(report.value(), replies.value().map(Value::negated));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "takes minutes: cargo xtask test --slow"]
    fn best_scores_of_all_solved_positions() {
        for empties in [12, 13, 14, 15, 16, 18, 20] {
            check(&data::obf(&format!("exact/e{empties}.obf")), |_| {});
        }
        check(&data::obf("hard-20.obf"), |_| {});
    }

    #[test]
    #[ignore = "takes minutes: cargo xtask test --slow"]
    fn forum_endgames_up_to_26_empty_squares() {
        check(&data::obf("fforum-20-39.obf"), |_| {});
    }
}
