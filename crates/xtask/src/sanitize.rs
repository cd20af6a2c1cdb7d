//! What the compiler does not see: the unsafe crate under Miri and AddressSanitizer, which need a nightly toolchain, and
//! every order in which the threads of a search can act, by loom.

use std::process::Command;

use crate::chore::{ChoreError, capture, command, show};

/// The kinds of processor that the unsafe crate has kernels for, as the compiler knows them. Miri takes as present what
/// the program is compiled for.
const PROCESSORS: [&str; 3] = ["x86-64", "x86-64-v3", "x86-64-v4"];
/// How often the models let a thread be interrupted where it need not be: with more, a model takes hours.
const INTERRUPTIONS: &str = "3";

/// Runs all three, or says what is missing.
pub fn run() -> Result<(), ChoreError> {
    println!("models of the shared table and of the splitting of searches …");
    let models = ["test", "-p", "emilia-search", "--lib", "--features", "loom", "--", "models::", "ybwc::"];
    show(command("cargo", &models).env("LOOM_MAX_PREEMPTIONS", INTERRUPTIONS))?;
    let mut missing = Vec::new();
    if present(&["cargo", "miri", "--version"]) {
        for processor in PROCESSORS {
            println!("Miri, {processor} …");
            let mut miri = on_nightly(&["miri", "test", "--tests", "--target-dir", "target/miri"], processor);
            show(miri.env("MIRIFLAGS", "-Zmiri-disable-isolation"))?;
        }
    } else {
        missing.push("Miri (rustup toolchain install nightly --component miri,rust-src)");
    }
    if present(&["rustc", "--version"]) {
        println!("AddressSanitizer …");
        let target = "x86_64-unknown-linux-gnu";
        let mut test =
            on_nightly(&["test", "--tests", "--target", target, "--target-dir", "target/asan"], "x86-64");
        show(test.env("RUSTFLAGS", "-Zsanitizer=address"))?;
    } else {
        missing.push("AddressSanitizer (rustup toolchain install nightly)");
    }
    if missing.is_empty() { Ok(()) } else { Err(ChoreError::Partly { what: missing.join(", ") }) }
}

fn present(words: &[&str]) -> bool {
    let output = capture(command("rustup", &["run", "nightly"]).args(words));
    output.is_ok_and(|output| output.status.success())
}

/// Cargo of the nightly toolchain, for the unsafe crate on this kind of processor.
fn on_nightly(words: &[&str], processor: &str) -> Command {
    let mut cargo = command("rustup", &["run", "nightly", "cargo"]);
    cargo.args(words).args(["-p", "emilia-simd"]).env("RUSTFLAGS", format!("-Ctarget-cpu={processor}"));
    // The compiler that called us is another one.
    cargo.env_remove("RUSTC").env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    cargo
}
