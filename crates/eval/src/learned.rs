use std::sync::LazyLock;

use emilia_rules::{Board, Kernel};

use crate::layout::empties;
use crate::{Evaluator, Fillings, Kind, Network, Patterns, Play, Score, WeightsError};

/// An evaluator whose weights were learned, of whichever kind the file with its weights is, or of both kinds: the one
/// that comes with the program judges by the network while much of the game is left and by tables near its end.
/// There searches go to the last disc and scores only order the moves, so quick ones are worth more than good ones.
///
/// Both kinds carry the same features: a search is compiled once for all, and going from one to the other costs
/// nothing.
///
/// ```
/// use emilia_eval::{Evaluator, Learned};
/// use emilia_rules::{Board, Portable, Square};
///
/// let learned = Learned::embedded();
/// let board = Board::START.play(Square::F5);
/// assert!(learned.score(Portable, &learned.features(board), board).discs().abs() < 5);
/// ```
#[derive(Debug)]
pub enum Learned {
    /// A small network on top of patterns.
    Network(Network),
    /// Tables of patterns.
    Patterns(Patterns),
    /// The network from [`Learned::NETWORK_FROM`] empty squares on, the tables below.
    Both(Network, Patterns),
}

static EMBEDDED: LazyLock<Learned> = LazyLock::new(|| {
    let network = Network::read(include_bytes!("../weights/network.bin")).expect("a test reads this file");
    let patterns = Patterns::read(include_bytes!("../weights/patterns.bin")).expect("a test reads this file");
    Learned::Both(network, patterns)
});

impl Learned {
    /// The fewest empty squares at which the network judges, where there are tables as well.
    /// Chosen, not tuned; what was measured is in docs/tuning.md.
    pub const NETWORK_FROM: usize = 20;

    /// The evaluator that comes with the program. `weights/network.txt` and `weights/patterns.txt` say how its weights
    /// were made.
    #[must_use]
    pub fn embedded() -> &'static Learned {
        &EMBEDDED
    }

    /// The evaluator with the weights in this file.
    pub fn read(bytes: &[u8]) -> Result<Learned, WeightsError> {
        Ok(match Kind::of(bytes)? {
            Kind::Network => Learned::Network(Network::read(bytes)?),
            Kind::Patterns => Learned::Patterns(Patterns::read(bytes)?),
        })
    }
}

impl Evaluator for Learned {
    type Features = Fillings;

    fn features(&self, board: Board) -> Fillings {
        match self {
            Learned::Network(network) => network.features(board),
            Learned::Patterns(patterns) | Learned::Both(_, patterns) => patterns.features(board),
        }
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, board: Board, play: Play) -> Fillings {
        match self {
            Learned::Network(network) => network.after(features, board, play),
            Learned::Patterns(patterns) | Learned::Both(_, patterns) => patterns.after(features, board, play),
        }
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, board: Board) -> Fillings {
        match self {
            Learned::Network(network) => network.pass(features, board),
            Learned::Patterns(patterns) | Learned::Both(_, patterns) => patterns.pass(features, board),
        }
    }

    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, features: &Fillings, board: Board) -> Score {
        match self {
            Learned::Network(network) => network.score(kernel, features, board),
            Learned::Patterns(patterns) => patterns.score(kernel, features, board),
            Learned::Both(network, patterns) => {
                if empties(board) >= Learned::NETWORK_FROM {
                    network.score(kernel, features, board)
                } else {
                    patterns.score(kernel, features, board)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use emilia_rules::{Portable, SquareSet};

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(Learned::embedded(), 100);
    }

    #[test]
    fn each_judges_its_part_of_the_game() {
        let Learned::Both(network, patterns) = Learned::embedded() else { panic!("it has both kinds") };
        let mut board = Board::START;
        // Whoever cannot move passes; at last nobody can.
        while !(board.moves().is_empty() && board.pass().moves().is_empty()) {
            board = board.moves().into_iter().last().map_or(board.pass(), |square| board.play(square));
            let score = |evaluator: &dyn Fn(&Fillings) -> Score| evaluator(&patterns.features(board));
            let expected = if empties(board) >= Learned::NETWORK_FROM {
                score(&|features| network.score(Portable, features, board))
            } else {
                score(&|features| patterns.score(Portable, features, board))
            };
            assert_eq!(score(&|features| Learned::embedded().score(Portable, features, board)), expected);
        }
        assert!(empties(board) < Learned::NETWORK_FROM);
    }

    #[test]
    fn a_file_says_what_it_holds() {
        let patterns = include_bytes!("../weights/patterns.bin");
        assert!(matches!(Learned::read(patterns), Ok(Learned::Patterns(_))));
        let network = include_bytes!("../weights/network.bin");
        assert!(matches!(Learned::read(network), Ok(Learned::Network(_))));
        assert!(Learned::read(&patterns[1..]).is_err());
        assert!(Learned::read(b"").is_err());
    }
}
