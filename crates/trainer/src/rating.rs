use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How strong somebody is at something, in the three numbers of Glicko-2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// On the scale on which a beginner has some hundreds and a champion some 2500.
    pub rating: f64,
    /// How uncertain that is: the truth lies within twice this with a probability of 95 %.
    pub deviation: f64,
    /// How much it is expected to change.
    pub volatility: f64,
    /// After how many answers or games.
    pub games: u32,
    /// When it last changed, in milliseconds since 1970.
    pub changed: u64,
}

/// Numbers that no rating has.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "a rating lies between -10000 and 10000, its deviation between 0 and 1000, its volatility between 0 and 1"
)]
pub struct RatingError;

impl Rating {
    /// The same, if it can be.
    pub fn checked(self) -> Result<Rating, RatingError> {
        let possible = (-10_000.0..=10_000.0).contains(&self.rating)
            && (0.0..=1000.0).contains(&self.deviation)
            && (0.0..=1.0).contains(&self.volatility);
        possible.then_some(self).ok_or(RatingError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_ratings_are_refused() {
        let usual = Rating { rating: 1500.0, deviation: 350.0, volatility: 0.06, games: 0, changed: 0 };
        assert_eq!(usual.checked(), Ok(usual));
        for wrong in [
            Rating { rating: f64::NAN, ..usual },
            Rating { deviation: -1.0, ..usual },
            Rating { volatility: f64::INFINITY, ..usual },
        ] {
            assert_eq!(wrong.checked(), Err(RatingError));
        }
    }
}
