//! A disk on which writing fails now and then. What the server says it has kept is kept; what it could not keep it
//! says; and when the disk is well again everything goes on.

use std::time::{Duration, Instant};

use crate::client::get;
use crate::part::{Round, Tally};
use crate::parts::kill_server::fork;
use crate::parts::power::{disk, open_server};
use crate::people::{Person, Step};
use crate::programs::server;

/// Longest that the server may take to go on after the disk is well; it looks every second.
const RECOVERY: Duration = Duration::from_secs(60);

pub(crate) fn round(round: &mut Round) -> Tally {
    let disk = disk();
    let moves = round.scaled(200, 40);
    let (mut tried, mut refused) = (0, 0);
    let mut people: Vec<Person> = (0..3).map(|number| Person::new(fork(round, number))).collect();
    {
        let server = open_server(round);
        for lap in 0..3 {
            let failing = if lap % 2 == 1 { [5, 50, 300, 1000][round.below(4) as usize] } else { 0 };
            disk.fail(failing, round.below(u64::MAX));
            for turn in 0..moves {
                let person = &mut people[turn as usize % 3];
                tried += 1;
                match person.step(server.addr, || disk.moment()) {
                    Step::Acknowledged => {}
                    Step::NotSaved => {
                        refused += 1;
                        person.look_again(server.addr);
                    }
                    Step::NoAnswer => panic!("no answer"),
                }
            }
            disk.fail(0, 0);
            let begin = Instant::now();
            while get(server.addr, "/healthz", None).json()["status"] != "ok" {
                assert!(begin.elapsed() < RECOVERY, "it does not go on");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
    // What the disk has now, without a cut, holds every acknowledged move.
    let folder = round.folder.join("after");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in disk.contents() {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let process = server(&folder);
    people.iter().flat_map(|person| &person.games).for_each(|game| game.check(process.addr, usize::MAX));
    process.kill();
    Tally::of(tried).count("refused", refused)
}
