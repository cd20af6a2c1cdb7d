//! What holds for every text and every file, however damaged: the fuzz targets and the harness try the same laws.

#[path = "../../protocol/tests/it/talk.rs"]
#[allow(dead_code, reason = "the tests of the protocols use more of it")]
mod talk;

use emilia_protocol::{Client, Identity, Step, gtp as gtp_protocol, jsonl as jsonl_protocol};
use emilia_protocol::{nboard as nboard_protocol, ugi as ugi_protocol};
use emilia_query::Query;
use emilia_record::thor::{Archive, Directory, Names, Puzzles};
use emilia_record::{Format, Hint, WriteOptions, fen, transcript as plain};
use emilia_rules::{GridPosition, Setup, Size, parse_move};
use serde_json::Value;
use talk::{End, talk};

const EMILIA: Identity<'_> = Identity { name: "E", version: "1" };

/// A law for bytes. By its name the corpus of the fuzzer is found.
pub(crate) type Law = (&'static str, fn(&[u8]));

/// The laws of files and texts.
pub(crate) const READERS: &[Law] = &[
    ("board", |bytes| text(bytes, board)),
    ("ggf", |bytes| text(bytes, ggf)),
    ("json", |bytes| text(bytes, json)),
    ("move_text", |bytes| text(bytes, move_text)),
    ("obf", |bytes| text(bytes, obf)),
    ("pgn", |bytes| text(bytes, pgn)),
    ("quest", |bytes| text(bytes, quest)),
    ("read", read),
    ("setup_text", |bytes| text(bytes, setup_text)),
    ("sgf", |bytes| text(bytes, sgf)),
    ("thor", thor),
    ("transcript", |bytes| text(bytes, transcript)),
];

/// The laws of conversations.
pub(crate) const TALKS: &[Law] = &[
    ("clients", |bytes| text(bytes, clients)),
    ("gtp", |bytes| text(bytes, gtp)),
    ("jsonl", |bytes| text(bytes, jsonl)),
    ("nboard", |bytes| text(bytes, nboard)),
    ("ugi", |bytes| text(bytes, ugi)),
];

fn text(bytes: &[u8], law: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        law(text);
    }
}

/// A board reads as it is written, in one piece and in both short forms.
pub(crate) fn board(text: &str) {
    use emilia_record::board;
    if let Ok(position) = board::parse(text) {
        assert_eq!(board::parse(&board::write(&position)), Ok(position));
        assert_eq!(fen::parse(&fen::write(&position)), Ok(position));
        assert_eq!(fen::parse(&fen::write_xboard(&position)), Ok(position));
    }
    let _ = board::parse_scored(text);
}

/// What is read as a game is written as a text that reads as the same game.
macro_rules! reads_as_written {
    ($($format:ident)*) => {$(
        pub(crate) fn $format(text: &str) {
            use emilia_record::$format;
            if let Ok(game) = $format::parse(text) {
                let written = $format::write(&game);
                assert_eq!($format::parse(&written).as_ref(), Ok(&game), "{written}");
            }
        }
    )*};
}

reads_as_written! { ggf json pgn sgf transcript }

/// What is read as a move prints as a text that reads as the same move, on every board.
pub(crate) fn move_text(text: &str) {
    for size in Size::all() {
        if let Ok(mv) = parse_move(text, size) {
            assert_eq!(parse_move(&mv.to_string(), size), Ok(mv));
        }
    }
}

/// What is read as a scored position is written as a line that reads as the same, but for blanks in the comment.
pub(crate) fn obf(line: &str) {
    use emilia_record::obf;
    if let Ok(Some(mut exercise)) = obf::parse(line) {
        exercise.comment = exercise.comment.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(obf::parse(&obf::write_line(&exercise)), Ok(Some(exercise)));
    }
}

/// What is read as a game of Othello Quest has legal moves, so that its transcript reads as the same moves.
pub(crate) fn quest(text: &str) {
    use emilia_record::quest;
    if let Ok(game) = quest::parse(text) {
        let again = plain::parse(&plain::write(&game));
        assert!(again.is_ok_and(|again| again.main_line().eq(game.main_line())));
    }
}

