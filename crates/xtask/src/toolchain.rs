//! A compiler for another machine than this one, WebAssembly or a processor that is emulated, with the library that comes with
//! the language in compiled form or as source.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chore::{ChoreError, capture, command, root};
use crate::web;

/// What is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// WebAssembly.
    Browser,
    /// ARM processors of 64 bits, with Linux.
    Arm,
}

impl Target {
    /// What `--target` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Browser => "wasm32-unknown-unknown",
            Target::Arm => "aarch64-unknown-linux-gnu",
        }
    }

    /// A variable by which cargo is told something about it, such as `RUNNER`.
    pub fn variable(self, what: &str) -> String {
        format!("CARGO_TARGET_{}_{what}", self.name().to_uppercase().replace('-', "_"))
    }
}

/// The linker for ARM of the packages that [`Toolchain::find`] installs.
const ARM_LINKER: &str = "aarch64-linux-gnu-gcc";

/// A compiler that can build for a target.
#[derive(Debug)]
pub struct Toolchain {
    target: Target,
    /// The compiler, if it is not the one that cargo would take.
    rustc: Option<PathBuf>,
    /// Whether the library is there in compiled form. Threads need it compiled anew all the same.
    compiled: bool,
    /// Whether its source is there, of the same version as the compiler.
    source: bool,
    /// The linker, if the compiler does not bring its own.
    linker: Option<PathBuf>,
}

impl Toolchain {
    /// Looks for one that can build the library anew, and installs what is missing: by rustup, or Debian's packages.
    pub fn find(target: Target) -> Result<Toolchain, ChoreError> {
        if target == Target::Arm && !web::works(ARM_LINKER) {
            web::install(&["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"]);
        }
        let has_compiled = |sysroot: &Path| has_compiled(sysroot, target);
        let own_linker = (target == Target::Arm).then(|| PathBuf::from(ARM_LINKER));
        let usual = sysroot(Path::new("rustc"));
        if let Some(usual) = &usual {
            if !has_source(usual) {
                run("rustup", &["component", "add", "rust-src"]);
            }
            if !has_compiled(usual) {
                run("rustup", &["target", "add", target.name()]);
            }
            if has_source(usual) {
                let compiled = has_compiled(usual);
                return Ok(Toolchain { target, rustc: None, compiled, source: true, linker: own_linker });
            }
        }
        // Debian's compiler for its browsers is newer than its usual one. What it has no copy of is the linker.
        let debian = Path::new("/usr/bin/rustc");
        let usable = || sysroot(debian).filter(|root| has_source(root) && is_new_enough(debian));
        if usable().is_none() {
            web::install(&["rustc-web", "rust-web-src"]);
        }
        let linker = own_linker.clone().or_else(|| usual.as_deref().and_then(linker));
        if let (Some(_), Some(linker)) = (usable(), linker) {
            return Ok(Toolchain {
                target,
                rustc: Some(debian.into()),
                compiled: false,
                source: true,
                linker: Some(linker),
            });
        }
        match usual {
            Some(usual) if has_compiled(&usual) => {
                Ok(Toolchain { target, rustc: None, compiled: true, source: false, linker: own_linker })
            }
            _ => Err(ChoreError::Missing {
                what: format!(
                    "there is no compiler for {}; with rustup: rustup component add rust-src, \
                     on Debian: apt-get install rustc-web rust-web-src",
                    target.name()
                ),
            }),
        }
    }

    /// Whether modules with threads can be built.
    pub fn has_threads(&self) -> bool {
        self.source
    }

    /// Flags by which no place on this machine gets into what is built: the same source gives the same bytes everywhere.
    pub fn without_paths(&self) -> Result<String, ChoreError> {
        let rustc = self.rustc.as_deref().unwrap_or(Path::new("rustc"));
        let places = [(Some(here()?), "/emilia"), (cargo_home(), "/cargo"), (sysroot(rustc), "/rust")];
        let flags = places.into_iter().filter_map(|(place, name)| {
            Some(format!(
                "--remap-path-prefix={}={name}",
                place?.to_str().filter(|place| !place.contains(' '))?
            ))
        });
        Ok(flags.collect::<Vec<_>>().join(" "))
    }

    /// Cargo with this compiler; `flags` are the compiler's own. `anew` is for a library with other features than the
    /// compiled one has.
    pub fn cargo(&self, arguments: &[&str], flags: &str, anew: bool) -> Command {
        let mut cargo = command("cargo", arguments);
        cargo.args(["--target", self.target.name()]).env("RUSTFLAGS", flags);
        if anew || !self.compiled {
            // Building the library anew is not stable yet, so compiler and cargo are told that we know.
            cargo.args(["-Zbuild-std=std,panic_abort,test"]).env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(rustc) = &self.rustc {
            cargo.env("RUSTC", rustc);
        }
        if let Some(linker) = &self.linker {
            cargo.env(self.target.variable("LINKER"), linker);
        }
        cargo
    }
}

/// Where the repository is.
pub fn here() -> Result<PathBuf, ChoreError> {
    let error = |error| ChoreError::File { file: root().display().to_string(), error };
    root().canonicalize().map_err(error)
}

/// Where cargo keeps what others wrote.
pub fn cargo_home() -> Option<PathBuf> {
    let told = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    told.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// Whether it worked shows in what is there afterwards.
fn run(program: &str, arguments: &[&str]) {
    println!("      {program} {} …", arguments.join(" "));
    let _ = capture(&mut command(program, arguments));
}

fn printed(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = capture(&mut command(&program.to_string_lossy(), arguments)).ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Where a compiler keeps its libraries.
fn sysroot(rustc: &Path) -> Option<PathBuf> {
    Some(printed(rustc, &["--print", "sysroot"])?.into())
}

fn has_source(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").is_file()
}

fn has_compiled(sysroot: &Path, target: Target) -> bool {
    sysroot.join("lib/rustlib").join(target.name()).join("lib").is_dir()
}

/// Whether a compiler knows the language as we write it. Debian has compilers of several years.
fn is_new_enough(rustc: &Path) -> bool {
    let said = printed(rustc, &["--version"]).unwrap_or_default();
    let found = said.split_whitespace().nth(1).and_then(release);
    found.is_some_and(|found| release(env!("CARGO_PKG_RUST_VERSION")).is_some_and(|needed| found >= needed))
}

/// The first two numbers of a version.
fn release(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The linker that a toolchain of rustup has for itself.
fn linker(sysroot: &Path) -> Option<PathBuf> {
    let host = printed(Path::new("rustc"), &["--print", "host-tuple"])?;
    let linker = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
    linker.is_file().then_some(linker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_told_about_a_target_by_its_name() {
        assert_eq!(Target::Arm.variable("RUNNER"), "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER");
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(release("1.100.0") > release("1.89"));
        assert_eq!(release("1.85.0"), Some((1, 85)));
        assert_eq!(release("stable"), None);
        assert!(is_new_enough(Path::new("rustc")), "what compiles this is new enough");
        assert!(!is_new_enough(Path::new("no-such-compiler")));
    }
}
