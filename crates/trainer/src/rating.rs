use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};
use thiserror::Error;

/// How much the volatility may change; the paper takes it for its example.
const TAU: f64 = 0.5;
/// A rating period without a game, in milliseconds: every fifth day somebody who rests gets a little less certain.
const PERIOD: u64 = 5 * 24 * 3_600_000;
/// More periods make nobody less certain than at first.
const MOST_PERIODS: u64 = 10_000;

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
    /// Somebody of whom nothing is known.
    #[must_use]
    pub const fn unknown(now: u64) -> Rating {
        Rating { rating: 1500.0, deviation: 350.0, volatility: 0.06, games: 0, changed: now }
    }

    /// A puzzle of which somebody says how hard it is, so uncertainly.
    #[must_use]
    pub const fn said(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06, games: 0, changed: 0 }
    }

    /// The same after one period in which these opponents were beaten, or not.
    #[must_use]
    pub fn after(&self, results: &[(Rating, bool)], now: u64) -> Rating {
        let rested = self.rested(now);
        let results: Vec<(Glicko2Rating, Outcomes)> = results
            .iter()
            .map(|(other, won)| (other.glicko(), if *won { Outcomes::WIN } else { Outcomes::LOSS }))
            .collect();
        let config = Glicko2Config { tau: TAU, ..Glicko2Config::new() };
        let Glicko2Rating { rating, deviation, volatility } =
            glicko2_rating_period(&rested.glicko(), &results, &config);
        let games = self.games.saturating_add(u32::try_from(results.len()).unwrap_or(u32::MAX));
        Rating { rating, deviation, volatility, games, changed: now.max(self.changed) }
    }

    /// A person who has answered a puzzle, and the puzzle, rated alike: who is right has beaten it.
    #[must_use]
    pub fn answered(person: &Rating, puzzle: &Rating, right: bool, now: u64) -> (Rating, Rating) {
        (
            person.after(&[(puzzle.rested(now), right)], now),
            puzzle.after(&[(person.rested(now), !right)], now),
        )
    }

    /// How uncertain it is by now: whoever rests may have got better or worse. What was never rated does not change.
    #[must_use]
    pub fn rested(&self, now: u64) -> Rating {
        let periods = if self.games == 0 { 0 } else { now.saturating_sub(self.changed) / PERIOD };
        let mut glicko = self.glicko();
        for _ in 0..periods.min(MOST_PERIODS) {
            glicko = decay_deviation(&glicko);
        }
        Rating { deviation: glicko.deviation, ..*self }
    }

    const fn glicko(&self) -> Glicko2Rating {
        Glicko2Rating { rating: self.rating, deviation: self.deviation, volatility: self.volatility }
    }

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

    const DAY: u64 = 24 * 3_600_000;

    /// The worked example of Glickman, "Example of the Glicko-2 system", 2013.
    #[test]
    fn ratings_change_as_in_the_paper() {
        let player = Rating::said(1500.0, 200.0);
        let opponents = [(1400.0, 30.0, true), (1550.0, 100.0, false), (1700.0, 300.0, false)];
        let results = opponents.map(|(rating, deviation, won)| (Rating::said(rating, deviation), won));
        let after = player.after(&results, 7);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
        assert_eq!((after.games, after.changed), (3, 7));
    }

    #[test]
    fn who_answers_a_puzzle_gains_what_it_loses_if_both_are_as_uncertain() {
        let (person, puzzle) = (Rating::unknown(0), Rating::said(1500.0, 350.0));
        let (better, easier) = Rating::answered(&person, &puzzle, true, 1);
        assert!((better.rating - 1500.0 - (1500.0 - easier.rating)).abs() < 1e-9);
        assert!(better.rating > 1600.0 && better.deviation < 300.0);
        // Of a puzzle that is known well, little is learned from one answer.
        let known = Rating::said(1500.0, 50.0);
        assert!((known.after(&[(person, false)], 1).rating - 1500.0).abs() < 10.0);
    }

    #[test]
    fn who_rests_gets_less_certain_and_never_more_than_at_first() {
        let rating = Rating { games: 9, deviation: 60.0, ..Rating::unknown(0) };
        assert_eq!(rating.rested(4 * DAY), rating);
        let month = rating.rested(30 * DAY).deviation;
        assert!((60.0..80.0).contains(&month) && month > 60.0, "{month}");
        assert_eq!(rating.rested(u64::MAX).deviation, 350.0);
        assert_eq!(Rating { games: 0, ..rating }.rested(u64::MAX).deviation, 60.0);
    }

    #[test]
    fn impossible_ratings_are_refused() {
        let usual = Rating::unknown(0);
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
