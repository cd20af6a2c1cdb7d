//! Computer players between their moves. What a player remembers of a game helps with its next move, but memory is
//! limited: those who have not moved for longest are forgotten, and begin afresh when it is their turn.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use emilia_rules::Color;

use crate::mind::Mind;

/// Whose mind it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thinker {
    pub(crate) game: String,
    pub(crate) color: Color,
    /// The player's name; another player in the same seat does not get this one's memory.
    pub(crate) player: String,
}

/// The minds that are kept, those that were used last at the back.
#[derive(Clone)]
pub(crate) struct Minds(Arc<Inner>);

struct Inner {
    kept: Mutex<VecDeque<(Thinker, Mind)>>,
    /// Most memory for all together.
    megabytes: usize,
}

impl Minds {
    pub(crate) fn new(megabytes: usize) -> Minds {
        Minds(Arc::new(Inner { kept: Mutex::default(), megabytes }))
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(Thinker, Mind)>> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a mind out, if it is still there.
    pub(crate) fn take(&self, thinker: &Thinker) -> Option<Mind> {
        let mut kept = self.kept();
        let at = kept.iter().position(|(known, _)| known == thinker)?;
        kept.remove(at).map(|(_, mind)| mind)
    }

    /// Puts a mind back after its move.
    pub(crate) fn put(&self, thinker: Thinker, mind: Mind) {
        if mind.megabytes() == 0 || mind.megabytes() > self.0.megabytes {
            return;
        }
        let mut forgotten = Vec::new();
        let mut kept = self.kept();
        kept.push_back((thinker, mind));
        let mut total: usize = kept.iter().map(|(_, mind)| mind.megabytes()).sum();
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
        while let Some(at) = kept.iter().position(|(thinker, _)| thinker.game == game) {
            forgotten.extend(kept.remove(at));
        }
        drop(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn thinker(game: &str) -> Thinker {
        Thinker { game: game.to_owned(), color: Color::White, player: "club".to_owned() }
    }

    fn mind(name: &str) -> Mind {
        Mind::new(&catalogue::candidate(name).unwrap(), 0)
    }

    #[test]
    fn the_oldest_are_forgotten_when_memory_runs_out_and_games_that_are_over_at_once() {
        let minds = Minds::new(40);
        for game in ["a", "b", "c"] {
            minds.put(thinker(game), mind("club:hash=16"));
        }
        assert!(minds.take(&thinker("a")).is_none());
        let b = minds.take(&thinker("b")).unwrap();
        assert!(minds.take(&thinker("b")).is_none());
        minds.put(thinker("b"), b);
        minds.forget("b");
        assert!(minds.take(&thinker("b")).is_none());
        assert!(minds.take(&Thinker { color: Color::Black, ..thinker("c") }).is_none());
        assert!(minds.take(&thinker("c")).is_some());
    }

    #[test]
    fn those_who_remember_nothing_or_too_much_are_not_kept() {
        let minds = Minds::new(8);
        for name in ["greedy", "club:hash=16"] {
            minds.put(thinker(name), mind(name));
            assert!(minds.take(&thinker(name)).is_none(), "{name}");
        }
    }
}
