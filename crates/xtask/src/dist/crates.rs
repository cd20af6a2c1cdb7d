//! The crates as they would be published: packed, unpacked elsewhere, and the program installed from them.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::{file_error, write};
use crate::chore::{ChoreError, capture, command, root, show};

/// More than this is not published.
const LARGEST: u64 = 10_000_000;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    /// Where it may be published; nowhere, if the list is there and empty.
    publish: Option<Vec<String>>,
}

/// Packs every crate that is to be published, looks into each, and installs the program from the packed crates alone.
pub fn run() -> Result<(), ChoreError> {
    let metadata = capture(&mut command("cargo", &["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_slice(&metadata.stdout)?;
    let packages: Vec<Package> =
        metadata.packages.into_iter().filter(|package| package.publish.is_none()).collect();
    // What is not committed is packed too, so that one can try before one commits.
    let mut pack = command("cargo", &["package", "--quiet", "--no-verify", "--locked", "--allow-dirty"]);
    show(pack.args(packages.iter().flat_map(|package| ["--package", &package.name])))?;
    let folder = root().join("target/crates");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| file_error(&folder, error))?;
    }
    fs::create_dir_all(&folder).map_err(|error| file_error(&folder, error))?;
    let mut patch = "[patch.crates-io]\n".to_owned();
    for package in &packages {
        let name = format!("{}-{}", package.name, package.version);
        look_into(&root().join("target/package").join(format!("{name}.crate")), &folder)?;
        patch += &format!("{} = {{ path = {:?} }}\n", package.name, folder.join(&name));
    }
    // Nobody has them yet, so they are looked for where they were unpacked.
    write(&folder.join(".cargo/config.toml"), patch.as_bytes())?;
    let program = packages.iter().find(|package| package.name == "emilia");
    let what = || ChoreError::Missing { what: "no crate is called emilia".to_owned() };
    let program = program.ok_or_else(what)?;
    let path = format!("emilia-{}", program.version);
    let mut install = command("cargo", &["install", "--quiet", "--path", &path, "--root", "installed"]);
    show(install.current_dir(&folder).env("CARGO_TARGET_DIR", root().join("target")))?;
    let emilia = folder.join("installed/bin").join(format!("emilia{}", std::env::consts::EXE_SUFFIX));
    show(&mut command(&emilia.to_string_lossy(), &["--version"]))?;
    println!("{} crates packed; the program was installed from them", packages.len());
    Ok(())
}

/// Unpacks a crate that is small enough and has its licences and a readme.
fn look_into(file: &Path, folder: &Path) -> Result<(), ChoreError> {
    let size = file.metadata().map_err(|error| file_error(file, error))?.len();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if size > LARGEST {
        return Err(ChoreError::Missing {
            what: format!("{name} packs to {size} bytes, {LARGEST} are allowed"),
        });
    }
    let (from, to) = (file.to_string_lossy(), folder.to_string_lossy());
    show(&mut command("tar", &["-xzf", &from, "-C", &to]))?;
    for wanted in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        if !folder.join(&name).join(wanted).is_file() {
            return Err(ChoreError::Missing { what: format!("there is no {wanted} in the crate {name}") });
        }
    }
    Ok(())
}
