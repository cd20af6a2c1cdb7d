//! The compiler of the suite: it lints, compiles and documents a crate in one go.
//!
//! Cargo itself would check every library once more before it documents what uses them. What was compiled for the tests has all that the
//! documentation needs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};

use crate::chore::{ChoreError, root};

/// The names under which this program is a compiler: one that does everything, and one that only compiles.
const NAMES: [&str; 2] = ["lint-and-document", "compile"];

/// Where this program lies as a compiler that lints and documents.
pub fn path() -> Result<PathBuf, ChoreError> {
    installed().map(|[path, _]| path)
}

/// Where it lies as one that only compiles, for modules of the browser: what is in them has been linted by then.
pub fn plain_path() -> Result<PathBuf, ChoreError> {
    installed().map(|[_, path]| path)
}

/// Copies of this program, since a build of everything replaces the program itself while it runs.
fn installed() -> Result<[PathBuf; 2], ChoreError> {
    /// Laid there once: after a build of everything there is nothing left to be copied.
    static COPIES: Mutex<Option<[PathBuf; 2]>> = Mutex::new(None);
    let mut known = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    let paths = match known.take() {
        Some(paths) => paths,
        None => [install(NAMES[0])?, install(NAMES[1])?],
    };
    Ok(known.insert(paths).clone())
}

fn install(name: &str) -> Result<PathBuf, ChoreError> {
    let folder = root().join("target/checks");
    let copy = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let error = |error| ChoreError::File { file: copy.display().to_string(), error };
    fs::create_dir_all(&folder).map_err(error)?;
    let ours = env::current_exe().map_err(error)?;
    // Whoever runs the suite a second time beside this one may be compiling with it.
    let is_there = fs::read(&copy).ok() == Some(fs::read(&ours).map_err(error)?);
    if !is_there {
        fs::copy(&ours, &copy).map_err(error)?;
    }
    copy.canonicalize().map_err(error)
}

/// Compiles if this program was called as a compiler, and says how that ended.
pub fn called() -> Option<ExitCode> {
    let mut words = env::args_os();
    let ours = words.next()?;
    let name =
        NAMES.into_iter().find(|name| Path::new(&ours).file_stem().is_some_and(|stem| stem == *name))?;
    Some(compile(&words.collect::<Vec<_>>(), name == NAMES[0]))
}

