//! A day of a club on one server, as fast as it can be played: a hundred people who move every ten seconds. The memory
//! of the last hours is that of the hours before.

use std::sync::Mutex;
use std::time::Duration;

use emilia_server::Limits;

use crate::part::{Round, Tally};
use crate::parts::kill_server::fork;
use crate::parts::power::server_with;
use crate::people::{Person, Step};
use crate::programs::megabytes;

const PEOPLE: u64 = 100;
const MOVES_AN_HOUR: u64 = 360;
const HOURS: u64 = 24;
/// How long finished games are kept, which are ten minutes otherwise: the day passes two to three hundred times as fast.
const FINISHED_KEPT: Duration = Duration::from_secs(3);
/// How much more memory the last quarter of the day may need than the one before, in percent and megabytes.
const MORE: (u64, u64) = (110, 16);

pub(crate) fn round(round: &mut Round) -> Tally {
    let (people, moves, hours) = (round.scaled(PEOPLE, 8), round.scaled(MOVES_AN_HOUR, 5), HOURS);
    let server = server_with(round, Limits { finished_kept: FINISHED_KEPT, ..Limits::default() });
    let crowd: Vec<Mutex<Person>> =
        (0..people).map(|number| Mutex::new(Person::new(fork(round, number)))).collect();
    let mut memory = Vec::new();
    for hour in 0..hours {
        std::thread::scope(|scope| {
            for person in &crowd {
                scope.spawn(|| {
                    let mut person = person.lock().unwrap();
                    for _ in 0..moves {
                        assert_eq!(person.step(server.addr, || 0), Step::Acknowledged);
                    }
                    // What is over is the server's to remember.
                    let last = person.games.pop();
                    person.games = last.into_iter().collect();
                });
            }
        });
        memory.push(megabytes(std::process::id()));
        crate::alive(&format!("hour {} of {hours}: {} MB", hour + 1, memory[hour as usize]));
    }
    let most = |hours: &[u64]| hours.iter().copied().max().unwrap_or_default();
    let (before, last) = (most(&memory[12..18]), most(&memory[18..]));
    assert!(last <= before * MORE.0 / 100 + MORE.1, "memory grows: {memory:?} MB");
    Tally::of(hours)
        .count("moves", people * moves * hours)
        .peak("MB in hours 13 to 18", before)
        .peak("MB in hours 19 to 24", last)
}
