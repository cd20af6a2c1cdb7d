//! A picture of somebody's play, over games of any files.

use std::fs;

use serde_json::Value;

use crate::common::{Folder, emilia, json};

const WTHOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor/WTH_1978.wtb");

fn near(found: &Value, expected: f64) -> bool {
    (found.as_f64().unwrap() - expected).abs() < 1e-6
}

#[test]
fn a_player_is_found_by_part_of_the_name_and_every_disc_is_counted_once() {
    let folder = Folder::new("insights");
    let report = folder.path("report.html");
    // The file twice: each game counts once.
    let words = ["insights", WTHOR, WTHOR, "--name", "maruoka", "--level", "1", "--json", "--out", &report];
    let outcome = emilia(&words, b"");
    let found = json(&outcome);
    assert!(outcome.err.contains("games that are there twice were left out."), "{}", outcome.err);
    let games = found["all"]["games"].as_u64().unwrap();
    assert_eq!((found["name"].as_str().unwrap(), games), ("Maruoka Hidenori", 6));
    let lost = |shares: &Value| -> f64 {
        let lost = |share: &Value| share["loss"].as_f64().unwrap() * share["moves"].as_f64().unwrap();
        shares.as_array().unwrap().iter().map(lost).sum()
    };
    for table in ["stages", "colors", "openings", "time"] {
        assert!(near(&found["discs"], lost(&found[table])), "{table}");
    }
    let kinds = found["kinds"].as_array().unwrap();
    let told: f64 = kinds.iter().map(|kind| kind["discs"].as_f64().unwrap()).sum();
    assert!(near(&found["discs"], told + found["small_losses"].as_f64().unwrap()));
    let page = fs::read_to_string(&report).unwrap();
    let link = kinds[0]["examples"][0]["link"].as_str().unwrap().replace('&', "&amp;");
    assert!(page.contains(&format!("href=\"http://127.0.0.1:8000/{link}\"")), "{link}");
    assert!(!page.contains("<script") && !page.contains("src="));
}

#[test]
fn what_was_judged_before_a_kill_is_not_judged_again() {
    let folder = Folder::new("insights-journal");
    let journal = folder.path("journal");
    let words = [
        "insights",
        WTHOR,
        "--name",
        "maruoka",
        "--level",
        "1",
        "--threads",
        "2",
        "--json",
        "--journal",
        &journal,
    ];
    let whole = emilia(&words, b"");
    let lines = fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count() as u64, json(&whole)["all"]["games"].as_u64().unwrap());

    // A kill in the middle of the second line.
    let first = lines.lines().next().unwrap();
    let second = lines.lines().nth(1).unwrap();
    fs::write(&journal, format!("{first}\n{}", &second[..second.len() / 2])).unwrap();
    assert_eq!(emilia(&words, b"").out, whole.out);
    // Everything is known now: a judge of no use would be noticed, the same journal is left.
    let after = fs::read(&journal).unwrap();
    assert_eq!(emilia(&words, b"").out, whole.out);
    assert_eq!(fs::read(&journal).unwrap(), after);

    fs::write(&journal, "f5d6c3\n").unwrap();
    let outcome = emilia(&words, b"");
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("line 1 is not of a journal of judged games"), "{}", outcome.err);
    assert_eq!(fs::read_to_string(&journal).unwrap(), "f5d6c3\n");
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder = Folder::new("insights-bad");
    let file = |name: &str, text: &str| {
        fs::write(folder.0.join(name), text).unwrap();
        folder.path(name)
    };
    let failed = |words: &[&str], sentence: &str| {
        let outcome = emilia(words, b"");
        assert_eq!(outcome.status, 1, "{}", outcome.out);
        assert!(outcome.err.contains(sentence), "{}", outcome.err);
    };
    let empty = file("empty.txt", "");
    failed(&["insights", &empty, "--name", "Ann"], "empty.txt: ");
    failed(&["insights", &folder.path("none"), "--name", "Ann"], "none: ");
    failed(&["insights", WTHOR, "--name", "Zzyzx"], "no game has a player \"Zzyzx\"; there are ");
    let nameless = file("nameless.txt", "f5d6c3d3c4");
    failed(&["insights", &nameless, "--name", "Ann"], "no game says who played it");
    let small = file("small.sgf", "(;GM[2]FF[4]SZ[6]PB[Ann]PW[Bob];B[c2])");
    failed(&["insights", &small, "--name", "Ann"], "there is no game on 8×8 with a move");
    let outcome = emilia(&["insights", &small, "--name", "Ann"], b"");
    assert!(outcome.err.contains("One game on other boards than 8×8 was left out."), "{}", outcome.err);
    assert_eq!(emilia(&["insights", WTHOR, "--name", "Ann", "--level", "31"], b"").status, 2);

    // In a folder there may be anything.
    let games = Folder::new("insights-folder");
    fs::write(games.0.join("notes.txt"), "no game at all").unwrap();
    fs::write(
        games.0.join("game.pgn"),
        "[Black \"Ann\"]\n[White \"Bob\"]\n[Date \"2020.05.01\"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 *",
    )
    .unwrap();
    let path = games.0.display().to_string();
    let found = json(&emilia(&["insights", &path, "--name", "ann", "--level", "1", "--json"], b""));
    assert_eq!((&found["all"]["games"], &found["all"]["finished"]), (&1.into(), &0.into()));
    let outcome = emilia(&["insights", &path, "--name", "ann", "--level", "1"], b"");
    assert!(outcome.out.starts_with("Ann: 1 game, "), "{}", outcome.out);
    assert!(outcome.err.contains("notes.txt: "), "{}", outcome.err);
}
