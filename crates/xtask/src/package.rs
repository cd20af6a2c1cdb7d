//! The package for Python: its wheel is built, installed into a virtual environment, and tested there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, capture, command, root, show};
use crate::{test, web};

/// Where the package is.
const HOME: &str = "crates/python";
/// Where it is installed; no package of the machine is seen in there.
const ENVIRONMENT: &str = "target/python-package";
/// Where its wheel is put.
const WHEELS: &str = "target/wheels";

/// How it is installed: of all that is in there, Python compiles what it needs when it needs it.
const PIP: [&str; 6] = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"];

/// Which of its tests to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tests {
    /// What every change is held to.
    Usual,
    /// Also what needs large packages or minutes.
    All,
}

/// Builds the wheel, with the arithmetic checks of a debug build, from what the linter has compiled; installs it; checks
/// its types; runs its tests.
pub fn run(tests: Tests) -> Result<(), ChoreError> {
    let python = match environment() {
        Err(missing) if std::env::var_os("CI").is_none() => {
            return Err(ChoreError::Partly { what: format!("the package for Python: {missing}") });
        }
        python => python?,
    };
    let wheel = wheel(&python, &["--profile", "dev", "--features", "as-tested", "--", "-D", "warnings"])?;
    install(&python, &wheel, tests)?;
    let pyproject = format!("{HOME}/pyproject.toml");
    let sources = ["python", "tests", "examples", "reference.py"].map(|part| format!("{HOME}/{part}"));
    show(command(&python, &["-m", "mypy", "--config-file", &pyproject]).args(sources))?;
    // The stubs describe what is there, all of it.
    show(&mut command(&python, &["-m", "mypy.stubtest", "--concise", "emilia._emilia"]))?;
    let mut pytest = command(&python, &["-m", "pytest", "--quiet", "--config-file", &pyproject, HOME]);
    if tests == Tests::Usual {
        pytest.args(["-m", "not large"]);
    }
    // Should the interpreter itself fall over, it says where.
    show(pytest.env("PYTHONFAULTHANDLER", "1"))?;
    if tests == Tests::All {
        return Ok(());
    }
    let what = "the tests of the Python package that need large packages (cargo xtask python --all)";
    Err(ChoreError::Partly { what: what.to_owned() })
}

/// The Python of the environment. It is made anew when the list of what is to be installed has changed.
pub fn environment() -> Result<String, ChoreError> {
    let folder = root().join(ENVIRONMENT);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let list = read(&root().join(HOME).join("pyproject.toml"))?;
    let installed = folder.join("pyproject.toml");
    let program = python.to_string_lossy().into_owned();
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == list) {
        return Ok(program);
    }
    if !web::works("python3") {
        web::install(&["python3", "python3-venv"]);
    }
    let error = |error| ChoreError::File { file: ENVIRONMENT.to_owned(), error };
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(error)?;
    }
    println!("      installing what the Python package needs …");
    show(&mut command("python3", &["-m", "venv", &folder.to_string_lossy()]))?;
    show(command(&program, &PIP).arg("maturin>=1.9,<2"))?;
    fs::write(&installed, list).map_err(error)?;
    Ok(program)
}

/// Builds the wheel in this way and says where it is.
fn wheel(python: &str, options: &[&str]) -> Result<PathBuf, ChoreError> {
    let folder = root().join(WHEELS);
    if folder.exists() {
        let error = |error| ChoreError::File { file: WHEELS.to_owned(), error };
        fs::remove_dir_all(&folder).map_err(error)?;
    }
    let manifest = format!("{HOME}/Cargo.toml");
    let build = ["-m", "maturin", "build", "--quiet", "--manifest-path", &manifest, "--out", WHEELS];
    let mut maturin = command(python, &build);
    let output = capture(test::linted(maturin.args(options))?)?;
    if !output.status.success() {
        print!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(ChoreError::Failed { command: "maturin build".to_owned() });
    }
    let built = fs::read_dir(&folder).ok().and_then(|mut files| files.next()?.ok());
    let built = built.map(|file| file.path());
    built.ok_or_else(|| ChoreError::Missing { what: format!("maturin has put no wheel into {WHEELS}") })
}

/// Installs the wheel and what its tests need.
fn install(python: &str, wheel: &Path, tests: Tests) -> Result<(), ChoreError> {
    let extra = if tests == Tests::All { "test,large" } else { "test" };
    let wheel = wheel.to_string_lossy();
    show(command(python, &PIP).arg(format!("{wheel}[{extra}]")))?;
    // The version is the same as yesterday, what is inside is not.
    show(command(python, &PIP).args(["--force-reinstall", "--no-deps", &*wheel]))
}

fn read(file: &Path) -> Result<String, ChoreError> {
    fs::read_to_string(file).map_err(|error| ChoreError::File { file: file.display().to_string(), error })
}
