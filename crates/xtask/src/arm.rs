//! The kernel for ARM processors, held to its laws by an emulated one, because most machines where this is written are none.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chore::{ChoreError, capture, command, root, show};
use crate::inline::MachineCode;
use crate::toolchain::{Target, Toolchain};
use crate::web;

/// The program that emulates the processor, with calls of the system handed on to this one.
const EMULATOR: &str = "qemu-aarch64";
/// Where Debian's packages put the C library for ARM.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";
/// What has tests that tell kinds of processor apart.
const TESTED: [&str; 3] = ["emilia-simd", "emilia-rules", "emilia-eval"];
/// Examples whose last line is the same on every processor, with their crates.
const COUNTS: [(&str, &str); 2] = [("emilia-rules", "perft"), ("emilia-search", "bench")];
/// The kinds of processor that an ARM processor is.
const TIERS: [&str; 2] = ["portable", "neon"];
/// What reads machine code for ARM. Nowhere may an instruction's own function be called in it.
const DISASSEMBLER: &str = "aarch64-linux-gnu-objdump";
/// A plugin of the emulator that counts instructions.
const COUNTER: &str = "crates/xtask/src/arm_count.c";

/// What is to be seen of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// That it is right.
    Right,
    /// How many instructions it takes, too.
    Instructions,
}

/// Runs the tests, looks for calls that should have been inlined, and compares perft and the fingerprint of the search with
/// what this machine finds.
pub fn run(look: Look) -> Result<(), ChoreError> {
    if cfg!(target_arch = "aarch64") {
        println!("this is an ARM processor: cargo xtask test tests it");
        return Ok(());
    }
    let toolchain = Toolchain::find(Target::Arm)?;
    if !web::works(EMULATOR) {
        web::install(&["qemu-user"]);
    }
    if !web::works(EMULATOR) {
        let what = format!("there is no {EMULATOR} (on Debian: apt-get install qemu-user)");
        return Err(ChoreError::Missing { what });
    }
    let target = root().join("target/arm");
    tests(&toolchain, &target)?;
    let (here, there) = build(&toolchain, &target)?;
    let counter = if look == Look::Instructions { Some(compiled_counter(&target)?) } else { None };
    compare(&here, &there, counter.as_deref())
}

fn tests(toolchain: &Toolchain, target: &Path) -> Result<(), ChoreError> {
    let packages = TESTED.iter().flat_map(|package| ["--package", package]);
    // In the profile of the programs below, so that the library is compiled once.
    let mut tests = toolchain.cargo(&["test", "--quiet", "--release", "--lib", "--tests"], "", false);
    tests.env(Target::Arm.variable("RUNNER"), format!("{EMULATOR} -L {LIBRARIES}"));
    show(tests.args(packages).env("CARGO_TARGET_DIR", target))
}

/// Builds the examples for this machine and for ARM, and says in which folders they are.
fn build(toolchain: &Toolchain, target: &Path) -> Result<(PathBuf, PathBuf), ChoreError> {
    let examples = COUNTS.iter().flat_map(|(package, example)| ["--package", package, "--example", example]);
    let build = ["build", "--quiet", "--release"];
    show(command("cargo", &build).args(examples.clone()))?;
    show(toolchain.cargo(&build, "", false).args(examples).env("CARGO_TARGET_DIR", target))?;
    // This program is in a folder beside the one of releases.
    let ours =
        std::env::current_exe().map_err(|error| ChoreError::Start { program: "xtask".to_owned(), error })?;
    let there = target.join(Target::Arm.name()).join("release/examples");
    let code = MachineCode { objdump: DISASSEMBLER, hot: &[""], left_over: &[&["9core_arch"]] };
    code.check(&COUNTS.map(|(_, example)| there.join(example)))?;
    Ok((ours.with_file_name("../release/examples"), there))
}

/// Runs the examples in both folders and compares what they find, with the emulator's plugin if one is given.
fn compare(here: &Path, there: &Path, counter: Option<&Path>) -> Result<(), ChoreError> {
    for (_, example) in COUNTS {
        let (expected, _) = last_lines(&mut Command::new(here.join(example)))?;
        println!("{example}, this machine: {expected}");
        for tier in TIERS {
            let mut emulated = command(EMULATOR, &["-L", LIBRARIES]);
            if let Some(counter) = counter {
                emulated.arg("-plugin").arg(counter);
            }
            let (found, instructions) = last_lines(emulated.arg(there.join(example)).arg(tier))?;
            println!("{example}, ARM, {tier}: {found} {instructions}");
            if found != expected {
                let what = format!("{example} finds {found:?} with {tier} on ARM");
                return Err(ChoreError::Differs { what, expected });
            }
        }
    }
    Ok(())
}

/// The plugin, compiled for this machine into a folder.
fn compiled_counter(folder: &Path) -> Result<PathBuf, ChoreError> {
    let plugin = folder.join("count.so");
    show(command("cc", &["-O1", "-shared", "-fPIC", COUNTER, "-o"]).arg(&plugin))?;
    Ok(plugin)
}

/// The last line that a program prints, and the last of what it says beside.
fn last_lines(program: &mut Command) -> Result<(String, String), ChoreError> {
    let output = capture(program)?;
    if !output.status.success() {
        return Err(ChoreError::Failed { command: program.get_program().to_string_lossy().into_owned() });
    }
    let last = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().last().unwrap_or_default().to_owned();
    Ok((last(&output.stdout), last(&output.stderr)))
}
