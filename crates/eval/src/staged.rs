use emilia_rules::Board;

use crate::layout::empties;
use crate::{Evaluator, Fillings, Network, Patterns, Play, Score};

/// The network while much of the game is left, the tables of patterns near its end.
///
/// Near the end, searches go to the last disc, and scores only order the moves: there quick ones are worth more than
/// good ones. Both carry the same features, so changing from one to the other costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Staged<'a> {
    /// What judges boards with at least [`Staged::network_from`] empty squares.
    pub network: &'a Network,
    /// What judges the others.
    pub patterns: &'a Patterns,
    /// The fewest empty squares for the network.
    pub network_from: usize,
}

impl Staged<'static> {
    /// Both evaluators that come with the program.
    #[must_use]
    pub fn embedded() -> Staged<'static> {
        Staged {
            network: Network::embedded(),
            patterns: Patterns::embedded(),
            network_from: Staged::USUAL_NETWORK_FROM,
        }
    }
}

impl Staged<'_> {
    /// A few more empty squares than the solver takes over at: leaves of midgame searches are the network's.
    pub const USUAL_NETWORK_FROM: usize = 12;
}

impl Evaluator for Staged<'_> {
    type Features = Fillings;

    fn features(&self, board: Board) -> Fillings {
        self.patterns.features(board)
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, board: Board, play: Play) -> Fillings {
        self.patterns.after(features, board, play)
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, board: Board) -> Fillings {
        self.patterns.pass(features, board)
    }

    #[inline(always)]
    fn score(&self, features: &Fillings, board: Board) -> Score {
        if empties(board) >= self.network_from {
            self.network.score(features, board)
        } else {
            self.patterns.score(features, board)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law;
    use emilia_rules::Square;

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(&Staged { network_from: 30, ..Staged::embedded() }, 100);
    }

    #[test]
    fn each_judges_its_part_of_the_game() {
        let board = Board::START.play(Square::F5);
        let score = |network_from| {
            let staged = Staged { network_from, ..Staged::embedded() };
            staged.score(&staged.features(board), board)
        };
        let network = Network::embedded();
        let patterns = Patterns::embedded();
        assert_eq!(score(59), network.score(&network.features(board), board));
        assert_eq!(score(60), patterns.score(&patterns.features(board), board));
        assert_ne!(score(59), score(60));
    }
}
