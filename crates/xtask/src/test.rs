//! Every check there is, with progress and one summary line.

use std::process::{Command, Stdio};
use std::time::Instant;

use serde::Deserialize;

use crate::chore::{ChoreError, capture, command, show};
use crate::{alone, dist, fuzz, inline, layers, python, wasm, web};

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
    Check { name: "terminal", run: terminal },
    Check { name: "package", run: dist::in_a_clean_debian },
    Check { name: "hot code", run: inline::run },
    Check { name: "Python", run: python::run },
    Check { name: "fuzz targets", run: fuzz::check },
    Check { name: "WebAssembly", run: wasm::check },
    Check { name: "browser", run: web::with_built },
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

/// Our own crates are compiled by the linter, so that what is linted is what is tested, and nothing is compiled twice.
fn linted(arguments: &[&str]) -> Command {
    let mut cargo = command("cargo", arguments);
    quick(cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"));
    cargo
}

/// Nobody edits and compiles what is only checked again and again, nor looks at it with a debugger: leaving out what that
/// takes saves more than a quarter of compiling a crate. A test that panics names its line all the same.
pub fn quick(cargo: &mut Command) -> &mut Command {
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false")
}

/// What the compiler and the linter have to say about one place.
#[derive(Deserialize)]
struct Remark {
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    rendered: Option<String>,
    /// A summary, such as "2 warnings emitted", has none.
    spans: Vec<serde_json::Value>,
}

/// Compiles everything that is tested and fails at the first warning; the tests run all the same.
fn lints() -> Result<(), ChoreError> {
    let mut build = linted(&["test", "--quiet", "--workspace", "--no-run", "--message-format=json"]);
    let output = capture(build.stderr(Stdio::inherit()))?;
    let (mut remarks, text) = (0, String::from_utf8_lossy(&output.stdout));
    for line in text.lines() {
        let Some(diagnostic) = serde_json::from_str::<Remark>(line)?.message else { continue };
        if !diagnostic.spans.is_empty() {
            println!("{}", diagnostic.rendered.unwrap_or_default());
            remarks += 1;
        }
    }
    if remarks == 0 && output.status.success() {
        return Ok(());
    }
    Err(ChoreError::Lints { remarks })
}

fn documentation() -> Result<(), ChoreError> {
    let mut doc: Command =
        command("cargo", &["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    show(quick(doc.env("RUSTDOCFLAGS", "-D warnings")))
}

fn tests() -> Result<(), ChoreError> {
    show(&mut linted(&["test", "--quiet", "--workspace", "--no-fail-fast"]))
}

/// The game on the whole terminal, in a real one.
fn terminal() -> Result<(), ChoreError> {
    let works = || capture(&mut command("tmux", &["-V"])).is_ok_and(|output| output.status.success());
    if !works() {
        web::install(&["tmux"]);
    }
    if !works() && std::env::var_os("CI").is_none() {
        return Err(ChoreError::Partly { what: "the game in a real terminal: there is no tmux".to_owned() });
    }
    ignored("terminal::", None)
}

/// Runs only the tests with such a name that are left out by default, with the folder of the WTHOR database if they
/// need it.
pub fn ignored(name: &str, wthor: Option<&str>) -> Result<(), ChoreError> {
    let arguments = ["test", "--quiet", "--workspace", "--tests", name, "--", "--ignored"];
    let mut tests = linted(&arguments);
    if let Some(folder) = wthor {
        let error = |error| ChoreError::File { file: folder.to_owned(), error };
        tests.env("EMILIA_WTHOR", std::fs::canonicalize(folder).map_err(error)?);
    }
    let listed = capture(linted(&arguments).arg("--list"))?;
    if !String::from_utf8_lossy(&listed.stdout).lines().any(|line| line.ends_with(": test")) {
        return Err(ChoreError::Missing { what: format!("there is no ignored test {name:?}") });
    }
    show(&mut tests)
}
