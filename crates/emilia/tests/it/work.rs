//! Work that machines share: cut, done in any order by anybody, and merged to the same bytes.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use emilia_rules::{Color, GridPosition, Playable};
use serde_json::Value;

use crate::common::{Folder, Outcome, emilia, json};

fn data(name: &str) -> String {
    format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn plan(folder: &Folder, name: &str, words: &[&str]) -> Outcome {
    emilia(&[&["work", "plan", &folder.path(name)], words].concat(), b"")
}

fn work(folder: &Folder, name: &str, words: &[&str]) -> Outcome {
    let (verb, rest) = words.split_first().unwrap();
    let folder = folder.path(name);
    let place: &[&str] = if *verb == "run" { &["--dir", &folder] } else { &[&folder] };
    emilia(&[&["work", verb], place, rest].concat(), b"")
}

fn ok(outcome: Outcome) -> Outcome {
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    outcome
}

/// The files of a result, by what the manifest says.
fn result(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = folder.files(name);
    let manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    let listed: Vec<&str> =
        manifest["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    files
        .retain(|name, _| listed.contains(&name.as_str()) || name == "manifest.json" || name == "SHA256SUMS");
    files
}

/// Every kind of work, small.
fn kinds() -> Vec<(&'static str, Vec<String>)> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    vec![
        (
            "selfplay",
            words(&["selfplay", "--games", "20", "--shard", "8", "--depth", "2", "--exact-from", "8"]),
        ),
        (
            "label",
            words(&[
                "label",
                &data("endgame/exact/e10.obf"),
                "--player",
                "emilia:depth=60,hash=1",
                "--unit",
                "7",
            ]),
        ),
        (
            "review",
            words(&["review", &data("games/server.ggf"), "--player", "alphabeta:depth=2", "--unit", "1"]),
        ),
        ("match", words(&["match", "greedy", "random", "--size", "6", "--games", "30", "--unit", "4"])),
        ("proof", words(&["proof", "-----OX--XO----- X", "--plies", "3", "--hash", "1"])),
        ("dataset", words(&["dataset", "--games", "30", "--shard", "7", "--size", "6"])),
    ]
}

/// One process does everything on two threads; elsewhere units are done one by one, the last first, some of them twice.
#[test]
fn results_are_the_same_bytes_whoever_did_the_units() {
    let folder = Folder::new("work-kinds");
    for (kind, words) in kinds() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (one, many) = (format!("{kind}-one"), format!("{kind}-many"));
        ok(plan(&folder, &one, &words));
        ok(plan(&folder, &many, &words));
        ok(work(&folder, &one, &["run", "--all", "--threads", "2"]));
        ok(work(&folder, &one, &["merge"]));
        let units = ok(work(&folder, &many, &["list", "--open"])).out;
        let units: Vec<&str> = units.lines().rev().collect();
        assert!(units.len() > 2, "{kind} has {} units", units.len());
        let early = work(&folder, &many, &["merge"]);
        assert_eq!((early.status, early.err.contains("still to be done")), (1, true), "{}", early.err);
        for unit in &units {
            ok(work(&folder, &many, &["run", unit]));
        }
        let again = json(&ok(work(&folder, &many, &["run", units[0], "--json"])));
        assert_eq!(
            (
                again["done"].as_u64(),
                again["before"].as_u64().unwrap() + again["not_needed"].as_u64().unwrap()
            ),
            (Some(0), 1)
        );
        ok(work(&folder, &many, &["merge"]));
        assert_eq!(result(&folder, &one), result(&folder, &many), "{kind}");
        assert_eq!(ok(work(&folder, &many, &["list", "--open"])).out, "");
    }
}

#[test]
fn self_play_gives_the_files_of_the_command() {
    let folder = Folder::new("work-selfplay");
    let options = ["--games", "20", "--shard", "8", "--depth", "2", "--exact-from", "8", "--seed", "3"];
    ok(emilia(&[&["selfplay", "--out", &folder.path("command")], &options[..]].concat(), b""));
    ok(plan(&folder, "plan", &[&["selfplay"], &options[..]].concat()));
    ok(work(&folder, "plan", &["run", "2", "0-1"]));
    ok(work(&folder, "plan", &["merge"]));
    let mut command = folder.files("command");
    command.retain(|name, _| name.ends_with(".emg"));
    let mut plan = result(&folder, "plan");
    plan.retain(|name, _| name.ends_with(".emg"));
    assert_eq!((command.len(), command), (3, plan));
}

