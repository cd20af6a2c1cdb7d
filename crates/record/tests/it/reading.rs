//! What is recognised in a file, what is read of it, and what is said about the rest.

use emilia_record::thor::{Archive, Header, Names, NamesKind};
use emilia_record::{
    Fault, Format, Game, Hint, Item, MAX_GAMES, PositionError, Problem, ReadError, WriteOptions, board, json,
    read, read_position, recognise, sgf, tag, transcript, write,
};
use emilia_rules::{GridPosition, Playable, Size};

fn game(moves: &str) -> Game {
    transcript::parse(moves).unwrap()
}

fn recognised(bytes: &[u8], file_name: Option<&str>) -> Option<Format> {
    recognise(bytes, &Hint { file_name }).ok()
}

/// A WTHOR file of some kind: its header, and so many bytes after it.
fn binary(header: Header, rest: usize) -> Vec<u8> {
    let header = Header { century: 20, year: 3, month: 4, day: 5, ..header };
    [header.to_bytes().to_vec(), vec![0; rest]].concat()
}

#[test]
fn binary_files_are_told_apart_by_their_length() {
    let header = |games, names, size, kind| Header { games, names, size, kind, ..Header::default() };
    for (header, rest, format) in [
        (header(2, 0, 8, 0), 2 * 68, Format::Wthor),
        (header(2, 0, 0, 0), 2 * 68, Format::Wthor),
        (header(3, 0, 10, 0), 3 * 104, Format::Wthor),
        (header(2, 40, 0, 1), 256 + 2 * 36, Format::Solitaires),
        (header(0, 13, 0, 0), 13 * 20, Format::Players),
        (header(0, 10, 0, 0), 10 * 26, Format::Tournaments),
        // Eight games are as long as eight solitaires: the header says which they are.
        (header(8, 20, 0, 0), 8 * 68, Format::Wthor),
        (header(8, 20, 0, 1), 256 + 8 * 36, Format::Solitaires),
    ] {
        assert_eq!(recognised(&binary(header, rest), None), Some(format), "{header:?}");
        for wrong in [rest - 1, rest + 1] {
            assert_eq!(recognised(&binary(header, wrong), None), None, "{header:?}");
            // Where the length is wrong, the name decides.
            assert_eq!(recognised(&binary(header, wrong), Some("a.trn")), Some(Format::Tournaments));
        }
        let other = Header { games: header.games + 1, ..header };
        assert_eq!(recognised(&binary(other, rest), None), None, "{other:?}");
    }
    for (header, rest) in [
        (header(0, 0, 8, 0), 0),
        (header(0, 0, 0, 1), 256),
        (header(2, 40, 0, 0), 256 + 2 * 36),
        (header(1, 4, 0, 0), 4 * 20),
        (header(1, 4, 0, 0), 4 * 26),
        (header(2, 0, 12, 0), 2 * 68),
    ] {
        assert_eq!(recognised(&binary(header, rest), None), None, "{header:?} {rest}");
    }
}

#[test]
fn a_date_that_cannot_be_makes_no_header() {
    let header = Header { century: 20, year: 99, month: 12, day: 31, games: 1, ..Header::default() };
    let file = |header: Header| [header.to_bytes().to_vec(), vec![0; 68]].concat();
    for century in [19, 20, 21] {
        assert_eq!(recognised(&file(Header { century, ..header }), None), Some(Format::Wthor), "{century}");
    }
    for wrong in [
        Header { century: 18, ..header },
        Header { century: 22, ..header },
        Header { year: 100, ..header },
        Header { month: 13, ..header },
        Header { day: 32, ..header },
    ] {
        assert_eq!(recognised(&file(wrong), None), None, "{wrong:?}");
        assert_eq!(recognised(&file(wrong), Some("a.wtb")), Some(Format::Wthor), "{wrong:?}");
    }
}

#[test]
fn a_name_decides_only_where_the_text_does_not() {
    for (text, name, format) in [
        ("hello", "a.txt", Some(Format::Transcript)),
        ("hello", "a.sgf", Some(Format::Sgf)),
        ("hello", "a.wtb", None),
        ("hello", "a.doc", None),
        ("[Event \"\u{8}\"]\n\n1. f5 *", "a.wtb", Some(Format::Pgn)),
        ("[Event \"\u{7}\"]\n\n1. f5 *", "a.wtb", Some(Format::Wthor)),
        ("f5d6", "a.sgf", Some(Format::Transcript)),
    ] {
        assert_eq!(recognised(text.as_bytes(), Some(name)), format, "{text:?} in {name}");
    }
}

