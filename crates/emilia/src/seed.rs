use std::hash::{BuildHasher, RandomState};

use clap::Args;
use emilia_engine::{Candidate, Player};

/// Where the dice of a game begin.
#[derive(Args)]
pub(crate) struct SeedArg {
    /// Where the dice begin of players that throw some and do not say where; with the same number they throw the same
    /// again, the next game goes on with the next number [default: another number each game]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Fresh numbers are below this, so that they are quickly typed again.
const FRESH: u64 = 1_000_000;

impl SeedArg {
    /// Where the dice of this game begin, counted from 0: as told, or anywhere.
    pub(crate) fn of_game(&self, game: u64) -> u64 {
        // The standard library seeds its hash tables with what the system has for random numbers.
        self.seed.map_or_else(|| RandomState::new().hash_one(game) % FRESH, |seed| seed.wrapping_add(game))
    }
}

/// A fresh player whose dice begin there, unless its name says where they do.
pub(crate) fn seeded(candidate: &Candidate, seed: u64) -> Box<dyn Player> {
    candidate.player(if candidate.is_unseeded() { seed } else { 0 })
}
