//! Repository chores: `cargo xtask test` runs every check there is.

mod alone;
mod arm;
mod chore;
mod compiler;
mod deny;
mod dist;
mod fuzz;
mod inline;
mod layers;
mod man;
#[cfg(feature = "mutants")]
mod mutants;
mod package;
mod puzzles;
mod python;
mod sanitize;
mod site;
mod slurm;
mod strength;
mod test;
mod toolchain;
mod torture;
mod wasm;
mod web;

use std::process::ExitCode;

use chore::ChoreError;

const HELP: &str = "\
Repository chores

Usage: cargo xtask <CHORE>

  test            every check there is: format, layers, lints and documentation, all tests, Python, fuzz targets, the page
  test --slow     only the tests that are left out there because they take minutes
  test --wthor DIR
                  only the tests that need the whole WTHOR database, which is in this folder
  python          only the package for Python: build its wheel, install it, check its types, run its tests
  python --all    also those of its tests that need large packages or minutes
  web             only the page: style, types, then a real browser (needs Node and Chromium)
  wasm [DIR]      build the engine for the browser (default: target/engine): modules with threads and without, and the
                  weights, compressed; installs a compiler for WebAssembly (rustup or Debian) and wasm-opt (npm)
  wasm --check    only the engine for the browser: what every kind of processor is held to, by Node's WebAssembly, and
                  the modules that the tests of the page use
  arm             the code for ARM processors, by an emulated one: the tests of rules and evaluation, perft, the bench count;
                  installs a compiler for ARM (rustup or Debian) and QEMU
  arm --count     the same, and how many instructions perft and bench take with it and without
  site DIR        build the engine for the browser and write the page as files for any web host (docs/deploy.md)
  slurm           run an array of work units on a Slurm cluster of this machine alone, by the script in docs/cluster.md
                  (needs to be root; installs Slurm)
  layers          compare the dependencies between crates with the table in ARCHITECTURE.md
  inline          look in a release build for calls that should have been inlined into hot code
  mutants CRATE [OPTIONS]
                  put faults into a crate, one at a time, and see whether its tests notice; OPTIONS are those of
                  cargo mutants, such as -f FILE
  mutants CRATE --switched [--missed] [OPTIONS]
                  the same, with all faults compiled into one program, each behind a switch, and tried by the tests that
                  reach it; with --missed only those that no test noticed the last time
  alone           see that nothing in the repository names a folder outside it
  deny            hold every dependency to deny.toml: licences, sources, duplicates; with --advisories also known
                  weaknesses and versions taken back, for which their list is fetched
  dist [DIR]      write a release (default: target/dist): archive with manual and completions, packages for Debian and RPM,
                  container image, the list of everything inside (SBOM), checksums; the same commit gives the same bytes
  dist --check    install the package in target/dist into a clean Debian root and play a move there, start the image
                  (needs to be root; installs mmdebstrap)
  dist --check-built
                  install a package of the program that the tests have built into a clean Debian root
  crates          pack every crate as it would be published, and install the program from the packed crates
  man [DIR]       write manual pages (default: target/man)
  puzzles         prove every puzzle that comes with the program again, in a release build
  strength BASE [PLAYER] [OPTIONS]
                  build another commit and let the tree as it stands play against it until it is clear which is
                  stronger; PLAYER is how both play (default: emilia:time=20ms), OPTIONS are those of emilia match
  torture MINUTES [OPTIONS]
                  attack everything for so long: kills, power cuts, damaged files, hostile clients, …; resumable, with a
                  report at the end; torture --help says more
  sanitize        the unsafe crate under Miri and AddressSanitizer (needs a nightly toolchain), and every order in which
                  the threads of a search can act
  fuzz [SECONDS]  fuzz every parser for so long each (default: 20); needs a nightly toolchain";

fn main() -> ExitCode {
    if let Some(compiled) = compiler::called() {
        return compiled;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["help" | "--help" | "-h"] | [_, "--help" | "-h"] if words[0] != "torture" => {
            println!("{HELP}");
            Ok(())
        }
        ["test"] => test::run(),
        ["test", "--slow"] => test::ignored("slow::", None),
        ["test", "--wthor", folder] => test::ignored("whole_wthor::", Some(folder)),
        ["python"] => package::run(package::Tests::Usual),
        ["python", "--all"] => package::run(package::Tests::All),
        ["web"] => web::run(),
        ["wasm"] => wasm::run(wasm::SHIPPED),
        ["wasm", "--check"] => wasm::check(),
        ["wasm", folder] if !folder.starts_with('-') => wasm::run(folder),
        ["arm"] => arm::run(arm::Look::Right),
        ["arm", "--count"] => arm::run(arm::Look::Instructions),
        ["site", folder] if !folder.starts_with('-') => site::run(folder),
        ["slurm"] => slurm::run(),
        ["layers"] => layers::run(),
        ["alone"] => alone::run(),
        ["inline"] => inline::run(),
        #[cfg(not(feature = "mutants"))]
        ["mutants", _, ..] => with_mutants(&words),
        #[cfg(feature = "mutants")]
        ["mutants", name, "--switched", ref options @ ..] => mutants::run_switched(name, options),
        #[cfg(feature = "mutants")]
        ["mutants", name, ref options @ ..] => mutants::run(name, options),
        ["deny"] => deny::run(&["licenses", "bans", "sources"]),
        ["deny", "--advisories"] => deny::run(&["all"]),
        ["dist"] => dist::run("target/dist"),
        ["dist", "--check"] => dist::whole("target/dist"),
        ["dist", "--check-built"] => dist::in_a_clean_debian(),
        ["dist", folder] if !folder.starts_with('-') => dist::run(folder),
        ["crates"] => dist::crates(),
        ["man"] => man::run("target/man"),
        ["man", folder] if !folder.starts_with('-') => man::run(folder),
        ["puzzles"] => puzzles::run(),
        ["strength", base, ref options @ ..] => strength::run(base, options),
        ["torture", ref options @ ..] => torture::run(options),
        ["sanitize"] => sanitize::run(),
        ["fuzz"] => fuzz::run(fuzz::DEFAULT_SECONDS),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::run(seconds),
            Err(_) => return usage(),
        },
        _ => return usage(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error @ ChoreError::Partly { .. }) => {
            println!("{error}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does a chore with a build of this program that can.
#[cfg(not(feature = "mutants"))]
fn with_mutants(words: &[&str]) -> Result<(), ChoreError> {
    let build = ["run", "--quiet", "--package", "xtask", "--features", "mutants", "--"];
    chore::show(chore::command("cargo", &build).args(words))
}

fn usage() -> ExitCode {
    eprintln!("{HELP}");
    ExitCode::from(2)
}
