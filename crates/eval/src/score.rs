use std::fmt;
use std::ops::Neg;

/// How good a position is for the side to move, in 128ths of a disc of the final difference.
///
/// ```
/// use emilia_eval::Score;
/// let ahead = Score::from_discs(3);
/// assert_eq!((-ahead).discs(), -3);
/// assert_eq!(Score(200).discs(), 2);
/// assert_eq!(Score(200).to_string(), "+1.56");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Units of one disc.
    pub const PER_DISC: i32 = 128;
    /// More than any final result.
    pub const MAX: Score = Score(65 * Score::PER_DISC);

    /// So many discs ahead at the end of the game.
    #[must_use]
    pub const fn from_discs(discs: i32) -> Score {
        Score(discs * Score::PER_DISC)
    }

    /// The nearest whole number of discs.
    #[must_use]
    #[inline(always)]
    pub const fn discs(self) -> i32 {
        (self.0 + Score::PER_DISC / 2) >> Score::PER_DISC.ilog2()
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// In discs, with a sign and two decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", f64::from(self.0) / f64::from(Score::PER_DISC))
    }
}
