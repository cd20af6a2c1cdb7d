//! Computer players between their moves. What a player remembers of a game helps with its next move, but memory is
//! limited: those who have not moved for longest are forgotten, and begin afresh when it is their turn.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use emilia_rules::Color;

use crate::computer::Computer;

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
    /// Most memory for all together.
    megabytes: usize,
}

impl PlayerCache {
    pub(crate) fn new(megabytes: usize) -> PlayerCache {
        PlayerCache(Arc::new(Inner { kept: Mutex::default(), megabytes }))
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(PlayerKey, Computer)>> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a computer out, if it is still there.
    pub(crate) fn take(&self, key: &PlayerKey) -> Option<Computer> {
        let mut kept = self.kept();
        let at = kept.iter().position(|(known, _)| known == key)?;
        kept.remove(at).map(|(_, computer)| computer)
    }

    /// Puts a computer back after its move.
    pub(crate) fn put(&self, key: PlayerKey, computer: Computer) {
        if computer.megabytes() == 0 || computer.megabytes() > self.0.megabytes {
            return;
        }
        let mut forgotten = Vec::new();
        let mut kept = self.kept();
        kept.push_back((key, computer));
        let mut total: usize = kept.iter().map(|(_, computer)| computer.megabytes()).sum();
        while total > self.0.megabytes {
            let Some(oldest) = kept.pop_front() else { break };
            total -= oldest.1.megabytes();
            forgotten.push(oldest);
        }
        // Giving memory back takes a while; nobody has to wait for that.
        drop(kept);
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
    use crate::catalogue;

    fn key(game: &str) -> PlayerKey {
        PlayerKey { game: game.to_owned(), color: Color::White, player: "club".to_owned() }
    }

    fn computer(name: &str) -> Computer {
        Computer::new(&catalogue::candidate(name).unwrap(), 0)
    }

    #[test]
    fn the_oldest_are_forgotten_when_memory_runs_out_and_games_that_are_over_at_once() {
        let players = PlayerCache::new(40);
        for game in ["a", "b", "c"] {
            players.put(key(game), computer("club:hash=16"));
        }
        assert!(players.take(&key("a")).is_none());
        let b = players.take(&key("b")).unwrap();
        assert!(players.take(&key("b")).is_none());
        players.put(key("b"), b);
        players.forget("b");
        assert!(players.take(&key("b")).is_none());
        assert!(players.take(&PlayerKey { color: Color::Black, ..key("c") }).is_none());
        assert!(players.take(&key("c")).is_some());
    }

    #[test]
    fn those_who_remember_nothing_or_too_much_are_not_kept() {
        let players = PlayerCache::new(8);
        for name in ["greedy", "club:hash=16"] {
            players.put(key(name), computer(name));
            assert!(players.take(&key(name)).is_none(), "{name}");
        }
    }
}
