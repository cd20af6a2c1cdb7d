//! The evaluator against exact scores that other programs found.

use emilia_eval::{Evaluator, Learned, Score};
use emilia_rules::{Portable, Position, Setup};

/// Mean absolute difference, in discs, between the evaluator and the best score of each position of a file.
fn mean_error<E: Evaluator>(evaluator: &E, file: &str) -> f64 {
    let path = format!("{}/../../data/endgame/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let errors: Vec<f64> = text
        .lines()
        .map(|line| {
            let mut fields = line.split(';');
            let setup: Setup = fields.next().unwrap().parse().unwrap();
            let board = Position::try_from(&setup.position().unwrap()).unwrap().board();
            let scores = fields.filter_map(|field| field.split_once(':')?.1.trim().parse::<i32>().ok());
            let best = scores.max().unwrap();
            let found = evaluator.score(Portable, &evaluator.features(board), board);
            f64::from(found.0) / f64::from(Score::PER_DISC) - f64::from(best)
        })
        .collect();
    errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len() as f64
}

/// Positions of tournament games; scores there are some 20 discs from zero on average.
#[test]
fn scores_are_near_the_truth() {
    for file in ["exact/e10.obf", "exact/e16.obf", "exact/e20.obf", "hard-20.obf"] {
        let error = mean_error(Learned::embedded(), file);
        assert!(error < 6.5, "{file}: {error:.2} discs");
    }
}
