use std::fmt;

use thiserror::Error;

/// A strength from 1 (plays at once) to 30 (minutes a move).
///
/// ```
/// use emilia_query::Level;
/// assert_eq!(Level::new(21)?.get(), 21);
/// assert_eq!(Level::new(31).unwrap_err().to_string(), "levels go from 1 to 30, not 31");
/// # Ok::<(), emilia_query::LevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("levels go from 1 to 30, not {0}")]
pub struct LevelError(pub u32);

impl Level {
    /// The weakest: plays at once.
    pub const MIN: Level = Level(1);
    /// The strongest: minutes a move.
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
