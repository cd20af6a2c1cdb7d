//! The real program as a process: exit status, pipes, help.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::common::emilia;

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_emilia"))
}

/// Every command, and every command of a command, by the words that call it.
fn every_command(command: &clap::Command, words: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![words.to_vec()];
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        all.extend(every_command(below, &[words, &[below.get_name().to_owned()]].concat()));
    }
    all
}

#[test]
fn every_command_explains_itself_with_examples() {
    for words in every_command(&emilia::command(), &[]) {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let outcome = emilia(&words, b"");
        assert_eq!((outcome.err.as_str(), outcome.status), ("", 0), "{words:?}");
        assert!(outcome.out.contains("Usage: emilia"), "{words:?}");
        assert!(outcome.out.contains("Examples:\n  emilia"), "{words:?} has no examples");
    }
    assert!(emilia(&["help", "perft"], b"").out.contains("Usage: emilia perft"));
}

#[test]
fn version_and_completions() {
    assert_eq!(emilia(&["--version"], b"").out, format!("emilia {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish"] {
        let script = emilia(&["completions", shell], b"").out;
        assert!(
            script.contains("perft") && script.contains("--passes") | script.contains("passes"),
            "{shell}"
        );
    }
}

#[test]
fn wrong_calls_are_one_sentence_with_status_2() {
    for (words, sentence) in [
        (&["perft"][..], "the following required arguments were not provided: <DEPTH>"),
        (
            &["perft", "--size", "7", "3"],
            "invalid value '7' for '--size <N>': a board is an even number of squares wide, from 4 to 26, not 7",
        ),
        (
            &["perft", "--size", "8x6", "3"],
            "invalid value '8x6' for '--size <N>': a board size is one number, such as 8",
        ),
        (&["perft", "three"], "invalid value 'three' for '<DEPTH>': invalid digit found in string"),
        (
            &["perft", "--threads", "0", "3"],
            "invalid value '0' for '--threads <N>': number would be zero for non-zero type",
        ),
        (&["purft"], "unrecognized subcommand 'purft'; tip: a similar subcommand exists: 'perft'"),
        (&["perft", "--depht", "3"], "unexpected argument '--depht' found"),
    ] {
        let outcome = emilia(words, b"");
        assert_eq!(outcome.status, 2, "{words:?}");
        assert_eq!(outcome.out, "");
        assert!(outcome.err.starts_with(&format!("emilia: {sentence}")), "{words:?}: {}", outcome.err);
        assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
    }
}

#[test]
fn perft_prints_a_line_a_depth() {
    let leaves = |words: &[&str]| -> Vec<u64> {
        let lines = emilia(words, b"").out;
        lines.lines().map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect()
    };
    assert_eq!(leaves(&["perft", "5"]), [4, 12, 56, 244, 1396]);
    assert_eq!(leaves(&["perft", "--size", "4", "--passes", "free", "7"]), [4, 12, 44, 128, 436, 1296, 3788]);
    assert_eq!(leaves(&["perft", "--threads", "2", "--size", "10x10", "6"]), [4, 12, 56, 244, 1396, 8200]);
    assert_eq!(leaves(&["perft", "--position", "-----OX--XO----- O", "2"]), [4, 12]);
    for line in emilia(&["perft", "--json", "2"], b"").out.lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(object["leaves"].as_u64().is_some() && object["seconds"].as_f64().is_some());
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    // More than a pipe holds, so that the program is still writing when its reader leaves.
    let words = ["console", "--size", "26", "--computer", "both", "--player", "first"];
    let mut child = program().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "  abcdefghijklmnopqrstuvwxyz\n");
    let status = child.wait().unwrap();
    let mut complaints = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert_eq!((status.code(), complaints.as_str()), (Some(0), ""));
}

#[test]
fn colours_are_for_terminals_only_unless_asked_for() {
    let piped = program().args(["players"]).output().unwrap();
    assert!(!piped.stdout.contains(&0x1b));
    let asked = program().args(["players", "--color", "always"]).output().unwrap();
    assert!(asked.stdout.contains(&0x1b));
    let refused =
        program().args(["players", "--color", "never"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(!refused.stdout.contains(&0x1b));
}

#[test]
fn the_catalogue_says_which_evaluators_take_weights() {
    let json: serde_json::Value = serde_json::from_str(&emilia(&["players", "--json"], b"").out).unwrap();
    let minimax = json["kinds"].as_array().unwrap().iter().find(|kind| kind["name"] == "minimax").unwrap();
    let setting = |name: &str| {
        let settings = minimax["settings"].as_array().unwrap();
        settings.iter().find(|setting| setting["name"] == name).unwrap().clone()
    };
    let weights = setting("weights")["about"].as_str().unwrap().to_owned();
    let listed = setting("eval")["expects"].as_str().unwrap().replace(" or ", ", ");
    assert_eq!(listed.split(", ").collect::<Vec<_>>(), emilia_classic::Evaluator::NAMES);
    let mut taking = 0;
    for evaluator in listed.split(", ") {
        let takes = ["1/2/3/4", "1/2/3/4/5/6"].iter().any(|numbers| {
            emilia(&["eval", "--with", &format!("{evaluator}:weights={numbers}")], b"").status == 0
        });
        assert_eq!(weights.split(' ').any(|word| word == evaluator), takes, "{evaluator}: {weights}");
        taking += usize::from(takes);
    }
    assert_eq!(taking, 2);
}

#[test]
fn the_catalogue_is_complete_in_both_forms() {
    let text = emilia(&["players"], b"").out;
    let json: serde_json::Value = serde_json::from_str(&emilia(&["players", "--json"], b"").out).unwrap();
    for kind in json["kinds"].as_array().unwrap() {
        assert!(text.contains(&format!("{}: ", kind["name"].as_str().unwrap())));
    }
    assert!(json["presets"].as_array().unwrap().len() >= 7);
}
