//! The program over its protocols, as a real process: commands during a search, the end of the input, and other programs
//! as players.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::common::emilia;
use serde_json::Value;

/// A running program and what it says.
pub(crate) struct Talk {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    heard: Receiver<String>,
}

impl Talk {
    pub(crate) fn start(words: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, heard) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Talk { input: child.stdin.take(), child, heard }
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line that begins like this.
    pub(crate) fn hear(&self, start: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line =
                self.heard.recv_timeout(left).unwrap_or_else(|_| panic!("nothing like {start:?} came"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Waits for the end of the program.
    pub(crate) fn ends(mut self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(30);
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().unwrap();
        false
    }
}

/// The delay is a few milliseconds, and without an interruption there is no end: the tests run beside others on a
/// busy machine.
pub(crate) const AT_ONCE: Duration = Duration::from_secs(15);

#[test]
fn a_ping_interrupts_an_endless_search() {
    let mut talk = Talk::start(&["nboard"]);
    talk.say("nboard 2");
    talk.say("hint 4");
    talk.hear("search");
    let begin = Instant::now();
    talk.say("ping 5");
    talk.hear("pong 5");
    assert!(begin.elapsed() < AT_ONCE, "{:?}", begin.elapsed());
    talk.say("set game (;GM[Othello]TY[8]B[f5];)");
    talk.say("set depth 2");
    talk.say("go");
    assert!(talk.hear("===").len() > 6);
    talk.say("hint 1");
    talk.say("quit");
    assert!(talk.ends());
}

#[test]
fn a_stop_brings_the_best_move_at_once() {
    let mut talk = Talk::start(&["ugi"]);
    talk.say("go infinite");
    talk.hear("info");
    let begin = Instant::now();
    talk.say("stop");
    talk.hear("bestmove");
    assert!(begin.elapsed() < AT_ONCE, "{:?}", begin.elapsed());
    // The end of the input ends an endless search.
    talk.say("go infinite");
    talk.input = None;
    talk.hear("bestmove");
    assert!(talk.ends());
}

/// Analyses end with the next command, also with one that was said while an earlier analysis went on.
#[test]
fn an_analysis_that_waited_ends_for_what_waits_behind_it() {
    let mut talk = Talk::start(&["gtp"]);
    for line in ["1 lz-analyze", "2 lz-analyze", "3 genmove b", "4 lz-analyze", "5 name"] {
        talk.say(line);
    }
    talk.hear("=5 ");
    talk.say("6 lz-analyze");
    talk.say("7 lz-analyze");
    talk.input = None;
    talk.hear("=7");
    assert!(talk.ends(), "the end of the input ends analyses that wait");
    // Hints that began without a depth go on for ever, whatever depth is set later.
    let mut talk = Talk::start(&["nboard"]);
    talk.say("hint 1");
    talk.say("set depth 20");
    talk.input = None;
    assert!(talk.ends());
}

/// A controller that keeps the pipe open and waits for the program to go.
#[test]
fn quit_during_a_search_ends_the_program_though_its_input_stays_open() {
    let mut talk = Talk::start(&["gtp", "--player", "emilia:level=30"]);
    talk.say("1 genmove black");
    talk.say("2 quit");
    talk.hear("=1 ");
    talk.hear("=2");
    assert!(talk.ends());
}

#[test]
fn what_was_asked_is_answered_after_the_end_of_the_input() {
    let outcome = emilia(&["gtp", "--player", "emilia:level=2"], b"genmove b\ngenmove w\nname");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    let answers: Vec<&str> = outcome.out.split("\n\n").collect();
    assert_eq!((answers.len(), answers[2]), (4, "= emilia:level=2"));
    let outcome = emilia(&["gtp"], &[b"name\n".as_slice(), &vec![b'x'; 3 << 20], b"\n2 version\n"].concat());
    assert!(outcome.out.contains("? a line of 3145728 bytes is too long\n\n=2 "), "{}", outcome.out);
}

#[test]
fn every_player_can_be_served() {
    for player in ["alphabeta:depth=3,eval=kukreja", "random:seed=3", "mcts:playouts=20", "s1"] {
        let outcome =
            emilia(&["gtp", "--player", player], b"boardsize 6\ngenmove b\ngogui-rules_side_to_move\n");
        assert!(outcome.out.ends_with("= white\n\n"), "{player}: {}", outcome.out);
        let outcome = emilia(&["nboard", "--player", player], b"go\n");
        assert!(outcome.out.contains("\n=== "), "{player}: {}", outcome.out);
    }
    let outcome = emilia(&["ugi", "--player", "alphabet"], b"");
    assert_eq!(outcome.status, 2);
    assert!(outcome.err.contains("did you mean alphabeta?"), "{}", outcome.err);
}

#[test]
fn questions_get_one_final_answer_each() {
    let input = br#"{"id":"a","moves":"f5d6c3","turns":[0,1,2,3],"level":2,"lines":3,"report_every":0}
{"id":"b","size":6,"level":2,"lines":2}
{"id":"c","avoid":["d3","c4","e6"],"depth":4}
{"id":"d","player":"nobody"}
{"id":"e","position":"OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXXX-- X","aim":"outcome"}
"#;
    let outcome = emilia(&["jsonl", "--workers", "2"], input);
    let messages: Vec<Value> = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let finals = |id: &str| {
        let wanted = |message: &&Value| message["id"] == id && message["type"] == "answer";
        let mut turns: Vec<u64> =
            messages.iter().filter(wanted).map(|m| m["turn"].as_u64().unwrap()).collect();
        turns.sort_unstable();
        turns
    };
    assert_eq!(finals("a"), [0, 1, 2, 3]);
    assert_eq!((finals("b"), finals("c"), finals("d")), (vec![0], vec![0], vec![]));
    let answer = |id: &str| messages.iter().find(|m| m["id"] == id && m["type"] != "report").unwrap();
    assert_eq!(answer("b")["moves"].as_array().unwrap().len(), 2);
    assert_eq!(answer("c")["moves"][0]["move"], "f5", "the only move that is left");
    assert_eq!(
        (answer("d")["type"].as_str(), answer("d")["field"].as_str()),
        (Some("error"), Some("player"))
    );
    assert_eq!(answer("e")["moves"][0]["confidence"], "exact");
    assert!(messages.iter().any(|message| message["type"] == "report"));
}

/// Points of a textbook player are no discs, and nobody has measured how sure they are.
#[test]
fn values_of_textbook_players_say_that_they_are_points() {
    for (player, unit) in [("alphabeta:depth=3,eval=paper", "points"), ("mcts:playouts=50", "games")] {
        let outcome = emilia(&["jsonl", "--player", player], br#"{"id":"a","lines":2}"#);
        let answer: Value = serde_json::from_str(outcome.out.lines().next().unwrap()).unwrap();
        for found in answer["moves"].as_array().unwrap() {
            assert_eq!((&found["unit"], &found["confidence"]), (&unit.into(), &Value::Null), "{answer}");
            assert_eq!(found["source"], "textbook");
        }
    }
}

#[test]
fn a_cancelled_question_is_answered_at_once() {
    let mut talk = Talk::start(&["jsonl"]);
    talk.say(r#"{"id":"a","depth":60,"report_every":0}"#);
    talk.hear(r#"{"type":"report""#);
    let begin = Instant::now();
    talk.say(r#"{"id":"x","action":"cancel","target":"a"}"#);
    let answer: Value = serde_json::from_str(&talk.hear(r#"{"type":"answer""#)).unwrap();
    assert!(begin.elapsed() < AT_ONCE, "{:?}", begin.elapsed());
    assert_eq!(answer["cancelled"], true);
    assert!(!answer["moves"].as_array().unwrap().is_empty());
    talk.say(r#"{"id":"y","action":"quit"}"#);
    assert!(talk.ends());
}

/// Emilia plays against herself over each protocol.
#[test]
fn other_programs_play_where_players_are_named() {
    let program = env!("CARGO_BIN_EXE_emilia");
    for (protocol, size) in [("gtp", "6"), ("nboard", "6"), ("ugi", "4")] {
        let other = format!("{protocol}:'{program}' {protocol} --player greedy");
        let words = ["match", &other, "random:seed=1", "--games", "4", "--size", size, "--json"];
        let outcome = emilia(&words, b"");
        let told =
            emilia(&["match", "greedy", "random:seed=1", "--games", "4", "--size", size, "--json"], b"");
        let wins = |text: &str| {
            let line: Value =
                serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap_or_default();
            (line["games"].as_u64(), line["wins"].as_u64(), line["discs"].clone())
        };
        assert_eq!(wins(&outcome.out), wins(&told.out), "{protocol}: {} {}", outcome.out, outcome.err);
        assert_eq!(wins(&outcome.out).0, Some(4));
    }
}

/// Whatever ends us ends the programs we started.
#[cfg(target_os = "linux")]
#[test]
fn other_programs_do_not_outlive_a_killed_emilia() {
    let file = std::env::temp_dir().join(format!("emilia-orphan-{}", std::process::id()));
    // An engine that never answers and never ends. Before it says so we have had time to set a guard on it.
    let script = format!("sleep 1; echo $$ > {}; trap : TERM HUP; while :; do sleep 1; done", file.display());
    let mut talk = Talk::start(&["match", &format!("gtp:sh -c '{script}'"), "first"]);
    let deadline = Instant::now() + Duration::from_secs(20);
    let number = loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if text.ends_with('\n') {
            break text.trim().to_owned();
        }
        assert!(Instant::now() < deadline, "the engine was not started");
        std::thread::sleep(Duration::from_millis(5));
    };
    std::fs::remove_file(&file).unwrap();
    talk.child.kill().unwrap();
    talk.child.wait().unwrap();
    let process = Path::new("/proc").join(number);
    let state = || std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    while !state().is_empty() && !state().contains(") Z ") {
        assert!(Instant::now() < deadline, "it is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}
