//! Thinking while the other side does, by the program as a real process. Pondering says nothing, so it is seen by the
//! processor time that the program takes.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use crate::common::Folder;
use crate::protocols::{AT_ONCE, Talk};

/// 31 empty squares, and two moves that nobody can avoid: e7 and f8.
const BOARD: &str = "-O--------OO--OO-OOOOOO--OOOOOO---OOOOOO-OOOO-O------OOX----X-O-";
/// The search to the end of the game is deeper than this, those before it are not. It takes millions of nodes if nothing is
/// known but what the answer has found, and a small part of that after pondering.
const DEPTH: usize = 20;
const SHARE: usize = 5;
/// Processor time in which the end of the game is seen, that only somebody takes who thinks, and that nobody takes who
/// does not.
const MUCH: Duration = Duration::from_secs(2);
const SOME: Duration = Duration::from_millis(120);
const LITTLE: Duration = Duration::from_millis(100);

/// A protocol, and what is said in it; `FEN`, `BO` and `SGF` stand for the board.
struct Protocol {
    name: &'static str,
    /// Sets the board up and asks for a move, with so little time for it that the end of the game is not seen in it.
    asks: &'static [&'static str],
    /// How the answer begins.
    answers: &'static str,
    /// A line that changes nothing, and how its answer begins.
    greets: (&'static str, &'static str),
    /// Makes both moves and wants to know what is thought of the position.
    analyses: &'static [&'static str],
    /// The depth and the nodes that lines about an analysis tell.
    tells: fn(&Talk) -> (usize, usize),
}

const PROTOCOLS: [Protocol; 3] = [
    Protocol {
        name: "gtp",
        asks: &["loadsgf SGF", "time_settings 0 1 100", "genmove black"],
        answers: "= E7",
        greets: ("7 name", "=7"),
        analyses: &["play white f8", "lz-analyze maxmoves 1"],
        tells: |talk| {
            let line = talk.hear("info move");
            let (before, line) = line.split_once(" pv ").unwrap();
            (line.split_whitespace().count(), number_after(before, "visits"))
        },
    },
    Protocol {
        name: "nboard",
        asks: &["set game (;GM[Othello]TY[8]TI[0:01]BO[8 BO *];)", "go"],
        answers: "=== E7",
        greets: ("ping 7", "pong 7"),
        analyses: &["move E7", "move F8", "hint 1"],
        tells: |talk| {
            let line = talk.hear("search");
            let depth = line.split_whitespace().nth(4).unwrap();
            let digits = depth.find(|c: char| !c.is_ascii_digit()).unwrap_or(depth.len());
            (depth[..digits].parse().unwrap(), number_after(&talk.hear("nodestats"), "nodestats"))
        },
    },
    Protocol {
        name: "ugi",
        asks: &["position fen FEN x", "go movetime 10"],
        answers: "bestmove e7",
        greets: ("isready", "readyok"),
        analyses: &["position fen FEN x moves e7 f8", "go infinite"],
        tells: |talk| {
            let line = talk.hear("info depth");
            (number_after(&line, "depth"), number_after(&line, "nodes"))
        },
    },
];

fn number_after(line: &str, word: &str) -> usize {
    let mut words = line.split_whitespace().skip_while(|found| *found != word);
    words.nth(1).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no {word} in {line:?}"))
}

impl Protocol {
    fn start(&self, words: &[&str]) -> Talk {
        Talk::start(&[&[self.name], words].concat())
    }

    fn say(&self, talk: &mut Talk, lines: &[&str], folder: &Folder) {
        let rows: Vec<&str> = (0..8).map(|row| &BOARD[8 * row..8 * row + 8]).collect();
        for line in lines {
            let line = line.replace("FEN", &rows.join("/")).replace("SGF", &folder.path("board.sgf"));
            talk.say(&line.replace(" BO *", &format!(" {} *", BOARD.replace('X', "*"))));
        }
    }

    /// Says the lines that ask for a move and waits for it.
    fn ask(&self, talk: &mut Talk, folder: &Folder) {
        self.say(talk, self.asks, folder);
        talk.hear(self.answers);
    }

    /// Nodes until the position after both moves was seen this deep.
    fn nodes(&self, talk: &mut Talk, folder: &Folder) -> usize {
        self.say(talk, self.analyses, folder);
        loop {
            let (depth, nodes) = (self.tells)(talk);
            if depth >= DEPTH {
                return nodes;
            }
        }
    }
}

/// A folder with the board as a file.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let squares = |disc: char| -> String {
        let at = BOARD.chars().enumerate().filter(|(_, cell)| *cell == disc);
        at.map(|(at, _)| format!("[{}{}]", (b'a' + at as u8 % 8) as char, at / 8 + 1)).collect()
    };
    let text = format!("(;FF[4]GM[2]SZ[8]AB{}AW{}PL[B])", squares('X'), squares('O'));
    std::fs::write(folder.path("board.sgf"), text).unwrap();
    folder
}

