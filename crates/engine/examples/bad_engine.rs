//! An engine that misbehaves, to test those who have to deal with one:
//! `bad_engine gtp|nboard|ugi silent|crash|illegal|flood|garbage|resign|deaf|good [FILE]`.
//!
//! It follows the protocol until a move is asked for, then does what it was told to. With a file it first writes its
//! process number there, and starts a sleeping child whose number it writes too.

use std::io::{BufRead, Write};
use std::process::{Command, ExitCode};

#[expect(clippy::zombie_processes, reason = "whoever ends us has to end our child too")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (protocol, habit) = match arguments.as_slice() {
        [protocol, habit, ..] => (protocol.as_str(), habit.as_str()),
        _ => return ExitCode::from(2),
    };
    if let Some(file) = arguments.get(2) {
        let child = Command::new("sleep").arg("1000").spawn().expect("there is a sleep command");
        std::fs::write(file, format!("{} {}", std::process::id(), child.id()))
            .expect("the file can be written");
    }
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let word = line.split_whitespace().next().unwrap_or_default();
        let asked = matches!((protocol, word), ("gtp", "genmove") | ("nboard" | "ugi", "go"));
        let answer = match (protocol, word) {
            _ if asked => return misbehave(protocol, habit, &mut out),
            (_, "quit") if habit != "deaf" => return ExitCode::SUCCESS,
            ("gtp", _) => "= \n".to_owned(),
            ("nboard", "ping") => line.replace("ping", "pong"),
            ("ugi", "ugi") => "id name bad\nugiok".to_owned(),
            ("ugi", "isready") => "readyok".to_owned(),
            _ => continue,
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("somebody listens");
    }
    sleep_if(habit == "deaf" || habit == "silent");
    ExitCode::SUCCESS
}

fn misbehave(protocol: &str, habit: &str, out: &mut impl Write) -> ExitCode {
    let mut play = |word: &str| {
        let answer = match protocol {
            "gtp" => format!("= {word}\n"),
            "nboard" => format!("=== {word}"),
            _ => format!("bestmove {word}"),
        };
        writeln!(out, "{answer}").and_then(|()| out.flush())
    };
    match habit {
        "crash" => {
            writeln!(std::io::stderr(), "out of luck").expect("somebody listens");
            return ExitCode::from(3);
        }
        "illegal" => play("a1").expect("somebody listens"),
        "garbage" => play("\u{1F600}\u{0}zz").expect("somebody listens"),
        "resign" => play("resign").expect("somebody listens"),
        "good" | "deaf" => play("d3").expect("somebody listens"),
        "flood" => {
            let line = "x".repeat(1000);
            while writeln!(out, "{line}").is_ok() {}
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    // Whoever was asked once is not asked again here; it waits to be ended.
    if habit == "good" {
        let mut rest = String::new();
        while std::io::stdin().read_line(&mut rest).is_ok_and(|count| count > 0) {}
        return ExitCode::SUCCESS;
    }
    sleep_if(true);
    ExitCode::SUCCESS
}

/// Ignores the end of the input for a long while.
fn sleep_if(asleep: bool) {
    if asleep {
        std::thread::sleep(std::time::Duration::from_secs(1000));
    }
}
