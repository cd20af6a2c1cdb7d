//! The tests of what is written in Python: the package, the training scripts, and the client that talks to the engine.

use std::path::PathBuf;

use crate::chore::{ChoreError, capture, command, root, show};
use crate::package::{self, Tests};
use crate::{test, web};

/// The package and the scripts.
pub fn run() -> Result<(), ChoreError> {
    let (package, scripts) = (package::run(Tests::Usual), scripts());
    match (package, scripts) {
        (Err(ChoreError::Partly { what: first }), Err(ChoreError::Partly { what: second })) => {
            Err(ChoreError::Partly { what: format!("{first}; {second}") })
        }
        (Err(ChoreError::Partly { .. }), Err(error)) => Err(error),
        (package, scripts) => package.and(scripts),
    }
}

/// Runs the tests of the scripts in an environment of their own under `target/`. PyTorch is too large to be installed for a test: what
/// needs it runs where it is there already, and otherwise this says what was left out.
fn scripts() -> Result<(), ChoreError> {
    let python = match environment() {
        Err(missing) if std::env::var_os("CI").is_none() => {
            return Err(ChoreError::Partly { what: format!("everything in Python: {missing}") });
        }
        python => python?,
    };
    let python = python.to_string_lossy();
    let arguments = ["-m", "unittest", "discover", "--quiet", "--start-directory", "training"];
    show(&mut command(&python, &arguments))?;
    test::ignored("python::", None)?;
    if capture(&mut command(&python, &["-c", "import torch"]))?.status.success() {
        return Ok(());
    }
    let how = format!("{python} -m pip install torch");
    Err(ChoreError::Partly { what: format!("what needs PyTorch in training/ ({how})") })
}

/// The Python of an environment with the packages that the tests need; it sees what the machine has as well.
fn environment() -> Result<PathBuf, ChoreError> {
    if !web::works("python3") {
        web::install(&["python3", "python3-venv"]);
    }
    let folder = root().join("target/python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.is_file() {
        let folder = folder.to_string_lossy();
        show(&mut command("python3", &["-m", "venv", "--system-site-packages", &folder]))?;
    }
    let program = python.to_string_lossy();
    if !capture(&mut command(&program, &["-c", "import numpy"]))?.status.success() {
        println!("      installing training/requirements.txt …");
        let arguments = ["-m", "pip", "install", "--quiet", "--requirement", "training/requirements.txt"];
        show(&mut command(&program, &arguments))?;
    }
    Ok(python)
}
