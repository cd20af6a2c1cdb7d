//! Mutation testing: small faults are put into a crate, one at a time, and its tests must notice each.

use crate::chore::{ChoreError, command, install, show};

/// Seconds after which a test counts as hanging, which is as good as failing.
const HANG: &str = "60";

/// Runs cargo-mutants on one crate; `options` are its own, such as `-f FILE`. What it found is written to
/// `target/mutants.out`.
pub fn run(name: &str, options: &[&str]) -> Result<(), ChoreError> {
    install("mutants")?;
    let package = format!("emilia-{name}");
    let arguments = ["mutants", "--package", &package, "--timeout", HANG, "--output", "target"];
    show(command("cargo", &arguments).args(options))
}
