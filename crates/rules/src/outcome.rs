use std::fmt;

use crate::Color;

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Place a disc.
    ToPlace,
    /// Nothing but pass: the opponent can place a disc.
    MustPass,
    /// Nothing, and neither can the opponent.
    Over(Outcome),
}

/// How a game ended, counted the usual way: most discs win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has won.
    Win(Color),
    /// Both have the same number of discs.
    Draw,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(color) => write!(f, "{color} wins"),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

/// Who wins when the discs are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Most discs win: Othello.
    #[default]
    Most,
    /// Fewest discs win: reversed (anti) Othello.
    Fewest,
}

/// The discs on a board.
///
/// ```
/// use emilia_rules::{Counts, Objective, Outcome, Color};
/// let counts = Counts { black: 3, white: 11, empty: 2 };
/// assert_eq!(counts.difference(), -8);          // plain count
/// assert_eq!(counts.margin(), -10);             // empty squares go to the winner
/// assert_eq!(counts.outcome(Objective::Most), Outcome::Win(Color::White));
/// assert_eq!(counts.outcome(Objective::Fewest), Outcome::Win(Color::Black));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Black discs.
    pub black: u32,
    /// White discs.
    pub white: u32,
    /// Squares without a disc.
    pub empty: u32,
}

impl Counts {
    /// Discs of this colour.
    #[must_use]
    pub const fn of(self, color: Color) -> u32 {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// Black's discs less White's, as counted on the board.
    #[must_use]
    pub const fn difference(self) -> i32 {
        self.black as i32 - self.white as i32
    }

    /// Black's final score as databases and engines write it: the disc difference after the empty squares
    /// went to the side with more discs.
    #[must_use]
    pub const fn margin(self) -> i32 {
        self.difference() + self.difference().signum() * self.empty as i32
    }

    /// Who has won, if the game is over.
    #[must_use]
    pub const fn outcome(self, objective: Objective) -> Outcome {
        match (self.difference().signum(), objective) {
            (0, _) => Outcome::Draw,
            (1, Objective::Most) | (-1, Objective::Fewest) => Outcome::Win(Color::Black),
            _ => Outcome::Win(Color::White),
        }
    }
}

impl fmt::Display for Counts {
    /// Black's discs, then White's: `38-26`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.black, self.white)
    }
}
