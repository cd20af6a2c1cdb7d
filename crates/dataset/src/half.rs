use emilia_rules::{GridPosition, Position, Symmetry};

use crate::packed::Packed;

/// Whether a position is learnt from or kept for tests.
///
/// A game goes through many positions, and all games go through the first ones: no division of *games* keeps two halves
/// apart. So positions are divided. The half of a position depends on where the discs of the side to move and those of
/// the other side are, and on the share of tests; not on colours, not on how the board is turned or mirrored, not on the
/// game, its seed or its players. Data sets made apart therefore agree, and with a larger share of tests every position
/// that was a test remains one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// To learn from.
    Train,
    /// For tests.
    Test,
}

/// The half of a position if this share of them is kept for tests.
///
/// ```
/// use emilia_dataset::{Half, half};
/// use emilia_rules::GridPosition;
/// assert_eq!(half(&GridPosition::default(), 1.0), Half::Test);
/// assert_eq!(half(&GridPosition::default(), 0.0), Half::Train);
/// ```
#[must_use]
pub fn half(position: &GridPosition, test_share: f64) -> Half {
    match Position::try_from(position) {
        Ok(position) => Threshold::new(test_share).half(&position),
        Err(_) => Threshold::new(test_share).half(position),
    }
}

/// The keys below which positions are for tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold(u128);

impl Threshold {
    pub(crate) fn new(test_share: f64) -> Threshold {
        // A share of 1 is all 2⁶⁴ keys, one more than fits a word.
        Threshold((test_share.clamp(0.0, 1.0) * 2f64.powi(64)) as u128)
    }

    pub(crate) fn half<P: Packed>(self, position: &P) -> Half {
        if u128::from(key(position)) < self.0 { Half::Test } else { Half::Train }
    }
}

/// Odd numbers that spread neighbours far apart: 2⁶⁴ over the golden section, and the second constant of MurmurHash3.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const SPREAD_AGAIN: u64 = 0xc4ce_b9fe_1a85_ec53;

/// A number that positions share exactly if they are the same but for colours and symmetry, chance collisions of 64 bits
/// apart: of the eight ways to lay the board, the one with the smallest hash stands for all.
fn key<P: Packed>(position: &P) -> u64 {
    let size = position.size();
    let count = size.cells().div_ceil(64);
    let hash = |symmetry: &Symmetry| {
        let turned = position.turned(*symmetry);
        let (mine, theirs) = (P::words(turned.own(), size), P::words(turned.opponent(), size));
        let words = mine.as_ref()[..count].iter().chain(&theirs.as_ref()[..count]);
        words.fold(u64::from(size.get()), |hash, word| mixed(hash ^ word, SPREAD))
    };
    let least = Symmetry::ALL.iter().map(hash).min().unwrap_or_default();
    // The smallest of eight is small; mixed again it is as likely to be anywhere.
    mixed(mixed(least, SPREAD_AGAIN), SPREAD)
}

#[inline]
fn mixed(word: u64, factor: u64) -> u64 {
    let product = word.wrapping_mul(factor);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{Playable, Size};
    use proptest::prelude::*;

    /// A position some moves into a game, chosen by these numbers.
    fn position(size: Size, choices: &[u8]) -> GridPosition {
        let mut position = GridPosition::start(size);
        for choice in choices {
            let moves: Vec<_> = position.moves().collect();
            let Some(mv) = moves.get(usize::from(*choice) % moves.len().max(1)) else { break };
            position = position.played(*mv);
        }
        position
    }

    proptest! {
        #[test]
        fn turned_and_recoloured_positions_share_their_key(choices in proptest::collection::vec(any::<u8>(), 0..50)) {
            for size in [Size::SIX, Size::EIGHT, Size::new(10).unwrap()] {
                let position = position(size, &choices);
                for symmetry in Symmetry::ALL {
                    prop_assert_eq!(key(&position.transformed(symmetry)), key(&position));
                }
                if let Ok(compact) = Position::try_from(&position) {
                    prop_assert_eq!(key(&compact), key(&position));
                }
            }
        }
    }

    /// The shares that are asked for come out, within five standard deviations of a fair throw.
    #[test]
    fn the_share_of_tests_is_what_was_asked_for() {
        let mut seen = std::collections::HashSet::new();
        for first in 0..=u8::MAX {
            for second in 0..16 {
                let choices: Vec<u8> = (0..30).map(|ply| first.wrapping_mul(ply) ^ second).collect();
                seen.insert(position(Size::EIGHT, &choices).canonical());
            }
        }
        for share in [0.1, 0.5] {
            let tests = seen.iter().filter(|position| half(position, share) == Half::Test).count() as f64;
            let (all, deviation) = (seen.len() as f64, (seen.len() as f64 * share * (1.0 - share)).sqrt());
            assert!((tests - all * share).abs() < 5.0 * deviation, "{tests} of {all} for {share}");
        }
        // A test remains one when there are more of them.
        assert!(
            seen.iter()
                .all(|position| half(position, 0.1) == Half::Train || half(position, 0.5) == Half::Test)
        );
    }

    /// Fixed for good: data sets that people have made must not change their halves. The numbers come from the few lines
    /// of Python in docs/datasets.md.
    #[test]
    fn keys_are_those_of_the_documentation() {
        assert_eq!(key(&GridPosition::default()), 0x80e5_1c2e_5adb_e1c5);
        assert_eq!(key(&GridPosition::start(Size::new(10).unwrap())), 0xeced_fd42_adea_a915);
    }
}
