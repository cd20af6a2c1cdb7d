//! From self-play to training data to the test of an evaluation, and runs that are killed on the way.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Folder, Outcome, emilia, json};
use emilia_learn::data::{Labelled, LabelledReader, Origin};
use emilia_rules::{Board, Size};
use serde_json::Value;

impl Folder {
    /// Self-play into a folder here, quick and shallow.
    fn selfplay(&self, name: &str, words: &[&str]) -> Outcome {
        let out = self.path(name);
        emilia(&[&["selfplay", "--out", &out, "--shard", "8"], QUICK, words].concat(), b"")
    }

    /// All games in a folder here, as the bytes of its files in order.
    fn games(&self, name: &str) -> Vec<u8> {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(self.0.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "emg"));
        files.sort();
        files.iter().flat_map(|path| std::fs::read(path).unwrap()).collect()
    }

    fn positions(&self, name: &str) -> Vec<Labelled> {
        let file = std::fs::File::open(self.0.join(name)).unwrap();
        LabelledReader::new(file).unwrap().map(Result::unwrap).collect()
    }
}

const QUICK: &[&str] = &["--depth", "2", "--exact-from", "8"];

#[test]
fn games_become_positions_of_which_no_test_was_ever_seen() {
    let folder = Folder::new("learning-data");
    let played = json(&folder.selfplay("games", &["--games", "40", "--json"]));
    assert_eq!((played["games"].as_u64(), played["games_now"].as_u64()), (Some(40), Some(40)));
    let [games, train, test] = ["games", "train.emd", "test.emd"].map(|name| folder.path(name));
    let words = ["data", &games, "--out", &train, "--test", &test, "--test-share", "0.2", "--json"];
    let report = json(&emilia(&words, b""));
    assert_eq!(report["read"], played["positions_now"]);
    let [train, test] = ["train.emd", "test.emd"].map(|name| folder.positions(name));
    assert_eq!(report["positions"].as_u64(), Some(train.len() as u64));
    assert_eq!(report["tests"].as_u64(), Some(test.len() as u64));
    assert!(test.len() > 50 && train.len() > 500);
    let keys = |set: &[Labelled]| -> HashSet<Board> {
        set.iter().map(|labelled| labelled.board.canonical(Size::EIGHT).0).collect()
    };
    assert!(keys(&train).is_disjoint(&keys(&test)));
    assert_eq!(keys(&train).len(), train.len());
    for labelled in train.iter().chain(&test) {
        let exact = labelled.empties() <= 8;
        assert_eq!(labelled.origin, if exact { Origin::Exact } else { Origin::Depth(2) });
        assert!(labelled.score.abs() <= 64 * 128);
    }
    // What was made once is merged with itself to the same set.
    let train_file = folder.path("train.emd");
    let again = json(&emilia(&["data", &train_file, "--out", &folder.path("again.emd"), "--json"], b""));
    assert_eq!(again["positions"].as_u64(), Some(train.len() as u64));
    assert_eq!(keys(&folder.positions("again.emd")), keys(&train));
}

#[test]
fn the_number_of_threads_and_interruptions_change_nothing() {
    let folder = Folder::new("learning-resume");
    assert_eq!(folder.selfplay("whole", &["--games", "30", "--threads", "1"]).status, 0);
    assert_eq!(folder.selfplay("parts", &["--games", "13", "--threads", "2"]).status, 0);
    // A file torn within its last game, as a crash leaves it.
    let torn = folder.0.join("parts/games-000001.emg");
    let length = std::fs::metadata(&torn).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&torn).unwrap().set_len(length - 5).unwrap();
    let rest = json(&folder.selfplay("parts", &["--games", "30", "--threads", "2", "--json"]));
    assert_eq!((rest["games"].as_u64(), rest["games_now"].as_u64()), (Some(30), Some(18)));
    assert_eq!(folder.games("parts"), folder.games("whole"));
    let other = folder.selfplay("parts", &["--games", "30", "--seed", "2"]);
    assert_eq!(other.status, 2);
    assert!(other.err.contains("holds games made with other options"), "{}", other.err);
}

#[test]
fn a_killed_run_goes_on() {
    let folder = Folder::new("learning-killed");
    let words = ["selfplay", "--out", &folder.path("killed"), "--shard", "8", "--games", "100000"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(words.iter().chain(QUICK))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !folder.0.join("killed/games-000001.emg").exists() {
        assert!(Instant::now() < deadline, "no game in a minute");
        std::thread::sleep(Duration::from_millis(10));
    }
    let busy = folder.selfplay("killed", &["--games", "1"]);
    assert!(busy.err.contains("another run is writing games there"), "{}", busy.err);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.selfplay("killed", &["--games", "24"]).status, 0);
    assert_eq!(folder.selfplay("whole", &["--games", "24"]).status, 0);
    let (killed, whole) = (folder.games("killed"), folder.games("whole"));
    // The killed run may have been further in files of its own.
    let first = |bytes: &[u8]| bytes[..bytes.len().min(2000)].to_vec();
    assert_eq!(first(&killed), first(&whole));
}

