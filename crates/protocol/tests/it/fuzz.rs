//! Every fuzz target, compiled as part of the tests and given its seeds: no fuzzer is needed to see that it works.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Stands in for the macro of libFuzzer: a target becomes a function. As there, a text ends where the bytes are none.
macro_rules! fuzz_target {
    (|$text:ident: &str| $body:expr) => {
        pub(crate) fn target(bytes: &[u8]) {
            let $text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            $body
        }
    };
    (|$bytes:ident: &[u8]| $body:expr) => {
        pub(crate) fn target($bytes: &[u8]) {
            $body
        }
    };
}
pub(crate) use fuzz_target;

/// The targets, each by its name.
macro_rules! targets {
    ($($name:ident)*) => {
        #[path = "../../../../fuzz/fuzz_targets"]
        #[allow(unused_attributes, reason = "there is no `main` to be left out")]
        #[allow(clippy::duplicate_mod, reason = "each target is a program of its own, with the laws in it")]
        mod targets {
            $(pub(super) mod $name;)*
        }

        const TARGETS: &[(&str, fn(&[u8]))] = &[$((stringify!($name), targets::$name::target)),*];
    };
}

targets! {
    board clients ggf gtp json jsonl move_text nboard obf pgn quest read setup_text sgf thor transcript ugi
}

#[test]
fn every_target_holds_for_its_seeds_whole_and_damaged() {
    for (name, target) in TARGETS {
        let seeds = files(&format!("corpus/{name}"));
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in seeds {
            let bytes = fs::read(&seed).unwrap();
            let (first, last) = bytes.split_at(bytes.len() / 2);
            for input in [&bytes[..], first, last, &[last, first].concat()] {
                let held = catch_unwind(|| target(input)).is_ok();
                assert!(held, "{}: {:?}", seed.display(), String::from_utf8_lossy(input));
            }
        }
    }
}

/// What is not listed above would not be tried here, and what is not in the manifest would never be fuzzed.
#[test]
fn every_target_is_listed_here_and_in_the_manifest() {
    let listed: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let names = |folder| -> BTreeSet<String> {
        files(folder).iter().map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("fuzz_targets"), listed);
    assert_eq!(names("corpus"), listed);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for name in &listed {
        let program = format!("[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
        assert!(manifest.contains(&program), "the manifest lacks {name}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), listed.len());
}

fn fuzz() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz"))
}

/// What is in a folder of the fuzzer.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = fuzz().join(folder);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    files.map(|file| file.unwrap().path()).collect()
}
