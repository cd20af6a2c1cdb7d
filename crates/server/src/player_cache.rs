//! Computer players between their moves. What a player remembers of a game helps with its next move, but memory is
//! limited: those who have not moved for longest give theirs to whoever needs it, and begin afresh when it is their
//! turn.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use emilia_engine::Candidate;
use emilia_rules::Color;
use emilia_service::computer::Computer;

use crate::catalogue;
use crate::error::ApiError;
use crate::memory::{Memory, Reservation};
use crate::review::Judge;

/// Megabytes that a player with a table is reckoned to take besides it while it thinks: rather too many than too few.
const BESIDES: usize = 16;

/// Bytes that this player takes.
pub(crate) fn bytes(candidate: &Candidate) -> u64 {
    match catalogue::megabytes(candidate) {
        0 => 0,
        table => ((table + BESIDES) as u64) << 20,
    }
}

/// Whose computer it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayerKey {
    pub(crate) game: String,
    pub(crate) color: Color,
    /// The player's name; another player in the same seat does not get this one's memory.
    pub(crate) player: String,
}

/// The players that are kept, those that were used last at the back.
#[derive(Clone)]
pub(crate) struct PlayerCache(Arc<Inner>);

struct Inner {
    kept: Mutex<VecDeque<(PlayerKey, Computer)>>,
    memory: Memory,
}

impl PlayerCache {
    /// Players whose memory, with that of all other heavy work, is taken from this.
    pub(crate) fn new(memory: Memory) -> PlayerCache {
        PlayerCache(Arc::new(Inner { kept: Mutex::default(), memory }))
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(PlayerKey, Computer)>> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory for heavy work. Players that do not think just now are forgotten for that, the longest idle first.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<Reservation, ApiError> {
        loop {
            match self.0.memory.reserve(bytes) {
                Ok(held) => return Ok(held),
                Err(error) => {
                    let oldest = self.kept().pop_front();
                    oldest.ok_or(error)?;
                }
            }
        }
    }

    /// A player that remembers nothing yet, for the game of this number.
    pub(crate) fn fresh(&self, candidate: &Candidate, game: u64) -> Result<Computer, ApiError> {
        let held = self.reserve(bytes(candidate))?;
        Ok(Computer::new(candidate, game).holding(held))
    }

    /// The same as somebody who judges games.
    pub(crate) fn judge(&self, candidate: Candidate) -> Result<Judge, ApiError> {
        let computer = self.fresh(&candidate, 0)?;
        Ok(Judge::new(candidate, computer))
    }

    /// The player of this seat. A game goes on whatever memory is left: if its player was forgotten, it gets the
    /// memory of a player of the same kind from another game, and if all are thinking, a little of its own.
    pub(crate) fn take(&self, key: &PlayerKey, candidate: &Candidate, game: u64) -> Computer {
        let taken = |wanted: &dyn Fn(&PlayerKey) -> bool| {
            let mut kept = self.kept();
            let at = kept.iter().position(|(known, _)| wanted(known))?;
            kept.remove(at).map(|(_, computer)| computer)
        };
        if let Some(own) = taken(&|known| known == key) {
            return own;
        }
        if let Ok(held) = self.0.memory.reserve(bytes(candidate)) {
            return Computer::new(candidate, game).holding(held);
        }
        if let Some(other) = taken(&|known| known.player == key.player) {
            return other;
        }
        let fresh = self.fresh(candidate, game);
        fresh.unwrap_or_else(|_| Computer::new(&catalogue::with_little_memory(candidate), game))
    }

    /// Puts a player back after its move.
    pub(crate) fn put(&self, key: PlayerKey, computer: Computer) {
        if computer.remembers() {
            self.kept().push_back((key, computer));
        }
    }

    /// Forgets everything about a game that is over.
    pub(crate) fn forget(&self, game: &str) {
        let mut forgotten = Vec::new();
        let mut kept = self.kept();
        while let Some(at) = kept.iter().position(|(key, _)| key.game == game) {
            forgotten.extend(kept.remove(at));
        }
        drop(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(game: &str) -> PlayerKey {
        PlayerKey { game: game.to_owned(), color: Color::White, player: "club".to_owned() }
    }

    fn players(megabytes: u64) -> (PlayerCache, Memory) {
        let memory = Memory::new(megabytes << 20);
        (PlayerCache::new(memory.clone()), memory)
    }

    #[test]
    fn memory_goes_from_the_longest_idle_to_whoever_needs_it() {
        let (players, memory) = players(70);
        let club = catalogue::candidate("club:hash=16").unwrap();
        let [a, b] = ["a", "b"].map(|game| players.take(&key(game), &club, 0));
        assert!(a.remembers() && b.remembers());
        // Both are thinking, so that a third one has to do with little, and other work is refused.
        assert!(!players.take(&key("c"), &club, 0).remembers());
        assert!(players.reserve(16 << 20).is_err());
        players.put(key("a"), a);
        players.put(key("b"), b);
        // The memory of the first goes to another game of the same player; the second has its own still.
        let c = players.take(&key("c"), &club, 0);
        assert!(c.remembers() && players.kept().iter().all(|(known, _)| known.game == "b"));
        let held = players.reserve(16 << 20).unwrap();
        assert!(players.kept().is_empty());
        drop((c, held));
        assert!(memory.reserve(70 << 20).is_ok());
    }

    #[test]
    fn games_that_are_over_and_players_without_memory_are_forgotten_at_once() {
        let (players, memory) = players(40);
        let club = catalogue::candidate("club:hash=16").unwrap();
        let computer = players.take(&key("a"), &club, 0);
        players.put(key("a"), computer);
        players.forget("a");
        let greedy = catalogue::candidate("greedy").unwrap();
        let computer = players.take(&key("b"), &greedy, 0);
        players.put(key("b"), computer);
        assert!(players.kept().is_empty() && memory.reserve(40 << 20).is_ok());
    }
}
