//! Books from the command line: made, looked at, killed, damaged.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, emilia};

fn succeeds(words: &[&str]) -> String {
    let outcome = emilia(words, b"");
    assert_eq!(outcome.status, 0, "{words:?}: {}", outcome.err);
    outcome.out
}

fn fails(words: &[&str]) -> String {
    let outcome = emilia(words, b"");
    assert_ne!(outcome.status, 0, "{words:?}");
    outcome.err
}

/// The options of a small book, which takes a second.
const SMALL: [&str; 6] = ["--plies", "4", "--level", "3", "--loss", "2"];

fn build(book: &str, more: &[&str]) -> String {
    succeeds(&[&["book", "build", book], SMALL.as_slice(), more].concat())
}

#[test]
fn a_book_is_built_and_says_what_its_values_rest_on() {
    let folder = Folder::new("book-build");
    let book = folder.path("small.ebk");
    assert!(build(&book, &[]).starts_with("done: "));
    assert!(build(&book, &[]).starts_with("done: 0 positions judged"), "nothing is missing");
    assert!(!Path::new(&format!("{book}.journal")).exists());
    let shown = succeeds(&["book", "show", &book]);
    for square in ["d3", "c4", "f5", "e6"] {
        assert!(shown.contains(square), "{shown}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&succeeds(&["book", "show", &book, "f5", "--json"])).unwrap();
    let best = &json["moves"][0];
    assert!(best["source"].as_str().unwrap().contains('@'), "{json}");
    assert!(succeeds(&["book", "stats", &book]).contains("the shallowest search looked 3 plies ahead"));
    assert!(succeeds(&["book", "check", &book]).contains("all sound"));
    assert_eq!(
        succeeds(&["book", "show", &book, "f5f4"]),
        "the book does not know this position\n",
        "a bad move"
    );
}

#[test]
fn the_lines_that_must_be_known_are_counted() {
    let folder = Folder::new("book-lines");
    let book = folder.path("small.ebk");
    build(&book, &[]);
    let lines = |words: &[&str]| -> serde_json::Value {
        let words = [&["book", "lines", &book], words, &["--json"]].concat();
        serde_json::from_str(&succeeds(&words)).unwrap()
    };
    let count =
        |tolerance: &str| lines(&["--side", "black", "--tolerance", tolerance])["lines"].as_u64().unwrap();
    let counts = ["0", "1", "2", "8"].map(count);
    assert!(counts[0] > 1 && counts.is_sorted_by(|less, more| less >= more), "{counts:?}");
    // Every reply has to be answered: their lines add up.
    let replies = lines(&["f5", "--side", "black"]);
    let moves = replies["moves"].as_array().unwrap();
    assert_eq!(
        moves.iter().map(|reply| reply["lines"].as_u64().unwrap()).sum::<u64>(),
        counts[0],
        "{replies}"
    );
    assert_eq!(lines(&["--side", "white", "--plies", "1"])["lines"], 1, "all four first moves are one");
    let told = succeeds(&["book", "lines", &book, "--side", "black"]);
    assert!(
        told.starts_with(&format!("{} lines to end with ", counts[0])) && told.contains("fewest"),
        "{told}"
    );
    assert!(
        fails(&["book", "lines", &book, "f5f4", "--side", "black"]).contains("does not know this position")
    );
    assert!(fails(&["book", "lines", &book]).contains("--side"));
}

#[test]
fn threads_make_no_difference_to_a_book() {
    let folder = Folder::new("book-threads");
    let (one, three) = (folder.path("one.ebk"), folder.path("three.ebk"));
    build(&one, &[]);
    build(&three, &["--threads", "3"]);
    assert!(std::fs::read(one).unwrap() == std::fs::read(three).unwrap());
}

/// Kills the program again and again at other moments; what it had found is not lost, and the book comes out the same.
#[test]
fn a_book_that_is_killed_while_it_grows_comes_out_the_same() {
    let folder = Folder::new("book-kill");
    let (whole, killed) = (folder.path("whole.ebk"), folder.path("killed.ebk"));
    build(&whole, &[]);
    let words = [&["book", "build", &killed], SMALL.as_slice()].concat();
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(&words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut kills = 0;
    for round in 0..6u64 {
        let mut child = start();
        std::thread::sleep(std::time::Duration::from_millis(15 + 35 * round));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
        if Path::new(&killed).exists() {
            // What is there is whole at every moment.
            assert!(succeeds(&["book", "check", &killed]).contains("all sound"));
        }
    }
    assert!(start().wait().unwrap().success());
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&killed).unwrap(), "after {kills} kills");
}

#[test]
fn what_is_no_book_is_named_and_left_alone() {
    let folder = Folder::new("book-bad");
    let book = folder.path("bad.ebk");
    assert!(fails(&["book", "show", &book]).contains("bad.ebk"));
    std::fs::write(&book, b"something else").unwrap();
    for words in [
        &["book", "show", &book][..],
        &["book", "stats", &book],
        &["book", "check", &book],
        &["book", "build", &book, "--plies", "1", "--level", "1"],
    ] {
        assert!(fails(words).contains("this is no book of Emilia"), "{words:?}");
    }
    assert_eq!(std::fs::read(&book).unwrap(), b"something else");
    assert!(fails(&["book", "build", &book, "--from", "4x4"]).contains("--from"));
    build(&folder.path("good.ebk"), &[]);
    let mut bytes = std::fs::read(folder.path("good.ebk")).unwrap();
    bytes[8] = 9;
    std::fs::write(&book, &bytes).unwrap();
    assert!(fails(&["book", "show", &book]).contains("version 9"));
}

#[test]
fn two_runs_do_not_change_one_book() {
    let folder = Folder::new("book-two");
    let book = folder.path("one.ebk");
    let journal = std::fs::File::create(format!("{book}.journal")).unwrap();
    journal.try_lock().unwrap();
    let words = [&["book", "build", &book], SMALL.as_slice()].concat();
    assert!(fails(&words).contains("another run is changing this book"));
    drop(journal);
    build(&book, &[]);
}

#[test]
fn books_are_extended_deviated_from_pruned_and_merged() {
    let folder = Folder::new("book-change");
    let (book, copy) = (folder.path("a.ebk"), folder.path("b.ebk"));
    let positions = |book: &str| -> usize {
        let json: serde_json::Value =
            serde_json::from_str(&succeeds(&["book", "stats", book, "--json"])).unwrap();
        json["positions"].as_u64().unwrap() as usize
    };
    succeeds(&["book", "build", &book, "--plies", "3", "--level", "3", "--loss", "0"]);
    let first = positions(&book);
    std::fs::copy(&book, &copy).unwrap();
    assert!(succeeds(&["book", "extend", &book, "--plies", "6", "--level", "3"]).starts_with("done: "));
    let json: serde_json::Value =
        serde_json::from_str(&succeeds(&["book", "stats", &book, "--json"])).unwrap();
    assert_eq!(json["plies"].as_array().unwrap().last().unwrap()["ply"], 5, "six moves were carried to");
    let extended = positions(&book);
    assert!(extended > first);
    succeeds(&[
        "book",
        "deviate",
        &book,
        "--plies",
        "3",
        "--move-loss",
        "20",
        "--loss",
        "20",
        "--level",
        "3",
    ]);
    let deviated = positions(&book);
    assert!(deviated > extended, "{deviated} {extended}");
    assert!(succeeds(&["book", "show", &book, "f5f4"]).contains('@'), "bad moves are known now");
    assert_eq!(succeeds(&["book", "merge", &copy, &book]), {
        let new = deviated - first;
        format!("{deviated} positions, {new} of them new\n")
    });
    assert!(std::fs::read(&book).unwrap() == std::fs::read(&copy).unwrap());
    let pruned = succeeds(&["book", "prune", &book, "--loss", "0"]);
    assert!(positions(&book) < deviated, "{pruned}");
    assert!(succeeds(&["book", "check", &book]).contains("all sound"));
}

#[test]
fn games_are_learnt_by_result_and_by_search() {
    let folder = Folder::new("book-learn");
    let (book, games) = (folder.path("games.ebk"), folder.path("games.pgn"));
    std::fs::write(
        &games,
        "[Black \"A\"]\n[White \"B\"]\n[Result \"40-24\"]\n\n1. f5 d6 2. c3 d3 3. c4 40-24\n\n\
         [Black \"C\"]\n[White \"D\"]\n[Result \"30-34\"]\n\n1. f5 d6 2. c4 30-34\n",
    )
    .unwrap();
    let learnt = succeeds(&["book", "learn", &book, &games, "--results"]);
    assert!(learnt.starts_with("2 games with 8 moves\n"), "{learnt}");
    let before = succeeds(&["book", "show", &book, "f5d6"]);
    assert!(before.contains("c3      +16  game"), "{before}");
    assert!(before.contains("c4       -4  game"), "{before}");
    let start = succeeds(&["book", "show", &book]);
    assert!(start.contains("f5      +16  game"), "the better of two results: {start}");
    succeeds(&["book", "learn", &book, &games, "--level", "3"]);
    let json: serde_json::Value =
        serde_json::from_str(&succeeds(&["book", "show", &book, "f5d6", "--json"])).unwrap();
    let searched = |found: &serde_json::Value| found["source"].as_str().unwrap().contains('@');
    assert!(json["moves"].as_array().unwrap().iter().any(searched), "{json}");
    assert_eq!(fails(&["book", "learn", &book, &folder.path("none.pgn")]).matches("none.pgn").count(), 1);
}

#[test]
fn a_damaged_book_is_mended_and_the_damaged_one_kept() {
    let folder = Folder::new("book-fix");
    let book = folder.path("torn.ebk");
    // Where any loss is allowed, which positions belong into the book does not depend on values that are lost.
    let build = || succeeds(&["book", "build", &book, "--plies", "3", "--level", "3", "--loss", "64"]);
    build();
    let whole = std::fs::read(&book).unwrap();
    let mut torn = whole.clone();
    torn[36 + 24] ^= 1;
    std::fs::write(&book, &torn).unwrap();
    assert!(fails(&["book", "show", &book]).contains("emilia book fix"));
    let mended = succeeds(&["book", "fix", &book]);
    assert!(mended.ends_with(" are sound, 1 are lost\n"), "{mended}");
    assert!(std::fs::read(format!("{book}.damaged")).unwrap() == torn);
    assert!(succeeds(&["book", "check", &book]).contains("all sound"));
    build();
    assert!(std::fs::read(&book).unwrap() == whole, "what was lost is found again");
}

#[test]
fn books_travel_to_other_programs_and_back() {
    let folder = Folder::new("book-exchange");
    let book = folder.path("a.ebk");
    build(&book, &[]);
    for (file, program) in [("book.dat", "Edax"), ("book.egbk3", "Egaroucid")] {
        let (there, back) = (folder.path(file), folder.path(&format!("{program}.ebk")));
        succeeds(&["book", "export", &book, &there]);
        let taken = succeeds(&["book", "import", &back, &there]);
        assert!(taken.contains(program) && taken.contains(" 0 of them left out"), "{taken}");
        let value = |book: &str| -> serde_json::Value {
            serde_json::from_str(&succeeds(&["book", "show", book, "--json"])).unwrap()
        };
        assert_eq!(value(&back)["moves"][0]["discs"], value(&book)["moves"][0]["discs"], "{program}");
        let mut torn = std::fs::read(&there).unwrap();
        torn.pop();
        std::fs::write(&there, &torn).unwrap();
        let before = std::fs::read(&back).unwrap();
        assert!(fails(&["book", "import", &back, &there]).contains(program));
        assert!(std::fs::read(&back).unwrap() == before, "nothing has changed");
    }
    assert!(fails(&["book", "export", &book, &folder.path("book.xyz")]).contains(".egbk3"));
}

/// A depth is the same whatever levels mean: the book that comes with the program can be made again.
#[test]
fn books_are_made_to_a_depth_too() {
    let folder = Folder::new("book-depth");
    let book = folder.path("deep.ebk");
    let build = ["book", "build", &book, "--plies", "1", "--depth", "5"];
    assert!(succeeds(&build).starts_with("done: 1 "));
    let json: serde_json::Value =
        serde_json::from_str(&succeeds(&["book", "stats", &book, "--json"])).unwrap();
    assert_eq!(json["shallowest"], 5);
    assert!(succeeds(&build).starts_with("done: 0 "));
    assert!(
        fails(&["book", "build", &book, "--plies", "1", "--depth", "5", "--level", "5"]).contains("--level")
    );
}

#[test]
fn the_book_that_comes_with_the_program_holds_what_it_promises() {
    assert!(succeeds(&["book", "check", "own"]).contains("all sound"));
    let json: serde_json::Value =
        serde_json::from_str(&succeeds(&["book", "stats", "own", "--json"])).unwrap();
    assert!(json["shallowest"].as_u64().unwrap() >= 24, "24 plies at least: {json}");
    assert_eq!(json["games"], 0);
    // Othello is a draw: Takizawa, 2023.
    let start: serde_json::Value =
        serde_json::from_str(&succeeds(&["book", "show", "own", "--json"])).unwrap();
    assert!(start["moves"][0]["discs"].as_i64().unwrap().abs() <= 2, "{start}");
}

#[test]
fn every_protocol_says_that_a_move_is_from_the_book() {
    let player = "emilia:depth=1,book=yes";
    let says = |protocol: &str, input: &str| {
        let outcome = emilia(&[protocol, "--player", player], input.as_bytes());
        assert_eq!(outcome.status, 0, "{}", outcome.err);
        outcome.out
    };
    let jsonl = says("jsonl", "{\"id\": \"q\", \"moves\": \"f5\"}\n");
    assert!(jsonl.contains("\"source\":\"book\""), "{jsonl}");
    let nboard = says(
        "nboard",
        "nboard 2\nset game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)\ngo\n",
    );
    assert!(nboard.contains("status from the book"), "{nboard}");
    let ugi = says("ugi", "ugi\nisready\nposition startpos moves f5\ngo depth 1\n");
    assert!(ugi.contains("info string from the book"), "{ugi}");
    let play =
        emilia(&["play", "--black", "human", "--white", "emilia:depth=1", "--seed", "3"], b"f5\nquit\n");
    assert!(play.out.contains("from the book)"), "{}", play.out);
    let without = emilia(&["play", "--white", "emilia:depth=1,book=no"], b"f5\nquit\n");
    assert!(!without.out.contains("from the book)"), "{}", without.out);
}
