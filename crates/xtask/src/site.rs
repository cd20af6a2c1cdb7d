//! The page as files for any host of files.

use crate::chore::{ChoreError, command, root, show};
use crate::wasm;

/// Builds the engine for the browser and writes the page with it into a folder.
pub fn run(folder: &str) -> Result<(), ChoreError> {
    wasm::run(wasm::SHIPPED)?;
    let engine = root().join(wasm::SHIPPED).display().to_string();
    let words = ["run", "--quiet", "--bin", "emilia", "--", "site", folder, "--engine", &engine];
    show(&mut command("cargo", &words))
}
