use emilia_rules::{Size, Symmetry};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use super::{Labelled, Origin};

/// Scored positions from many games, made ready to learn from: merged, divided and shuffled.
///
/// It takes the 24 bytes of each position in memory and no more.
#[derive(Clone, Debug)]
pub struct Collection {
    all: Vec<Labelled>,
    most: usize,
}

/// There are more positions than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are more than {0} positions")]
pub struct TooMany(pub usize);

/// Which positions are kept for tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Division {
    /// The share of games kept for tests, from 0 to 1.
    pub test_share: f64,
    /// Which games, and in what order positions come in the end.
    pub seed: u64,
}

impl Collection {
    /// An empty collection of at most so many positions.
    #[must_use]
    pub fn new(most: usize) -> Collection {
        Collection { all: Vec::new(), most }
    }

    /// Adds positions.
    pub fn extend(&mut self, positions: impl IntoIterator<Item = Labelled>) -> Result<(), TooMany> {
        for labelled in positions {
            if self.all.len() >= self.most {
                return Err(TooMany(self.most));
            }
            let board = labelled.board.canonical(Size::EIGHT).0;
            self.all.push(Labelled { board, ..labelled });
        }
        Ok(())
    }

    /// Positions so far, duplicates counted each.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Makes one of positions that are the same but for symmetry, puts those of some games aside for tests, and
    /// brings each of both sets in a random order, turned and mirrored at random: first what is to be learnt from,
    /// then the tests.
    ///
    /// A position that occurs both in a game kept for tests and in another is learnt from, so that no test was ever
    /// seen, and the positions every game goes through are not lost.
    #[must_use]
    pub fn divide(mut self, division: &Division) -> (Vec<Labelled>, Vec<Labelled>) {
        self.all.sort_unstable_by_key(|labelled| (labelled.board, labelled.game));
        let mut tests = Vec::new();
        // Groups of equal boards are read behind the place where what becomes of them is written.
        let (mut kept, mut at) = (0, 0);
        while at < self.all.len() {
            let board = self.all[at].board;
            let length = self.all[at..].iter().take_while(|labelled| labelled.board == board).count();
            let group = &self.all[at..at + length];
            let one = merged(group);
            if group.iter().all(|labelled| division.is_test(labelled.game)) {
                tests.push(one);
            } else {
                self.all[kept] = one;
                kept += 1;
            }
            at += length;
        }
        self.all.truncate(kept);
        let mut random = ChaCha8Rng::seed_from_u64(division.seed);
        shuffle(&mut self.all, &mut random);
        shuffle(&mut tests, &mut random);
        (self.all, tests)
    }
}

impl Division {
    /// Whether the game of this number is kept for tests.
    #[must_use]
    pub fn is_test(&self, game: u32) -> bool {
        let mut word = (u64::from(game) ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ word >> 32).wrapping_mul(0xbb67_ae85_84ca_a73b);
        ((word >> 11) as f64 / (1u64 << 53) as f64) < self.test_share
    }
}

/// One position out of several with the same board: exact scores beat all others, deep searches count more than
/// shallow ones, and those more than results of games.
fn merged(group: &[Labelled]) -> Labelled {
    let mut best = group[0];
    if group.len() == 1 {
        return best;
    }
    for labelled in group {
        best.origin = best.origin.max(labelled.origin);
    }
    let weight = |origin: Origin| match (best.origin, origin) {
        (Origin::Exact, Origin::Exact) => 1.0,
        (Origin::Exact, _) => 0.0,
        (_, Origin::Depth(plies)) => 1.0 + f64::from(plies),
        _ => 1.0,
    };
    let weights: f64 = group.iter().map(|labelled| weight(labelled.origin)).sum();
    let sum: f64 = group.iter().map(|labelled| weight(labelled.origin) * f64::from(labelled.score)).sum();
    best.score = (sum / weights).round() as i16;
    best
}

fn shuffle(positions: &mut [Labelled], random: &mut ChaCha8Rng) {
    for at in (0..positions.len()).rev() {
        positions.swap(at, random.random_range(0..=at));
        let symmetry = Symmetry::ALL[random.random_range(0..Symmetry::ALL.len())];
        positions[at].board = positions[at].board.transformed(symmetry, Size::EIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{Board, Square};
    use std::collections::HashSet;

    fn labelled(square: Square, score: i16, origin: Origin, game: u32) -> Labelled {
        Labelled { board: Board::START.play(square), score, origin, game }
    }

    fn one(group: &[Labelled]) -> Labelled {
        let mut collection = Collection::new(10);
        collection.extend(group.iter().copied()).unwrap();
        let (all, tests) = collection.divide(&Division { test_share: 0.0, seed: 1 });
        assert_eq!((all.len(), tests.len()), (1, 0));
        all[0]
    }

    #[test]
    fn mirrored_positions_are_one_and_the_better_label_counts() {
        let (deep, shallow) = (Origin::Depth(8), Origin::Depth(2));
        let mix = one(&[labelled(Square::D3, 120, deep, 1), labelled(Square::C4, 0, shallow, 2)]);
        assert_eq!((mix.score, mix.origin), (90, deep));
        let exact = one(&[labelled(Square::D3, 120, deep, 1), labelled(Square::F5, 256, Origin::Exact, 2)]);
        assert_eq!((exact.score, exact.origin), (256, Origin::Exact));
    }

    /// Boards of random games, tests among them: none is in both sets, up to symmetry.
    #[test]
    fn no_test_was_ever_seen() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut collection = Collection::new(100_000);
        for game in 0..400 {
            let mut board = Board::START;
            for _ in 0..20 {
                let moves: Vec<Square> = board.moves().into_iter().collect();
                if moves.is_empty() {
                    break;
                }
                collection.extend([Labelled { board, score: 0, origin: Origin::Exact, game }]).unwrap();
                board = board.play(moves[random.random_range(0..moves.len())]);
            }
        }
        let division = Division { test_share: 0.1, seed: 3 };
        let (all, tests) = collection.clone().divide(&division);
        let keys = |set: &[Labelled]| -> HashSet<Board> {
            set.iter().map(|labelled| labelled.board.canonical(Size::EIGHT).0).collect()
        };
        assert_eq!((keys(&all).len(), keys(&tests).len()), (all.len(), tests.len()));
        assert!(keys(&all).is_disjoint(&keys(&tests)));
        assert!(tests.len() > 300 && tests.iter().all(|labelled| division.is_test(labelled.game)));
        assert_eq!(collection.divide(&division), (all, tests));
    }

    #[test]
    fn too_many_are_refused() {
        let mut collection = Collection::new(2);
        let three = [labelled(Square::D3, 0, Origin::Exact, 0); 3];
        assert_eq!(collection.extend(three), Err(TooMany(2)));
    }
}