#[test]
fn texts_that_look_alike_are_told_apart() {
    for (text, format) in [
        ("(;TY[8]B[f5];)", Some(Format::Ggf)),
        ("(;BO[8 ---]B[f5];)", Some(Format::Ggf)),
        ("(;GM[ 2]B[f5])", Some(Format::Sgf)),
        ("(;FF[4];B[f5])", Some(Format::Sgf)),
        ("12\n (;GM[Othello]B[f5];)", Some(Format::Ggf)),
        ("( ;FF[4];B[f5])", Some(Format::Sgf)),
        ("[ {\"m\":1}]", Some(Format::Quest)),
        ("[{\"format\":\"emilia-game\"}]", Some(Format::Json)),
        ("[x{", Some(Format::Pgn)),
        // Two rows of eight are as many squares as a board of 4×4, but no picture of one.
        ("---OX---\n---XO---\n", None),
        ("----\n-OX\n-XO--\n----\n", None),
        ("----\n-OX-\n-XO-\n----\n", Some(Format::Board)),
        ("-----OX--XO----- X; b1:+2", Some(Format::Obf)),
        ("-----OX--XO----- X; b1", Some(Format::Transcript)),
        ("-----OX--XO----- X % words", Some(Format::Obf)),
        ("-----OX--XO----- X +2", Some(Format::Board)),
        ("1. f5 {why}", Some(Format::Pgn)),
        ("1. zz {why}", None),
        ("x f5", None),
    ] {
        assert_eq!(recognised(text.as_bytes(), None), format, "{text:?}");
    }
    for text in ["", " \n\t"] {
        assert_eq!(recognise(text.as_bytes(), &Hint::default()), Err(ReadError::Empty));
    }
    let long = format!("?{}", "é".repeat(100));
    let start = long.chars().take(40).collect();
    assert_eq!(recognise(long.as_bytes(), &Hint::default()), Err(ReadError::Unrecognised(start)));
}

#[test]
fn a_character_cut_in_two_does_not_change_how_a_text_is_read() {
    // Recognising looks at the first mebibyte; somewhere in these, a character lies across its end.
    let picture = "····\n·○●·\n·●○·\n····\n\n";
    let text = picture.repeat((1 << 20) / picture.len() + 2);
    for blanks in 0..3 {
        let shifted = format!("{}{text}", " ".repeat(blanks));
        assert_eq!(recognised(shifted.as_bytes(), None), Some(Format::Board), "{blanks}");
    }
    // At the end of a file half a character is one of ISO 8859-1, and here no move.
    let reading = read(b"f5d6\xc3", &Hint::default()).unwrap();
    assert_eq!((reading.items.len(), reading.problems.len()), (0, 1));
}

#[test]
fn a_file_may_be_as_long_as_its_format_says() {
    let limit = Format::Json.byte_limit();
    let text = json::write(&game("f5"));
    let file = |length: usize| format!("{text}{}", "\n".repeat(length - text.len()));
    assert_eq!(read(file(limit).as_bytes(), &Hint::default()).unwrap().items.len(), 1);
    let error = read(file(limit + 1).as_bytes(), &Hint::default()).unwrap_err();
    assert_eq!(error, ReadError::TooLarge { format: Format::Json, length: limit + 1, limit });
}

#[test]
fn a_million_games_are_read_and_no_more() {
    let file = |games: usize| format!("[{}]", vec!["{}"; games].join(","));
    let reading = read(file(MAX_GAMES).as_bytes(), &Hint::default()).unwrap();
    assert!(
        reading.problems.len() == MAX_GAMES && reading.problems.iter().all(|p| p.fault == Fault::NoMoves)
    );
    let reading = read(file(MAX_GAMES + 2).as_bytes(), &Hint::default()).unwrap();
    assert_eq!(reading.problems.len(), MAX_GAMES + 1);
    let last = Problem { game: MAX_GAMES + 1, fault: Fault::TooMany(MAX_GAMES) };
    assert_eq!(reading.problems.last(), Some(&last));
}

#[test]
fn a_text_may_be_one_position() {
    let mut played = game("f5d6c3");
    played.to_end();
    let start = GridPosition::default();
    for (text, position) in [
        (board::write(&start), start),
        (board::write(played.position()), *played.position()),
        ("f5d6c3".to_owned(), *played.position()),
        (sgf::write(&played), *played.position()),
    ] {
        assert_eq!(read_position(&text), Ok(position), "{text}");
    }
    assert_eq!(read_position("f5d6\nf5f6\n"), Err(PositionError::Several(2)));
    assert_eq!(read_position("f5d6\nf5f6\nf5f4"), Err(PositionError::Several(3)));
    assert_eq!(read_position("nothing of the kind"), Err(PositionError::Neither));
    let mut names = Names::new(NamesKind::Players, Header { century: 20, ..Header::default() });
    names.add("Tom");
    let names = String::from_utf8(names.to_bytes()).unwrap();
    assert_eq!(read_position(&names), Err(PositionError::Neither));
    let fault = transcript::parse("f5f5").unwrap_err();
    assert_eq!(read_position("f5f5"), Err(PositionError::Fault(fault)));
}

