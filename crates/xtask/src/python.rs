//! The tests of what is written in Python: the package, the training scripts, and the client that talks to the engine.

use crate::chore::{ChoreError, capture, command, show};
use crate::package::{self, Tests};
use crate::test;

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

/// Runs the tests of the scripts with the Python that the package was installed into, where there is NumPy. PyTorch is too large to be
/// installed for a test: what needs it runs where it is there already, and otherwise this says what was left out.
fn scripts() -> Result<(), ChoreError> {
    // The machine's own, if that has all there is to test.
    let ours = if has_torch("python3") { Ok("python3".to_owned()) } else { package::environment() };
    let python = match ours {
        Err(missing) if std::env::var_os("CI").is_none() => {
            return Err(ChoreError::Partly { what: format!("everything in Python: {missing}") });
        }
        python => python?,
    };
    let arguments = ["-m", "unittest", "discover", "--quiet", "--start-directory", "training"];
    show(&mut command(&python, &arguments))?;
    test::ignored("python::", None)?;
    if has_torch(&python) {
        return Ok(());
    }
    let how = format!("{python} -m pip install torch");
    Err(ChoreError::Partly { what: format!("what needs PyTorch in training/ ({how})") })
}

fn has_torch(python: &str) -> bool {
    let asked = capture(&mut command(python, &["-c", "import numpy, torch"]));
    asked.is_ok_and(|output| output.status.success())
}
