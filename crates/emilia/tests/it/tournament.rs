//! Tournaments and the ladder, as the commands print them.

use std::path::PathBuf;

use crate::common::emilia;

/// A folder of its own for a test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-tournament-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PLAYERS: [&str; 5] = ["tournament", "random", "greedy", "alphabeta:depth=2", "mcts:playouts=30"];

#[test]
fn a_tournament_ranks_its_players_and_writes_a_page() {
    let folder = Folder::new("tournament");
    let page = folder.file("report.html");
    let words = [&PLAYERS[..], &["--games", "10", "--size", "6", "--report", &page]].concat();
    let outcome = emilia(&words, b"");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    assert!(outcome.out.starts_with("60 games, 6×6\n"), "{}", outcome.out);
    let ranks: Vec<&str> = outcome.out.lines().skip(2).take(4).collect();
    assert!(ranks[3].contains("random") || ranks[3].contains("greedy"), "{}", outcome.out);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert_eq!(html.matches("<svg ").count(), 3);
    // It opens without network: nothing is fetched from anywhere.
    for fetched in ["http:", "https:", "src=", "@import", "url(", "<script"] {
        assert!(!html.contains(fetched), "{fetched}");
    }
    // Every tag that is opened is closed.
    for tag in ["table", "tr", "td", "th", "svg", "g", "figure", "div", "main", "h2"] {
        let opened = html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_gauntlet_is_read_by_programs_and_measured_from_its_anchor() {
    let words = ["--format", "gauntlet", "--games", "4", "--size", "4", "--anchor", "greedy", "--json"];
    let outcome = emilia(&[&PLAYERS[..], &words].concat(), b"");
    let json: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!((json["games"].as_u64(), json["pairings"].as_array().unwrap().len()), (Some(12), 3));
    let greedy = json["players"].as_array().unwrap().iter().find(|line| line["name"] == "greedy").unwrap();
    assert_eq!((greedy["elo"].as_f64(), greedy["error"].as_f64()), (Some(0.0), Some(0.0)));
    assert!(json["pairings"].as_array().unwrap().iter().all(|pairing| pairing["first"] == "random"));
}

/// A log cut off anywhere leads to the same table as a tournament that was never cut off.
#[test]
fn a_tournament_goes_on_where_it_was_cut_off() {
    let folder = Folder::new("resume");
    let log = folder.file("games.log");
    let words = [&PLAYERS[..4], &["--games", "6", "--size", "4", "--openings", "random:3"]].concat();
    let logged = [&words[..], &["--log", &log]].concat();
    // The time that players took is the one thing that may differ.
    let table = |text: &str| {
        text.lines()
            .map(|line| line.rsplit_once(' ').map_or(line, |(rest, _)| rest).to_owned())
            .collect::<Vec<_>>()
    };
    let whole = table(&emilia(&words, b"").out);
    assert_eq!(table(&emilia(&logged, b"").out), whole);
    let text = std::fs::read(&log).unwrap();
    for part in [0, 1, 2, 3, 5] {
        std::fs::write(&log, &text[..text.len() * part / 5]).unwrap();
        assert_eq!(table(&emilia(&logged, b"").out), whole, "{part}/5");
    }
    let other = emilia(&[&logged[..], &["--seed", "7"]].concat(), b"");
    assert!(
        other.err.contains("games.log: the log is of other games: seed was \"0\" and is now \"7\""),
        "{}",
        other.err
    );
    assert_eq!(other.status, 1);
}

#[test]
fn the_ladder_is_listed_and_finds_where_a_player_stands() {
    let folder = Folder::new("ladder");
    let ladder = folder.file("ladder.tsv");
    std::fs::write(&ladder, "random\t0\t0\t0\ngreedy\t60\t0\t0\nalphabeta:depth=1\t500\t0\t0\n").unwrap();
    let listed = emilia(&["ladder", "--ladder", &ladder], b"").out;
    assert_eq!(listed.lines().count(), 4, "{listed}");
    let words = ["ladder", "random:seed=9", "--ladder", &ladder, "--games", "64", "--error", "1", "--json"];
    let outcome = emilia(&words, b"");
    let json: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(json["games"].as_u64(), Some(64));
    let (elo, error) = (json["elo"].as_f64().unwrap(), json["error"].as_f64().unwrap());
    assert!(elo.abs() < 150.0 && error < 150.0, "{}", outcome.out);
    // The same whatever the number of threads, and the games can be kept.
    let save = folder.file("games.txt");
    let threads = emilia(&[&words[..], &["--threads", "3", "--save", &save]].concat(), b"");
    assert_eq!(threads.out, outcome.out);
    assert_eq!(std::fs::read_to_string(&save).unwrap().lines().count(), 64);
}

#[test]
fn a_calibration_measures_from_random_play() {
    let folder = Folder::new("calibrate");
    let (ladder, fresh) = (folder.file("ladder.tsv"), folder.file("fresh.tsv"));
    std::fs::write(&ladder, "alphabeta:depth=2\t0\t0\t0\nrandom\t10\t0\t0\ngreedy\t60\t0\t0\n").unwrap();
    let words =
        ["ladder", "--calibrate", "--ladder", &ladder, "--games", "10", "--size", "6", "--out", &fresh];
    let outcome = emilia(&words, b"");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    let text = std::fs::read_to_string(&fresh).unwrap();
    assert!(text.contains("\nrandom\t0\t0\t20\n"), "{text}");
    assert!(text.trim_end().lines().last().unwrap().starts_with("alphabeta:depth=2\t"), "{text}");
}

/// A program that is none loses every game, with the reason, and does not stop the others.
#[test]
fn a_broken_program_loses_its_games_and_the_tournament_goes_on() {
    let words = ["tournament", "random", "greedy", "gtp:/no/such/program", "--games", "2", "--size", "4"];
    let outcome = emilia(&words, b"");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    assert!(outcome.out.starts_with("6 games, 4×4\n"), "{}", outcome.out);
    assert!(outcome.out.contains("gave away 4 of the lost games"), "{}", outcome.out);
    assert_eq!(outcome.err.matches("forfeits: \"/no/such/program\" cannot be started").count(), 4);
    let alone = emilia(&["ladder", "gtp:/no/such/program"], b"");
    assert!(alone.err.contains("gave away all of its first 8 games"), "{}", alone.err);
}

#[test]
fn wrong_calls_are_refused_before_the_first_move() {
    for (words, sentence) in [
        (&["tournament", "random"][..], "2 values required"),
        (&["tournament", "random", "rndom"], "there is no player \"rndom\", did you mean random?"),
        (
            &["tournament", "random", "greedy", "--anchor", "first"],
            "the anchor \"first\" is not among the players",
        ),
        (&["ladder", "random", "--calibrate"], "cannot be used with"),
        (&["ladder", "random", "--log", "games.log"], "a log is kept with --calibrate only"),
        (&["ladder", "--ladder", "no/such/file"], "no/such/file: "),
        (&["openings", "--judge", "random", "--plies", "3"], "random does not value positions"),
        (&["openings", "--plies", "10"], "invalid value '10'"),
    ] {
        let outcome = emilia(words, b"");
        assert_ne!(outcome.status, 0);
        assert!(outcome.err.contains(sentence), "{}", outcome.err);
        assert_eq!(outcome.out, "");
    }
}

/// The openings that the judge finds balanced are those that a second look by the same judge finds balanced.
#[test]
fn openings_are_balanced_and_distinct() {
    let words = ["openings", "--plies", "5", "--within", "1", "--judge", "emilia:depth=3,hash=1"];
    let few = emilia(&[&words[..], &["--count", "20"]].concat(), b"").out;
    assert_eq!(few.lines().count(), 20);
    let all = emilia(&words, b"").out;
    assert!(all.starts_with(&few) && all.lines().count() < 322);
    for line in few.lines() {
        let judged = emilia(&["analyse", line, "--depth", "3", "--json"], b"");
        let json: serde_json::Value = serde_json::from_str(judged.out.lines().last().unwrap()).unwrap();
        assert!(json["score"].as_f64().unwrap().abs() <= 1.0, "{line}: {}", judged.out);
    }
}

/// Openings of any board are openings for a match on it.
#[test]
fn a_match_begins_with_the_openings_that_were_found() {
    let folder = std::env::temp_dir().join(format!("emilia-found-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (found, games) = (folder.join("six.txt"), folder.join("games.pgn"));
    let (found, games) = (found.to_str().unwrap(), games.to_str().unwrap());
    let words = ["openings", "--size", "6", "--plies", "4", "--within", "4", "--judge", "emilia:depth=2"];
    let outcome = emilia(&[&words[..], &["--count", "3", "--out", found]].concat(), b"");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    let outcome = emilia(
        &["match", "first", "greedy", "--size", "6", "--games", "6", "--openings", found, "--save", games],
        b"",
    );
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    // Both files as plain lines of moves: each game goes on from one of the openings.
    let lines = |file: &str| -> Vec<String> {
        let text = emilia(&["convert", file, "--to", "transcript"], b"").out;
        text.lines().map(str::to_owned).collect()
    };
    let (openings, games) = (lines(found), lines(games));
    assert_eq!((openings.len(), games.len()), (3, 6));
    for opening in &openings {
        assert_eq!(games.iter().filter(|game| game.starts_with(opening)).count(), 2, "{opening}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
