//! Running other programs from the root of the repository.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::{fs, io};

use thiserror::Error;

/// Why a chore was not done.
#[derive(Debug, Error)]
pub enum ChoreError {
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error("{command} failed")]
    Failed { command: String },
    #[error("{file}: {error}")]
    File { file: String, error: io::Error },
    #[error("{what}")]
    Missing { what: String },
    #[error("cargo said something that is no JSON: {0}")]
    Metadata(#[from] serde_json::Error),
    #[error("{0}")]
    Layers(#[from] crate::layers::LayerErrors),
    #[error("{remarks} warnings")]
    Lints { remarks: usize },
    #[error("not inlined: {calls}")]
    OutOfLine { calls: String },
    #[error("{what}, here {expected:?}")]
    Differs { what: String, expected: String },
    #[error("not run: {what}")]
    Partly { what: String },
    #[error("{failed} of {all} checks failed: {names}")]
    Checks { failed: usize, all: usize, names: String },
}

/// The root of the repository, wherever cargo was called from.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A program to be run at the root. The cargo that called us names itself; others are found by name.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = match program {
        "cargo" => Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
        _ => Command::new(program),
    };
    command.args(arguments).current_dir(root());
    command
}

/// Runs the command, letting it print.
pub fn show(command: &mut Command) -> Result<(), ChoreError> {
    if let Some(log) = Log::current() {
        log.take(command)
            .map_err(|error| ChoreError::File { file: log.file.display().to_string(), error })?;
    }
    let status = command.status().map_err(|error| start_error(command, error))?;
    if status.success() { Ok(()) } else { Err(ChoreError::Failed { command: spelled(command) }) }
}

/// Runs the command and keeps what it prints.
pub fn capture(command: &mut Command) -> Result<Output, ChoreError> {
    command.output().map_err(|error| start_error(command, error))
}

/// Installs a subcommand of cargo, unless it is there already.
pub fn install(subcommand: &str) -> Result<(), ChoreError> {
    let present = capture(&mut command("cargo", &[subcommand, "--version"]));
    if present.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let package = format!("cargo-{subcommand}");
    println!("installing {package} …");
    show(&mut command("cargo", &["install", &package, "--locked"]))
}

fn start_error(command: &Command, error: io::Error) -> ChoreError {
    ChoreError::Start { program: command.get_program().to_string_lossy().into_owned(), error }
}

fn spelled(command: &Command) -> String {
    let name = command.get_program().to_string_lossy();
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    std::iter::once(name).chain(words).collect::<Vec<_>>().join(" ")
}

thread_local! {
    /// Where the programs print that this thread runs, if not on the screen.
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// A file with what the programs of a check print: of checks that run at the same time, each has its say as a whole.
#[derive(Clone)]
pub struct Log {
    name: &'static str,
    file: PathBuf,
}

impl Log {
    /// An empty one below `target/`, where whoever cannot wait may read along.
    pub fn of(name: &'static str) -> Result<Log, ChoreError> {
        let folder = root().join("target/checks");
        let file = folder.join(format!("{}.log", name.replace(' ', "-")));
        let error = |error| ChoreError::File { file: file.display().to_string(), error };
        fs::create_dir_all(&folder).and_then(|()| fs::write(&file, [])).map_err(error)?;
        Ok(Log { name, file })
    }

    /// The one that this thread keeps.
    pub fn current() -> Option<Log> {
        LOG.with_borrow(Clone::clone)
    }

    /// Does something whose programs print into this one.
    pub fn keep<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = LOG.replace(Some(self.clone()));
        let done = work();
        LOG.set(before);
        done
    }

    /// Says what it holds, if that is anything.
    pub fn print(&self) {
        let text = fs::read(&self.file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        if !text.trim().is_empty() {
            println!("----- {} -----\n{}\n----- {} -----", self.name, text.trim_end(), self.name);
        }
    }

    /// Lets a program print at its end.
    fn take(&self, command: &mut Command) -> io::Result<()> {
        let file = fs::OpenOptions::new().append(true).open(&self.file)?;
        command.stderr(file.try_clone()?).stdout(file);
        Ok(())
    }
}
