use std::fmt;

/// A difference in strength: 400 points are ten to one.
///
/// ```
/// use emilia_arena::Elo;
/// let even = Elo::from_scores(&[0.5, 1.0, 0.0, 0.5]);
/// assert_eq!(even.difference, 0.0);
/// assert_eq!(Elo::from_scores(&[1.0, 1.0]).to_string(), "more than 196");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate; infinite if one side has all the points.
    pub difference: f64,
    /// Low end of the 95 % interval.
    pub low: f64,
    /// High end of the 95 % interval.
    pub high: f64,
}

/// Standard errors that 95 % of a normal distribution lie within.
pub(crate) const DEVIATIONS: f64 = 1.96;

impl Elo {
    /// From independent scores between 0 and 1.
    #[must_use]
    pub fn from_scores(scores: &[f64]) -> Elo {
        let count = scores.len() as f64;
        if scores.is_empty() {
            return Elo::from_mean(0.5, f64::INFINITY);
        }
        let mean = scores.iter().sum::<f64>() / count;
        let spread: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        // With one score, or with equal ones, the sample says nothing about its error. Half a point that could have
        // gone the other way keeps the interval honest.
        let variance = if scores.len() > 1 { spread / (count - 1.0) } else { 0.0 };
        Elo::from_mean(mean, (variance / count).sqrt().max(0.25 / count))
    }

    /// From a share of the points and its standard error.
    #[must_use]
    pub fn from_mean(mean: f64, standard_error: f64) -> Elo {
        Elo {
            difference: difference(mean),
            low: difference(mean - DEVIATIONS * standard_error),
            high: difference(mean + DEVIATIONS * standard_error),
        }
    }

    /// Share of the points that a player expects who is stronger by so much.
    ///
    /// ```
    /// assert!((emilia_arena::Elo::expected(191.0) - 0.75).abs() < 1e-3);
    /// ```
    #[must_use]
    pub fn expected(difference: f64) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
    }

    /// Half the width of the interval; infinite if an end is.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The difference at which this share of the points is expected.
fn difference(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        let rounded = |value: f64| value.round() + 0.0;
        let text = match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => format!("{:+} ± {}", rounded(self.difference), rounded(self.error())),
            (true, false) => format!("more than {}", rounded(self.low)),
            (false, true) => format!("less than {}", rounded(self.high)),
            (false, false) => "unknown".to_owned(),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three to one is 400·log10(3) = 190.85; the error of 100 independent games at 75 % is a textbook value.
    #[test]
    fn known_values() {
        let scores: Vec<f64> = (0..100).map(|game| if game % 4 == 0 { 0.0 } else { 1.0 }).collect();
        let elo = Elo::from_scores(&scores);
        assert!((elo.difference - 190.848).abs() < 1e-3);
        // Standard error √(0.75·0.25/99) = 0.04352, so the ends are the differences at 0.6647 and 0.8353.
        assert!((elo.low - 118.878).abs() < 1e-2, "{}", elo.low);
        assert!((elo.high - 282.057).abs() < 1e-2, "{}", elo.high);
        assert_eq!(elo.to_string(), "+191 ± 82");
        assert_eq!(Elo::from_scores(&[]).to_string(), "unknown");
        assert_eq!(Elo::from_scores(&[0.0; 3]).to_string(), "less than -284");
    }
}
