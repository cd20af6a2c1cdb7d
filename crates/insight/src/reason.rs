use emilia_rules::Point;

/// A number after the move that was played, and after the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Both<T = u32> {
    /// After the move that was played.
    pub played: T,
    /// After the best move.
    pub best: T,
}

/// What a move gave away compared with the best move, with the numbers that were counted. Moves of a line are numbered from 1,
/// which is the move itself. docs/insights.md has the rule of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All discs are lost along the line.
    WipedOut {
        /// The move that takes the last one.
        at_ply: usize,
    },
    /// The other side takes a corner that it does not get after the best move.
    GaveCorner {
        /// The corner.
        corner: Point,
        /// The move that takes it.
        at_ply: usize,
        /// Corners that the other side takes within as many moves.
        corners: Both,
    },
    /// The best move takes a corner, or leads to one, that this move does not get.
    MissedCorner {
        /// The corner.
        corner: Point,
        /// The move of the best line that takes it.
        at_ply: usize,
    },
    /// After the best move the other side has to pass, after this one not.
    MissedPass,
    /// The side has to pass along the line, and after the best move not.
    MustPass {
        /// Which move is the pass.
        at_ply: usize,
    },
    /// The other side has the better of the discs that nothing can flip any more, after as many moves of both lines.
    Stability {
        /// After how many moves.
        at_ply: usize,
        /// Such discs of the side that moved.
        own: Both,
        /// Such discs of the other side.
        other: Both,
    },
    /// The other side has more moves to choose from, or the side itself fewer.
    Mobility {
        /// Moves to choose from in the next two turns of the side that moved, together.
        own: Both,
        /// The same of the other side.
        other: Both,
    },
    /// Many discs of the side are beside empty squares after the move, where they can be flipped from.
    Frontier {
        /// Such discs.
        discs: Both,
    },
    /// The move flips many discs, the best one few.
    Greedy {
        /// Discs flipped.
        flips: Both,
    },
    /// The move goes into a region with an even number of empty squares, the best one into an odd one.
    Parity {
        /// Empty squares of the region, this one included.
        region: Both,
    },
    /// The other side replies at the border, where it could not go before, and has more such squares than after the best move.
    Border {
        /// Where it replies.
        square: Point,
        /// Squares of the border, corners aside, that are open to it now and were not before.
        squares: Both,
    },
    /// Nothing that is counted here tells the two apart.
    DeepSearch,
}

/// A reason without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Reason::WipedOut`]
    WipedOut,
    /// [`Reason::GaveCorner`]
    GaveCorner,
    /// [`Reason::MissedCorner`]
    MissedCorner,
    /// [`Reason::MissedPass`]
    MissedPass,
    /// [`Reason::MustPass`]
    MustPass,
    /// [`Reason::Stability`]
    Stability,
    /// [`Reason::Mobility`]
    Mobility,
    /// [`Reason::Frontier`]
    Frontier,
    /// [`Reason::Greedy`]
    Greedy,
    /// [`Reason::Parity`]
    Parity,
    /// [`Reason::Border`]
    Border,
    /// [`Reason::DeepSearch`]
    DeepSearch,
}

/// How a kind of reason is spoken of.
struct Row {
    kind: Kind,
    name: &'static str,
    words: &'static str,
    sentence: &'static str,
}

const fn row(kind: Kind, name: &'static str, words: &'static str, sentence: &'static str) -> Row {
    Row { kind, name, words, sentence }
}

