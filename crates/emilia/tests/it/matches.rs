//! Matches between players, as the command prints them.

use crate::common::emilia;

/// The published 6×6 duel, every move with its score and square.
#[test]
fn the_duel_is_shown_move_by_move() {
    let outcome = emilia(&["match", "s4-judge", "s4-myjudge", "--size", "6", "--games", "1", "--show"], b"");
    assert_eq!(outcome.status, 0);
    // Root scores of the original program, six digits; what follows is a forced loss and win.
    let scores = "-7 -210.029 -8 -181.646 -12 -0.748676 -3 3685.71 6 9568.27 12 9343.66 -44 21982.8 -102 29976 \
                  -151 42304.1 -193 52721.1 -214 56514.5";
    let found: Vec<&str> = outcome.out.lines().filter_map(|line| line.split(", score ").nth(1)).collect();
    let expected: Vec<&str> = scores.split_whitespace().collect();
    assert_eq!(found[..expected.len()], expected);
    assert_eq!(found[expected.len()..].iter().filter(|score| **score == "won").count(), 5);
    assert!(outcome.out.contains("black plays c2 (2,3), score -7\n"));
    assert!(outcome.out.contains("Game 1: s4-myjudge (white) wins, 9-27\n"));
}

#[test]
fn a_match_can_begin_with_the_mirrored_middle() {
    let folder = std::env::temp_dir().join(format!("emilia-mirrored-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (games, log) = (folder.join("games.json"), folder.join("games.log"));
    let files = ["--save", games.to_str().unwrap(), "--log", log.to_str().unwrap()];
    let words = ["match", "greedy", "first", "--games", "4", "--mirrored"];
    let outcome = emilia(&[&words[..], &files].concat(), b"");
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    let kept = std::fs::read_to_string(&games).unwrap();
    assert_eq!(kept.matches("---------------------------XO------OX--------------------------- X").count(), 4);
    // The log knows it: the same match with the usual start is another one.
    let outcome = emilia(&[&words[..5], &files].concat(), b"");
    assert!(outcome.err.contains("the log is of other games: start was \"mirrored\""), "{}", outcome.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_series_ends_with_a_table_and_saves_its_games() {
    let folder = std::env::temp_dir().join(format!("emilia-match-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("games.ggf");
    let words = ["match", "greedy", "random:seed=3", "--size", "6", "--games", "20", "--threads", "2"];
    let save = [&words[..], &["--save", file.to_str().unwrap()]].concat();
    let table = emilia(&save, b"").out;
    assert!(table.starts_with("20 games, 6×6\n"), "{table}");
    assert!(table.contains("Elo of greedy against random:seed=3: "), "{table}");
    let games = std::fs::read_to_string(&file).unwrap();
    assert_eq!(games.matches("(;GM[Othello]").count(), 20);
    assert_eq!(games.matches("PB[greedy]").count(), 10);

    let json: serde_json::Value =
        serde_json::from_str(&emilia(&[&words[..], &["--json"]].concat(), b"").out).unwrap();
    let number = |name: &str| json[name].as_u64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), 20);

    // The games are openings for another match.
    let again = ["match", "first", "greedy", "--size", "6", "--openings", file.to_str().unwrap()];
    assert_eq!(emilia(&again, b"").status, 0);
    let wrong = ["match", "first", "greedy", "--size", "8", "--openings", file.to_str().unwrap()];
    let outcome = emilia(&wrong, b"");
    assert!(outcome.err.ends_with("games.ggf holds no game on 8×8\n") && outcome.status == 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two copies of the same player: the sequential test sees no gain of a hundred Elo, and it ends after the same game
/// whatever the number of threads.
#[test]
fn a_sequential_test_stops_as_soon_as_it_is_clear_with_any_number_of_threads() {
    let words =
        ["match", "greedy", "greedy", "--size", "6", "--sprt", "0,100", "--openings", "random:4", "--json"];
    let read = |threads: &str| -> serde_json::Value {
        let outcome = emilia(&[&words[..], &["--threads", threads]].concat(), b"");
        serde_json::from_str(&outcome.out).unwrap()
    };
    let json = read("1");
    assert_eq!(json["sprt"]["verdict"], "not-stronger");
    let games = json["games"].as_u64().unwrap();
    assert!((10..400).contains(&games), "{games}");
    let threaded = read("3");
    for field in ["games", "wins", "draws", "losses", "pentanomial", "discs"] {
        assert_eq!(json[field], threaded[field], "{field}");
    }
    let stronger =
        emilia(&["match", "alphabeta:depth=3", "random", "--sprt", "0,50", "--size", "6"], b"").out;
    assert!(stronger.contains("Test of +0 against +50 Elo: gain, "), "{stronger}");
}

#[test]
fn a_file_of_opening_lines_is_played_with_both_colours() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/openings/balanced-8.txt");
    let lines = std::fs::read_to_string(file).expect(file);
    let folder = std::env::temp_dir().join(format!("emilia-openings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let save = folder.join("games.txt");
    let words =
        ["match", "first", "greedy", "--games", "6", "--openings", file, "--save", save.to_str().unwrap()];
    assert_eq!(emilia(&words, b"").status, 0);
    let games = std::fs::read_to_string(&save).unwrap();
    for (game, opening) in games.lines().zip(lines.lines().flat_map(|line| [line, line])) {
        assert!(game.starts_with(opening), "{game} does not begin with {opening}");
    }
    assert_eq!(games.lines().count(), 6);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Every move counts against the clock, and games are kept with evaluations and times.
#[test]
fn the_clock_is_kept_and_the_record_has_evaluations_and_times() {
    let folder = std::env::temp_dir().join(format!("emilia-clock-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let save = folder.join("games.ggf");
    let words = [
        "match",
        "emilia",
        "alphabeta:depth=2",
        "--size",
        "6",
        "--game-time",
        "2s",
        "--increment",
        "10ms",
        "--grace",
        "60s",
    ];
    let outcome = emilia(&[&words[..], &["--save", save.to_str().unwrap(), "--json"]].concat(), b"");
    let json: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(json["forfeits"], serde_json::json!([0, 0]), "{}", outcome.err);
    let games = std::fs::read_to_string(&save).unwrap();
    assert!(games.contains("TI[00:02/00:00.01/01:00]"), "{games}");
    let timed = games.matches('/').count();
    assert!(timed > 64, "{games}");
    // An hour of thinking in a tenth of a second is too much, and no reason to stop the match.
    let words =
        ["match", "mcts:playouts=3000000", "random", "--size", "4", "--move-time", "1ms", "--grace", "1ms"];
    let outcome = emilia(&[&words[..], &["--json"]].concat(), b"");
    let json: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(json["games"], 2, "{}", outcome.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_calls_are_refused_before_the_first_move() {
    for (words, sentence) in [
        (&["match", "greedy", "rndom"][..], "there is no player \"rndom\", did you mean random?"),
        (&["match", "first", "first", "--openings", "random:many"], "invalid value 'random:many'"),
        (
            &["match", "first", "first", "--size", "4", "--openings", "random:12"],
            "12 random moves leave nothing",
        ),
        (&["match", "first", "first", "--openings", "no/such/file"], "no/such/file: "),
        (
            &["match", "first", "first", "--save", "games.doc"],
            "games.doc has none of the endings .txt, .ggf, ",
        ),
        (&["match", "first", "first", "--games", "0"], "invalid value '0' for '--games <N>'"),
        (&["match", "first", "first", "--sprt", "5,0"], "invalid value '5,0' for '--sprt <ELO0,ELO1>'"),
        (
            &["match", "first", "first", "--sprt", "0,5", "--error-rate", "0.7"],
            "an error rate lies between 0 and 0.5",
        ),
        (
            &["match", "first", "first", "--move-time", "soon"],
            "invalid value 'soon' for '--move-time <TIME>'",
        ),
        (
            &["match", "first", "first", "--openings", "balanced", "--size", "6"],
            "balanced openings are for 8×8",
        ),
        (&["match", "first", "first", "--names", "one"], "--names takes two names"),
    ] {
        let outcome = emilia(words, b"");
        assert_ne!(outcome.status, 0);
        assert!(outcome.err.starts_with(&format!("emilia: {sentence}")), "{}", outcome.err);
        assert_eq!(outcome.out, "");
    }
}

/// With less left than the reserve, moves are made at once: so many positions, however fast or busy the machine is.
#[test]
fn the_reserve_of_the_clock_is_not_thought_away() {
    let words = ["match", "emilia:hash=1", "emilia:hash=1", "--games", "2", "--game-time", "30ms"];
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(words)
        .args(["--grace", "10m", "--json"])
        .output()
        .unwrap();
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for nodes in line["nodes_per_move"].as_array().unwrap() {
        assert!(nodes.as_f64().unwrap() < 150.0, "{line}");
    }
}
