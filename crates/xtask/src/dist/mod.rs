//! What a release consists of: archive, packages, image, lists, checksums. The same commit gives the same bytes: no time of
//! day, no path of this machine and no order of a folder gets into them.

mod archive;
mod check;
mod contents;
mod crates;
mod image;
mod licences;
mod packages;
pub mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use self::packages::Packing;
use crate::chore::{ChoreError, capture, command, root, show};
use crate::{toolchain, wasm};

pub use check::{in_a_clean_debian, whole};
pub use crates::run as crates;

/// A program that a release is made of, and where it runs.
pub struct Programs {
    emilia: PathBuf,
    /// Writes the manual pages.
    man: PathBuf,
    /// Whether it needs no library of the system.
    is_static: bool,
    /// The engine for the browser, of which `emilia site` makes a site, if it could be built.
    engine: Option<PathBuf>,
}

/// What all packages of a release have in common.
struct Release {
    version: String,
    /// When the commit was made, in seconds since 1970.
    moment: u64,
    folder: PathBuf,
}

/// Writes everything that goes with a release into the folder.
pub fn run(folder: &str) -> Result<(), ChoreError> {
    let programs = Programs { engine: engine()?, ..build()? };
    let release = Release::new(&root().join(folder))?;
    let tree = tree::stage(&release.folder.join("tree"), &programs)?;
    release.note("archive", &archive::write_all(&release, &tree)?);
    if cfg!(target_os = "linux") {
        let deb = packages::deb(&release, &tree, &programs, Packing::Small)?;
        release.note("package for Debian", &deb);
        match packages::rpm(&release, &tree) {
            Err(missing @ ChoreError::Missing { .. }) => println!("no RPM: {missing}"),
            made => release.note("RPM", &made?),
        }
        release.note("image", &image::write_all(&release, &tree)?);
    }
    contents::bill_of_materials(&release.folder)?;
    let tree = release.folder.join("tree");
    fs::remove_dir_all(&tree).map_err(|error| file_error(&tree, error))?;
    release.checksums()?;
    println!("written to {folder}");
    Ok(())
}

/// Compiles the program as it is released: on Linux without libraries of the system, and without paths of this machine.
fn build() -> Result<Programs, ChoreError> {
    let triple = host()?;
    let is_static = triple.ends_with("-linux-gnu") || triple.ends_with("-linux-musl");
    let here = toolchain::here()?;
    let mut flags =
        vec!["-Cstrip=symbols".to_owned(), format!("--remap-path-prefix={}=/emilia", here.display())];
    if let Some(home) = toolchain::cargo_home() {
        flags.push(format!("--remap-path-prefix={}=/cargo", home.display()));
    }
    if is_static {
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    let what =
        ["build", "--release", "--locked", "--package", "emilia", "--bin", "emilia", "--example", "man"];
    let mut cargo = command("cargo", &what);
    // With a target named, the flags are for the program alone and not for what runs while it is built.
    cargo.args(["--target", &triple]).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    show(cargo.env("CFLAGS", format!("-ffile-prefix-map={}=/emilia", here.display())))?;
    let folder = root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
    let folder = folder.join(&triple).join("release");
    let name = |name: &str| format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let (emilia, man) = (folder.join(name("emilia")), folder.join("examples").join(name("man")));
    Ok(Programs { emilia, man, is_static, engine: None })
}

/// Builds the engine for the browser, where there is a compiler for it.
fn engine() -> Result<Option<PathBuf>, ChoreError> {
    match wasm::run(wasm::SHIPPED) {
        Err(missing @ ChoreError::Missing { .. }) => {
            println!("no engine for the browser: {missing}");
            Ok(None)
        }
        done => done.map(|()| Some(root().join(wasm::SHIPPED))),
    }
}

/// The kind of machine that this is, as the compiler calls it.
fn host() -> Result<String, ChoreError> {
    let output = capture(&mut command("rustc", &["-vV"]))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let triple = text.lines().find_map(|line| line.strip_prefix("host: "));
    triple
        .map(str::to_owned)
        .ok_or_else(|| ChoreError::Missing { what: "rustc -vV names no host".to_owned() })
}

impl Release {
    /// An empty folder for a release of the commit that is checked out.
    fn new(folder: &Path) -> Result<Release, ChoreError> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| file_error(folder, error))?;
        }
        fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
        let folder = folder.canonicalize().map_err(|error| file_error(folder, error))?;
        Ok(Release { version: env!("CARGO_PKG_VERSION").to_owned(), moment: moment()?, folder })
    }

    fn note(&self, what: &str, file: &Path) {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        println!("{what:20} {name}  {:.1} MB", size as f64 / 1e6);
    }

    /// A list that `sha256sum --check` reads.
    fn checksums(&self) -> Result<(), ChoreError> {
        let mut lines = Vec::new();
        for file in tree::files(&self.folder)? {
            let bytes = fs::read(self.folder.join(&file)).map_err(|error| file_error(&file, error))?;
            lines.push(format!("{}  {}\n", hex(&bytes), file.display()));
        }
        write(&self.folder.join("SHA256SUMS"), lines.concat().as_bytes())
    }
}

/// When the commit was made, unless whoever builds says another moment in the way that is usual for that.
fn moment() -> Result<u64, ChoreError> {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok();
    let text = match told {
        Some(told) => told,
        None => {
            let output = capture(&mut command("git", &["log", "-1", "--format=%ct"]))?;
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    };
    let what = || "neither git nor SOURCE_DATE_EPOCH says when this version was made".to_owned();
    text.trim().parse().map_err(|_| ChoreError::Missing { what: what() })
}

/// SHA-256, as people read it.
fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(file: &Path) -> Result<String, ChoreError> {
    fs::read_to_string(file).map_err(|error| file_error(file, error))
}

/// Writes a file, and the folders that lead to it.
fn write(file: &Path, bytes: &[u8]) -> Result<(), ChoreError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
    fs::write(file, bytes).map_err(|error| file_error(file, error))
}

fn file_error(file: &Path, error: std::io::Error) -> ChoreError {
    ChoreError::File { file: file.display().to_string(), error }
}
