use std::fmt;

use thiserror::Error;

use crate::{Confidence, Limits};

/// A strength from 1 to 30: how deep to look, how sure to be, and from how many empty squares on to play perfectly.
///
/// ```
/// use emilia_search::{Confidence, Level};
/// let level = Level::new(21)?;
/// assert_eq!(level.limits(40).depth, Some(21));
/// assert_eq!(level.limits(24).depth, Some(24));   // to the end of the game
/// assert_eq!(level.limits(21).confidence, Some(Confidence::Certain));
/// # Ok::<(), emilia_search::LevelError>(())
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

    /// Its number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// What to search on a board with so many empty squares. Level n looks n plies ahead in the middle of the game,
    /// leaving out what is unlikely to matter; the last n empty squares are played perfectly, and some more are
    /// searched to the end with growing doubt:
    ///
    /// | level | perfect | to the end at 98 % | at 87 % | at 73 % | before |
    /// |---|---|---|---|---|---|
    /// | 1–10 | level | – | – | 2 × level, at most 16 | depth = level |
    /// | 11–20 | level | level + 1 | level + 2 | level + 6 | depth = level at 73 % |
    /// | 21–30 | level | level + 2 | level + 4 | level + 6 | depth = level at 73 % |
    #[must_use]
    pub fn limits(self, empties: u32) -> Limits {
        let level = u32::from(self.0);
        let (high, fair, likely) = match level {
            1..=10 => (level, level, (2 * level).min(16).max(level)),
            11..=20 => (level + 1, level + 2, level + 6),
            _ => (level + 2, level + 4, level + 6),
        };
        let (depth, confidence) = if empties <= level {
            (empties, Confidence::Certain)
        } else if empties <= high {
            (empties, Confidence::High)
        } else if empties <= fair {
            (empties, Confidence::Fair)
        } else if empties <= likely {
            (empties, Confidence::Likely)
        } else if level <= 10 {
            (level, if level <= 4 { Confidence::Certain } else { Confidence::Likely })
        } else {
            (level, Confidence::Likely)
        };
        Limits { depth: Some(depth), confidence: Some(confidence), ..Limits::default() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_look_no_less_far() {
        for empties in 1..=60 {
            for level in 2..=30 {
                let weaker = Level::new(level - 1).unwrap().limits(empties);
                let stronger = Level::new(level).unwrap().limits(empties);
                assert!(stronger.depth >= weaker.depth, "level {level}, {empties} empty");
                if stronger.depth == weaker.depth {
                    assert!(stronger.confidence >= weaker.confidence, "level {level}, {empties} empty");
                }
            }
        }
    }

    #[test]
    fn there_are_thirty() {
        assert_eq!(Level::new(0), Err(LevelError(0)));
        assert_eq!(Level::new(31).unwrap_err().to_string(), "levels go from 1 to 30, not 31");
    }
}
