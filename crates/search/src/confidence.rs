use std::fmt;

/// How sure a selective search is that what it left out would not have changed its answer.
///
/// ```
/// use emilia_search::Confidence;
/// assert!(Confidence::Certain > Confidence::Likely);
/// assert_eq!(Confidence::Likely.to_string(), "73%");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Confidence {
    /// 73 %: errors of more than 1.1 standard deviations go unseen.
    Likely,
    /// 87 %.
    Fair,
    /// 95 %.
    Good,
    /// 98 %.
    High,
    /// 99 %.
    Highest,
    /// 100 %: nothing is left out.
    Certain,
}

impl Confidence {
    /// All of them, the least sure first.
    pub const ALL: [Confidence; 6] = [
        Confidence::Likely,
        Confidence::Fair,
        Confidence::Good,
        Confidence::High,
        Confidence::Highest,
        Confidence::Certain,
    ];

    /// In percent: the share of a normal distribution within the standard deviations it stands for.
    #[must_use]
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self as usize]
    }

    /// How many standard deviations a shallow search must be beyond the window to be believed, in 64ths; `None`
    /// if it never is.
    #[must_use]
    pub(crate) const fn deviations(self) -> Option<i32> {
        match self {
            Confidence::Likely => Some(70),
            Confidence::Fair => Some(96),
            Confidence::Good => Some(128),
            Confidence::High => Some(150),
            Confidence::Highest => Some(166),
            Confidence::Certain => None,
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}
