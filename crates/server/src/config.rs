use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::visitor::Public;

/// How the server is to be run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens. Port 0 takes any free one.
    pub addr: SocketAddr,
    /// How many ports are tried, from that of the address on, until one is free; 1 takes that one or none.
    pub ports: u16,
    /// The folder of the file with the games; none keeps them in memory only.
    pub data: Option<PathBuf>,
    /// How many searches run at the same moment.
    pub threads: usize,
    /// Names besides `localhost` and bare addresses by which browsers may call the server.
    pub hosts: Vec<String>,
    /// Bytes of memory that the server may take. 40 MiB are for the program and its weights, three quarters of the rest
    /// for what players remember, imports and other heavy work: when they are taken, new work is refused and players of
    /// games get less. What remains is for games and connections.
    pub memory: u64,
    /// How much anybody may ask of it.
    pub limits: Limits,
    /// What it needs if strangers can reach it; nothing if it is for those in the house.
    pub public: Option<Public>,
}

/// How much anybody may ask of the server. The rates are for each client address.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests a second, and how many at once after a rest.
    pub requests: (f64, f64),
    /// New games a second, and at once.
    pub games: (f64, f64),
    /// Analyses a second, and at once.
    pub analyses: (f64, f64),
    /// Games kept in memory.
    pub games_kept: usize,
    /// Profiles of learners.
    pub profiles: usize,
    /// Cards of one learner.
    pub cards: usize,
    /// Studies, each of at most half a mebibyte.
    pub studies: usize,
    /// How long finished games stay in memory after somebody last looked; they stay on disk.
    pub finished_kept: Duration,
    /// Longest that a client may leave an answer unread.
    pub unread: Duration,
    /// Connections of one address.
    pub connections_each: usize,
    /// Connections altogether.
    pub connections: usize,
}

impl Config {
    /// On this machine only, games in memory.
    #[must_use]
    pub fn ephemeral() -> Config {
        Config {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 8000)),
            ports: 1,
            data: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            hosts: Vec::new(),
            memory: 1 << 30,
            limits: Limits::default(),
            public: None,
        }
    }
}

impl Limits {
    /// For a server that strangers can reach: enough for each of them, little for a flood.
    #[must_use]
    pub fn public() -> Limits {
        Limits {
            requests: (20.0, 300.0),
            games: (0.2, 20.0),
            analyses: (1.0, 20.0),
            connections_each: 20,
            profiles: 10_000,
            cards: 1000,
            studies: 2000,
            ..Limits::default()
        }
    }
}

impl Default for Limits {
    /// Enough for a club evening behind one address; a flood is slowed down.
    fn default() -> Limits {
        Limits {
            requests: (200.0, 1000.0),
            games: (20.0, 1200.0),
            analyses: (10.0, 60.0),
            games_kept: 20_000,
            profiles: 1000,
            cards: 5000,
            studies: 5000,
            finished_kept: Duration::from_secs(600),
            unread: Duration::from_secs(30),
            connections_each: 800,
            connections: 4000,
        }
    }
}
