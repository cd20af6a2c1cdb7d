//! Records on the command line: `convert` and `show`.

use std::path::PathBuf;

use crate::common::emilia;

/// A folder for one test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder of the tests can be written");
    folder
}

#[test]
fn a_record_goes_through_every_format_and_comes_back() {
    let folder = folder("convert");
    let mut last = b"f5d6c3d3c4f4\n".to_vec();
    for format in ["ggf", "sgf", "pgn", "json", "wtb", "transcript"] {
        let outcome = emilia(&["convert", "--to", format, "-", "-o"], &last);
        assert_eq!(outcome.status, 2, "-o needs a name");
        let file = folder.join(format!("game.{format}"));
        let name = file.to_str().unwrap();
        let outcome = emilia(&["convert", "--to", format, "-", "-o", name], &last);
        assert_eq!((outcome.out.as_str(), outcome.err.as_str(), outcome.status), ("", "", 0), "{format}");
        last = std::fs::read(&file).unwrap();
    }
    assert_eq!(String::from_utf8(last).unwrap(), "f5d6c3d3c4f4\n");
    // The end of the name tells the format, in and out.
    let (pgn, sgf) = (folder.join("game.pgn"), folder.join("again.sgf"));
    let outcome = emilia(&["convert", pgn.to_str().unwrap(), "-o", sgf.to_str().unwrap()], b"");
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    assert!(std::fs::read_to_string(&sgf).unwrap().starts_with("(;FF[4]GM[2]"));
}

#[test]
fn broken_games_are_named_and_the_others_written() {
    let outcome = emilia(&["convert", "--to", "transcript", "-"], b"f5d6\nf5a1\nf5f6\n");
    assert_eq!(outcome.out, "f5d6\nf5f6\n");
    assert_eq!(
        outcome.err,
        "-: game 2: move 2, \"a1\": a1 flips nothing\nemilia: one game could not be read; the others are written\n"
    );
    assert_eq!(outcome.status, 1);
}

#[test]
fn what_cannot_be_converted_is_one_sentence() {
    for (words, sentence, status) in [
        (&["convert", "-"][..], "say which format to write: --to FORMAT, or -o with a name that tells", 2),
        (
            &["convert", "--to", "quest", "-"],
            "invalid value 'quest' for '--to <FORMAT>' [possible values: transcript, board, obf, ggf, sgf, pgn, json, wthor]",
            2,
        ),
        (
            &["convert", "--to", "pgn", "/no/such/file"],
            "/no/such/file: No such file or directory (os error 2)",
            1,
        ),
        (&["convert", "--to", "pgn", "-"], "-: the file is empty", 1),
        (
            &["show", "hello"],
            "\"hello\" is neither a file nor a game: no game record is recognised in text that begins \"hello\"",
            1,
        ),
        (&["show", "f5f5"], "game 1: move 2, \"f5\": f5 is occupied", 1),
        (&["show", "f5", "--ply", "2"], "the game has only 1 moves, not 2", 1),
        (&["show", "f5", "--game", "2"], "there is no game 2 among 1", 1),
    ] {
        let outcome = emilia(words, b"");
        assert_eq!(
            (outcome.out.as_str(), outcome.err.as_str()),
            ("", format!("emilia: {sentence}\n").as_str())
        );
        assert_eq!(outcome.status, status, "{words:?}");
    }
}

#[test]
fn show_draws_the_last_position_or_any_other() {
    let outcome = emilia(&["show", "-----OX--XO----- X;b1", "--legal"], b"");
    let drawn =
        "  a b c d\n1 *(X)* .\n2 . X X .\n3 * X O .\n4 . . . .\nblack 4, white 1, move 1 b1, white to move\n";
    assert_eq!(outcome.out, drawn);
    let outcome = emilia(&["show", "f5d6c3", "--ply", "0", "--style", "discs"], b"");
    assert!(outcome.out.contains("4 · · · ○ ● · · ·\n"), "{}", outcome.out);
    assert!(outcome.out.ends_with("black 2, white 2, black to move\n"));
    let outcome =
        emilia(&["show", "-", "--game", "2"], b"[White \"Kitty\"]\n1. f5 *\n[Black \"Tom\"]\n1. d3 *\n");
    assert!(outcome.out.starts_with("Tom (black) – ? (white)\ngame 2 of 2\n"), "{}", outcome.out);
}

