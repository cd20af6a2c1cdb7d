/// How a score was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Nobody knows.
    #[default]
    Unknown,
    /// It is the result of a game that was played on from here.
    Result,
    /// By a search of so many plies, 1…60.
    Depth(u8),
    /// By a search to the end of the game that left nothing out.
    Exact,
}

impl Origin {
    /// The deepest search that has a code.
    const DEEPEST: u8 = 60;

    /// Its byte in a file: 0 unknown, 1…60 plies, 100 exact, 150 result.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Origin::Unknown => 0,
            Origin::Depth(plies) => plies.clamp(1, Origin::DEEPEST),
            Origin::Exact => 100,
            Origin::Result => 150,
        }
    }

    /// What a byte in a file means.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Origin> {
        match code {
            0 => Some(Origin::Unknown),
            1..=Origin::DEEPEST => Some(Origin::Depth(code)),
            100 => Some(Origin::Exact),
            150 => Some(Origin::Result),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn codes_lead_back_and_better_origins_are_greater() {
        let known: Vec<Origin> = (0..=255).filter_map(Origin::from_code).collect();
        assert_eq!(known.len(), 63);
        assert!(known.iter().all(|origin| Origin::from_code(origin.code()) == Some(*origin)));
        assert!(Origin::Exact > Origin::Depth(60) && Origin::Depth(2) > Origin::Depth(1));
        assert!(Origin::Depth(1) > Origin::Result);
    }
}