/// Whatever the bytes, reading ends; what was read can be kept in our own format and reads the same.
pub(crate) fn read(bytes: &[u8]) {
    let Ok(reading) = emilia_record::read(bytes, &Hint::default()) else { return };
    let games = reading.into_games(&Directory::default());
    if games.is_empty() {
        return;
    }
    let kept = emilia_record::write(Format::Json, &games, &WriteOptions::default())
        .expect("our own format holds every game");
    let again = emilia_record::read(&kept, &Hint::default()).expect("our own format is recognised");
    assert_eq!(again.problems, []);
    assert_eq!(again.into_games(&Directory::default()), games);
}

/// What is read as a board prints as a text that reads as the same board; a position is a board again.
pub(crate) fn setup_text(text: &str) {
    let Ok(setup) = text.parse::<Setup>() else { return };
    assert_eq!(setup.to_string().parse(), Ok(setup));
    if let Ok(position) = setup.position() {
        assert_eq!(Setup::from(position), setup);
    }
}

/// A WTHOR file is written as it was read; the fast replay and the games made of it agree on what is legal.
pub(crate) fn thor(bytes: &[u8]) {
    if let Ok(archive) = Archive::parse(bytes) {
        assert_eq!(archive.to_bytes(), bytes);
        let replay = archive.replay();
        let directory = Directory::default();
        let games: Vec<_> = archive.games(&directory).collect();
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), replay.games);
        let broken: Vec<usize> =
            (0..).zip(&games).filter(|(_, game)| game.is_err()).map(|(number, _)| number).collect();
        assert!(broken.into_iter().eq(replay.broken.iter().map(|(number, _)| *number)));
    }
    if let Ok(names) = Names::parse(bytes) {
        assert_eq!(names.to_bytes(), bytes);
        assert_eq!(names.iter().count(), names.len());
    }
    if let Ok(puzzles) = Puzzles::parse(bytes) {
        assert_eq!(puzzles.to_bytes(), bytes);
        let _ = puzzles.exercises().count();
    }
}

/// Whatever an engine says, the client goes on or names what is wrong; it never takes an illegible word for a move.
pub(crate) fn clients(text: &str) {
    let clients: [Box<dyn Client>; 3] = [
        Box::new(gtp_protocol::Client::new()),
        Box::new(nboard_protocol::Client::new()),
        Box::new(ugi_protocol::Client::new()),
    ];
    for mut client in clients {
        let query = Query::new(GridPosition::default());
        client.ask(&query);
        for line in text.lines() {
            for step in client.line(line) {
                if let Step::Moved(word, Some(report)) = &step {
                    assert!(!word.is_empty() && report.best().is_some(), "{step:?}");
                }
                if matches!(step, Step::Moved(..)) {
                    client.ask(&query);
                }
            }
            let _ = (client.asked(), client.stop());
        }
    }
}

/// Every answer begins with a sign and ends with an empty line, and the session comes to its end.
pub(crate) fn gtp(text: &str) {
    for end in End::BOTH {
        for said in talk(gtp_protocol::Server::new(EMILIA), text, end).said {
            let info = said.is_empty() || said.starts_with("info move");
            assert!(info || said.starts_with(['=', '?']), "{said}");
            assert!(!said.trim_end_matches('\n').contains("\n\n"), "{said}");
        }
    }
}

/// Every line said is a message, each search brings exactly one final answer, and the session comes to its end.
pub(crate) fn jsonl(text: &str) {
    let statistics = format!("{text}\n{{\"id\":\"last\",\"action\":\"statistics\"}}");
    for end in End::BOTH {
        let mut answers = 0;
        for said in talk(jsonl_protocol::Desk::new(EMILIA, 2), &statistics, end).said {
            let message: Value = serde_json::from_str(&said).expect("every line is JSON");
            match message["type"].as_str().expect("every message has a type") {
                "answer" => answers += 1,
                "statistics" if message["id"] == "last" => assert_eq!(message["answers"], answers),
                _ => {}
            }
        }
    }
}

/// An engine says one line at a time, and the session comes to its end.
pub(crate) fn nboard(text: &str) {
    for end in End::BOTH {
        for said in talk(nboard_protocol::Server::new("E"), text, end).said {
            assert!(!said.contains('\n'), "{said}");
        }
    }
}

/// An engine says one line at a time, a best move is two words, and the session comes to its end.
pub(crate) fn ugi(text: &str) {
    for end in End::BOTH {
        for said in talk(ugi_protocol::Server::new("E"), text, end).said {
            assert!(!said.contains('\n'), "{said}");
            assert!(!said.starts_with("bestmove") || said.split_whitespace().count() == 2, "{said}");
        }
    }
}
