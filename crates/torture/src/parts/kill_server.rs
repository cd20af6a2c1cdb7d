//! The server is killed while people play, and started again. Nobody may miss a move that was acknowledged.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::part::{Round, Tally};
use crate::people::{Person, Step};
use crate::programs::server;

/// How many play at a time.
const PEOPLE: u64 = 4;
/// Longest time between a start and a kill.
const LONGEST_LIFE_MS: u64 = 200;

pub(crate) fn round(round: &mut Round) -> Tally {
    let kills = round.scaled(10, 2);
    let mut people: Vec<Person> = (0..PEOPLE).map(|number| Person::new(fork(round, number))).collect();
    let acknowledged = AtomicU64::new(0);
    for _ in 0..kills {
        let mut process = server(&round.folder);
        let (addr, dead) = (process.addr, AtomicBool::new(false));
        people.iter_mut().for_each(|person| person.look_again(addr));
        let life = Duration::from_millis(1 + round.below(LONGEST_LIFE_MS));
        std::thread::scope(|scope| {
            for person in &mut people {
                scope.spawn(|| {
                    while person.step(addr, || 0) != Step::NoAnswer {
                        acknowledged.fetch_add(1, Relaxed);
                    }
                    assert!(dead.load(Relaxed), "the server gave no answer although it lived");
                });
            }
            std::thread::sleep(life);
            dead.store(true, Relaxed);
            process.child.kill().unwrap();
            process.child.wait().unwrap();
        });
    }
    let process = server(&round.folder);
    let games = people.iter().flat_map(|person| &person.games);
    let games = games.map(|game| game.check(process.addr, usize::MAX)).count();
    process.kill();
    Tally::of(kills).count("acknowledged changes", acknowledged.into_inner()).count("games", games as u64)
}

/// Random numbers of somebody's own.
pub(crate) fn fork(round: &mut Round, number: u64) -> rand::rngs::ChaCha8Rng {
    use rand::SeedableRng;
    rand::rngs::ChaCha8Rng::seed_from_u64(round.below(u64::MAX) ^ number)
}
