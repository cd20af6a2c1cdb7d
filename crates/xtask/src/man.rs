//! Manual pages, made from the same definitions as `--help`.

use crate::chore::{ChoreError, command, show};

/// Writes a page for the program and for each command into the folder.
pub fn run(folder: &str) -> Result<(), ChoreError> {
    let arguments = ["run", "--quiet", "--package", "emilia", "--example", "man", "--", folder];
    show(&mut command("cargo", &arguments))?;
    println!("manual pages written to {folder}");
    Ok(())
}