/// Processor time that the program has taken.
fn processor_time(talk: &Talk) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", talk.child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split_whitespace().collect();
    // In hundredths of a second, in the program and in the system.
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// Waits until the program has thought a while, or has nothing left to think about.
fn wait_for_thinking(talk: &Talk, time: Duration) {
    const REST: Duration = Duration::from_secs(2);
    let (before, deadline) = (processor_time(talk), Instant::now() + Duration::from_secs(60));
    let (mut known, mut since) = (before, Instant::now());
    while known < before + time && (known < before + SOME || since.elapsed() < REST) {
        assert!(Instant::now() < deadline, "it does not think");
        std::thread::sleep(Duration::from_millis(10));
        let now = processor_time(talk);
        if now > known {
            (known, since) = (now, Instant::now());
        }
    }
}

/// Whether it does nothing for a while.
fn rests(talk: &Talk) -> bool {
    // What it was doing may take a moment to end.
    std::thread::sleep(Duration::from_millis(100));
    let before = processor_time(talk);
    std::thread::sleep(Duration::from_millis(300));
    processor_time(talk) - before < LITTLE
}

#[test]
fn it_thinks_while_the_other_side_does_and_goes_on_from_there() {
    let folder = folder("pondering");
    for protocol in &PROTOCOLS {
        let mut unprepared = protocol.start(&[]);
        protocol.ask(&mut unprepared, &folder);
        assert!(rests(&unprepared), "{}: it was not told to ponder", protocol.name);
        let unknown = protocol.nodes(&mut unprepared, &folder);
        let mut prepared = protocol.start(&["--ponder"]);
        protocol.ask(&mut prepared, &folder);
        wait_for_thinking(&prepared, MUCH);
        let known = protocol.nodes(&mut prepared, &folder);
        assert!(known * SHARE < unknown, "{}: {known} of {unknown} nodes", protocol.name);
        for mut talk in [prepared, unprepared] {
            talk.say("quit");
            assert!(talk.ends());
        }
    }
}

#[test]
fn a_line_is_answered_at_once_while_it_ponders_and_the_end_of_the_input_ends_it() {
    let folder = folder("pondering-end");
    for protocol in &PROTOCOLS {
        let mut talk = protocol.start(&["--ponder"]);
        protocol.ask(&mut talk, &folder);
        wait_for_thinking(&talk, SOME);
        let begin = Instant::now();
        talk.say(protocol.greets.0);
        talk.hear(protocol.greets.1);
        assert!(begin.elapsed() < AT_ONCE, "{}: {:?}", protocol.name, begin.elapsed());
        // It changed nothing: it goes on.
        wait_for_thinking(&talk, SOME);
        talk.input = None;
        assert!(talk.ends(), "{}", protocol.name);
    }
}

#[test]
fn gtp_switches_it_on_and_off() {
    let (folder, gtp) = (folder("pondering-switch"), &PROTOCOLS[0]);
    let mut talk = gtp.start(&[]);
    talk.say("emilia-ponder on");
    gtp.ask(&mut talk, &folder);
    wait_for_thinking(&talk, SOME);
    talk.say("8 emilia-ponder off");
    talk.hear("=8");
    assert!(rests(&talk));
    talk.say("quit");
    assert!(talk.ends());
}

/// As chess programs do it: what is pondered is told, and asked when it has come.
#[test]
fn ugi_ponders_what_it_is_told_to() {
    let (folder, ugi) = (folder("pondering-told"), &PROTOCOLS[2]);
    let mut talk = ugi.start(&[]);
    talk.say("setoption name Ponder value true");
    ugi.say(&mut talk, ugi.asks, &folder);
    assert_eq!(talk.hear("bestmove"), "bestmove e7 ponder f8");
    ugi.say(&mut talk, &["position fen FEN x moves e7 f8", "go ponder p1time 60000 p2time 60000"], &folder);
    let told = |talk: &Talk, most: usize| loop {
        let (depth, nodes) = (ugi.tells)(talk);
        if depth >= DEPTH && nodes < most {
            return nodes;
        }
    };
    let unknown = told(&talk, usize::MAX);
    talk.say("ponderhit");
    // What it still had to say about pondering comes first, with more nodes.
    let known = told(&talk, unknown);
    assert!(known * SHARE < unknown, "{known} of {unknown} nodes");
    talk.say("stop");
    talk.hear("bestmove");
    // A player that thinks by depth waits until the position has come.
    talk.say("go ponder depth 3");
    assert!(rests(&talk));
    talk.say("ponderhit");
    talk.hear("bestmove");
    talk.say("go ponder depth 3");
    talk.say("stop");
    talk.hear("bestmove");
    talk.say("go ponder movetime 1000");
    talk.input = None;
    talk.hear("bestmove");
    assert!(talk.ends());
}

#[test]
fn the_computer_thinks_while_a_person_does() {
    for (words, ponders) in [(&["--ponder"][..], true), (&[], false)] {
        let mut talk =
            Talk::start(&[&["play", "--white", "emilia:time=50ms,book=no", "--seed", "1"], words].concat());
        talk.say("f5");
        talk.hear("White plays");
        if ponders {
            wait_for_thinking(&talk, SOME);
            talk.say("moves");
            talk.hear("black> ");
            wait_for_thinking(&talk, SOME);
        } else {
            assert!(rests(&talk));
        }
        talk.input = None;
        assert!(talk.ends());
    }
}
