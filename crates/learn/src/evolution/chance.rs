//! Where the random numbers of a run come from.

use emilia_classic::Dice;

/// What dice are thrown for. Each purpose has dice of its own in each generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The first population.
    Beginning = 1,
    /// The moves before the players take over.
    Opening = 2,
    /// The players of a game.
    Game = 3,
    /// Who breeds with whom, and how.
    Breeding = 4,
    /// The population that a distribution is asked for.
    Sampling = 5,
}

/// Dice for one purpose, in one generation, for the thing of this number.
pub(crate) fn dice(seed: u64, purpose: Purpose, generation: u32, number: u64) -> Dice {
    let parts = [purpose as u64, u64::from(generation), number];
    Dice::new(parts.into_iter().fold(seed, |seed, part| scrambled(seed ^ scrambled(part))))
}

/// A number that has nothing to do with its neighbours': the finaliser of the generator SplitMix64.
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A throw from the normal distribution with mean 0 and deviation 1, by the method of Box and Muller.
pub(crate) fn normal(dice: &mut Dice) -> f64 {
    // The logarithm wants a number above 0, so the interval is turned round.
    let radius = (-2.0 * (1.0 - dice.fraction()).ln()).sqrt();
    radius * (std::f64::consts::TAU * dice.fraction()).cos()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_game_of_every_generation_has_dice_of_its_own() {
        let mut seen = HashSet::new();
        for seed in 0..3 {
            for purpose in [Purpose::Opening, Purpose::Game] {
                for generation in 0..10 {
                    for number in 0..91 {
                        assert!(seen.insert(dice(seed, purpose, generation, number).seed()));
                    }
                }
            }
        }
    }

    #[test]
    fn normal_throws_have_the_moments_of_the_normal_distribution() {
        let mut dice = Dice::new(1);
        let throws: Vec<f64> = (0..100_000).map(|_| normal(&mut dice)).collect();
        let mean_of = |power: i32| throws.iter().map(|throw| throw.powi(power)).sum::<f64>() / 100_000.0;
        // Five standard errors: 1, √2, √15 and √96 over √100000.
        for (power, moment, error) in [(1, 0.0, 0.016), (2, 1.0, 0.023), (3, 0.0, 0.062), (4, 3.0, 0.155)] {
            assert!((mean_of(power) - moment).abs() < error, "moment {power}: {}", mean_of(power));
        }
    }
}
