//! Databases of games on the command line: `games` and `explore`.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use serde_json::Value;

use crate::common::{Folder, Outcome, emilia, json};

const WTHOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor");
/// Games of the three years of WTHOR in `data/`.
const GAMES: u64 = 8 + 160 + 954;

fn import(folder: &Folder, words: &[&str], input: &[u8]) -> Outcome {
    let data = folder.path("data");
    emilia(&[&["games", "import", "--data", &data], words].concat(), input)
}

fn explore(folder: &Folder, words: &[&str]) -> Value {
    let data = folder.path("data");
    json(&emilia(&[&["explore", "--json", "--no-values", "--data", &data], words].concat(), b""))
}

#[test]
fn the_first_minute_has_tournament_play_in_it() {
    let folder = Folder::new("explore-shipped");
    let found = explore(&folder, &[]);
    // Every game of the WTHOR database until 2025 begins with this move, whichever of the four squares it was.
    assert_eq!(found["database_games"], 137_548);
    assert_eq!(found["moves"][0]["move"], "f5");
    assert_eq!(found["moves"][0]["same"], serde_json::json!(["d3", "c4", "e6"]));
    assert_eq!(found["moves"][0]["tally"]["games"], 137_548);
    assert!(found["credit"].as_str().unwrap().contains("Fédération Française d’Othello"));
    // The three answers: the perpendicular opening is the usual one, the diagonal one next, the parallel one rare.
    let answers = explore(&folder, &["f5"]);
    let moves: Vec<&str> = (0..3).map(|at| answers["moves"][at]["move"].as_str().unwrap()).collect();
    assert_eq!(moves, ["d6", "f6", "f4"]);
    let tiger = explore(&folder, &["f5d6c3d3c4"]);
    assert_eq!((&tiger["opening"]["en"], &tiger["turn"]), (&"Tiger".into(), &"white".into()));
    let refused = emilia(&["explore", "--player", "Rose", "--data", &folder.path("data")], b"");
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("emilia games import DIR"), "{}", refused.err);
}

#[test]
fn a_terminal_shows_moves_values_and_games() {
    let folder = Folder::new("explore-terminal");
    assert_eq!(import(&folder, &[WTHOR], b"").status, 0);
    let outcome = emilia(
        &["explore", "f5d6c3d3c4", "--level", "4", "--games", "2", "--data", &folder.path("data")],
        b"",
    );
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert_eq!(lines[0], "tournaments: 1122 games");
    assert_eq!(lines[1], "opening: Tiger");
    assert!(lines[2].ends_with("games reached this position; white to move"), "{}", lines[2]);
    assert!(lines[4].starts_with("move     games  share    won  drawn   lost  average  years      value"));
    assert!(
        lines[5].contains("1985") && (lines[5].contains("book") || lines[5].contains("depth")),
        "{}",
        lines[5]
    );
    assert_eq!(lines.iter().filter(|line| line.starts_with("      f5d6c3d3c4")).count(), 2);
}

#[test]
fn real_games_are_found_by_player_event_year_and_result() {
    let folder = Folder::new("explore-filters");
    let outcome = import(&folder, &[WTHOR], b"");
    assert_eq!(
        outcome.out,
        format!("tournaments: {GAMES} games added, 0 were there already; {GAMES} games now\n")
    );
    // What other readers of WTHOR say of the same files: `convert` knows nothing of databases.
    let files: Vec<String> =
        ["WTH_1980.wtb", "WTH.JOU", "WTH.TRN"].iter().map(|name| format!("{WTHOR}/{name}")).collect();
    let words: Vec<&str> = files.iter().map(String::as_str).collect();
    let pgn = emilia(&[&["convert", "--to", "pgn"], &words[..]].concat(), b"").out;
    let count = |needle: &str| pgn.matches(needle).count() as u64;
    let games = |words: &[&str]| {
        explore(&folder, &[words, &["--from", "1980", "--to", "1980"]].concat())["total"]["games"].clone()
    };
    assert_eq!(games(&[]), 160);
    let player = pgn.split_once("[Black \"").unwrap().1.split_once('"').unwrap().0;
    let [black, white] =
        [format!("[Black \"{player}\"]"), format!("[White \"{player}\"]")].map(|tag| count(&tag));
    assert!(black > 1);
    assert_eq!(games(&["--player", player]), black + white);
    assert_eq!(games(&["--player", player, "--side", "black"]), black);
    let event = pgn.split_once("[Event \"").unwrap().1.split_once('"').unwrap().0;
    assert_eq!(games(&["--event", event]), count(&format!("[Event \"{event}\"]")));
    let total = &explore(&folder, &["--player", player, "--side", "black"])["total"];
    let won = explore(&folder, &["--player", player, "--side", "black", "--result", "won"]);
    assert_eq!(won["total"]["games"], total["wins"]);
    let outcome = emilia(&["explore", "--result", "won"], b"");
    assert_eq!(
        (outcome.status, outcome.err.as_str()),
        (2, "emilia: --result won and lost are those of a player: add --player NAME\n")
    );
}

