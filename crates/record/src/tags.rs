/// The names under which every format keeps the same things. Other names are kept as they come.
pub mod tag {
    /// Tournament, match or occasion.
    pub const EVENT: &str = "Event";
    /// Town, server or program.
    pub const PLACE: &str = "Place";
    /// When the game was played, as the format writes dates.
    pub const DATE: &str = "Date";
    /// Time of day.
    pub const TIME: &str = "Time";
    /// Round of the tournament.
    pub const ROUND: &str = "Round";
    /// Who played Black.
    pub const BLACK: &str = "Black";
    /// Who played White.
    pub const WHITE: &str = "White";
    /// Black's rating.
    pub const BLACK_RATING: &str = "BlackRating";
    /// White's rating.
    pub const WHITE_RATING: &str = "WhiteRating";
    /// Number of the tournament in a WTHOR tournament file.
    pub const EVENT_NUMBER: &str = "EventNumber";
    /// Number of the black player in a WTHOR player file.
    pub const BLACK_NUMBER: &str = "BlackNumber";
    /// Number of the white player in a WTHOR player file.
    pub const WHITE_NUMBER: &str = "WhiteNumber";
    /// Black's discs under perfect play from the depth the WTHOR file states.
    pub const THEORY: &str = "Theory";
    /// Empty squares from which [`THEORY`] is computed.
    pub const THEORY_DEPTH: &str = "TheoryDepth";
    /// Type of a GGS match, such as `s8r20`.
    pub const MATCH_TYPE: &str = "MatchType";

    /// All of the above, in the order in which [`Tags`](super::Tags) keeps them.
    pub const KNOWN: [&str; 15] = [
        EVENT,
        PLACE,
        DATE,
        TIME,
        ROUND,
        BLACK,
        WHITE,
        BLACK_RATING,
        WHITE_RATING,
        EVENT_NUMBER,
        BLACK_NUMBER,
        WHITE_NUMBER,
        THEORY,
        THEORY_DEPTH,
        MATCH_TYPE,
    ];
}

/// Names and values at the head of a game: who, where, when.
///
/// Well-known names ([`tag::KNOWN`]) come first and in a fixed order, so that formats which list them differently
/// give the same tags; others follow in the order in which they were set. An empty value is no value.
///
/// ```
/// use emilia_record::{tag, Tags};
/// let mut tags = Tags::default();
/// tags.set("Annotator", "me");
/// tags.set(tag::WHITE, "Kitty");
/// tags.set(tag::BLACK, "Tom");
/// let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["Black", "White", "Annotator"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

/// Most names a game may have besides the well-known ones; readers ignore the rest.
const MOST: usize = 256;

impl Tags {
    /// The value under this name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the value under this name; an empty value removes it. At most 256 names are kept.
    pub fn set(&mut self, name: &str, value: &str) {
        let at = self.0.iter().position(|(known, _)| known == name);
        match (at, value.is_empty()) {
            (Some(at), true) => {
                self.0.remove(at);
            }
            (Some(at), false) => value.clone_into(&mut self.0[at].1),
            (None, true) => {}
            (None, false) if self.0.len() >= MOST => {}
            (None, false) => {
                let rank = rank(name);
                let at = self.0.partition_point(|(known, _)| self::rank(known) <= rank);
                self.0.insert(at, (name.to_owned(), value.to_owned()));
            }
        }
    }

    /// Names and values, well-known ones first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn rank(name: &str) -> usize {
    tag::KNOWN.iter().position(|known| *known == name).unwrap_or(tag::KNOWN.len())
}
