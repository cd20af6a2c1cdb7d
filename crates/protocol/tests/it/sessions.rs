//! Sessions put together at random: every one comes to its end, and no command waits for another.

use emilia_protocol::{Identity, Session, gtp, jsonl, nboard, ugi};

use crate::talk::{End, Talk, talk};
use crate::vocabulary;

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

/// Sessions of both kinds: those that think while the other side does, and those that do not.
fn try_all<S: Session>(vocabulary: &[&str], new: impl Fn(bool) -> S, law: impl Fn(&str, &Talk)) {
    for seed in 0..SESSIONS {
        let text = script(vocabulary, seed);
        for (end, ponder) in End::BOTH.into_iter().flat_map(|end| [(end, false), (end, true)]) {
            let talk = talk(new(ponder), &text, end);
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
    try_all(
        vocabulary::GTP,
        |ponder| gtp::Server::new(EMILIA).pondering(ponder),
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
    try_all(
        vocabulary::NBOARD,
        |ponder| nboard::Server::new("Emilia").pondering(ponder),
        |text, talk| {
            let pings = heard(text, talk).filter(|line| line.starts_with("ping")).count();
            let pongs = talk.said.iter().filter(|said| said.starts_with("pong")).count();
            assert_eq!(pongs, pings, "{text}{talk:?}");
        },
    );
}

#[test]
fn every_ugi_session_ends_and_is_awake() {
    try_all(
        vocabulary::UGI,
        |ponder| ugi::Server::new("Emilia").pondering(ponder),
        |text, talk| {
            let asked = heard(text, talk).filter(|line| *line == "isready").count();
            assert_eq!(talk.said.iter().filter(|said| *said == "readyok").count(), asked, "{text}{talk:?}");
        },
    );
}

#[test]
fn every_json_session_ends() {
    try_all(
        vocabulary::JSONL,
        |_| jsonl::Desk::new(EMILIA, 2),
        |text, talk| {
            assert!(!talk.said.is_empty() || !text.contains('{'), "{text}{talk:?}");
        },
    );
}