/// The scores in the file were found by others.
#[test]
fn labels_of_endgames_are_the_published_scores() {
    let folder = Folder::new("work-label");
    let file = data("endgame/exact/e10.obf");
    ok(plan(&folder, "plan", &["label", &file, "--player", "emilia:depth=60,hash=1", "--unit", "50"]));
    ok(work(&folder, "plan", &["run", "--all"]));
    ok(work(&folder, "plan", &["merge"]));
    let labels = String::from_utf8(folder.files("plan")["labels.jsonl"].clone()).unwrap();
    let reading = emilia_record::read(&std::fs::read(&file).unwrap(), &Default::default()).unwrap();
    let mut known = BTreeMap::new();
    for item in reading.items {
        if let emilia_record::Item::Exercise(exercise) = item {
            known.insert(emilia_record::board::write(&exercise.position), exercise.score().unwrap());
        }
    }
    assert!(known.len() > 20);
    for line in labels.lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        let score = known[label["position"].as_str().unwrap()];
        assert_eq!(
            (label["value"].as_f64(), label["exact"].as_bool()),
            (Some(score.into()), Some(true)),
            "{line}"
        );
    }
    assert_eq!(labels.lines().count(), known.len());
}

/// The whole 4×4 game is known: White wins 11 to 3, and the two empty squares are White's too. A larger ending is
/// compared with the solver that sees it whole.
#[test]
fn a_proof_has_the_score_of_the_whole() {
    let folder = Folder::new("work-proof");
    let ending = "OOOOO--OOOX-OXOOXXOOOXXX-XXX-X---X-- X";
    let solved = json(&emilia(&["solve", ending, "--json"], b""));
    let small = "-----OX--XO----- X";
    for (name, position, plies, score) in
        [("small", small, "5", -10), ("ending", ending, "3", solved["score"].as_i64().unwrap())]
    {
        ok(plan(&folder, name, &["proof", position, "--plies", plies, "--hash", "1"]));
        let ran = json(&ok(work(&folder, name, &["run", "--all", "--threads", "1", "--json"])));
        let merged = json(&ok(work(&folder, name, &["merge", "--json"])));
        assert_eq!(merged["about"]["score"].as_i64(), Some(score), "{name}");
        // What cannot change the score any more was left alone.
        assert!(ran["not_needed"].as_u64() > Some(0), "{ran}");
    }
}

#[test]
fn a_test_ends_a_match_and_games_after_it_do_not_count() {
    let folder = Folder::new("work-sprt");
    let words = [
        "match",
        "alphabeta:depth=2",
        "random",
        "--size",
        "6",
        "--games",
        "400",
        "--unit",
        "5",
        "--sprt",
        "0,50",
    ];
    ok(plan(&folder, "lazy", &words));
    ok(plan(&folder, "eager", &words));
    let ran = json(&ok(work(&folder, "lazy", &["run", "--all", "--threads", "1", "--json"])));
    assert!(ran["done"].as_u64() > Some(0) && ran["not_needed"].as_u64() > Some(20), "{ran}");
    // Somebody began at the end, and it was for nothing.
    ok(work(&folder, "eager", &["run", "39", "12"]));
    ok(work(&folder, "eager", &["run", "--all", "--threads", "2"]));
    let merged = json(&ok(work(&folder, "lazy", &["merge", "--json"])));
    ok(work(&folder, "eager", &["merge"]));
    assert_eq!(result(&folder, "lazy"), result(&folder, "eager"));
    assert_eq!(merged["about"]["sprt"]["verdict"], "stronger");
    // It is a log that the match itself goes on with: there is nothing left to play.
    let log = folder.0.join("lazy/match.log").display().to_string();
    let bytes = std::fs::read(&log).unwrap();
    let words = ["match", "alphabeta:depth=2", "random", "--size", "6", "--games", "400", "--sprt", "0,50"];
    let read = json(&ok(emilia(&[&words[..], &["--log", &log, "--json"]].concat(), b"")));
    assert_eq!((&read["games"], &read["wins"]), (&merged["about"]["games"], &merged["about"]["wins"]));
    assert_eq!(bytes, std::fs::read(&log).unwrap());
}

/// Discs that a move gives away, by trying everything.
fn loss(position: &GridPosition, mv: emilia_rules::Move<emilia_rules::Point>) -> i32 {
    fn score(position: &GridPosition) -> i32 {
        let next = position.moves().map(|mv| -score(&position.played(mv))).max();
        let margin = position.counts().margin();
        next.unwrap_or(if position.turn() == Color::Black { margin } else { -margin })
    }
    position.moves().map(|other| -score(&position.played(other))).max().unwrap() + score(&position.played(mv))
}

#[test]
fn reviews_name_the_discs_that_moves_gave_away() {
    let folder = Folder::new("work-review");
    let record = folder.path("games.ggf");
    let words = ["match", "random:seed=1", "greedy", "--size", "4", "--games", "6", "--openings", "random:1"];
    ok(emilia(&[&words[..], &["--save", &record]].concat(), b""));
    ok(plan(&folder, "plan", &["review", &record, "--player", "emilia:depth=60,hash=1", "--unit", "2"]));
    ok(work(&folder, "plan", &["run", "--all"]));
    ok(work(&folder, "plan", &["merge"]));
    let reviews = String::from_utf8(folder.files("plan")["reviews.jsonl"].clone()).unwrap();
    let reading = emilia_record::read(&std::fs::read(&record).unwrap(), &Default::default()).unwrap();
    let games = reading.into_games(&Default::default());
    assert_eq!((reviews.lines().count(), games.len()), (6, 6));
    let mut lost = 0;
    for (line, game) in reviews.lines().zip(&games) {
        let review: Value = serde_json::from_str(line).unwrap();
        let mut position = *game.start();
        for (reviewed, mv) in review["moves"].as_array().unwrap().iter().zip(game.main_line()) {
            assert_eq!(reviewed["move"].as_str().unwrap(), mv.to_string());
            // Trying everything takes too long before.
            if position.counts().empty <= 8 {
                let truth = loss(&position, mv);
                assert_eq!(reviewed["loss"].as_f64(), Some(truth.into()), "{position}: {reviewed}");
                lost += truth;
            }
            position = position.played(mv);
        }
    }
    assert!(lost > 0);
}