#[test]
fn broken_games_of_an_archive_are_left_out_of_it() {
    let games = ["f5d6", "f5f6", "f5f4", "d3c5", "d3e3"].map(game);
    let mut bytes = write(Format::Wthor, &games, &WriteOptions::default()).unwrap();
    for number in [1, 4] {
        bytes[16 + number * 68 + 8 + 1] = 11;
    }
    bytes.extend([0; 5]);
    let reading = read(&bytes, &Hint { file_name: Some("a.wtb") }).unwrap();
    let numbers: Vec<usize> = reading.problems.iter().map(|problem| problem.game).collect();
    assert_eq!(numbers, [2, 5, 6]);
    let [Item::Archive(archive)] = reading.items.as_slice() else { panic!() };
    let kept: Vec<String> = archive.records().map(|record| record.to_string()).collect();
    assert_eq!((archive.len(), kept), (3, ["f5d6", "f5f4", "d3c5"].map(str::to_owned).into()));
    // Without broken games it is as it was.
    let whole = write(Format::Wthor, &games, &WriteOptions::default()).unwrap();
    let reading = read(&whole, &Hint::default()).unwrap();
    assert_eq!(reading.items, [Item::Archive(Archive::parse(&whole).unwrap())]);
}

#[test]
fn after_a_broken_game_json_goes_on_at_the_next() {
    let good = |moves: &str| json::write(&game(moves));
    let text = [
        &good("f5"),
        "{\"format\": oops }",
        &good("d3"),
        &format!("[{}, 7,\n{}]", good("c4"), good("e6")),
        "{",
        &good("f5d6"),
    ]
    .join("\n");
    let reading = read(text.as_bytes(), &Hint::default()).unwrap();
    assert_eq!(reading.format, Format::Json);
    let numbers: Vec<usize> = reading.problems.iter().map(|problem| problem.game).collect();
    assert_eq!(numbers, [2, 5, 7]);
    assert_eq!(reading.problems[1], Problem { game: 5, fault: Fault::NoMoves });
    let moves: Vec<String> = reading.into_games(&Default::default()).iter().map(transcript::write).collect();
    assert_eq!(moves, ["f5", "d3", "c4", "e6", "f5d6"]);
}

#[test]
fn boards_are_written_one_a_line() {
    let mut games = ["f5d6", "f5"].map(game);
    games[1].to_end();
    let text = String::from_utf8(write(Format::Board, &games, &WriteOptions::default()).unwrap()).unwrap();
    assert_eq!(text, format!("{}\n{}\n", games[0].start(), games[1].position()));
    for format in [Format::Quest, Format::Players, Format::Tournaments, Format::Solitaires] {
        let error = write(format, &games, &WriteOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("games cannot be written as {format}"));
    }
}

#[test]
fn tags_of_sgf_are_one_or_two_capitals() {
    let game = sgf::parse("(;GM[2]Xy[1]ABC[2]KM[3]a[4]Z[5]QQ[6][7];B[f5])").unwrap();
    assert_eq!(game.tags.iter().collect::<Vec<_>>(), [("KM", "3"), ("Z", "5")]);
    assert_eq!((game.size(), game.start().counts().empty), (Size::EIGHT, 60));
}

#[test]
fn a_file_of_wthor_says_when_it_was_made_and_when_its_games_were_played() {
    let mut first = game("f5d6");
    first.tags.set(tag::DATE, "1987.05.06");
    first.tags.set(tag::THEORY_DEPTH, "24");
    let header = |games: &[Game], created| {
        let options = WriteOptions { created, ..WriteOptions::default() };
        Header::parse(&write(Format::Wthor, games, &options).unwrap()).unwrap()
    };
    let made = Header { century: 20, year: 31, month: 12, day: 24, games: 2, ..Header::default() };
    let expected = Header { played: 1987, depth: 24, size: 0, ..made };
    assert_eq!(header(&[first, game("d3")], Some((2031, 12, 24))), expected);
    let plain = Header { century: 20, year: 0, month: 1, day: 1, ..Header::default() };
    assert_eq!(header(&[], None), plain);
}
