//! Who searches while somebody looks on. Whoever goes to the next position hangs up and asks anew; the search before ends
//! a moment later, and what it found is there for the next one.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use emilia_engine::Candidate;
use emilia_rules::Color;
use emilia_service::computer::Computer;

use crate::player_cache::{PlayerCache, PlayerKey};

/// How long an answer waits for what the one before it knows. A search ends within milliseconds.
const PATIENCE: Duration = Duration::from_millis(500);

/// The sessions whose computer is at work.
#[derive(Clone, Default)]
pub(crate) struct Analysts(Arc<(Mutex<HashSet<String>>, Condvar)>);

/// A computer that is lent out, and brought back when this goes out of scope.
pub(crate) struct Lent {
    pub(crate) computer: Option<Computer>,
    key: PlayerKey,
    players: PlayerCache,
    analysts: Analysts,
}

impl Analysts {
    /// The computer that looks on for somebody, with what it knows if there is any; called from a thread that may wait.
    pub(crate) fn lend(
        &self,
        players: &PlayerCache,
        address: IpAddr,
        session: &str,
        candidate: &Candidate,
    ) -> Lent {
        let name = format!("{address} {session}");
        let (busy, returned) = &*self.0;
        let sessions = busy.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut sessions, _) = returned
            .wait_timeout_while(sessions, PATIENCE, |sessions| sessions.contains(&name))
            .unwrap_or_else(PoisonError::into_inner);
        sessions.insert(name.clone());
        drop(sessions);
        let key = PlayerKey { game: name, color: Color::Black, player: candidate.name().to_owned() };
        let computer = Some(players.take(&key, candidate, 0));
        Lent { computer, key, players: players.clone(), analysts: self.clone() }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(computer) = self.computer.take() {
            self.players.put(self.key.clone(), computer);
        }
        let (busy, returned) = &*self.analysts.0;
        busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key.game);
        returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use emilia_service::deepen::Deepen;

    use super::*;
    use crate::memory::Memory;

    #[test]
    fn the_next_answer_waits_for_what_the_one_before_knows() {
        let memory = Memory::new(100 << 20);
        let (players, analysts) = (PlayerCache::new(memory.clone()), Analysts::default());
        let (address, candidate) = (IpAddr::from([127, 0, 0, 1]), Deepen::analyst(1).unwrap());
        let first = analysts.lend(&players, address, "a", &candidate);
        // Two of them do not fit into memory: whoever gets one has waited for the other.
        let waiting = std::thread::spawn({
            let (players, analysts, candidate) = (players.clone(), analysts.clone(), candidate.clone());
            move || analysts.lend(&players, address, "a", &candidate)
        });
        assert!(first.computer.as_ref().is_some_and(Computer::remembers));
        drop(first);
        let second = waiting.join().unwrap();
        assert!(second.computer.as_ref().is_some_and(Computer::remembers));
        drop(second);
        // Idle, it gives its memory to whoever needs it.
        assert!(players.reserve(100 << 20).is_ok());
    }
}
