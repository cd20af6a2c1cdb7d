//! Fuzzing every parser for a bounded time. This needs a nightly toolchain and cargo-fuzz.

use crate::chore::{ChoreError, capture, command, root, show};

/// How long each target runs unless told otherwise.
pub const DEFAULT_SECONDS: u32 = 20;
/// Largest input a fuzzer makes up: formats have no longer unit that matters.
const LONGEST_INPUT: &str = "-max_len=4096";
/// Memory at which a parser counts as broken.
const MEMORY_LIMIT: &str = "-rss_limit_mb=2048";
/// Seconds after which a single input counts as a hang.
const HANG: &str = "-timeout=10";

/// Sees that the lock file of the targets names all that they depend on by now. The targets themselves are compiled and tried with the
/// tests of the protocols.
pub fn check() -> Result<(), ChoreError> {
    // A check changes nothing: a lock file that lacks something fails.
    show(&mut command("cargo", &["fetch", "--quiet", "--locked", "--manifest-path", "fuzz/Cargo.toml"]))
}

/// Runs every target, or says why it cannot.
pub fn run(seconds: u32) -> Result<(), ChoreError> {
    let present = |program: &str, arguments: &[&str]| {
        capture(&mut command(program, arguments)).is_ok_and(|output| output.status.success())
    };
    if !present("rustup", &["run", "nightly", "rustc", "--version"]) {
        println!("skipped: fuzzing needs a nightly toolchain (rustup toolchain install nightly)");
        return Ok(());
    }
    if !present("rustup", &["run", "nightly", "cargo", "fuzz", "--version"]) {
        println!("installing cargo-fuzz …");
        show(&mut command("cargo", &["install", "cargo-fuzz", "--locked"]))?;
    }
    let listed = capture(&mut fuzz(&["list"]))?;
    let targets = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut count = 0;
    for target in targets.lines() {
        println!("fuzzing {target} for {seconds} s …");
        let limit = format!("-max_total_time={seconds}");
        // New finds go to a folder that is not kept; the seeds in git stay as they are.
        let found = root().join("target/fuzz-corpus").join(target);
        std::fs::create_dir_all(&found)
            .map_err(|error| ChoreError::File { file: found.display().to_string(), error })?;
        let found = found.to_string_lossy().into_owned();
        let seeds = format!("fuzz/corpus/{target}");
        show(&mut fuzz(&["run", target, &found, &seeds, "--", &limit, LONGEST_INPUT, MEMORY_LIMIT, HANG]))?;
        count += 1;
    }
    println!("fuzz: {count} passed, 0 failed");
    Ok(())
}

fn fuzz(arguments: &[&str]) -> std::process::Command {
    let mut command = command("rustup", &["run", "nightly", "cargo", "fuzz"]);
    command.args(arguments);
    command
}
