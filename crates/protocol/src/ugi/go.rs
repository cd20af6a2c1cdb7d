use std::str::FromStr;
use std::time::Duration;

use emilia_query::{Clocks, Limits};
use emilia_rules::Color;
use thiserror::Error;

use crate::clip;

/// What a `go` line asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    times: [Option<Duration>; 2],
    increments: [Duration; 2],
    move_time: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    pub(super) infinite: bool,
    /// The position is only expected: `ponderhit` or `stop` follows.
    pub(super) ponder: bool,
}

/// A `go` line that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum GoError {
    #[error("go {0}: a number is needed")]
    NoNumber(String),
    #[error("go: {0:?} is unknown")]
    Unknown(String),
}

impl FromStr for Go {
    type Err = GoError;

    fn from_str(text: &str) -> Result<Go, GoError> {
        let mut go = Go::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64, GoError> {
                // A clock may have run below zero; that is no time.
                let value = words.next().and_then(|word| word.parse::<i64>().ok());
                value.map(|value| value.max(0).unsigned_abs()).ok_or_else(|| GoError::NoNumber(clip(word)))
            };
            let milliseconds = |number: u64| Duration::from_millis(number.min(LONGEST));
            match word {
                "p1time" => go.times[0] = Some(milliseconds(number()?)),
                "p2time" => go.times[1] = Some(milliseconds(number()?)),
                "p1inc" => go.increments[0] = milliseconds(number()?),
                "p2inc" => go.increments[1] = milliseconds(number()?),
                "movetime" => go.move_time = Some(milliseconds(number()?)),
                "depth" => go.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX).clamp(1, 60)),
                "nodes" => go.nodes = Some(number()?.max(1)),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                _ => return Err(GoError::Unknown(clip(word))),
            }
        }
        Ok(go)
    }
}

/// The longest time that is believed, in milliseconds: a year or so.
const LONGEST: u64 = 1 << 35;
/// What is kept back from a time that must not be passed: the way to the other side and back.
const RESERVE: Duration = Duration::from_millis(10);

impl Go {
    /// What that means for the side to move.
    pub(super) fn limits(&self, turn: Color) -> Limits {
        let side = turn as usize;
        let clocks = self.times[side].map(|own| Clocks {
            own,
            opponent: self.times[1 - side].unwrap_or(own),
            increment: self.increments[side],
        });
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.move_time.map(|time| time - RESERVE.min(time / 2)),
            clocks,
            endless: self.infinite,
            ..Limits::default()
        }
    }
}