/// Compiles; where everything is wanted, lints too, then documents what is documented at all. Cargo names the compiler first.
fn compile(words: &[OsString], everything: bool) -> ExitCode {
    let Some((rustc, rest)) = words.split_first() else { return ExitCode::FAILURE };
    let is_linted = everything && !is_linted_as_a_test(rest);
    let mut compiler = if is_linted { step("clippy-driver", words) } else { step(rustc, rest) };
    optimise(&mut compiler, &env::var("CARGO_PKG_NAME").unwrap_or_default(), rest);
    let documented = documentation(rest).filter(|_| everything).map(|words| {
        let mut rustdoc = step(Path::new(rustc).with_file_name("rustdoc"), &words);
        // To look for faults and write nothing is not stable yet; it takes two thirds of the time.
        rustdoc.args(["-Zunstable-options", "--check"]).env("RUSTC_BOOTSTRAP", "1");
        rustdoc
    });
    for mut step in std::iter::once(compiler).chain(documented) {
        match step.status() {
            Ok(status) if status.success() => {}
            Ok(status) => return status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1).into(),
            Err(error) => {
                eprintln!("{}: {error}", step.get_program().to_string_lossy());
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn step(program: impl AsRef<OsStr>, words: &[OsString]) -> Command {
    let mut step = Command::new(program);
    step.args(words);
    step
}

/// Says how much this is optimised, if not as the profile does.
fn optimise(compiler: &mut Command, package: &str, words: &[OsString]) {
    match level(package, words) {
        None => {}
        Some(Level::Of(number)) => drop(compiler.arg(format!("-Copt-level={number}"))),
        // To ask for code of its own for what is generic is not stable yet.
        Some(Level::OwnGenerics) => {
            compiler.args(["-Copt-level=1", "-Zshare-generics=no"]).env("RUSTC_BOOTSTRAP", "1");
        }
    }
}

/// How much something is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Of(u8),
    /// At level 1, but with code of its own for what is generic, as at higher levels: the crates below are not optimised.
    OwnGenerics,
}

/// How much this is optimised, if not as the profile says. Tests of what is private have the whole crate compiled a second time, and most of them
/// are done sooner than that is optimised; what the tests outside call has been optimised already, and nobody waits for an example. The search
/// takes three quarters of the time to compile, and a quarter more to search.
fn level(package: &str, words: &[OsString]) -> Option<Level> {
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let is_example =
        words.iter().any(|word| Path::new(word).components().any(|part| part.as_os_str() == "examples"));
    match package {
        _ if is_example => Some(Level::Of(0)),
        "emilia-search" if has("lib") => Some(Level::OwnGenerics),
        _ if !has("--test") => None,
        // These read and ask networks of millions of numbers.
        "emilia-eval" | "emilia-human" if !has("it") => None,
        // Slow twins of the rules and of the searches, which replay millions of moves.
        "emilia-classic" | "emilia-rules" if has("it") => Some(Level::Of(1)),
        _ => Some(Level::Of(0)),
    }
}

/// Whether this is a library that is also compiled with its own tests, when all of it is linted: to lint it twice takes a seventh of
/// compiling it.
fn is_linted_as_a_test(words: &[OsString]) -> bool {
    let is_library = words.windows(2).any(|pair| pair == ["--crate-type", "lib"]);
    let manifest = env::var_os("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join("Cargo.toml"));
    let manifest = manifest.and_then(|file| fs::read_to_string(file).ok());
    is_library && manifest.is_some_and(|manifest| !manifest.lines().any(|line| line == "test = false"))
}

/// What documents a crate that is compiled with these words: libraries and programs, but no tests, examples, scripts of a build, or what only
/// programs in other languages load. This program is compiled as a test alone, as nobody else needs it.
fn documentation(words: &[OsString]) -> Option<Vec<OsString>> {
    let text: Vec<&str> = words.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let name = *text.get(text.iter().position(|word| *word == "--crate-name")? + 1)?;
    let source =
        text.iter().map(Path::new).find(|word| word.extension().is_some_and(|ending| ending == "rs"))?;
    let is_example = source.components().any(|part| part.as_os_str() == "examples");
    let is_test = text.contains(&"--test") && name != env!("CARGO_CRATE_NAME");
    if is_test || is_example || text.contains(&"cdylib") || name == "build_script_build" {
        return None;
    }
    let mut kept = vec![OsString::from("--document-private-items")];
    let mut rest = words.iter().zip(text);
    while let Some((word, text)) = rest.next() {
        match text {
            // How code is made, and where it goes.
            "-C" | "--out-dir" => drop(rest.next()),
            "--test" => {}
            _ if text.starts_with("--emit=") || text.starts_with("--json=") => {}
            _ => kept.push(word.clone()),
        }
    }
    kept.push("--json=diagnostic-rendered-ansi".into());
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn tests_are_optimised_only_where_they_work_long() {
        let own = words("--crate-name emilia_search crates/search/src/lib.rs --test -C opt-level=2");
        let outside = words("--crate-name it crates/search/tests/it/main.rs --test -C opt-level=2");
        let library = words("--crate-name emilia_search crates/search/src/lib.rs --crate-type lib");
        let example = words("--crate-name bench crates/search/examples/bench.rs --crate-type bin");
        let of = |package| [&own, &outside, &library, &example].map(|words| level(package, words));
        let [none, little] = [0, 1].map(|number| Some(Level::Of(number)));
        assert_eq!(of("emilia-search"), [none, none, Some(Level::OwnGenerics), none]);
        assert_eq!(of("emilia-rules"), [none, little, None, none]);
        assert_eq!(of("emilia-eval"), [None, none, None, none]);
    }

    #[test]
    fn a_library_is_documented_with_what_it_was_compiled_with() {
        let line = "--crate-name emilia_rules --edition=2024 crates/rules/src/lib.rs --error-format=json --json=artifacts --crate-type lib \
                    --emit=dep-info,metadata,link -C opt-level=1 --warn=missing_docs --out-dir deps -L dependency=deps --extern a=deps/a.rlib";
        let kept = documentation(&words(line)).expect("a library is documented");
        let kept: Vec<&str> = kept.iter().filter_map(|word| word.to_str()).collect();
        let expected = "--document-private-items --crate-name emilia_rules --edition=2024 crates/rules/src/lib.rs --error-format=json --crate-type lib \
                        --warn=missing_docs -L dependency=deps --extern a=deps/a.rlib --json=diagnostic-rendered-ansi";
        assert_eq!(kept.join(" "), expected);
    }

    #[test]
    fn tests_examples_scripts_and_questions_are_not_documented() {
        for line in [
            "--crate-name emilia_rules src/lib.rs --test",
            "--crate-name bench crates/search/examples/bench.rs --crate-type bin",
            "--crate-name build_script_build web/build.rs --crate-type bin",
            "--crate-name _emilia crates/python/src/lib.rs --crate-type cdylib",
            "- --crate-name ___ --print=file-names",
            "-vV",
        ] {
            assert_eq!(documentation(&words(line)), None, "{line}");
        }
    }
}
