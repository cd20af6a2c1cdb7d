//! A crowd of people who play as fast as they can, while analyses and games of computers take all the rest of the
//! machine. Told is how long a move takes and how much memory the server needs.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::part::{Round, Tally};
use crate::parts::kill_server::fork;
use crate::parts::power::open_server;
use crate::people::{Person, Step, post};
use crate::programs::megabytes;

/// How many play at a time, one round after the other.
const CROWDS: [u64; 3] = [1, 10, 100];
/// Memory beyond which the server counts as broken, with its clients, in megabytes.
const MEMORY: u64 = 1500;

pub(crate) fn round(round: &mut Round) -> Tally {
    let people = CROWDS[(round.number % 3) as usize];
    // One round in two has heavy work beside it.
    let heavy = round.number / 3 % 2 == 1;
    let time = Duration::from_millis(round.scaled(5000, 1500));
    let server = open_server(round);
    let ended = AtomicBool::new(false);
    let crowd: Vec<Person> = (0..people).map(|number| Person::new(fork(round, number))).collect();
    let begin = Instant::now();
    let play = |mut person: Person| {
        let mut times = Vec::new();
        while begin.elapsed() < time {
            let asked = Instant::now();
            assert_eq!(person.step(server.addr, || 0), Step::Acknowledged);
            times.push(asked.elapsed().as_micros() as u64);
        }
        times
    };
    let mut times: Vec<u64> = std::thread::scope(|scope| {
        if heavy {
            scope.spawn(|| heavy_work(server.addr, &ended));
        }
        let threads: Vec<_> = crowd.into_iter().map(|person| scope.spawn(|| play(person))).collect();
        let times = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        ended.store(true, Relaxed);
        times
    });
    let seconds = begin.elapsed().as_secs_f64();
    let memory = megabytes(std::process::id());
    assert!(memory < MEMORY, "{memory} MB");
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    let who = format!("crowd of {people}{}", if heavy { " and heavy work" } else { "" });
    Tally::of(times.len() as u64)
        .peak(&format!("moves a second, {who}"), (times.len() as f64 / seconds) as u64)
        .peak(&format!("µs half of all moves take, {who}"), at(0.5))
        .peak(&format!("µs 99 % of all moves take, {who}"), at(0.99))
        .peak("MB", memory)
}

/// Analyses and games of computers, as many as the server takes.
fn heavy_work(addr: SocketAddr, ended: &AtomicBool) {
    let player = json!({"player": "emilia:level=8"});
    for _ in 0..4 {
        post(
            addr,
            "/api/games",
            "",
            &json!({"mode": "watch", "black": player, "white": player, "pause_ms": 0}),
        );
    }
    while !ended.load(Relaxed) {
        let analysis = post(addr, "/api/tree", "", &json!({"player": "alphabeta:depth=4", "moves": "f5d6"}));
        assert!(analysis.is_none_or(|answer| [200, 429, 503].contains(&answer.status)));
    }
}
