use serde::{Deserialize, Serialize};

use super::Kind;

/// How games of self-play are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Where the random numbers begin.
    pub seed: u64,
    /// Plies to look ahead while the end is far.
    pub depth: u8,
    /// From so many empty squares on every score is exact.
    pub exact_from: u8,
    /// Where games begin.
    pub kind: Kind,
}

impl Default for Plan {
    /// Eight plies, exact from 18 empty squares on, all kinds of starts.
    fn default() -> Plan {
        Plan { seed: 1, depth: 8, exact_from: 18, kind: Kind::Mix }
    }
}
