//! Whole conversations, word for word.
//!
//! A transcript has what comes in (`>` a line, `!` something that happens) and what comes of it (`<` a line sent,
//! `*` an order). The tests play what comes in and compare the rest; `EMILIA_UPDATE_GOLDEN=1` writes it anew.
//!
//! | happens | means |
//! |---|---|
//! | `! progress N MOVE VALUE DEPTH REPLIES…` | search N thinks so far; several moves are separated by commas |
//! | `! found N MOVE VALUE DEPTH REPLIES…` | search N has ended; `exact` for the depth means solved |
//! | `! failed N WORD` | the player of search N has `crashed` or `resigned` |
//! | `! long BYTES` | a line was too long |
//! | `! file TEXT` | the file that was wanted |
//! | `! end` | the input ended |

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use emilia_protocol::{Identity, Order, Session, gtp, jsonl, nboard, ugi};
use emilia_query::{Aim, Fault, MoveReport, Query, Report, Selectivity, Value};
use emilia_rules::{Size, parse_move};

const EMILIA: Identity<'_> = Identity { name: "Emilia", version: "1.0" };

#[test]
fn gtp_conversations() {
    for name in
        ["gtp-game", "gtp-malformed", "gtp-busy", "gtp-time", "gtp-sizes", "gtp-analysis", "gtp-ponder"]
    {
        check(name, Box::new(gtp::Server::new(EMILIA)));
    }
    check("gtp-ponder-end", Box::new(gtp::Server::new(EMILIA).pondering(true)));
}

#[test]
fn nboard_conversations() {
    for name in ["nboard-game", "nboard-malformed", "nboard-busy", "nboard-passes", "nboard-analyze"] {
        check(name, Box::new(nboard::Server::new("Emilia")));
    }
    check("nboard-ponder", Box::new(nboard::Server::new("Emilia").pondering(true)));
}

#[test]
fn ugi_conversations() {
    for name in ["ugi-game", "ugi-malformed", "ugi-busy", "ugi-ponder"] {
        check(name, Box::new(ugi::Server::new("Emilia")));
    }
    check("ugi-ponder-unasked", Box::new(ugi::Server::new("Emilia").pondering(true)));
}

#[test]
fn json_conversations() {
    for name in ["jsonl-questions", "jsonl-malformed", "jsonl-busy"] {
        check(name, Box::new(jsonl::Desk::new(EMILIA, 1)));
    }
}

fn check(name: &str, mut session: Box<dyn Session>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/transcripts/{name}.txt"));
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut played = String::new();
    for line in expected.lines() {
        let orders = match line.as_bytes() {
            [] | [b'#', ..] => {
                writeln!(played, "{line}").unwrap();
                continue;
            }
            [b'<' | b'*', ..] => continue,
            [b'>'] => session.line(""),
            [b'>', ..] => session.line(&line[2..]),
            _ => happen(session.as_mut(), line.trim_start_matches("! ")),
        };
        writeln!(played, "{line}").unwrap();
        for order in orders {
            write_order(&mut played, &order);
        }
    }
    if std::env::var_os("EMILIA_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &played).unwrap();
        return;
    }
    assert_eq!(played, expected, "{name}: the conversation went another way");
}

fn write_order(played: &mut String, order: &Order) {
    match order {
        Order::Say(text) => text.split('\n').for_each(|line| {
            let line = format!("< {line}");
            writeln!(played, "{}", if line == "< " { "<" } else { &line }).unwrap();
        }),
        Order::Think(search, query) => writeln!(played, "* think {search}: {}", described(query)).unwrap(),
        Order::Ponder(search, query) => writeln!(played, "* ponder {search}: {}", described(query)).unwrap(),
        Order::Stop(search) => writeln!(played, "* stop {search}").unwrap(),
        Order::Read(path) => writeln!(played, "* read {path}").unwrap(),
        Order::Forget => writeln!(played, "* forget").unwrap(),
        Order::Quit => writeln!(played, "* quit").unwrap(),
    }
}

fn described(query: &Query) -> String {
    let moves: Vec<String> = query.moves().iter().map(ToString::to_string).collect();
    let mut text = format!("after {:?}", moves.join(" "));
    let limits = &query.limits;
    let millis = |time: Duration| format!("{} ms", time.as_millis());
    limits.level.iter().for_each(|level| write!(text, ", level {level}").unwrap());
    limits.depth.iter().for_each(|depth| write!(text, ", depth {depth}").unwrap());
    limits.nodes.iter().for_each(|nodes| write!(text, ", {nodes} nodes").unwrap());
    limits.time.iter().for_each(|time| write!(text, ", {}", millis(*time)).unwrap());
    if let Some(clocks) = limits.clocks {
        let [own, opponent, increment] = [clocks.own, clocks.opponent, clocks.increment].map(millis);
        write!(text, ", clock {own} against {opponent} + {increment}").unwrap();
    }
    if limits.endless {
        text.push_str(", endless");
    }
    if query.aim == Some(Aim::Outcome) {
        text.push_str(", outcome only");
    }
    if query.lines > 1 {
        write!(text, ", {} lines", query.lines).unwrap();
    }
    if let Some(among) = &query.among {
        let among: Vec<String> = among.iter().map(ToString::to_string).collect();
        write!(text, ", among {}", among.join(" ")).unwrap();
    }
    text
}

fn happen(session: &mut dyn Session, what: &str) -> Vec<Order> {
    let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
    let (number, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let search = || number.parse().unwrap();
    match word {
        "progress" => session.progress(search(), &report(more)),
        "found" => session.finished(search(), Ok(report(more))),
        "failed" => session.finished(search(), Err(fault(more))),
        "long" => session.too_long(number.parse().unwrap()),
        "file" => session.file(Ok(rest.to_owned())),
        "end" => session.ended(),
        other => panic!("nothing called {other:?} happens"),
    }
}

fn fault(word: &str) -> Fault {
    match word {
        "crashed" => Fault::Crashed { asked: "go".to_owned(), said: String::new() },
        "resigned" => Fault::Resigned,
        other => panic!("nobody fails by {other:?}"),
    }
}

/// `MOVE VALUE DEPTH REPLIES…`, several moves separated by commas.
fn report(text: &str) -> Report {
    let largest = Size::new(26).unwrap();
    let read = |word: &str| parse_move(word, largest).unwrap();
    let found = |part: &str| {
        let mut words = part.split_whitespace();
        let mut next = || words.next().unwrap_or_else(|| panic!("{part:?} lacks something"));
        let (mv, value, depth) = (read(next()), next().parse().unwrap(), next());
        let exact = depth == "exact";
        MoveReport {
            value: Some(Value::Discs(value)),
            depth: if exact { 20 } else { depth.parse().unwrap() },
            exact,
            selectivity: Some(if exact { Selectivity::Certain } else { Selectivity::Likely }),
            line: std::iter::once(mv).chain(words.map(read)).collect(),
            ..MoveReport::new(mv)
        }
    };
    let moves: Vec<MoveReport> = text.split(',').map(found).collect();
    let depth = moves[0].depth;
    let (nodes, time) = (u64::from(depth) * 1000, Duration::from_millis(u64::from(depth) * 100));
    Report { nodes, time, ..Report::of(moves) }
}
