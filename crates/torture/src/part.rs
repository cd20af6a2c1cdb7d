//! The parts of the harness: one table, in which a new attack is one more row.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::parts::{
    bad_disk, clock, crowd, day, engines, files, games, http, kill_runs, kill_server, power, same, sessions,
    solver,
};

/// One kind of attack.
pub(crate) struct Part {
    /// By what name it is called.
    pub(crate) name: &'static str,
    /// What is tried, in a line.
    pub(crate) what: &'static str,
    /// What one try is called.
    pub(crate) unit: &'static str,
    /// How much of the time it gets, in comparison with the others. Nothing means that it runs only when named.
    pub(crate) share: u32,
    /// Megabytes of address space beyond which it counts as broken.
    pub(crate) memory: u64,
    /// With which checks it is compiled.
    pub(crate) build: Build,
    /// Attacks once. What ought not to happen is a panic.
    pub(crate) round: fn(&mut Round) -> Tally,
}

/// How the attacker and the attacked are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// As they are used.
    Release,
    /// With checks of every sum and index.
    Checked,
}

/// Every part there is.
pub(crate) static PARTS: &[Part] = &[
    Part {
        name: "kill-server",
        what: "kill -9 of the server while a crowd plays; every acknowledged move is looked for",
        unit: "kills",
        share: 3,
        memory: 4096,
        build: Build::Release,
        round: kill_server::round,
    },
    Part {
        name: "power",
        what: "power cuts: of what was not synced any sectors are lost; every acknowledged move is looked for",
        unit: "cuts",
        share: 3,
        memory: 4096,
        build: Build::Release,
        round: power::round,
    },
    Part {
        name: "bad-disk",
        what: "a disk that fails now and then while people play: refused or kept, never half",
        unit: "moves",
        share: 1,
        memory: 4096,
        build: Build::Release,
        round: bad_disk::round,
    },
    Part {
        name: "kill-runs",
        what: "kill -9 and full disks for self-play, evolution and training; results equal those of an undisturbed run",
        unit: "kills",
        share: 3,
        memory: 4096,
        build: Build::Release,
        round: kill_runs::round,
    },
    Part {
        name: "files",
        what: "damaged files for every reader",
        unit: "files",
        share: 3,
        memory: 2048,
        build: Build::Release,
        round: files::round,
    },
    Part {
        name: "sessions",
        what: "sessions of every protocol, put together at random and damaged",
        unit: "sessions",
        share: 2,
        memory: 2048,
        build: Build::Release,
        round: sessions::round,
    },
    Part {
        name: "http",
        what: "requests that no honest client sends, slow and rude clients, WebSocket frames of nonsense",
        unit: "requests",
        share: 2,
        memory: 4096,
        build: Build::Release,
        round: http::round,
    },
    Part {
        name: "engines",
        what: "matches against engines that are silent, crash, flood, cheat or will not end",
        unit: "games",
        share: 1,
        memory: 4096,
        build: Build::Release,
        round: engines::round,
    },
    Part {
        name: "crowd",
        what: "a crowd of players while heavy work runs; how long a move takes, and how much memory",
        unit: "moves",
        share: 2,
        memory: 8192,
        build: Build::Release,
        round: crowd::round,
    },
    Part {
        name: "day",
        what: "24 hours of a club of a hundred people, as fast as they can be played; memory stays flat",
        unit: "hours",
        share: 0,
        memory: 8192,
        build: Build::Release,
        round: day::round,
    },
    Part {
        name: "games",
        what: "games of every player on every board, each move compared with the slow rules",
        unit: "moves",
        share: 2,
        memory: 4096,
        build: Build::Checked,
        round: games::round,
    },
    Part {
        name: "solver",
        what: "exact scores compared with trying every game to its end",
        unit: "positions",
        share: 1,
        memory: 2048,
        build: Build::Checked,
        round: solver::round,
    },
    Part {
        name: "same",
        what: "the same score on 1, 2 and 8 threads, with 1 MB and 1 GB of table, on every kind of processor",
        unit: "solves",
        share: 1,
        memory: 4096,
        build: Build::Release,
        round: same::round,
    },
    Part {
        name: "clock",
        what: "fast games by the clock without any grace; needs a machine with nothing else to do",
        unit: "games",
        share: 0,
        memory: 8192,
        build: Build::Release,
        round: clock::round,
    },
];

/// The part of this name.
pub(crate) fn find(name: &str) -> Option<&'static Part> {
    PARTS.iter().find(|part| part.name == name)
}

/// What a round goes by: everything in it follows from the seed and the number.
pub(crate) struct Round {
    pub(crate) number: u64,
    pub(crate) random: ChaCha8Rng,
    /// A folder of its own, empty.
    pub(crate) folder: PathBuf,
    /// Only as much as proves that the part works.
    brief: bool,
}

impl Round {
    pub(crate) fn new(part: &Part, seed: u64, number: u64, folder: &Path, brief: bool) -> Round {
        let name =
            part.name.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(131).wrapping_add(byte.into()));
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(name ^ number << 20);
        Round { number, random, folder: folder.to_owned(), brief }
    }

    /// A number below this.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.random.next_u64() % end.max(1)
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }

    /// So many, or the smaller number if the round is a brief one.
    pub(crate) fn scaled(&self, usual: u64, brief: u64) -> u64 {
        if self.brief { brief } else { usual }
    }
}

/// What came of a round that nothing was wrong with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// How often it was tried.
    pub(crate) tried: u64,
    /// What else was counted; rounds are added up.
    #[serde(default)]
    pub(crate) counts: BTreeMap<String, u64>,
    /// What was measured; the largest of all rounds is told.
    #[serde(default)]
    pub(crate) peaks: BTreeMap<String, u64>,
}

impl Tally {
    pub(crate) fn of(tried: u64) -> Tally {
        Tally { tried, ..Tally::default() }
    }

    pub(crate) fn count(mut self, what: &str, number: u64) -> Tally {
        *self.counts.entry(what.to_owned()).or_default() += number;
        self
    }

    pub(crate) fn peak(mut self, what: &str, number: u64) -> Tally {
        let known = self.peaks.entry(what.to_owned()).or_default();
        *known = number.max(*known);
        self
    }

    /// Both together.
    pub(crate) fn and(mut self, other: Tally) -> Tally {
        self.tried += other.tried;
        for (what, number) in other.counts {
            self = self.count(&what, number);
        }
        for (what, number) in other.peaks {
            self = self.peak(&what, number);
        }
        self
    }
}
