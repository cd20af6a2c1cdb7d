//! What is held against dependencies: licences, sources, duplicates, and if wanted known weaknesses.

use crate::chore::{ChoreError, command, install, show};

/// Runs cargo-deny with these of its checks; `deny.toml` says what is allowed.
pub fn run(checks: &[&str]) -> Result<(), ChoreError> {
    install("deny")?;
    show(command("cargo", &["deny", "--workspace", "check"]).args(checks))
}
