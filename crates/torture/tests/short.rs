//! A small round of every part of the harness, and its command line.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

fn torture(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_torture")).args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One test for each part, so that they run side by side.
macro_rules! parts {
    ($($test:ident: $part:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let done = torture(&["0", "--brief", "--part", $part]);
                let said = text(&done.stdout);
                assert!(done.status.success() && said.contains(concat!("| ", $part, " | ")), "{said}");
            }
        )*

        #[test]
        fn every_part_is_tried_here() {
            let listed = text(&torture(&["--parts"]).stdout);
            let known: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
            // Whether games are lost on time depends on what else the machine has to do, so that it cannot be tried here.
            assert_eq!(known, [$($part),*, "clock"]);
        }
    };
}

parts! {
    kill_server: "kill-server";
    power: "power";
    bad_disk: "bad-disk";
    kill_runs: "kill-runs";
    files: "files";
    sessions: "sessions";
    http: "http";
    engines: "engines";
    crowd: "crowd";
    day: "day";
    games: "games";
    solver: "solver";
    same: "same";
}

#[test]
fn wrong_calls_are_answered_with_a_sentence() {
    let unknown = torture(&["1", "--part", "nonsense"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("there is no part \"nonsense\"; --parts lists them"));
    assert_eq!(torture(&[]).status.code(), Some(2));
}
