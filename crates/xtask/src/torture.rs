//! Attacks on everything for as long as one likes; the harness itself is the crate `torture`.

use crate::chore::{ChoreError, command, root, show};

/// Builds the program and the harness, the harness once more with checks of every sum and index, and attacks.
pub fn run(options: &[&str]) -> Result<(), ChoreError> {
    let program = root().join(format!("target/release/torture{}", std::env::consts::EXE_SUFFIX));
    let builds: [&[&str]; 3] = [
        &["build", "--release", "--quiet", "-p", "emilia", "-p", "emilia-torture"],
        &["build", "--release", "--quiet", "-p", "emilia-engine", "--example", "bad_engine"],
        &["build", "--quiet", "-p", "emilia-torture"],
    ];
    for arguments in builds {
        show(&mut command("cargo", arguments))?;
    }
    show(&mut command(&program.to_string_lossy(), options))
}
