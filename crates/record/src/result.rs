use std::fmt;

use emilia_rules::Color;

/// How a recorded game ended, as far as it is known. A game without one is unfinished.
///
/// The score is stated by the record and not counted from the board: games are adjourned, resigned and lost on time.
///
/// ```
/// use emilia_record::{Ending, GameResult};
/// use emilia_rules::Color;
/// let result = GameResult::Margin { black: -64.0, ending: Ending::Resigned };
/// assert_eq!(result.winner(), Some(Color::White));
/// assert_eq!(result.to_string(), "white wins by 64, resigned");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum GameResult {
    /// Black's discs less White's. It may have a fraction where there is a handicap of discs (komi).
    Margin {
        /// Black's margin.
        black: f64,
        /// How it came about.
        ending: Ending,
    },
    /// A winner, or a draw, without a score.
    Decided {
        /// Who won; nobody means a draw.
        winner: Option<Color>,
        /// How it came about.
        ending: Ending,
    },
    /// Neither: `aborted`, `adjourned`, or what else the record says.
    Other(String),
}

/// What ended a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ending {
    /// No more moves: the discs were counted.
    #[default]
    Counted,
    /// One side gave up.
    Resigned,
    /// One side ran out of time.
    TimedOut,
    /// Both sides agreed on the score.
    Agreed,
    /// One side left.
    Left,
}

impl GameResult {
    /// A counted game.
    #[must_use]
    pub fn counted(black_margin: i32) -> GameResult {
        GameResult::Margin { black: f64::from(black_margin), ending: Ending::Counted }
    }

    /// Who won, if somebody did. In the reversed game a negative margin wins; the record states the margin all
    /// the same, so there ask with the margin.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self {
            GameResult::Margin { black, .. } if *black > 0.0 => Some(Color::Black),
            GameResult::Margin { black, .. } if *black < 0.0 => Some(Color::White),
            GameResult::Decided { winner, .. } => *winner,
            _ => None,
        }
    }

    /// Black's margin, if it is known.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        match self {
            GameResult::Margin { black, .. } => Some(*black),
            _ => None,
        }
    }

    /// How the game ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match self {
            GameResult::Margin { ending, .. } | GameResult::Decided { ending, .. } => *ending,
            GameResult::Other(_) => Ending::Counted,
        }
    }

    /// The same result with another ending.
    pub(crate) fn ended(self, ending: Ending) -> GameResult {
        match self {
            GameResult::Margin { black, .. } => GameResult::Margin { black, ending },
            GameResult::Decided { winner, .. } => GameResult::Decided { winner, ending },
            other => other,
        }
    }
}

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 5] =
        [Ending::Counted, Ending::Resigned, Ending::TimedOut, Ending::Agreed, Ending::Left];

    /// One word for it: `counted`, `resigned`, `timeout`, `agreed`, `left`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Counted => "counted",
            Ending::Resigned => "resigned",
            Ending::TimedOut => "timeout",
            Ending::Agreed => "agreed",
            Ending::Left => "left",
        }
    }

    /// The ending with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.winner()) {
            (GameResult::Other(words), _) => f.write_str(words)?,
            (GameResult::Margin { black, .. }, Some(color)) => write!(f, "{color} wins by {}", black.abs())?,
            (_, Some(color)) => write!(f, "{color} wins")?,
            (_, None) => f.write_str("draw")?,
        }
        match self.ending() {
            Ending::Counted => Ok(()),
            ending => write!(f, ", {}", ending.name()),
        }
    }
}