/// However a board is spelled, and with whatever character it begins, every command takes it for the same position.
#[test]
fn every_spelling_of_a_board_is_understood_by_every_command() {
    let commands: [&[&str]; 6] = [
        &["show", "--json"],
        &["eval", "--json"],
        &["tree", "--search", "alphabeta:depth=2"],
        &["perft", "1", "--json", "--position"],
        &["solve", "--json"],
        &["analyse", "--depth", "2", "--json"],
    ];
    let answer = |command: &[&str], board: &str| {
        let outcome = emilia(&[command, &[board]].concat(), b"");
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0), "{command:?} {board:?}");
        // How long it took is another matter.
        outcome.out.split_once("\"seconds\"").map_or(outcome.out.clone(), |(before, _)| before.to_owned())
    };
    for command in commands {
        let usual = answer(command, "-----OX--XO----- O");
        for board in [
            "-----ox--xo----- o",
            "-----OX--XO-----O",
            "-----WB--BW----- white",
            "UUUUUWBUUBWUUUUU W",
            ".....0*..*0..... W",
            "+++++○●++●○+++++ ○",
            "·····○●··●○·····○",
            "-----○●--●○----- ○",
            "---- -OX- -XO- ---- O",
            "----\n-OX-\n-XO-\n----\nO",
            "- - - -\n- O X -\n- X O -\n- - - -\nO",
            "4/1ox1/1xo1/4 o",
            "----/1ox1/1xo1/4 o",
        ] {
            assert_eq!(answer(command, board), usual, "{command:?} {board:?}");
        }
        for short in ["-----OX--XO---- O", "---- -OX- -XO- --- O", "-----○●--●○---- ○"] {
            let outcome = emilia(&[command, &[short]].concat(), b"");
            assert_ne!(outcome.status, 0, "{command:?} {short:?}");
            assert!(outcome.err.contains("15 squares are not a board"), "{command:?}: {}", outcome.err);
        }
    }
}

#[test]
fn drawn_discs_are_read_as_they_were_drawn() {
    let drawn = emilia(&["show", "f5d6", "--style", "discs"], b"").out;
    let rows: Vec<&str> = drawn.lines().skip(1).take(8).map(|row| &row[1..]).collect();
    let board = rows.join("\n").replace(['(', ')'], " ");
    let json: serde_json::Value =
        serde_json::from_str(&emilia(&["show", "--json", &board], b"").out).unwrap();
    assert_eq!(json["board"], "---------------------------OX------OXX-----O-------------------- X");
}

#[test]
fn show_speaks_svg_and_json() {
    let svg = emilia(&["show", "f5", "--svg", "--legal"], b"").out;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("class=\"legal\"").count(), 3);
    let json: serde_json::Value = serde_json::from_str(&emilia(&["show", "f5", "--json"], b"").out).unwrap();
    assert_eq!(json["board"], "---------------------------OX------XXX-------------------------- O");
    assert_eq!(json["legal"], serde_json::json!(["f4", "d6", "f6"]));
    assert_eq!((json["last"].as_str(), json["ply"].as_u64()), (Some("f5"), Some(1)));
}

/// The sample file of the format's description: converted to its own format it stays the same to the byte.
#[test]
fn a_wthor_file_converted_to_wthor_keeps_every_byte() {
    const SAMPLE: &str = "14010405010000000000bc0700000000\
        4600bd012c021f27382e2318191a0f42414a2f2224101125392643444b544c3f5556535235492b0e0d403a304d2021341f2a3d29\
        331617153e474e58571b121c51480b0c";
    let bytes: Vec<u8> =
        (0..SAMPLE.len()).step_by(2).map(|at| u8::from_str_radix(&SAMPLE[at..at + 2], 16).unwrap()).collect();
    let folder = std::env::temp_dir().join(format!("emilia-wthor-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (from, to) = (folder.join("from.wtb"), folder.join("to.wtb"));
    std::fs::write(&from, &bytes).unwrap();
    let outcome = emilia(&["convert", from.to_str().unwrap(), "-o", to.to_str().unwrap()], b"");
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    assert_eq!(std::fs::read(&to).unwrap(), bytes);
    std::fs::remove_dir_all(&folder).unwrap();
}
