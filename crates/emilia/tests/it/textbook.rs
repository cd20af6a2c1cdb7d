//! The commands that open the textbook: eval and tree.

use crate::common::emilia;
use serde_json::Value;

fn json(words: &[&str]) -> Value {
    let outcome = emilia(words, b"");
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0), "{words:?}");
    serde_json::from_str(&outcome.out).expect("the program prints JSON")
}

#[test]
fn an_evaluation_is_the_sum_of_what_is_shown() {
    // The position after one move, and its values from Black's view, computed with the original programs.
    for (name, total) in [("kukreja", -5191.68), ("genes", -6200.0), ("paper", 250.0), ("ideal", 160.0)] {
        let shown = json(&["eval", "d3", "--with", name, "--side", "black", "--json"]);
        let evaluator = &shown["evaluators"][0];
        assert_eq!(evaluator["name"], name);
        let parts = evaluator["components"].as_array().expect("a list");
        let sum: f64 = parts.iter().filter_map(|part| part["contribution"].as_f64()).sum();
        assert!(
            (sum - total).abs() < 1e-3
                && (evaluator["total"].as_f64().unwrap_or(f64::NAN) - total).abs() < 1e-3
        );
        let text = emilia(&["eval", "d3", "--with", name, "--side", "black"], b"").out;
        let last = text.lines().rfind(|line| !line.trim().is_empty()).expect("a table");
        assert!(last.contains("total") && last.ends_with(&format!(" {total:.3}")), "{text}");
        assert!(text.starts_with("  a b c d e f g h   white to move, seen by black\n1 . . . ."), "{text}");
    }
    let all = json(&["eval", "--size", "26", "--json"]);
    assert_eq!(all["evaluators"].as_array().map(Vec::len), Some(9));
    assert_eq!(all["stability"]["black"]["unstable"].as_array().map(Vec::len), Some(2));
}

#[test]
fn stable_discs_are_named() {
    let shown = json(&["eval", "XXO- XO-- O--- ---- X", "--with", "disc", "--json"]);
    assert_eq!(shown["stability"]["black"]["stable"], serde_json::json!(["a1", "b1", "a2"]));
    let text = emilia(&["eval", "XXO- XO-- O--- ---- X", "--with", "disc"], b"").out;
    assert!(text.contains("black             3           0         0\n"), "{text}");
}

#[test]
fn evaluators_take_weights() {
    let shown = json(&["eval", "f5", "--with", "genes:weights=0/1/0/0/0/0", "--json"]);
    assert_eq!(shown["evaluators"][0]["components"].as_array().map(Vec::len), Some(1));
    assert_eq!(shown["evaluators"][0]["total"], -80.0);
    for (words, sentence) in [
        (&["eval", "--with", "disk"][..], "there is no evaluator \"disk\"; there are disc, paper,"),
        (&["eval", "--with", "disc:weights=1"], "weights=1: disc has no weights to set"),
        (&["eval", "f5f5"], "invalid value 'f5f5' for '[POSITION]': move 2, \"f5\": f5 is occupied"),
        (&["eval", "XO"], "invalid value 'XO' for '[POSITION]': "),
        (&["tree", "--search", "mcts"], "mcts has no tree to show; minimax,"),
        (&["tree", "--json", "--svg"], "the argument '--json' cannot be used with '--svg'"),
    ] {
        let outcome = emilia(words, b"");
        assert_eq!((outcome.status, outcome.out.as_str()), (2, ""), "{words:?}");
        assert!(outcome.err.starts_with(&format!("emilia: {sentence}")), "{words:?}: {}", outcome.err);
    }
}

#[test]
fn a_tree_shows_what_alpha_beta_leaves_out() {
    let words = ["tree", "--search", "alphabeta:depth=3,eval=disc"];
    let text = emilia(&words, b"").out;
    assert!(text.starts_with(
        "alphabeta:depth=3,eval=disc, black to move\nvisited 37 nodes; minimax 73 (2.0 times)\n"
    ));
    assert!(text.contains("cut: 3 >= beta 3 by f2, held by #2\n"), "{text}");
    assert!(text.contains("not tried: f3 f4 f5 f6\n"));

    let tree = json(&[&words[..], &["--json"]].concat());
    assert_eq!((tree["visited"].as_u64(), tree["minimax_nodes"].as_u64()), (Some(37), Some(73)));
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(37));
    let short = json(&[&words[..], &["--json", "--nodes", "10"]].concat());
    assert_eq!((short["visited"].as_u64(), short["unrecorded"].as_u64()), (Some(37), Some(27)));

    let svg = emilia(&[&words[..], &["--svg"]].concat(), b"").out;
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(emilia(&[&words[..], &["--dot"]].concat(), b"").out.starts_with("digraph tree {"));
}

#[test]
fn every_search_with_a_tree_shows_it() {
    for search in
        ["minimax:depth=2", "beam:depth=4,width=2,seed=5", "iterative:time=50ms,depth=3", "s4-judge:depth=2"]
    {
        for size in ["4", "6", "10"] {
            let outcome = emilia(&["tree", "--size", size, "--search", search, "--plies", "2"], b"");
            assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
            assert!(outcome.out.contains("*MAX [-∞, ∞] = "), "{search}: {}", outcome.out);
        }
    }
}