#[test]
fn duplicates_count_once_and_bad_games_are_named() {
    let folder = Folder::new("games-duplicates");
    let outcome = import(&folder, &["-"], b"f5d6c3\nd3c5f6\nf5a1\nf5f6\n");
    assert_eq!(outcome.out, "my-games: 2 games added, 1 were there already; 2 games now\n");
    assert_eq!(
        outcome.err,
        "-: game 3: move 2, \"a1\": a1 flips nothing\nemilia: one game was left out; the others are in\n"
    );
    assert_eq!(outcome.status, 1);
    // The same text again need not even be read.
    let outcome = import(&folder, &["-"], b"f5d6c3\nd3c5f6\nf5a1\nf5f6\n");
    assert_eq!((outcome.err.as_str(), outcome.status), ("-: imported before\n", 0));
    let outcome = import(
        &folder,
        &["-"],
        b"(;GM[Othello]TY[6]BO[6 ------ ------ --O*-- --*O-- ------ ------ *]B[B3//];)",
    );
    assert!(outcome.err.contains("played on 6×6"), "{}", outcome.err);
    let found = explore(&folder, &["f5", "--in", "my-games"]);
    assert_eq!((&found["total"]["games"], &found["moves"][0]["tally"]["games"]), (&2.into(), &1.into()));
}

#[test]
fn folders_are_read_whole_and_what_is_no_game_is_named() {
    let folder = Folder::new("games-folder");
    std::fs::create_dir_all(folder.0.join("games/old")).unwrap();
    std::fs::write(folder.0.join("games/a.txt"), "f5d6").unwrap();
    std::fs::write(folder.0.join("games/old/b.pgn"), "[Black \"Ann\"]\n\n1. f5 f6 *\n").unwrap();
    std::fs::write(folder.0.join("games/notes.bin"), [1, 2, 3]).unwrap();
    let outcome = import(&folder, &[&folder.path("games"), "--into", "club", "--json"], b"");
    let done: Value = serde_json::from_str(outcome.out.trim()).unwrap();
    assert_eq!(
        (&done["database"], &done["new"], &done["files_left_out"]),
        (&"club".into(), &2.into(), &1.into())
    );
    assert!(outcome.err.contains("notes.bin"), "{}", outcome.err);
    let listed = emilia(&["games", "list", "--json", "--data", &folder.path("data")], b"");
    let names: Vec<Value> = listed
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["database"].clone())
        .collect();
    assert_eq!(names, ["tournaments", "club"]);
    let data = folder.path("data");
    assert_eq!(emilia(&["games", "remove", "club", "--data", &data], b"").status, 2);
    assert_eq!(emilia(&["games", "remove", "club", "--yes", "--data", &data], b"").status, 0);
    let gone = emilia(&["explore", "--in", "club", "--data", &data], b"");
    assert_eq!(gone.err, "emilia: there is no database \"club\"; there are tournaments\n");
}

