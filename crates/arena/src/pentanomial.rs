use std::fmt;

use crate::Elo;
use crate::elo::DEVIATIONS;

/// How many pairs of games brought the first player 0, ½, 1, 1½ and 2 points.
///
/// The two games of a pair share an opening with colours changed. An opening that favours one colour then costs each
/// player as much as it gives, so the results of pairs scatter less than those of single games, and errors reckoned from
/// pairs are the honest ones.
///
/// ```
/// use emilia_arena::Pentanomial;
/// let mut pairs = Pentanomial::default();
/// pairs.add(4);
/// pairs.add(2);
/// assert_eq!((pairs.pairs(), pairs.mean()), (2, 0.75));
/// assert_eq!(pairs.to_string(), "0 0 1 0 1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u32; 5]);

impl Pentanomial {
    /// Counts a pair that brought so many half points. More than the two games have to give count as all of them.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Pairs counted.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Average share of the points, 0 to 1; one half before the first pair.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.shares().map(|(score, count)| score * count).sum::<f64>() / f64::from(pairs),
        }
    }

    /// Variance of the share of a pair.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let spread: f64 = self.shares().map(|(score, count)| count * (score - mean).powi(2)).sum();
        spread / f64::from(self.pairs().max(1))
    }

    /// The difference in strength.
    #[must_use]
    pub fn elo(&self) -> Elo {
        Elo::from_mean(self.mean(), self.standard_error())
    }

    /// Probability that the first player is the stronger one: "likelihood of superiority".
    #[must_use]
    pub fn superiority(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            _ => normal_share((self.mean() - 0.5) / self.standard_error()),
        }
    }

    /// Standard error of the mean. Equal results say nothing about their error; half a point that could have gone the
    /// other way keeps it above zero.
    fn standard_error(&self) -> f64 {
        match self.pairs() {
            0 => f64::INFINITY,
            pairs => (self.variance() / f64::from(pairs)).sqrt().max(0.25 / f64::from(pairs)),
        }
    }

    /// Each possible share of the points of a pair, with its count.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().enumerate().map(|(half_points, count)| (half_points as f64 / 4.0, f64::from(*count)))
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [none, half, one, more, all] = self.0;
        write!(f, "{none} {half} {one} {more} {all}")
    }
}

/// An average with its 95 % error.
///
/// ```
/// use emilia_arena::Average;
/// let margin = Average::of(&[2.0, 4.0, 6.0, 8.0]);
/// assert_eq!(margin.to_string(), "+5.00 ± 2.53");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Average {
    /// The average; 0 of nothing.
    pub mean: f64,
    /// Half the width of the 95 % interval; infinite below two values.
    pub error: f64,
}

impl Average {
    /// Of independent values.
    #[must_use]
    pub fn of(values: &[f64]) -> Average {
        let count = values.len() as f64;
        let mean = if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / count };
        if values.len() < 2 {
            return Average { mean, error: f64::INFINITY };
        }
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Average { mean, error: DEVIATIONS * (variance / count).sqrt() }
    }
}

impl fmt::Display for Average {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        write!(f, "{:+.2}", self.mean + 0.0)?;
        if self.error.is_finite() { write!(f, " ± {:.2}", self.error) } else { Ok(()) }
    }
}

/// Share of a normal distribution below this many standard deviations: Abramowitz and Stegun 26.2.17, whose error is
/// below 7.5e-8.
fn normal_share(deviations: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * deviations.abs());
    let density = (-deviations * deviations / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let [a, b, c, d, e] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let beyond = density * t * (a + t * (b + t * (c + t * (d + t * e))));
    if deviations >= 0.0 { 1.0 - beyond } else { beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the chess match runner Fastchess prints for these results.
    #[test]
    fn elo_and_superiority_agree_with_a_published_match_runner() {
        for (counts, difference, error, superiority) in [
            ([34, 54, 63, 64, 75], 55.58, 27.65, Some(1.0)),
            ([332, 433, 498, 333, 334], -8.64, 10.33, Some(0.0505)),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, None),
        ] {
            let pairs = Pentanomial(counts);
            let elo = pairs.elo();
            assert!((elo.difference - difference).abs() < 0.01, "{counts:?}: {elo:?}");
            assert!((elo.error() - error).abs() < 0.01, "{counts:?}: {}", elo.error());
            if let Some(expected) = superiority {
                assert!((pairs.superiority() - expected).abs() < 1e-4, "{}", pairs.superiority());
            }
        }
    }

    #[test]
    fn the_normal_distribution_has_its_textbook_values() {
        for (deviations, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.96, 0.024_997_9), (3.0, 0.998_650_1)]
        {
            assert!((normal_share(deviations) - share).abs() < 1e-7, "{deviations}");
        }
    }

    #[test]
    fn nothing_is_known_before_the_first_pair() {
        let none = Pentanomial::default();
        assert_eq!((none.mean(), none.variance(), none.superiority()), (0.5, 0.0, 0.5));
        assert_eq!(none.elo().to_string(), "unknown");
        assert_eq!(Average::of(&[]).to_string(), "+0.00");
    }
}