#[test]
fn tournament_games_of_test_years_are_not_learnt_from() {
    let wthor = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor");
    let folder = Folder::new("learning-wthor");
    let out = folder.path("train.emd");
    let refused = emilia(&["data", &format!("{wthor}/WTH_1980.wtb"), "--out", &out], b"");
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("years divisible by 5 are for tests only"), "{}", refused.err);
    let test = ["data", &format!("{wthor}/WTH_1980.wtb"), "--out", &out, "--test-years", "--json"];
    let test = json(&emilia(&test, b""));
    assert!(test["positions"].as_u64() > Some(1_000));
    // At 24 empty squares scores are exact, and with --solve near the end.
    let file = format!("{wthor}/WTH_1978.wtb");
    json(&emilia(&["data", &file, "--out", &out, "--solve", "6", "--json"], b""));
    for labelled in folder.positions("train.emd") {
        let exact = labelled.empties() == 24 || labelled.empties() <= 6;
        assert_eq!(labelled.origin == Origin::Exact, exact, "{} empty", labelled.empties());
    }
    // Positions of a file are solved, too.
    let solved = folder.path("solved.emd");
    json(&emilia(&["data", &out, "--out", &solved, "--solve", "8", "--json"], b""));
    let before = folder.positions("train.emd").len();
    let positions = folder.positions("solved.emd");
    assert_eq!(positions.len(), before);
    for labelled in positions {
        let exact = labelled.empties() == 24 || labelled.empties() <= 8;
        assert_eq!(labelled.origin == Origin::Exact, exact, "{} empty", labelled.empties());
    }
}

/// The deeper the search the smaller the error; one to the end of the game has none.
#[test]
fn evaluations_are_tested_against_exact_scores() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let obf = format!("{data}/endgame/exact/e10.obf");
    let words = ["evaltest", "--obf", &obf, "--obf-depths", "0,2,10", "--json", "--threads", "2"];
    let outcome = emilia(&words, b"");
    let rows: Vec<Value> = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let error = |row: usize| rows[row]["mean_absolute"].as_f64().unwrap();
    assert!(error(0) > error(1) && error(2) == 0.0, "{}", outcome.out);
    assert_eq!(rows[2]["best_move_share"], 1.0);
    let words = ["evaltest", "--obf", &obf, "--obf-nodes", "100,1000000", "--json", "--threads", "2"];
    let rows: Vec<Value> =
        emilia(&words, b"").out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["node_limit"], &rows[0]["depth"]), (&serde_json::json!(100), &Value::Null));
    let nodes = |row: usize| rows[row]["mean_nodes"].as_f64().unwrap();
    assert!(nodes(0) > 1.0 && nodes(0) < nodes(1), "{rows:?}");
    assert_eq!(rows[1]["mean_absolute"], 0.0);
    let wthor = format!("{data}/wthor");
    let words = ["evaltest", "--wthor", &wthor, "--positions", "300", "--depths", "0", "--json"];
    let row = json(&emilia(&words, b""));
    assert_eq!(row["positions"], 300);
    assert!(row["mean_absolute"].as_f64().is_some_and(|error| (3.0..8.0).contains(&error)), "{row}");
    // Of 1978, which is for no test.
    let other = json(&emilia(&[&words[..], &["--other-years"]].concat(), b""));
    assert!(other["positions"].as_u64().is_some_and(|count| count > 0) && other != row, "{other}");
    for row in [row, other] {
        assert!(row["slope"].as_f64().is_some_and(|slope| (0.8..1.2).contains(&slope)), "{row}");
    }
}

#[test]
fn weights_of_a_file_are_used_and_foreign_files_refused() {
    let folder = Folder::new("learning-weights");
    let [zero, foreign] = ["zero.bin", "foreign.bin"].map(|name| folder.path(name));
    std::fs::write(&zero, emilia_eval::Weights::zero().bytes()).unwrap();
    std::fs::write(&foreign, "10\n20\n").unwrap();
    let bench = |weights: &str| emilia(&["bench", "--depth", "2", "--weights", weights], b"");
    let embedded = emilia(&["bench", "--depth", "2"], b"");
    let nodes = |outcome: &Outcome| outcome.out.lines().last().unwrap().to_owned();
    assert_ne!(nodes(&bench(&zero)), nodes(&embedded));
    for words in [
        &["analyse", "f5", "--depth", "1", "--weights", &foreign][..],
        &["solve", "f5", "--weights", &foreign],
        &["match", &format!("emilia:level=1,weights={foreign}"), "random"],
    ] {
        let outcome = emilia(words, b"");
        assert!(outcome.status > 0 && outcome.err.contains("foreign.bin: this is no"), "{}", outcome.err);
    }
}

