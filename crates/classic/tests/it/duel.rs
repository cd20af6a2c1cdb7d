//! The 6×6 duel between two evaluators, as the original programs played it.

use emilia_classic::{Dice, Duel, Ending};
use emilia_rules::{Move, Playable};

use crate::slow_duel as slow;

/// Row and column of each move, from 1.
const MOVES: &str =
    "23 42 54 13 41 45 24 35 15 32 36 53 46 31 62 55 21 63 22 11 51 12 14 16 56 26 64 61 25 65 66 52";

/// What each side expected of the position before its move, as far as the end of the game was not in sight.
const SCORES: [f64; 22] = [
    -7.0, -210.029, -8.0, -181.646, -12.0, -0.748676, -3.0, 3685.71, 6.0, 9568.27, 12.0, 9343.66, -44.0,
    21982.8, -102.0, 29976.0, -151.0, 42304.1, -193.0, 52721.1, -214.0, 56514.5,
];

#[test]
fn the_duel_is_played_move_for_move() {
    let (start, duel) = Duel::of_judges();
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    let end = duel.play(start, &mut Dice::new(0), |_, report| {
        match report.best_move() {
            Some(Move::Place(point)) => moves.push(format!("{}{}", point.row() + 1, point.column() + 1)),
            _ => panic!("nobody passes in this game"),
        }
        scores.push(report.value().unwrap().number());
    });
    assert_eq!(moves.join(" "), MOVES);
    assert_eq!(end.counts().to_string(), "9-27");
    for (index, (score, expected)) in scores.iter().zip(SCORES).enumerate() {
        // The scores were printed with six significant digits.
        let tolerance = 1e-3_f64.max(expected.abs() * 1e-5);
        assert!((score - expected).abs() <= tolerance, "move {}: {score}", index + 1);
    }
    for (index, score) in scores.iter().enumerate().skip(SCORES.len()) {
        let expected = if index % 2 == 0 { -Ending::WIN } else { Ending::WIN };
        assert_eq!(*score, expected, "move {}", index + 1);
    }
}

/// The game between these two by the slow rules: its moves, their scores, and the discs of both at the end.
fn slow_game(black: slow::Evaluator, white: slow::Evaluator) -> (Vec<String>, Vec<f64>, String) {
    let (mut cells, mut side) = (slow::start(), slow::BLACK);
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    while slow::mobility(&cells, slow::BLACK) + slow::mobility(&cells, slow::WHITE) > 0 {
        let evaluator = if side == slow::BLACK { black } else { white };
        let (score, best) = slow::search(&cells, side, 10, evaluator);
        scores.push(score);
        moves.push(best.map_or("pass".to_owned(), |at| format!("{}{}", at / 8, at % 8)));
        cells = best.map_or(cells, |at| slow::placed(&cells, side, at).unwrap());
        side = -side;
    }
    let counts = [slow::BLACK, slow::WHITE].map(|side| slow::discs(&cells, side));
    (moves, scores, format!("{}-{}", counts[0], counts[1]))
}

/// What the slow rules say can be trusted: here and there in the published game they choose its moves.
#[test]
fn the_slow_rules_play_the_published_game() {
    let (mut cells, mut side) = (slow::start(), slow::BLACK);
    for (index, published) in MOVES.split(' ').enumerate() {
        let (row, column) = published.split_at(1);
        let at = slow::cell(row.parse().unwrap(), column.parse().unwrap());
        if index % 5 == 0 {
            let evaluator = if side == slow::BLACK { slow::judge } else { slow::myjudge };
            let (score, best) = slow::search(&cells, side, 10, evaluator);
            assert_eq!(best, Some(at), "move {}", index + 1);
            let expected = SCORES.get(index).copied().unwrap_or(f64::from(-side) * slow::WIN);
            assert!((score - expected).abs() <= 1e-3_f64.max(expected.abs() * 1e-5), "move {}", index + 1);
        }
        cells = slow::placed(&cells, side, at).unwrap();
        side = -side;
    }
    assert_eq!([slow::BLACK, slow::WHITE].map(|side| slow::discs(&cells, side)), [9, 27]);
}

#[test]
fn with_colours_changed_the_duel_goes_as_the_slow_rules_say() {
    let (expected, slow_scores, counts) = slow_game(slow::myjudge, slow::judge);
    let (start, Duel { black, white }) = Duel::of_judges();
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    let end = Duel { black: white, white: black }.play(start, &mut Dice::new(0), |_, report| {
        moves.push(match report.best_move() {
            Some(Move::Place(point)) => format!("{}{}", point.row() + 1, point.column() + 1),
            _ => "pass".to_owned(),
        });
        scores.push(report.value().unwrap().number());
    });
    assert_eq!((moves, end.counts().to_string()), (expected, counts));
    for (score, slow) in scores.iter().zip(slow_scores) {
        assert!((score - slow).abs() <= 1e-9 * slow.abs().max(1.0), "{score} is not {slow}");
    }
}
