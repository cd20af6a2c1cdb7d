//! Every check there is, two at a time, with progress and one summary line.

use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use serde::Deserialize;

use crate::chore::{ChoreError, Log, capture, command, show};
use crate::{alone, compiler, dist, fuzz, inline, layers, python, wasm, web};

/// One thing that must hold.
struct Check {
    name: &'static str,
    /// The checks that build what this one uses.
    after: &'static [&'static str],
    run: fn() -> Result<(), ChoreError>,
}

/// In the order in which they are begun. What takes long comes early, so that nothing long is left to run alone; the tests come late,
/// since they keep every core busy by themselves, and last what keeps one core busy while the last tests wait for each other.
const CHECKS: &[Check] = &[
    Check { name: "format", after: &[], run: format },
    Check { name: "layers", after: &[], run: layers::run },
    Check { name: "stands alone", after: &[], run: alone::run },
    Check { name: "fuzz lock file", after: &[], run: fuzz::check },
    Check { name: "lints", after: &[], run: lints },
    Check { name: "WebAssembly", after: &[], run: wasm::check },
    Check { name: "browser", after: &["lints", "WebAssembly"], run: web::with_built },
    Check { name: "Python", after: &["lints"], run: python::run },
    Check { name: "package", after: &["lints"], run: dist::in_a_clean_debian },
    Check { name: "terminal", after: &["lints"], run: terminal },
    Check { name: "tests", after: &["lints"], run: tests },
    Check { name: "hot code", after: &["lints"], run: inline::run },
];

/// How many checks run at the same time. Builds end with crates that wait for each other, browsers wait for pages, and
/// packages for a network: one check alone leaves half of two cores idle for much of its time.
const AT_ONCE: usize = 2;

/// How far all checks are.
#[derive(Default)]
struct Progress {
    begun: usize,
    /// Which are done, by their place in the list.
    done: [bool; CHECKS.len()],
    taken: [bool; CHECKS.len()],
    failed: Vec<&'static str>,
    left_out: Vec<String>,
}

impl Progress {
    /// Takes the next check that has what it needs. None is left if all are taken.
    fn take(&mut self) -> Next {
        let is_done =
            |name: &&str| CHECKS.iter().position(|check| check.name == *name).is_none_or(|at| self.done[at]);
        let ready = |at: &usize| !self.taken[*at] && CHECKS[*at].after.iter().all(&is_done);
        match (0..CHECKS.len()).find(ready) {
            Some(at) => {
                self.taken[at] = true;
                Next::Run(at)
            }
            None if self.taken.contains(&false) => Next::Wait,
            None => Next::Nothing,
        }
    }

    /// Writes down and says how a check ended.
    fn end(&mut self, at: usize, seconds: f64, ended: Result<(), ChoreError>) {
        let name = CHECKS[at].name;
        match ended {
            Ok(()) => println!("      {name}: ok, {seconds:.1} s"),
            Err(ChoreError::Partly { what }) => {
                println!("      {name}: ok as far as it went, {seconds:.1} s; NOT RUN: {what}");
                self.left_out.push(what);
            }
            Err(error) => {
                println!("      {name}: FAILED: {error}");
                self.failed.push(name);
            }
        }
        self.done[at] = true;
    }
}

/// What a thread that looks for work does.
enum Next {
    Run(usize),
    /// Until another check is done.
    Wait,
    Nothing,
}

/// Runs all checks, also after one has failed, and says how many did.
pub fn run() -> Result<(), ChoreError> {
    install_components();
    let begin = Instant::now();
    let (progress, changed) = (Mutex::new(Progress::default()), Condvar::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| work(&progress, &changed));
        }
    });
    let Progress { failed, left_out, .. } = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("every check, {:.0} s", begin.elapsed().as_secs_f64());
    left_out.iter().for_each(|what| println!("not run: {what}"));
    println!("checks: {} passed, {} failed", CHECKS.len() - failed.len(), failed.len());
    if failed.is_empty() {
        return Ok(());
    }
    Err(ChoreError::Checks { failed: failed.len(), all: CHECKS.len(), names: failed.join(", ") })
}

