use std::fmt;

/// How much a search may leave out: how sure it must be that what it left out would not have changed its answer.
///
/// The steps of 73, 87, 95, 98 and 99 percent are those of Edax, which most programs of the field follow.
///
/// ```
/// use emilia_query::Selectivity;
/// assert!(Selectivity::Certain > Selectivity::Likely);
/// assert_eq!(Selectivity::Likely.to_string(), "73%");
/// assert_eq!(Selectivity::of_percent(87), Some(Selectivity::Fair));
/// assert_eq!(Selectivity::of_percent(90), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[doc(alias = "confidence")]
pub enum Selectivity {
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

impl Selectivity {
    /// All of them, the least sure first.
    pub const ALL: [Selectivity; 6] = [
        Selectivity::Likely,
        Selectivity::Fair,
        Selectivity::Good,
        Selectivity::High,
        Selectivity::Highest,
        Selectivity::Certain,
    ];

    /// The one of so many percent, if there is one.
    #[must_use]
    pub fn of_percent(percent: u32) -> Option<Selectivity> {
        Selectivity::ALL.into_iter().find(|selectivity| selectivity.percent() == percent)
    }

    /// In percent: the share of a normal distribution within the standard deviations it stands for.
    #[must_use]
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self as usize]
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}