impl Kind {
    const ROWS: [Row; 12] = [
        row(Kind::WipedOut, "wiped_out", "lost every disc", "{played} loses every disc: {line}."),
        row(
            Kind::GaveCorner,
            "gave_corner",
            "gave a corner",
            "{played} gives {other} the corner {corner}: {line}. After {best} {other} does not get it.",
        ),
        row(
            Kind::MissedCorner,
            "missed_corner",
            "missed a corner",
            "{best} gets {side} the corner {corner}; {played} does not.",
        ),
        row(
            Kind::MissedPass,
            "missed_pass",
            "missed a pass",
            "After {best} {other} has to pass; after {played} {other} can move.",
        ),
        row(
            Kind::MustPass,
            "must_pass",
            "ran out of moves",
            "{played} leaves {side} without a move: {line}. {best} does not.",
        ),
        row(
            Kind::Stability,
            "stability",
            "gave safe discs",
            "{played} leads to {own_played} safe {own_played|disc|discs} of {side} and {other_played} of {other}: {line}. {best} leads to {own_best} and {other_best}.",
        ),
        row(
            Kind::Mobility,
            "mobility",
            "gave moves",
            "In the next two turns {other} can choose from {other_played} {other_played|move|moves} and {side} from {own_played}; after {best} from {other_best} and {own_best}.",
        ),
        row(
            Kind::Frontier,
            "frontier",
            "left discs in the open",
            "{played} leaves {discs_played} {discs_played|disc|discs} of {side} beside empty squares; {best} leaves {discs_best}.",
        ),
        row(
            Kind::Greedy,
            "greedy",
            "flipped too many",
            "{played} is greedy: it flips {flips_played} {flips_played|disc|discs}; {best} flips {flips_best}.",
        ),
        row(
            Kind::Parity,
            "parity",
            "lost parity",
            "{played} goes into a region of {region_played} empty squares, an even number; {best} goes into one of {region_best}, an odd number.",
        ),
        row(
            Kind::Border,
            "border",
            "opened the border",
            "{played} opens {squares_played} {squares_played|square|squares} at the border to {other}, {square} among them; {best} opens {squares_best}.",
        ),
        row(
            Kind::DeepSearch,
            "deep_search",
            "only deep search shows it",
            "Only deep search shows it: {line}.",
        ),
    ];

    /// Every kind, the most telling first.
    pub fn all() -> impl Iterator<Item = Kind> {
        Kind::ROWS.iter().map(|row| row.kind)
    }

    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        Kind::ROWS[self as usize].name
    }

    /// What went wrong, in a few words.
    #[must_use]
    pub fn words(self) -> &'static str {
        Kind::ROWS[self as usize].words
    }

    /// The sentence that says it, with gaps for what was counted, and `{gap|word|words}` where a word depends on it; the page
    /// has the same in every language.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        Kind::ROWS[self as usize].sentence
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Kind> {
        Kind::all().find(|kind| kind.name() == name)
    }
}

impl Reason {
    /// What kind of reason it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Reason::WipedOut { .. } => Kind::WipedOut,
            Reason::GaveCorner { .. } => Kind::GaveCorner,
            Reason::MissedCorner { .. } => Kind::MissedCorner,
            Reason::MissedPass => Kind::MissedPass,
            Reason::MustPass { .. } => Kind::MustPass,
            Reason::Stability { .. } => Kind::Stability,
            Reason::Mobility { .. } => Kind::Mobility,
            Reason::Frontier { .. } => Kind::Frontier,
            Reason::Greedy { .. } => Kind::Greedy,
            Reason::Parity { .. } => Kind::Parity,
            Reason::Border { .. } => Kind::Border,
            Reason::DeepSearch => Kind::DeepSearch,
        }
    }

    /// What was counted, by the name of its gap in the sentence.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        match *self {
            Reason::GaveCorner { corner, .. } | Reason::MissedCorner { corner, .. } => {
                vec![("corner", corner.to_string())]
            }
            Reason::Stability { own, other, .. } => {
                [facts(["own_played", "own_best"], own), facts(["other_played", "other_best"], other)]
                    .concat()
            }
            Reason::Mobility { own, other } => [
                facts(["own_played", "own_best"], own.map(mean)),
                facts(["other_played", "other_best"], other.map(mean)),
            ]
            .concat(),
            Reason::Frontier { discs } => facts(["discs_played", "discs_best"], discs),
            Reason::Greedy { flips } => facts(["flips_played", "flips_best"], flips),
            Reason::Parity { region } => facts(["region_played", "region_best"], region),
            Reason::Border { square, squares } => {
                let mut facts = facts(["squares_played", "squares_best"], squares);
                facts.push(("square", square.to_string()));
                facts
            }
            Reason::WipedOut { .. } | Reason::MissedPass | Reason::MustPass { .. } | Reason::DeepSearch => {
                Vec::new()
            }
        }
    }
}

impl<T> Both<T> {
    fn map<U>(self, change: impl Fn(T) -> U) -> Both<U> {
        Both { played: change(self.played), best: change(self.best) }
    }
}

fn facts<T: std::fmt::Display>(names: [&'static str; 2], both: Both<T>) -> Vec<(&'static str, String)> {
    vec![(names[0], both.played.to_string()), (names[1], both.best.to_string())]
}

/// Moves of two turns, for one of them.
fn mean(moves: u32) -> f64 {
    f64::from(moves) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_their_order_and_are_read_as_written() {
        for (index, kind) in Kind::all().enumerate() {
            assert_eq!((kind as usize, Kind::named(kind.name())), (index, Some(kind)));
        }
        assert_eq!(Kind::named("luck"), None);
    }
}
