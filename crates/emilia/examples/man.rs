//! Writes a manual page for the program and for each of its commands into a folder.
//!
//! Called by `cargo xtask man`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return ExitCode::from(2);
    };
    let written =
        std::fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(emilia::command(), &folder));
    if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
