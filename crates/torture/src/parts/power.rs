//! The power is cut while people play. The server runs on a disk of ours that knows what was synced; from each cut on
//! the real program goes on with what such a disk may have left.

use std::sync::OnceLock;

use emilia_server::{Config, Limits};

use crate::common::Server;
use crate::disk::Disk;
use crate::part::{Round, Tally};
use crate::parts::kill_server::fork;
use crate::people::{Person, Step};
use crate::programs::server;

/// How many play at a time.
const PEOPLE: u64 = 8;

/// The disk of all databases that this process opens.
static DISK: OnceLock<Disk> = OnceLock::new();

pub(crate) fn round(round: &mut Round) -> Tally {
    let disk = disk();
    let (moves, cuts) = (round.scaled(100, 25), round.scaled(25, 6));
    let people: Vec<Person> = play(round, &disk, moves);
    let acknowledged: usize =
        people.iter().flat_map(|person| &person.games).map(|game| game.marks.len()).sum();
    let everything = disk.moment() as u64;
    for number in 0..cuts {
        let moment = round.below(everything + 1) as usize;
        let folder = round.folder.join(format!("cut-{number}"));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in disk.after_cut(moment, &mut round.random) {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        let process = server(&folder);
        for game in people.iter().flat_map(|person| &person.games) {
            game.check(process.addr, moment);
        }
        process.kill();
        // What is left of a cut that lost something is evidence.
        std::fs::remove_dir_all(&folder).unwrap();
    }
    Tally::of(cuts).count("acknowledged changes", acknowledged as u64)
}

/// The disk, installed once and empty now.
pub(crate) fn disk() -> Disk {
    let disk = DISK.get_or_init(|| {
        let disk = Disk::default();
        disk.install().expect("SQLite takes another disk");
        disk
    });
    disk.format();
    disk.clone()
}

/// A server on this machine for so many people that its limits for one client are not meant for them.
pub(crate) fn open_server(round: &Round) -> Server {
    server_with(round, Limits::default())
}

/// The same, with limits of its own besides.
pub(crate) fn server_with(round: &Round, limits: Limits) -> Server {
    let free = (1e6, 1e6);
    let limits = Limits { requests: free, games: free, ..limits };
    Server::with(Config { data: Some(round.folder.join("server")), limits, ..Config::ephemeral() })
}

/// Lets people play so many moves each on this disk, to the clean end of the server.
fn play(round: &mut Round, disk: &Disk, moves: u64) -> Vec<Person> {
    let server = open_server(round);
    let mut people: Vec<Person> = (0..PEOPLE).map(|number| Person::new(fork(round, number))).collect();
    std::thread::scope(|scope| {
        for person in &mut people {
            scope.spawn(|| {
                for _ in 0..moves {
                    assert_eq!(person.step(server.addr, || disk.moment()), Step::Acknowledged);
                }
            });
        }
    });
    people
}
