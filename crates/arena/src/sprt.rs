use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Elo, Pentanomial};

/// A sequential test: games go on only until it is clear enough whether a player is stronger by `elo0` or by `elo1`.
///
/// This is the generalised sequential probability ratio test on pairs of games, in logistic Elo, as Fishtest has it: the
/// likelihood of each hypothesis is that of the likeliest distribution of pairs with that mean.
///
/// ```
/// use emilia_arena::{Pentanomial, Sprt, Verdict};
/// let test: Sprt = "0,10".parse()?;
/// assert_eq!(test.verdict(&Pentanomial([10, 50, 200, 50, 10])), None);
/// assert_eq!(test.verdict(&Pentanomial([40, 180, 400, 300, 80])), Some(Verdict::Stronger));
/// # Ok::<(), emilia_arena::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The first player is stronger by `elo1` rather than by `elo0`.
    Stronger,
    /// The first player is stronger by `elo0` rather than by `elo1`: no gain.
    NotStronger,
}

/// Why there can be no such test.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    /// Not two numbers.
    #[error("a test needs two Elo differences, such as 0,5, not {0:?}")]
    NotTwo(String),
    /// The hypotheses are the wrong way round, the same, or beyond all measure.
    #[error("the second Elo difference must be larger than the first, and both within ±1000, not {0},{1}")]
    Order(f64, f64),
    /// An error rate that is none.
    #[error("an error rate lies between 0 and 0.5, not {0}")]
    Rate(f64),
}

/// How often a test may err if nothing is said, either way.
const USUAL_RATE: f64 = 0.05;
/// Largest hypothesis in Elo: at 1000 a player has 99.7 % of the points.
const LARGEST: f64 = 1000.0;
/// Stands in for pairs that have not happened yet, so that no logarithm is infinite; the value Fishtest uses.
const UNSEEN: f64 = 1e-3;
/// Halvings until the likeliest distribution is found to the last bit.
const HALVINGS: u32 = 100;

impl Sprt {
    /// A test of these two differences; `alpha` and `beta` say how often it may wrongly find gain and no gain.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if !(elo0 < elo1 && elo0 >= -LARGEST && elo1 <= LARGEST) {
            return Err(SprtError::Order(elo0, elo1));
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate(rate));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The same test with other error rates.
    pub fn with_rates(self, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        Sprt::new(self.elo0, self.elo1, alpha, beta)
    }

    /// The log-likelihood ratio of the hypotheses: positive speaks for `elo1`.
    #[must_use]
    pub fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen: Vec<(f64, f64)> =
            pairs.shares().map(|(score, count)| (score, if count == 0.0 { UNSEEN } else { count })).collect();
        let likely0 = likeliest(&seen, Elo::expected(self.elo0));
        let likely1 = likeliest(&seen, Elo::expected(self.elo1));
        seen.iter()
            .zip(likely0.iter().zip(&likely1))
            .map(|((_, count), (p0, p1))| count * (p1 / p0).ln())
            .sum()
    }

    /// The ratios at which no gain and gain count as proven.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The two Elo differences that it tells apart.
    #[must_use]
    pub fn differences(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// What the pairs prove, if anything yet.
    #[must_use]
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<Verdict> {
        let (ratio, (low, high)) = (self.ratio(pairs), self.bounds());
        if ratio >= high {
            Some(Verdict::Stronger)
        } else if ratio <= low {
            Some(Verdict::NotStronger)
        } else {
            None
        }
    }
}

/// The distribution with this mean under which what was seen is likeliest, as weights in proportion to it.
///
/// With Lagrange's multiplier x each probability is p / (1 + x·(score − mean)), where x makes the mean right; the sum
/// that has to vanish falls as x grows, so that halving finds it.
fn likeliest(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let sum = |x: f64| -> f64 {
        seen.iter().map(|(score, count)| count * (score - mean) / (1.0 + x * (score - mean))).sum()
    };
    // Scores reach from 0 to 1; all probabilities are positive between these ends.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    seen.iter().map(|(score, count)| count / (1.0 + x * (score - mean))).collect()
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let error = || SprtError::NotTwo(text.chars().take(40).collect());
        let (elo0, elo1) = text.split_once(',').ok_or_else(error)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| error());
        Sprt::new(number(elo0)?, number(elo1)?, USUAL_RATE, USUAL_RATE)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+} against {:+} Elo", self.elo0, self.elo1)
    }
}

impl Verdict {
    /// One word for a program to read: `stronger` or `not-stronger`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Stronger => "stronger",
            Verdict::NotStronger => "not-stronger",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that the chess match runner Fastchess checks itself against, which come from Fishtest.
    #[test]
    fn ratios_agree_with_published_ones() {
        for (counts, elo0, elo1, ratio) in [
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
        ] {
            let test = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
            let found = test.ratio(&Pentanomial(counts));
            assert!((found - ratio).abs() < 0.01, "{counts:?}: {found}");
            assert_eq!(test.verdict(&Pentanomial(counts)), Some(Verdict::NotStronger));
        }
    }

    /// Wald's bounds for 5 % either way, as every chess test prints them.
    #[test]
    fn bounds_are_walds() {
        let (low, high) = "0,5".parse::<Sprt>().unwrap().bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
    }

    #[test]
    fn lopsided_results_stay_finite_and_lead_the_right_way() {
        let test: Sprt = "0,5".parse().unwrap();
        for count in [1, 10, 1000, u32::MAX / 8] {
            let best = test.ratio(&Pentanomial([0, 0, 0, 0, count]));
            let worst = test.ratio(&Pentanomial([count, 0, 0, 0, 0]));
            assert!(best > 0.0 && best.is_finite(), "{count}: {best}");
            assert!(worst < 0.0 && worst.is_finite(), "{count}: {worst}");
        }
        assert_eq!(test.ratio(&Pentanomial::default()), 0.0);
    }

    #[test]
    fn what_is_no_test_is_refused() {
        for (text, sentence) in [
            ("5", "a test needs two Elo differences, such as 0,5, not \"5\""),
            ("a,b", "a test needs two Elo differences, such as 0,5, not \"a,b\""),
            (
                "5,0",
                "the second Elo difference must be larger than the first, and both within ±1000, not 5,0",
            ),
            (
                "0,NaN",
                "the second Elo difference must be larger than the first, and both within ±1000, not 0,NaN",
            ),
        ] {
            assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), sentence);
        }
        assert_eq!(Sprt::new(0.0, 5.0, 0.5, 0.05).unwrap_err(), SprtError::Rate(0.5));
    }
}
