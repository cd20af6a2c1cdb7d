//! Exact scores, against positions that other programs have solved.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod data;

use std::sync::atomic::AtomicBool;

use emilia_eval::Learned;
use emilia_rules::Tier;
use emilia_search::{Aim, Problem, Solver, Table};

fn check(problems: &[Problem], set: impl Fn(&mut Solver<'_, Learned>)) {
    let table = Table::new(1).unwrap();
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    set(&mut solver);
    for problem in problems {
        let solution = solver.solve(problem, &mut ());
        assert!(solution.exact);
        assert_eq!(solution.differences, [], "{}", problem.position);
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

/// The scores in this file are plain disc differences: what is left empty goes to nobody.
#[test]
fn raw_scores_of_the_last_empty_squares() {
    for (file, count) in [("ntest-solver6.txt", 137), ("ntest-solver12.txt", 60), ("ntest-solver16.txt", 10)]
    {
        let Some(text) = data::text(file) else { return };
        let table = Table::new(1).unwrap();
        let stop = AtomicBool::new(false);
        let solver = Solver::new(Learned::embedded(), &table, &stop);
        for line in text.lines().take(count) {
            let (board, raw) = line.rsplit_once(' ').unwrap();
            let position = data::position(&format!("{board} w"));
            let solution = solver.solve(&Problem { position, known: Vec::new() }, &mut ());
            let raw: i32 = raw.parse().unwrap();
            assert_eq!(solution.score.signum(), raw.signum(), "{line}");
            // Empty squares at the end can only add to the winner's lead.
            assert!(solution.score.abs() >= raw.abs(), "{line}");
            if raw % 2 == 0 && solution.empties <= 1 {
                assert_eq!(solution.score, raw, "{line}");
            }
        }
    }
}

#[test]
fn four_by_four_from_the_start() {
    let position = data::position("-----OX--XO----- X");
    let table = Table::new(1).unwrap();
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(Learned::embedded(), &table, &stop);
    solver.all_moves = true;
    let solution = solver.solve(&Problem { position, known: Vec::new() }, &mut ());
    // 3:11 with two squares empty, which go to the winner.
    assert_eq!(solution.score, -10);
    assert!(
        solution.lines.iter().all(|line| line.score.discs() == -10),
        "the first move is the same by symmetry"
    );
}
