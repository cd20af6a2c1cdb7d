//! The scores of the weights that come with the program, as the training scripts compute them in their own way.

use emilia_eval::{Evaluator, Network};
use emilia_rules::{Bitboard, Board, Kernel, Task, Tier};

/// The score of a board with each kernel this processor has.
struct Judge<'e, E>(&'e E, Board);

impl<E: Evaluator> Task for Judge<'_, E> {
    type Output = i32;
    fn run<K: Kernel>(self, kernel: K) -> i32 {
        let Judge(evaluator, board) = self;
        evaluator.score(kernel, &evaluator.features(board), board).0
    }
}

/// Compares an evaluator with lines of own discs, the opponent's, and the score in 128ths of a disc.
fn compare<E: Evaluator>(evaluator: &E, vectors: &str) {
    let mut different = std::collections::HashSet::new();
    for line in vectors.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let discs = |field: &str| Bitboard(u64::from_str_radix(field, 16).unwrap());
        let board = Board { own: discs(fields[0]), opponent: discs(fields[1]) };
        let score: i32 = fields[2].parse().unwrap();
        for tier in Tier::available() {
            assert_eq!(tier.run(Judge(evaluator, board)), score, "{tier}: {line}");
        }
        different.insert(score);
    }
    assert!(different.len() > 100, "the vectors say little");
}

#[test]
fn the_network_that_a_page_begins_with_scores_as_the_scripts_say() {
    let network = Network::read(include_bytes!("../../weights/small.bin")).unwrap();
    compare(&network, include_str!("../../weights/small.vectors"));
}

#[test]
fn the_embedded_network_scores_as_the_scripts_say() {
    let network = Network::read(include_bytes!("../../weights/network.bin")).unwrap();
    compare(&network, include_str!("../../weights/network.vectors"));
}