/// Runs one check after the other until none is left.
fn work(progress: &Mutex<Progress>, changed: &Condvar) {
    let mut all = progress.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match all.take() {
            Next::Nothing => return,
            Next::Wait => all = changed.wait(all).unwrap_or_else(PoisonError::into_inner),
            Next::Run(at) => {
                let check = &CHECKS[at];
                all.begun += 1;
                println!("[{}/{}] {} …", all.begun, CHECKS.len(), check.name);
                drop(all);
                let begin = Instant::now();
                let ended = Log::of(check.name).and_then(|log| {
                    let ended = log.keep(check.run);
                    log.print();
                    ended
                });
                all = progress.lock().unwrap_or_else(PoisonError::into_inner);
                all.end(at, begin.elapsed().as_secs_f64(), ended);
                changed.notify_all();
            }
        }
    }
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

/// Our own crates are compiled by the linter, so that what is linted is what is tested, and nothing is compiled twice; they are documented
/// in the same go. Nobody edits and compiles what is only checked again and again, nor looks at it with a debugger: leaving out what
/// that takes saves more than a quarter of compiling a crate. A test that panics names its line all the same.
pub fn linted(cargo: &mut Command) -> Result<&mut Command, ChoreError> {
    cargo.env("RUSTC_WORKSPACE_WRAPPER", compiler::path()?);
    Ok(cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false"))
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
    let mut build =
        command("cargo", &["test", "--quiet", "--workspace", "--no-run", "--message-format=json"]);
    let output = capture(linted(&mut build)?.stderr(Stdio::inherit()))?;
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

fn tests() -> Result<(), ChoreError> {
    show(linted(&mut command("cargo", &["test", "--quiet", "--workspace", "--no-fail-fast"]))?)
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
    let mut tests = command("cargo", &arguments);
    if let Some(folder) = wthor {
        let error = |error| ChoreError::File { file: folder.to_owned(), error };
        tests.env("EMILIA_WTHOR", std::fs::canonicalize(folder).map_err(error)?);
    }
    let listed = capture(linted(&mut command("cargo", &arguments))?.arg("--list"))?;
    if !String::from_utf8_lossy(&listed.stdout).lines().any(|line| line.ends_with(": test")) {
        return Err(ChoreError::Missing { what: format!("there is no ignored test {name:?}") });
    }
    show(linted(&mut tests)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_is_taken_once_and_after_those_it_needs() {
        let (mut progress, mut order) = (Progress::default(), Vec::new());
        assert!(matches!(progress.take(), Next::Run(0)));
        order.push(0);
        loop {
            match progress.take() {
                Next::Run(at) => order.push(at),
                // Nothing is done yet that the rest needs: what was taken ends.
                Next::Wait => order.iter().for_each(|at| progress.done[*at] = true),
                Next::Nothing => break,
            }
        }
        let names: Vec<&str> = order.iter().map(|at| CHECKS[*at].name).collect();
        assert_eq!(names.len(), CHECKS.len());
        for (place, at) in order.iter().enumerate() {
            for needed in CHECKS[*at].after {
                assert!(names[..place].contains(needed), "{} needs {needed}", CHECKS[*at].name);
            }
        }
    }

    #[test]
    fn a_check_that_failed_is_named_and_what_needs_it_still_runs() {
        let mut progress = Progress::default();
        let lints = CHECKS.iter().position(|check| check.name == "lints").expect("there are lints");
        progress.taken = [true; CHECKS.len()];
        let tests = CHECKS.iter().position(|check| check.name == "tests").expect("there are tests");
        progress.taken[tests] = false;
        assert!(matches!(progress.take(), Next::Wait));
        progress.end(lints, 1.0, Err(ChoreError::Lints { remarks: 1 }));
        assert_eq!(progress.failed, ["lints"]);
        assert!(matches!(progress.take(), Next::Run(at) if at == tests));
    }
}
