#[cfg(not(target_family = "wasm"))]
use std::sync::LazyLock;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

use emilia_rules::{Board, Kernel};

use crate::{Evaluator, Fillings, Kind, Network, Patterns, Play, Score, WeightsError};

/// An evaluator whose weights were learned, of whichever kind the file with its weights is. The one that comes with
/// the program is a network.
///
/// Both kinds carry the same features, so a search is compiled once for all.
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
}

#[cfg(not(target_family = "wasm"))]
static EMBEDDED: LazyLock<Learned> = LazyLock::new(|| {
    Learned::Network(Network::read(include_bytes!("../weights/network.bin")).expect("a test reads this file"))
});

/// In the browser the weights come separately, so that a page can begin with small ones.
#[cfg(target_family = "wasm")]
static EMBEDDED: OnceLock<Learned> = OnceLock::new();

impl Learned {
    /// The evaluator that comes with the program. `weights/network.txt` says how its weights were made.
    #[must_use]
    #[cfg(not(target_family = "wasm"))]
    pub fn embedded() -> &'static Learned {
        &EMBEDDED
    }

    /// The evaluator that comes with the program.
    ///
    /// # Panics
    /// If nobody has called [`Learned::embed`].
    #[must_use]
    #[cfg(target_family = "wasm")]
    pub fn embedded() -> &'static Learned {
        EMBEDDED.get().expect("the door of the module embeds weights before it asks anything")
    }

    /// Makes this file the evaluator that comes with the program, once and for all: what one network has left in tables
    /// means nothing to another.
    #[cfg(target_family = "wasm")]
    pub fn embed(bytes: &[u8]) -> Result<(), WeightsError> {
        let network = Network::read(bytes)?;
        EMBEDDED.get_or_init(|| Learned::Network(network));
        Ok(())
    }

    /// The evaluator with the weights in this file.
    pub fn read(bytes: &[u8]) -> Result<Learned, WeightsError> {
        Ok(match Kind::of(bytes)? {
            Kind::Network => Learned::Network(Network::read(bytes)?),
            // Those of 6×6 are refused by name there.
            Kind::Patterns | Kind::Six => Learned::Patterns(Patterns::read(bytes)?),
        })
    }
}

impl Evaluator for Learned {
    type Features = Fillings;

    fn features(&self, board: Board) -> Fillings {
        match self {
            Learned::Network(network) => network.features(board),
            Learned::Patterns(patterns) => patterns.features(board),
        }
    }

    #[inline(always)]
    fn after(&self, features: &Fillings, board: Board, play: Play) -> Fillings {
        match self {
            Learned::Network(network) => network.after(features, board, play),
            Learned::Patterns(patterns) => patterns.after(features, board, play),
        }
    }

    #[inline(always)]
    fn pass(&self, features: &Fillings, board: Board) -> Fillings {
        match self {
            Learned::Network(network) => network.pass(features, board),
            Learned::Patterns(patterns) => patterns.pass(features, board),
        }
    }

    #[inline(always)]
    fn prefetch<K: Kernel>(&self, kernel: K, features: &Fillings, board: Board) {
        if let Learned::Network(network) = self {
            network.prefetch(kernel, features, board);
        }
    }

    #[inline(always)]
    fn score<K: Kernel>(&self, kernel: K, features: &Fillings, board: Board) -> Score {
        match self {
            Learned::Network(network) => network.score(kernel, features, board),
            Learned::Patterns(patterns) => patterns.score(kernel, features, board),
        }
    }

    #[inline(always)]
    fn score_knowing_mobility<K: Kernel>(
        &self,
        kernel: K,
        features: &Fillings,
        board: Board,
        mobility: [u32; 2],
    ) -> Score {
        match self {
            Learned::Network(network) => network.score_knowing_mobility(kernel, features, board, mobility),
            Learned::Patterns(patterns) => patterns.score(kernel, features, board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Weights, law};

    #[test]
    fn carried_features_are_features_from_scratch() {
        law::check(Learned::embedded(), 100);
    }

    #[test]
    fn a_file_says_what_it_holds() {
        let patterns = Weights::zero().bytes();
        assert!(matches!(Learned::read(&patterns), Ok(Learned::Patterns(_))));
        let network = include_bytes!("../weights/network.bin");
        assert!(matches!(Learned::read(network), Ok(Learned::Network(_))));
        assert!(Learned::read(&patterns[1..]).is_err());
        assert!(Learned::read(b"").is_err());
    }
}