#[test]
fn what_is_wrong_is_named_and_nothing_changed() {
    let folder = Folder::new("work-wrong");
    let empty = work(&folder, "nowhere", &["list"]);
    assert!(empty.status == 1 && empty.err.contains("there is no plan here"), "{}", empty.err);
    for (words, sentence) in [
        (&["match", "gtp:edax", "random"][..], "gtp:edax is another program"),
        (
            &["match", "greedy", "random", "--openings", "wild"],
            "games begin with start, balanced or random:K",
        ),
        (
            &["match", "greedy", "random", "--size", "6", "--openings", "balanced"],
            "balanced openings are for 8×8",
        ),
        (&["label", "no-such-file"], "no-such-file: "),
        (
            &["proof", "f5", "--plies", "99"],
            "the number of plies before subproblems is a number from 0 to 20, not 99",
        ),
        (&["proof", "nonsense"], "nonsense"),
    ] {
        let refused = plan(&folder, "refused", words);
        assert!(refused.status > 0, "{words:?}");
        assert!(refused.err.contains(sentence) || sentence == "nonsense", "{}", refused.err);
        assert!(!folder.0.join("refused").exists());
    }
    ok(plan(
        &folder,
        "plan",
        &[
            "match",
            "greedy",
            "random",
            "--size",
            "4",
            "--games",
            "8",
            "--openings",
            "random:1",
            "--unit",
            "1",
        ],
    ));
    let beyond = work(&folder, "plan", &["run", "2-9"]);
    assert!(
        beyond.status == 2 && beyond.err.contains("there is no unit 9: they are numbered 0 to 3"),
        "{}",
        beyond.err
    );
    let other = plan(&folder, "plan", &["match", "random", "greedy", "--size", "4", "--games", "8"]);
    assert!(other.status == 2 && other.err.contains("holds other work"), "{}", other.err);
    ok(work(&folder, "plan", &["run", "--all"]));
    let unit = folder.0.join("plan/units/000001.log");
    let bytes = std::fs::read(&unit).unwrap();
    std::fs::write(&unit, &bytes[1..]).unwrap();
    let damaged = work(&folder, "plan", &["merge"]);
    assert!(damaged.status == 1 && damaged.err.contains("is damaged"), "{}", damaged.err);
    std::fs::write(&unit, bytes).unwrap();
    ok(work(&folder, "plan", &["merge"]));
    let plan = folder.0.join("plan/plan.json");
    let text = std::fs::read_to_string(&plan).unwrap();
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    std::fs::write(&plan, text.replacen(&version, "\"99.0.0\"", 1)).unwrap();
    let version = work(&folder, "plan", &["run", "--all"]);
    assert!(version.status == 1 && version.err.contains("planned by emilia 99.0.0"), "{}", version.err);
}

/// Two processes share a folder; one is killed in the middle, and another takes its place.
#[test]
fn a_worker_that_is_killed_changes_nothing() {
    let folder = Folder::new("work-killed");
    let words = ["selfplay", "--games", "60", "--shard", "2", "--depth", "4", "--exact-from", "12"];
    ok(plan(&folder, "shared", &words));
    ok(plan(&folder, "alone", &words));
    let worker = |units: &str| {
        Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(["work", "run", "--dir", &folder.path("shared"), units])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut killed = worker("0-29");
    let mut other = worker("10-29");
    let deadline = Instant::now() + Duration::from_secs(120);
    while !folder.0.join("shared/units/000001.json").exists() {
        assert!(Instant::now() < deadline, "no unit in two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(other.wait().unwrap().success());
    let done = |name: &str| {
        let files = folder.files(name).into_iter();
        files.filter(|(name, _)| name.starts_with("units/") && name.ends_with(".json")).count()
    };
    assert!((22..30).contains(&done("shared")), "{} units are done", done("shared"));
    let rest = json(&ok(work(&folder, "shared", &["run", "--all", "--json"])));
    assert_eq!(rest["before"], 0);
    assert_eq!(done("shared"), 30);
    ok(work(&folder, "shared", &["merge"]));
    ok(work(&folder, "alone", &["run", "--all"]));
    ok(work(&folder, "alone", &["merge"]));
    assert_eq!(result(&folder, "shared"), result(&folder, "alone"));
}
