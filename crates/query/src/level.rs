use std::fmt;

use thiserror::Error;

/// A strength from 1 (plays at once) to 30 (about a minute a move).
///
/// ```
/// use emilia_query::Level;
/// assert_eq!(Level::new(21)?.get(), 21);
/// assert_eq!(Level::new(10)?.plies(), 10);
/// assert_eq!(Level::of_plies(10).get(), 10);
/// assert_eq!(Level::new(31).unwrap_err().to_string(), "levels go from 1 to 30, not 31");
/// # Ok::<(), emilia_query::LevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// Plies that each level looks ahead in the middle of an 8×8 game. Up to level 12 they are its number; from there on they
/// are such that every level takes about 1.7 times as long as the one before (docs/arena.md).
const PLIES: [u8; 30] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 19, // from here on less is left out
    20, 22, 25, 27, 30, 32, 34, 37, 39, 41, 44, 46, 49, 51,
];

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("levels go from 1 to 30, not {0}")]
pub struct LevelError(pub u32);

impl Level {
    /// The weakest: plays at once.
    pub const MIN: Level = Level(1);
    /// The strongest: about a minute a move.
    pub const MAX: Level = Level(30);

    /// The level of this number.
    pub fn new(level: u32) -> Result<Level, LevelError> {
        if (1..=30).contains(&level) { Ok(Level(level as u8)) } else { Err(LevelError(level)) }
    }

    /// The level nearest to this number.
    #[must_use]
    pub fn nearest(level: u32) -> Level {
        Level(level.clamp(1, 30) as u8)
    }

    /// The level that looks so many plies ahead in the middle of an 8×8 game, or the next above: what programs mean that
    /// know depths and no levels.
    #[must_use]
    pub fn of_plies(plies: u32) -> Level {
        let first = PLIES.iter().position(|reached| u32::from(*reached) >= plies);
        first.map_or(Level::MAX, |place| Level(place as u8 + 1))
    }

    /// How many plies it looks ahead in the middle of an 8×8 game.
    #[must_use]
    pub const fn plies(self) -> u8 {
        PLIES[self.0 as usize - 1]
    }

    /// Its number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for Level {
    /// A strong player that answers within a second or so.
    fn default() -> Level {
        Level(16)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
