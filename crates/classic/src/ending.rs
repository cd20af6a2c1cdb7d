use std::fmt;
use std::str::FromStr;

use emilia_rules::{Playable, SquareSet};
use thiserror::Error;

/// What a finished game is worth in a search: always more, or less, than any evaluation.
///
/// ```
/// use emilia_classic::Ending;
/// assert_eq!("margin".parse(), Ok(Ending::Margin));
/// assert_eq!(Ending::spell(Ending::WIN + 12.0), "won by 12");
/// assert_eq!(Ending::spell(-Ending::WIN), "lost");
/// assert_eq!(Ending::spell(-5191.68), "-5191.680");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Won, lost or drawn: all wins are worth the same.
    #[default]
    WinLossDraw,
    /// The more discs a win is won by, the better.
    Margin,
}

/// A word that names no way to value a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("finished games are valued as \"wld\" or \"margin\", not {0:?}")]
pub struct EndingError(pub String);

impl Ending {
    /// The worth of a won game. No evaluation comes near, because weights are limited.
    pub const WIN: f64 = 1e9;

    /// Evaluations stay below this, results of games above.
    const BETWEEN: f64 = Ending::WIN / 2.0;

    /// What the finished game is worth to the side to move.
    #[inline(always)]
    pub(crate) fn worth<P: Playable>(self, position: &P) -> f64 {
        let difference = position.own().count() as i32 - position.opponent().count() as i32;
        let result = f64::from(difference.signum()) * Ending::WIN;
        match self {
            Ending::WinLossDraw => result,
            Ending::Margin => result + f64::from(difference),
        }
    }

    /// Whether a score is that of a game won or lost, not an evaluation. (A drawn game is worth 0, as an even
    /// position is.)
    #[must_use]
    pub fn is_decided(score: f64) -> bool {
        score.abs() > Ending::BETWEEN
    }

    /// A score in words or figures: `won`, `lost by 4`, `12`, `-5191.680`.
    #[must_use]
    pub fn spell(score: f64) -> String {
        if score.is_infinite() {
            return if score > 0.0 { "∞".to_owned() } else { "-∞".to_owned() };
        }
        if !Ending::is_decided(score) {
            // Adding 0 turns -0 into 0.
            return if score.fract() == 0.0 { format!("{}", score + 0.0) } else { format!("{score:.3}") };
        }
        let word = if score > 0.0 { "won" } else { "lost" };
        let margin = score.abs() - Ending::WIN;
        if margin > 0.0 { format!("{word} by {margin}") } else { word.to_owned() }
    }
}

impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(text: &str) -> Result<Ending, EndingError> {
        match text {
            "wld" => Ok(Ending::WinLossDraw),
            "margin" => Ok(Ending::Margin),
            _ => Err(EndingError(text.chars().take(24).collect())),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ending::WinLossDraw => "wld",
            Ending::Margin => "margin",
        })
    }
}
