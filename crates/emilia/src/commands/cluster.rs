use std::ffi::OsString;
use std::process::{Command, Stdio};

use clap::Args;

use crate::{Failure, Streams};

/// Do the units of a plan on many machines with Ray, and merge what they gave
///
/// This is the Python package's own: it is called with what follows. "emilia cluster run --help" lists its options.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan games selfplay --games 100000
  emilia cluster run games                         on this machine
  emilia cluster run games --address auto          on the cluster that this machine is part of
  emilia cluster status games

docs/cluster.md describes it. EMILIA_PYTHON names the Python to use, python3 if it is not said.")]
pub(crate) struct Cluster {
    /// What the package is asked for: run or status, a folder, and options
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Cluster {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let python = std::env::var_os("EMILIA_PYTHON").unwrap_or_else(|| "python3".into());
        let name = python.to_string_lossy().into_owned();
        let mut look = Command::new(&python);
        look.args(["-c", "import emilia.cluster"]).stdin(Stdio::null());
        let found = look.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return Err(Failure::failed(format!(
                "{name} does not have the package emilia, which brings Ray to the work: pip install 'emilia[ray]', or name \
                 another Python in EMILIA_PYTHON"
            )));
        }
        streams.out.flush()?;
        let words = if self.words.is_empty() { vec!["--help".into()] } else { self.words };
        let status = Command::new(&python).args(["-m", "emilia.cluster"]).args(words).status();
        let status = status.map_err(|error| Failure::failed(format!("{name}: {error}")))?;
        if status.success() { Ok(()) } else { Err(Failure::failed("the cluster did not finish the work")) }
    }
}
