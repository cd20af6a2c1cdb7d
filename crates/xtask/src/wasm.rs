//! The engine for the browser, and what it is held to.

use crate::chore::{ChoreError, root, show};
use crate::toolchain::Toolchain;
use crate::web;

/// What the suite holds the engine for the browser to.
pub fn check() -> Result<(), ChoreError> {
    match Toolchain::find() {
        Ok(toolchain) => laws(&toolchain),
        Err(missing) if std::env::var_os("CI").is_some() => Err(missing),
        Err(missing) => Err(ChoreError::Partly { what: format!("the engine for the browser: {missing}") }),
    }
}

/// The law tests that every kind of processor is held to, by the engine of a browser.
fn laws(toolchain: &Toolchain) -> Result<(), ChoreError> {
    if !web::works("node") {
        web::install(&["nodejs", "npm"]);
    }
    let runner = format!("node {}", root().join("crates/wasm/tests/harness.mjs").display());
    // Chance comes from a fixed seed there, so nobody needs the browser's.
    let flags = "-C target-feature=+simd128 --cfg getrandom_backend=\"unsupported\"";
    let mut cargo =
        toolchain.cargo(&["test", "--quiet", "--package", "emilia-simd", "--test", "it"], flags, false);
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner);
    show(cargo.env("CARGO_TARGET_DIR", root().join("target/wasm/laws")))
}
