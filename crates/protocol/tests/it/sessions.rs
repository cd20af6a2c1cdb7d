//! Sessions put together at random: every one comes to its end, and no command waits for another.

use emilia_protocol::{Identity, Session, gtp, jsonl, nboard, ugi};

use crate::talk::{End, Talk, talk};

const EMILIA: Identity<'_> = Identity { name: "Emilia", version: "1.0" };
/// Sessions of each protocol, and lines of each.
const SESSIONS: u64 = 2000;
const LINES: u64 = 12;

/// Lines of this vocabulary in random order, other ones for each seed.
fn script(vocabulary: &[&str], seed: u64) -> String {
    let mut dice = seed.wrapping_mul(2).wrapping_add(1);
    let mut throw = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    let count = 1 + seed % LINES;
    (0..count).map(|_| format!("{}\n", vocabulary[throw(vocabulary.len())])).collect()
}

fn try_all<S: Session>(vocabulary: &[&str], new: impl Fn() -> S, law: impl Fn(&str, &Talk)) {
    for seed in 0..SESSIONS {
        let text = script(vocabulary, seed);
        for end in End::BOTH {
            let talk = talk(new(), &text, end);
            if end == End::WhenQuiet {
                law(&text, &talk);
            }
        }
    }
}

/// The lines of a script that came to the server.
fn heard<'t>(text: &'t str, talk: &Talk) -> impl Iterator<Item = &'t str> {
    text.lines().filter(|line| !line.starts_with('!')).take(talk.heard)
}

#[test]
fn every_gtp_command_is_answered_without_waiting_for_another() {
    let vocabulary = [
        "name",
        "lz-analyze",
        "7 kata-analyze b 10",
        "analyze",
        "genmove b",
        "genmove w",
        "reg_genmove b",
        "emilia-best_moves",
        "play b d3",
        "undo",
        "clear_board",
        "boardsize 4",
        "loadsgf game.sgf",
        "loadsgf other.sgf 3",
        "showboard",
        "final_score",
        "gogui-interrupt",
        "# a remark",
        "nonsense",
        "quit",
        "!",
        "!",
        "!!",
    ];
    try_all(
        &vocabulary,
        || gtp::Server::new(EMILIA),
        |text, talk| {
            let commands = heard(text, talk).filter(|line| !line.starts_with('#')).count();
            let answers =
                talk.said[..talk.said_before_end].iter().filter(|said| said.starts_with(['=', '?']));
            assert_eq!(answers.count(), commands, "{text}{talk:?}");
        },
    );
}

#[test]
fn every_nboard_session_ends_and_is_awake() {
    let vocabulary = [
        "nboard 2",
        "hint 1",
        "hint 3",
        "go",
        "analyze",
        "ping 3",
        "set depth 4",
        "move D3",
        "move C3/1.0/2",
        "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[d3];)",
        "learn",
        "nonsense",
        "quit",
        "!",
        "!",
        "!!",
    ];
    try_all(
        &vocabulary,
        || nboard::Server::new("Emilia"),
        |text, talk| {
            let pings = heard(text, talk).filter(|line| line.starts_with("ping")).count();
            let pongs = talk.said.iter().filter(|said| said.starts_with("pong")).count();
            assert_eq!(pongs, pings, "{text}{talk:?}");
        },
    );
}

#[test]
fn every_ugi_session_ends_and_is_awake() {
    let vocabulary = [
        "ugi",
        "isready",
        "uginewgame",
        "go",
        "go infinite",
        "go movetime 100",
        "stop",
        "query gameover",
        "position startpos moves d3",
        "setoption name level value 3",
        "setoption name multipv value 2",
        "nonsense",
        "quit",
        "!",
        "!",
        "!!",
    ];
    try_all(
        &vocabulary,
        || ugi::Server::new("Emilia"),
        |text, talk| {
            let asked = heard(text, talk).filter(|line| *line == "isready").count();
            assert_eq!(talk.said.iter().filter(|said| *said == "readyok").count(), asked, "{text}{talk:?}");
        },
    );
}

#[test]
fn every_json_session_ends() {
    let vocabulary = [
        r#"{"id":"a","moves":"f5d6"}"#,
        r#"{"id":"b","moves":"f5d6c3","turns":[0,1,2],"report_every":0.1}"#,
        r#"{"id":"c","time":1,"lines":3}"#,
        r#"{"id":"d","action":"cancel","target":"a"}"#,
        r#"{"id":"e","action":"cancel_all"}"#,
        r#"{"id":"f","action":"forget"}"#,
        r#"{"id":"g","action":"statistics"}"#,
        r#"{"id":"h","action":"quit"}"#,
        "nonsense",
        "!",
        "!",
        "!!",
    ];
    try_all(
        &vocabulary,
        || jsonl::Desk::new(EMILIA, 2),
        |text, talk| {
            assert!(!talk.said.is_empty() || !text.contains('{'), "{text}{talk:?}");
        },
    );
}
