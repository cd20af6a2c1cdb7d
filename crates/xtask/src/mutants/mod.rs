//! Mutation testing: small faults are put into a crate, one at a time, and its tests must notice each.

mod rewrite;
mod switched;
mod trial;

use serde::Deserialize;

use crate::chore::{ChoreError, capture, command, install, show};

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

/// Likewise, with all faults compiled into one program; with `--missed` only those that no test noticed the last time. What became
/// of each is written to `target/switched.tsv`.
pub fn run_switched(name: &str, options: &[&str]) -> Result<(), ChoreError> {
    install("mutants")?;
    match options {
        ["--missed", options @ ..] => switched::run(name, &list(name, options)?, true),
        _ => switched::run(name, &list(name, options)?, false),
    }
}

/// A fault as cargo-mutants lists it.
#[derive(Debug, Deserialize)]
struct Fault {
    /// Where it is and what it does, in one line.
    name: String,
    file: String,
    span: Span,
    replacement: String,
    genre: Genre,
}

/// What a fault changes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// The text that a fault replaces, by where it begins.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Span {
    start: Place,
}

/// A line and a column of a file, both counted from one.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: usize,
    column: usize,
}

/// All faults of a crate that are worth trying.
fn list(name: &str, options: &[&str]) -> Result<Vec<Fault>, ChoreError> {
    let package = format!("emilia-{name}");
    let arguments = ["mutants", "--list", "--json", "--package", &package];
    let output = capture(command("cargo", &arguments).args(options))?;
    if !output.status.success() {
        let what = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(ChoreError::Missing { what });
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
