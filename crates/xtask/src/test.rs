//! Every check there is, with progress and one summary line.

use std::process::Command;
use std::time::Instant;

use crate::chore::{ChoreError, capture, command, show};
use crate::{alone, fuzz, layers, python, web};

/// One thing that must hold.
struct Check {
    name: &'static str,
    run: fn() -> Result<(), ChoreError>,
}

const CHECKS: &[Check] = &[
    Check { name: "format", run: format },
    Check { name: "layers", run: layers::run },
    Check { name: "stands alone", run: alone::run },
    Check { name: "lints", run: lints },
    Check { name: "documentation", run: documentation },
    Check { name: "tests", run: tests },
    Check { name: "Python", run: python::run },
    Check { name: "fuzz targets", run: fuzz::check },
    Check { name: "browser", run: web::run },
];

/// Runs all checks, also after one has failed, and says how many did.
pub fn run() -> Result<(), ChoreError> {
    install_components();
    let begin = Instant::now();
    let (mut failed, mut left_out) = (Vec::new(), Vec::new());
    for (number, check) in CHECKS.iter().enumerate() {
        println!("[{}/{}] {} …", number + 1, CHECKS.len(), check.name);
        let begin = Instant::now();
        match (check.run)() {
            Ok(()) => println!("      ok, {:.1} s", begin.elapsed().as_secs_f64()),
            Err(ChoreError::Partly { what }) => {
                println!("      ok as far as it went; NOT RUN: {what}");
                left_out.push(what);
            }
            Err(error) => {
                println!("      FAILED: {error}");
                failed.push(check.name);
            }
        }
    }
    println!("every check, {:.0} s", begin.elapsed().as_secs_f64());
    left_out.iter().for_each(|what| println!("not run: {what}"));
    println!("checks: {} passed, {} failed", CHECKS.len() - failed.len(), failed.len());
    if failed.is_empty() {
        return Ok(());
    }
    Err(ChoreError::Checks { failed: failed.len(), all: CHECKS.len(), names: failed.join(", ") })
}

/// A minimal toolchain lacks the formatter and the linter. Where rustup is not in charge the checks themselves say
/// what is missing.
fn install_components() {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let present = capture(&mut command("cargo", &[subcommand, "--version"]));
        if !present.is_ok_and(|output| output.status.success()) {
            println!("installing {component} …");
            let _ = show(&mut command("rustup", &["component", "add", component]));
        }
    }
}

fn format() -> Result<(), ChoreError> {
    show(&mut command("cargo", &["fmt", "--all", "--check"]))
}

fn lints() -> Result<(), ChoreError> {
    let arguments = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
    show(&mut command("cargo", &arguments))
}

fn documentation() -> Result<(), ChoreError> {
    let mut doc: Command =
        command("cargo", &["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    show(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

fn tests() -> Result<(), ChoreError> {
    show(&mut command("cargo", &["test", "--quiet", "--workspace", "--no-fail-fast"]))
}

/// Runs only the tests with such a name that are left out by default, with the folder of the WTHOR database if they
/// need it.
pub fn ignored(name: &str, wthor: Option<&str>) -> Result<(), ChoreError> {
    let arguments = ["test", "--quiet", "--workspace", "--tests", name, "--", "--ignored"];
    let mut tests = command("cargo", &arguments);
    if let Some(folder) = wthor {
        let error = |error| ChoreError::File { file: folder.to_owned(), error };
        tests.env("EMILIA_WTHOR", std::fs::canonicalize(folder).map_err(error)?);
    }
    let listed = capture(command("cargo", &arguments).arg("--list"))?;
    if !String::from_utf8_lossy(&listed.stdout).lines().any(|line| line.ends_with(": test")) {
        return Err(ChoreError::Missing { what: format!("there is no ignored test {name:?}") });
    }
    show(&mut tests)
}
