//! The puzzles that come with the program, proved again.

use crate::chore::{ChoreError, command, show};

/// Builds the program and lets its solver find every score of every puzzle.
pub fn run() -> Result<(), ChoreError> {
    let program = ["run", "--release", "--package", "emilia", "--", "puzzles", "check"];
    show(&mut command("cargo", &[&program[..], &["data/puzzles/puzzles.obf", "--threads", "2"]].concat()))
}
