//! Examples that other people published.

use emilia_record::thor::{Archive, Directory};
use emilia_record::{Format, Hint, Item, board, ggf, obf, read, sgf, tag, transcript};
use emilia_rules::{GridPosition, Playable};

/// The 84 bytes of a well-known example file of WTHOR.
fn wthor_example() -> Vec<u8> {
    let hex = "14010405010000000000bc0700000000\
               4600bd012c021f27\
               382e2318191a0f42414a2f2224101125392643444b544c3f5556535235492b0e0d403a304d2021341f2a3d29331617153e474e58571b121c51480b0c";
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn the_wthor_example_says_what_its_author_says() {
    let bytes = wthor_example();
    assert_eq!(bytes.len(), 84);
    let archive = Archive::parse(&bytes).unwrap();
    let header = archive.header();
    assert_eq!((header.century, header.year, header.month, header.day), (20, 1, 4, 5));
    assert_eq!((header.games, header.played), (1, 1980));
    let record = archive.records().next().unwrap();
    assert_eq!((record.tournament(), record.black(), record.white()), (70, 445, 556));
    assert_eq!((record.score(), record.theory()), (31, 39));
    let moves = "f5f4e3d2e2f2e1f6e6d7g4d3f3f1g1g3g5h3g6h6e7d8f7c6e8f8c8b8c5c7c4d1c1d6h5h4g7b3c3b5a3b4a6a4a5b2c2a2b6a7h7h8g8g2h1h2a8b7a1b1";
    assert_eq!(record.to_string(), moves);
    let mut game = record.to_game(&Directory::default()).unwrap();
    assert_eq!(transcript::write(&game), moves);
    assert_eq!(game.tags.value(tag::BLACK_NUMBER), Some("445"));
    game.to_end();
    assert_eq!(game.position().counts().to_string(), "31-33");
    assert_eq!(archive.replay().confirmed, 1);
    assert_eq!(read(&bytes, &Hint::default()).unwrap().format, Format::Wthor);
}

#[test]
fn a_cut_file_gives_the_games_that_are_whole() {
    let mut bytes = wthor_example();
    bytes[4] = 2;
    bytes.extend([0; 30]);
    let hint = Hint { file_name: Some("WTH_1980.wtb") };
    let reading = read(&bytes, &hint).unwrap();
    assert_eq!(
        reading.problems[0].to_string(),
        "game 2: the file is 114 bytes long, but its header asks for 152"
    );
    let [Item::Archive(archive)] = reading.items.as_slice() else { panic!() };
    assert_eq!(archive.len(), 1);
}

#[test]
fn the_first_forum_position_has_twenty_empties() {
    let line = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; D8:+34;";
    let exercise = obf::parse(line).unwrap().unwrap();
    assert_eq!(exercise.position.counts().empty, 20);
    assert_eq!(exercise.score(), Some(38));
    assert_eq!(obf::write_line(&exercise), line);
}

#[test]
fn the_start_has_many_spellings() {
    let start = GridPosition::default();
    for text in [
        "---------------------------OX------XO--------------------------- X",
        "...........................OX......XO...........................X",
        "___________________________wb______bw___________________________*",
        "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\n",
        "8/8/8/3ox3/3xo3/8/8/8 x",
        "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1",
    ] {
        assert_eq!(board::parse(text).unwrap(), start, "{text}");
        let reading = read(text.as_bytes(), &Hint::default()).unwrap();
        assert_eq!((reading.format, reading.items.len()), (Format::Board, 1), "{text}");
    }
    let text = "(;FF[4]GM[2]SZ[8]PB[..]PW[..]AB[e4][d5]AW[d4][e5]PL[B]RE[B+12];B[f5];W[d6])";
    assert_eq!(*sgf::parse(text).unwrap().start(), start);
    let text =
        "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *];)";
    assert_eq!(*ggf::parse(text).unwrap().start(), start);
}

#[test]
fn each_format_is_recognised_without_a_name() {
    for (text, format) in [
        ("f5d6c3d3c4", Format::Transcript),
        ("1. F5 2. d6", Format::Transcript),
        ("---------------------------OX------XO--------------------------- X;f5d6", Format::Transcript),
        ("2 (;GM[Othello]TY[s8];)(;GM[Othello]TY[s8];)", Format::Ggf),
        ("(;GM[2];B[f5])", Format::Sgf),
        ("[Event \"x\"]\n\n1. f5 *", Format::Pgn),
        ("1. f5 (1. c4) d6 {words}", Format::Pgn),
        ("\u{feff}% positions\n", Format::Obf),
        ("{\"format\":\"emilia-game\",\"version\":1,\"size\":6,\"moves\":[]}", Format::Json),
        ("{\"players\":[],\"position\":{\"moves\":[{\"m\":\"f5\"}]}}", Format::Quest),
    ] {
        let reading = read(text.as_bytes(), &Hint { file_name: Some("x.wtb") }).unwrap();
        assert_eq!(reading.format, format, "{text}");
        assert_eq!(reading.problems, [], "{text}");
    }
    let synchro = read(b"2 (;GM[Othello]TY[s8];)(;GM[Othello]TY[s8];)", &Hint::default()).unwrap();
    assert_eq!(synchro.items.len(), 2);
    let latin = read(b"(;GM[Othello]PB[\xc9milie]B[f5];)", &Hint::default()).unwrap();
    assert_eq!(latin.into_games(&Default::default())[0].tags.value(tag::BLACK), Some("Émilie"));
    for text in ["", "  \n", "hello world", "\0\0\0\0", "<svg>"] {
        assert!(read(text.as_bytes(), &Hint::default()).is_err(), "{text:?}");
    }
}
