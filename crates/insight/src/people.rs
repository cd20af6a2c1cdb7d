//! What tournament players of a rating lose, to compare with.

use serde::Serialize;

/// Discs of a game, in five stages: the last disc of each.
pub const STAGES: [u32; 5] = [12, 24, 36, 48, 60];

/// Tournament players of neighbouring ratings, and the discs that a move of theirs loses on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Band {
    /// Their ratings, in words.
    pub name: &'static str,
    /// The lowest rating.
    pub from: u32,
    /// By stage of the game.
    pub stages: [f64; 5],
    /// Over the whole game.
    pub loss: f64,
}

/// `emilia humantest --wthor WTHOR --ratings ratings.tsv --moves 6000 --seed 11 --years 1985,1995,2005,2015`: people in WTHOR games, with a
/// choice of moves, judged at level 10 (docs/human.md).
pub const BANDS: [Band; 5] = [
    Band { name: "below 1500", from: 0, stages: [2.02, 3.17, 3.92, 4.29, 1.94], loss: 3.18 },
    Band { name: "1500 to 1699", from: 1500, stages: [1.48, 2.63, 3.15, 3.72, 2.25], loss: 2.67 },
    Band { name: "1700 to 1899", from: 1700, stages: [0.92, 1.88, 2.25, 2.76, 1.46], loss: 1.87 },
    Band { name: "1900 to 2099", from: 1900, stages: [0.73, 1.55, 1.61, 2.12, 0.93], loss: 1.41 },
    Band { name: "2100 and above", from: 2100, stages: [0.80, 0.84, 1.17, 1.69, 0.43], loss: 0.98 },
];

/// The rating of people who lose as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Likeness {
    /// Their rating.
    pub rating: u32,
    /// How far off it may be: one standard deviation.
    pub deviation: u32,
}

/// Loss of a move at this rating; it falls by a factor of e with every so many points (docs/human.md).
const LOSS: f64 = 3.4;
const AT: f64 = 1350.0;
const POINTS: f64 = 800.0;
/// Fewer moves say nothing.
const FEWEST: usize = 12;
const RATINGS: (f64, f64) = (600.0, 2600.0);
const WIDEST: f64 = 800.0;

impl Likeness {
    /// By what moves with a choice lost, as the review on the page says it; nothing where there are too few.
    #[must_use]
    pub fn of(losses: &[f64]) -> Option<Likeness> {
        if losses.len() < FEWEST {
            return None;
        }
        let count = losses.len() as f64;
        let mean = losses.iter().sum::<f64>() / count;
        let variance = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // Moves without any loss are such in which none was seen, not proof of perfection.
        let least = mean.max(1.0 / count);
        let rating = AT - POINTS * (least / LOSS).ln();
        let deviation = POINTS * (variance / count).sqrt().max(1.0 / count) / least;
        let tens = |value: f64| (value / 10.0).round() as u32 * 10;
        Some(Likeness {
            rating: tens(rating.clamp(RATINGS.0, RATINGS.1)),
            deviation: tens(deviation.min(WIDEST)),
        })
    }

    /// The players to compare with.
    #[must_use]
    pub fn band(self) -> Band {
        let is_below = |band: &&Band| band.from <= self.rating;
        BANDS.iter().rfind(is_below).copied().unwrap_or(BANDS[0])
    }
}

/// Which stage a disc belongs to.
pub(crate) fn stage(number: u32) -> usize {
    STAGES.iter().position(|last| number <= *last).unwrap_or(STAGES.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_tell_the_same_rating_as_on_the_page() {
        // The figures of web/tests/study.spec.js.
        assert_eq!(Likeness::of(&[0.0, 0.0, 9.0]), None);
        assert_eq!(Likeness::of(&[3.4; 20]).unwrap().rating, 1350);
        assert_eq!(Likeness::of(&[1.7; 20]).unwrap().rating, 1900);
        assert_eq!(Likeness { rating: 1950, deviation: 0 }.band().name, "1900 to 2099");
        assert_eq!([1, 12, 13, 48, 49, 60].map(stage), [0, 0, 1, 3, 4, 4]);
    }
}
