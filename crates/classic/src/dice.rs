use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The one source of chance: the same seed gives the same throws on every machine.
///
/// ```
/// use emilia_classic::Dice;
/// let throws = |seed| { let mut dice = Dice::new(seed); [dice.below(6), dice.below(6), dice.below(6)] };
/// assert_eq!(throws(7), throws(7));
/// assert_ne!(throws(7), throws(8));
/// ```
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice for this seed.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Dice for one of many series of throws with the same seed: no two of them ever run into each other.
    #[must_use]
    pub fn stream(seed: u64, number: u64) -> Dice {
        let mut throws = ChaCha8Rng::seed_from_u64(seed);
        throws.set_stream(number);
        Dice(throws)
    }

    /// A number from 0 up to but not including `bound`, all equally likely; 0 if the bound is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        // The upper half of a product is even but for the lowest part of the products, which is thrown again.
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Any number: a seed for other dice.
    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }
}
