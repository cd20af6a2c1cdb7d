//! Sessions of every protocol, put together at random and damaged: nothing panics, nothing hangs, and every answer has
//! the form of its protocol. Now and then one is held with the real program.

use std::io::Write;
use std::process::Stdio;

use crate::laws::{Law, TALKS};
use crate::part::{Round, Tally};
use crate::programs::{emilia, wait};
use crate::random::damage::damage;
use crate::random::vocabulary::{GTP, JSONL, NBOARD, UGI};

/// Most lines of a session.
const LINES: u64 = 14;

pub(crate) fn round(round: &mut Round) -> Tally {
    let sessions = round.scaled(10_000, 1_000);
    for number in 0..sessions {
        let (name, law): &Law = round.pick(TALKS);
        let mut text = script(round, name);
        if number % 3 != 0 {
            damage(&mut text, &mut round.random);
        }
        law(&text);
    }
    let real = round.scaled(4, 2);
    for _ in 0..real {
        with_the_program(round);
    }
    Tally::of(sessions + real).count("with the real program", real)
}

/// What is said in this protocol, in random order. An engine's side is made of what engines say.
fn script(round: &mut Round, protocol: &str) -> Vec<u8> {
    let vocabulary = match protocol {
        "gtp" => GTP,
        "nboard" => NBOARD,
        "ugi" => UGI,
        "jsonl" => JSONL,
        _ => ENGINES,
    };
    let lines = 1 + round.below(LINES);
    (0..lines).flat_map(|_| [round.pick(vocabulary).as_bytes(), b"\n"].concat()).collect()
}

/// What engines say in GTP, NBoard and UGI.
const ENGINES: &[&str] = &[
    "= d3",
    "=",
    "",
    "? unknown command",
    "= PASS",
    "=1 resign",
    "=== d3/1.5/2.0",
    "=== PASS",
    "pong 1",
    "status thinking",
    "nodestats 100 0.5",
    "search d3 +1.2 0 6",
    "id name x",
    "ugiok",
    "readyok",
    "bestmove d3",
    "bestmove 0000",
    "info depth 4 score cp 12 pv d3 c3",
    "response true",
];

/// The input of the real program ends whatever was being searched, and so does the program.
fn with_the_program(round: &mut Round) {
    let protocol = *round.pick(&["gtp", "nboard", "ugi", "jsonl"]);
    let mut text = script(round, protocol);
    if round.below(2) == 0 {
        damage(&mut text, &mut round.random);
    }
    // The shallowest play there is: this is about the conversation.
    let mut child = emilia()
        .args([protocol, "--player", "first"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Whoever has quit does not listen any more.
    let _ = child.stdin.take().unwrap().write_all(&text);
    let status = wait(&mut child, &format!("{protocol}: {}", String::from_utf8_lossy(&text)));
    assert!(status.code().is_some_and(|code| code < 3), "{status}: {}", String::from_utf8_lossy(&text));
}
