use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::Config;
use crate::analyst::Analysts;
use crate::games::Games;
use crate::library::Library;
use crate::metrics::Metrics;
use crate::player_cache::PlayerCache;
use crate::pool::Pool;
use crate::profiles::Profiles;
use crate::rate::{Rates, network};
use crate::store::Store;

/// Everything a request may need.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) games: Games,
    pub(crate) profiles: Profiles,
    /// Where studies are.
    pub(crate) store: Store,
    pub(crate) pool: Pool,
    /// Computer players between their moves, and the memory for all heavy work.
    pub(crate) players: PlayerCache,
    /// Who searches while somebody looks on.
    pub(crate) analysts: Analysts,
    /// The databases of games that others played.
    pub(crate) library: Arc<Library>,
    pub(crate) rates: Rates,
    pub(crate) metrics: Arc<Metrics>,
    /// Turns true when the server is to end.
    pub(crate) ending: watch::Receiver<bool>,
    pub(crate) connections: Connections,
}

/// Waits until the server is to end.
pub(crate) async fn until_ending(ending: &mut watch::Receiver<bool>) {
    // Without a sender there is nobody left to run for.
    let _ = ending.wait_for(|ending| *ending).await;
}

/// How a request gets at it.
pub(crate) type Shared = Arc<App>;

/// Who is at the other end of the connection; who a request comes from is said by [`crate::visitor::Visitor`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// How many connections each address has.
#[derive(Debug, Default)]
pub(crate) struct Connections(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A connection that is counted while this lives.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    connections: Arc<Mutex<HashMap<IpAddr, usize>>>,
    address: IpAddr,
}

impl Connections {
    /// One more from this address, unless there are so many of it, or so many altogether.
    pub(crate) fn enter(&self, address: IpAddr, each: usize, all: usize) -> Option<ConnectionPermit> {
        let address = network(address);
        let mut connections = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if connections.values().sum::<usize>() >= all {
            return None;
        }
        let count = connections.entry(address).or_default();
        if *count >= each {
            return None;
        }
        *count += 1;
        Some(ConnectionPermit { connections: Arc::clone(&self.0), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = connections.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_only_so_many_places_and_gives_them_back() {
        let connections = Connections::default();
        let [one, two]: [IpAddr; 2] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
        let first = connections.enter(one, 2, 3).unwrap();
        let _second = connections.enter(one, 2, 3).unwrap();
        assert!(connections.enter(one, 2, 3).is_none());
        let _third = connections.enter(two, 2, 3).unwrap();
        assert!(connections.enter(two, 2, 3).is_none());
        drop(first);
        assert!(connections.enter(two, 2, 3).is_some());
    }
}
