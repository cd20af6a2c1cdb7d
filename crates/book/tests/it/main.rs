//! Books: laws on random graphs, files whole and damaged, growth against a game that is solved by hand.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod damage;
mod foreign;
mod growth;
mod laws;

use emilia_book::{Basis, Graph, Worth};
use emilia_query::Selectivity;
use emilia_rules::{Board, Square};

/// A value searched to this depth.
fn searched(discs: i8, depth: u8) -> Worth {
    Worth { discs, basis: Basis::Searched { depth, selectivity: Selectivity::Likely } }
}

/// The same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Positions of random games with random values for some of their moves.
fn random_graph(seed: u64, games: usize) -> Graph {
    let mut dice = Dice(seed);
    let mut graph = Graph::default();
    for _ in 0..games {
        let mut board = Board::START;
        for _ in 0..1 + dice.below(58) {
            let moves: Vec<Square> = board.moves().into_iter().collect();
            if moves.is_empty() {
                board = board.pass();
                if board.moves().into_iter().next().is_none() {
                    break;
                }
                continue;
            }
            for square in &moves {
                if dice.below(3) == 0 {
                    let worth = match dice.below(10) {
                        0 => Worth { discs: (dice.below(129) as i32 - 64) as i8, basis: Basis::Solved },
                        1 => Worth { discs: (dice.below(129) as i32 - 64) as i8, basis: Basis::Game },
                        _ => searched((dice.below(41) as i32 - 20) as i8, 1 + dice.below(30) as u8),
                    };
                    graph.judge(board, [(*square, worth)]);
                }
            }
            board = board.play(moves[dice.below(moves.len())]);
        }
    }
    graph.settle();
    graph
}