#[test]
fn constants_of_probcut_are_fitted_and_the_same_on_every_number_of_threads() {
    let folder = Folder::new("learning-probcut");
    assert_eq!(folder.selfplay("games", &["--games", "16", "--starts", "openings"]).status, 0);
    let [games, data, out] = ["games", "train.emd", "probcut.txt"].map(|name| folder.path(name));
    assert_eq!(emilia(&["data", &games, "--out", &data], b"").status, 0);
    let fit = |threads: &str| {
        emilia(&["probcut", &data, "--boards", "1", "--threads", threads, "--out", &out], b"")
    };
    let fitted = fit("2");
    assert_eq!(fitted.status, 0, "{}", fitted.err);
    assert!(fitted.out.contains("\nconst MIDDLE: Curve = Curve { constant: "), "{}", fitted.out);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), fitted.out);
    assert_eq!(fit("1").out, fitted.out);
    let few = emilia(&["probcut", &data, "--boards", "1000"], b"");
    assert_eq!(few.status, 1);
    assert!(few.err.contains("empty squares, 1000 are needed"), "{}", few.err);
}

/// Puzzles of tournament games are proved again, and a wrong score is found.
#[test]
fn puzzles_are_made_and_proved() {
    let folder = Folder::new("learning-puzzles");
    let out = folder.path("puzzles.obf");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor/WTH_1978.wtb");
    let words = ["puzzles", "make", games, "--empties", "11", "--out", &out, "--threads", "2"];
    assert!(emilia(&words, b"").out.contains("puzzles of 8 games"));
    let again = emilia(&["puzzles", "make", games, "--empties", "11"], b"").out;
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(again, text, "threads do not matter");
    let none = emilia(&["puzzles", "make", games, "--empties", "5", "--out", &out], b"");
    assert_eq!((none.status, none.err.contains("no position of these games is a puzzle")), (1, true));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text, "what is there stays");
    assert!(emilia(&["puzzles", "check", &out], b"").out.contains("none wrong"));
    let first = text.lines().next().unwrap();
    let (before, last) = first.rsplit_once(':').unwrap();
    let (score, rest) = last.split_once(';').unwrap();
    let lower = score.parse::<i32>().unwrap() - 2;
    std::fs::write(&out, format!("{before}:{lower:+};{rest}\n")).unwrap();
    let refused = emilia(&["puzzles", "check", &out], b"");
    assert!(refused.err.contains("line 1: the solver finds other scores"), "{}", refused.err);
    std::fs::write(&out, format!("{first}\n{first}\n")).unwrap();
    assert!(emilia(&["puzzles", "check", &out], b"").err.contains("line 2: this puzzle is there twice"));
    assert!(emilia(&["puzzles", "check", games], b"").err.contains("line 1"));
}

/// People play each other on the small board, and what comes of it is proved like the rest.
#[test]
fn puzzles_on_six_by_six_are_made_of_games_between_people() {
    let folder = Folder::new("learning-small-puzzles");
    let out = folder.path("small.obf");
    let words = ["puzzles", "make", "--games", "6", "--size", "6", "--empties", "10", "--out", &out];
    assert!(emilia(&words, b"").out.contains("puzzles of 6 games"));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.lines().all(|line| line.find(' ') == Some(36)), "{text}");
    assert!(emilia(&["puzzles", "check", &out], b"").out.contains("none wrong"));
    let refused = emilia(&["puzzles", "make", "--games", "1", "--size", "10"], b"");
    assert!(refused.err.contains("there are some on 6 and 8"), "{}", refused.err);
}

/// Players without a rating, such as programs, are left out; what is no rating is refused.
#[test]
fn moves_of_people_are_guessed_better_than_by_chance() {
    let folder = Folder::new("learning-humantest");
    let ratings = folder.path("ratings.tsv");
    let wthor = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor");
    let rows: String = (1..4000).map(|player| format!("{player}\t1980\t1800\t50\t9\tSomebody\n")).collect();
    std::fs::write(&ratings, format!("player\tyear\trating\tdeviation\tgames\tname\n{rows}")).unwrap();
    let words = [
        "humantest",
        "--wthor",
        wthor,
        "--ratings",
        &ratings,
        "--moves",
        "40",
        "--judge",
        "2",
        "--levels",
        "1",
    ];
    let table = emilia(&words, b"").out;
    let share = |name: &str| {
        let row = table.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().rev().nth(3).unwrap().parse::<f64>().unwrap()
    };
    assert!(share("human") > share("chance") + 20.0, "{table}");
    std::fs::write(&ratings, "player\tyear\nx\ty\n").unwrap();
    assert!(emilia(&words, b"").err.contains("is no player, year and rating"));
}
