//! Solving, analysing and the fingerprint of the search.

use crate::common::emilia;
use serde_json::Value;

/// FFO endgame positions #1 and #7, published scores.
const FFO: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;
--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X; A6:+8;
";

fn solve(text: &str, words: &[&str]) -> crate::common::Outcome {
    emilia(&[&["solve", "-"], words].concat(), text.as_bytes())
}

#[test]
fn published_endgames_are_solved_on_every_tier_and_thread_count() {
    for words in
        [&["--json"][..], &["--json", "--cpu", "portable"], &["--json", "--threads", "2", "--hash", "1"]]
    {
        let outcome = solve(FFO, words);
        assert_eq!(outcome.status, 0, "{}", outcome.err);
        let lines: Vec<Value> = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let scores: Vec<i64> = lines.iter().map(|line| line["score"].as_i64().unwrap()).collect();
        assert_eq!(scores, [18, 8]);
        assert_eq!(
            (&lines[0]["move"], &lines[0]["exact"], &lines[0]["index"]),
            (&"g8".into(), &true.into(), &1.into())
        );
        assert_eq!(lines[0]["empties"], 14);
        assert!(lines[0]["pv"].as_array().unwrap().len() > 10);
    }
}

#[test]
fn a_wrong_score_in_the_file_is_an_error() {
    let outcome = solve(&FFO.replace("+18", "+20"), &[]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.out.contains("DIFFERENT: g8 is stated as +20 and is +18"), "{}", outcome.out);
    assert_eq!(outcome.err, "emilia: 1 of 2 positions have another score than the file says\n");
}

#[test]
fn only_the_winner_or_every_move_can_be_asked_for() {
    let outcome = solve(FFO, &["--wld"]);
    assert_eq!((outcome.status, outcome.out.matches("  win ").count()), (0, 2), "{}", outcome.out);
    let all = solve(FFO, &["--all-moves"]);
    assert!(all.out.contains("\n    g8 +18, "), "{}", all.out);
}

/// Black must pass; White can take either of two corners.
#[test]
fn a_forced_pass_is_the_only_move_of_all_moves() {
    let text = format!("-XXXXXXO{}-XXXXXXO X\n", "X".repeat(48));
    let outcome = solve(&text, &["--all-moves", "--json"]);
    let line: Value = serde_json::from_str(&outcome.out).unwrap();
    let moves = line["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[0]["move"]), (1, &"pass".into()), "{line}");
    assert_eq!(moves[0]["score"], line["score"]);
}

/// The value of the whole 4×4 game, counted with empty squares to the winner, is −10.
#[test]
fn small_boards_are_solved_and_large_ones_refused() {
    let outcome = emilia(&["solve", "-----OX--XO-----X"], b"");
    assert!(outcome.out.contains("  1      12   -10 "), "{}", outcome.out);
    let large = format!("{}X", "-".repeat(99) + "O");
    let outcome = emilia(&["solve", &large], b"");
    assert_eq!((outcome.status, outcome.err.as_str()), (1, "emilia: position 1: 10×10 is larger than 8×8\n"));
    assert_eq!(emilia(&["solve", "nonsense"], b"").status, 1);
}

#[test]
fn analysis_deepens_and_ends_with_an_exact_score() {
    let board = FFO.split(';').next().unwrap();
    let outcome = emilia(&["analyse", board, "--json"], b"");
    let last: Value = serde_json::from_str(outcome.out.lines().last().unwrap()).unwrap();
    assert_eq!(
        (last["score"].as_f64(), &last["exact"], &last["move"]),
        (Some(18.0), &true.into(), &"g8".into())
    );
    let lines = emilia(&["analyse", "f5d6c3", "--depth", "6", "--lines", "3"], b"").out;
    assert_eq!(lines.lines().filter(|line| line.starts_with("    6   100%")).count(), 3, "{lines}");
    let ten = emilia(&["analyse", &format!("{} X", ten_by_ten()), "--depth", "4"], b"");
    // Late moves are searched less deep there; nobody knows how sure that is.
    assert!(ten.out.lines().last().unwrap().starts_with("    4      - "), "{}", ten.out);
    let over = emilia(&["analyse", "XXXXXXXXXXXXXXXX X"], b"");
    assert_eq!(over.err, "emilia: the game is over there: 16-0\n");
}

fn ten_by_ten() -> String {
    let mut cells = vec!['-'; 100];
    for (index, disc) in [(44, 'O'), (55, 'O'), (45, 'X'), (54, 'X')] {
        cells[index] = disc;
    }
    cells.into_iter().collect()
}

#[test]
fn the_fingerprint_is_the_same_on_every_tier() {
    let last = |cpu: &str| {
        let out = emilia(&["bench", "--depth", "3", "--cpu", cpu], b"").out;
        out.lines().last().unwrap().to_owned()
    };
    let expected = last("portable");
    assert!(expected.starts_with("Bench: "));
    for tier in emilia_rules::Tier::available() {
        assert_eq!(last(&tier.to_string()), expected, "{tier}");
    }
}
