use std::fmt;

use emilia_query::Selectivity;

/// What a value rests on, the weakest first: a value never replaces one that rests on more.
///
/// ```
/// use emilia_book::Basis;
/// use emilia_query::Selectivity;
/// let searched = |depth| Basis::Searched { depth, selectivity: Selectivity::Likely };
/// assert!(Basis::Game < searched(1) && searched(24) < searched(25) && searched(60) < Basis::Solved);
/// assert_eq!(searched(24).to_string(), "24@73%");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The best result that a game had with the move.
    Game,
    /// A search, not to the end of the game or not without leaving something out.
    Searched {
        /// Plies looked ahead, those through the book included.
        depth: u8,
        /// How sure the search was of what it left out.
        selectivity: Selectivity,
    },
    /// Proven to the end of the game.
    Solved,
}

/// What a move is worth to the side that makes it, and what that rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Discs by which the game is won in the end, empty squares to the winner.
    pub discs: i8,
    /// How that is known.
    pub basis: Basis,
}

impl Basis {
    /// The same, seen from a move before.
    #[must_use]
    pub fn before(self) -> Basis {
        match self {
            Basis::Searched { depth, selectivity } => {
                Basis::Searched { depth: depth.saturating_add(1), selectivity }
            }
            other => other,
        }
    }

    /// Its word where a word is wanted.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Basis::Game => "game",
            Basis::Searched { .. } => "searched",
            Basis::Solved => "solved",
        }
    }

    /// Two bytes of a file: what it is, and the depth.
    pub(crate) fn encode(self) -> [u8; 2] {
        match self {
            Basis::Searched { depth, selectivity } => [selectivity as u8, depth],
            Basis::Solved => [SOLVED, 0],
            Basis::Game => [GAME, 0],
        }
    }

    /// Two bytes of a file, if they are what [`Self::encode`] writes.
    pub(crate) fn decode([code, depth]: [u8; 2]) -> Option<Basis> {
        match (code, depth) {
            (SOLVED, 0) => Some(Basis::Solved),
            (GAME, 0) => Some(Basis::Game),
            _ => {
                let selectivity = *Selectivity::ALL.get(usize::from(code))?;
                Some(Basis::Searched { depth, selectivity })
            }
        }
    }
}

/// Codes of a file beside those of selectivity, 0 to 5.
const SOLVED: u8 = 6;
const GAME: u8 = 7;

impl fmt::Display for Basis {
    /// `24@73%` as the programs of the field write it, `solved`, or `game`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basis::Searched { depth, selectivity } => write!(f, "{depth}@{selectivity}"),
            other => f.write_str(other.word()),
        }
    }
}

impl Worth {
    /// The same for the other side, a move before.
    #[must_use]
    pub fn answered(self) -> Worth {
        Worth { discs: -self.discs, basis: self.basis.before() }
    }

    /// The stronger of the two; of equals the one that was there, but of two games the better result.
    #[must_use]
    pub(crate) fn or_stronger(self, other: Worth) -> Worth {
        let better_game = other.basis == Basis::Game && self.basis == Basis::Game && other.discs > self.discs;
        if other.basis > self.basis || better_game { other } else { self }
    }
}