#[test]
fn a_damaged_or_foreign_database_is_one_sentence_and_stays_as_it_is() {
    let folder = Folder::new("games-damaged");
    import(&folder, &["-"], b"f5d6c3");
    let database = folder.0.join("data/openings/my-games");
    let segment = database.join("games-000001.seg");
    let whole = std::fs::read(&segment).unwrap();
    std::fs::write(&segment, &whole[..whole.len() - 9]).unwrap();
    let outcome = import(&folder, &["-"], b"f5f6");
    assert_eq!(outcome.status, 1);
    assert_eq!(
        outcome.err,
        "emilia: games-000001.seg: damaged: its end is missing, or it is no file of games\n"
    );
    std::fs::write(&segment, &whole).unwrap();
    let list = database.join("database.json");
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let outcome = import(&folder, &["-"], b"f5f6");
    assert!(
        outcome.err.contains("another version of this program (format 2, this one reads 1)"),
        "{}",
        outcome.err
    );
    std::fs::write(&list, text).unwrap();
    assert_eq!(
        import(&folder, &["-"], b"f5f6").out,
        "my-games: 1 games added, 0 were there already; 2 games now\n"
    );
    for name in ["", "../up", "Club", "-x"] {
        let outcome = import(&folder, &["-", "--into", name], b"f5");
        assert_ne!(outcome.status, 0, "{name}");
    }
}

#[test]
fn two_imports_at_once_are_told() {
    let folder = Folder::new("games-twice");
    import(&folder, &["-"], b"f5");
    let lock = std::fs::File::create(folder.0.join("data/openings/my-games/import.lock")).unwrap();
    lock.lock().unwrap();
    let outcome = import(&folder, &["-"], b"f5d6");
    assert_eq!(outcome.err, "emilia: another import writes to \"my-games\"; try again when it is done\n");
    assert_eq!(outcome.status, 1);
}

/// Kills of the slow test; the suite has a few of them.
const KILLS: u64 = 6;

#[test]
fn an_import_that_is_killed_goes_on() {
    killed(KILLS, 1);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --slow"]
fn an_import_that_is_killed_a_hundred_times_goes_on() {
    killed(100, 2);
}

/// Imports the years one after the other, each import killed at some moment, and again until all is in.
fn killed(times: u64, seed: u64) {
    let folder = Folder::new(&format!("games-killed-{times}"));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let binary = env!("CARGO_BIN_EXE_emilia");
    let data = folder.path("data");
    let years = ["WTH_1978.wtb", "WTH_1980.wtb", "WTH_1985.wtb"].map(|name| format!("{WTHOR}/{name}"));
    let (mut kills, mut ended) = (0, 0);
    for _ in 0..100 * times {
        if kills >= times {
            break;
        }
        if ended == years.len() {
            std::fs::remove_dir_all(&data).unwrap();
            ended = 0;
        }
        let mut child = Command::new(binary)
            .args(["games", "import", "--data", &data, &years[ended], WTHOR_NAMES[0], WTHOR_NAMES[1]])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(random.next_u64() % 300_000));
        let _ = child.kill();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let finished = child.wait().unwrap().success();
        ended += usize::from(finished);
        kills += u64::from(!finished);
        if std::path::Path::new(&data).join("openings/tournaments/database.json").exists() {
            let checked = emilia(&["games", "check", "tournaments", "--data", &data], b"");
            assert_eq!(checked.status, 0, "{}", checked.err);
            let games = explore(&folder, &[])["database_games"].as_u64().unwrap();
            // A year is in or not, and one that was said to be in is.
            let sums = [0, 8, 168, GAMES];
            assert!(
                games == sums[ended] || Some(&games) == sums.get(ended + 1),
                "{games} after {ended} years"
            );
        } else {
            assert_eq!(ended, 0);
        }
    }
    assert!(kills > 0, "no import was slow enough to be killed");
    let outcome = import(&folder, &[WTHOR], b"");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    assert!(outcome.out.ends_with(&format!("; {GAMES} games now\n")), "{}", outcome.out);
    let left: Vec<String> = folder.files("data/openings/tournaments").into_keys().collect();
    assert!(left.iter().all(|name| !name.ends_with(".unfinished")), "{left:?}");
}

const WTHOR_NAMES: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor/WTH.JOU"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor/WTH.TRN"),
];
