//! How long the explorer takes to answer, and how much memory it takes:
//! `cargo run --release -p emilia-openings --example answers -- FOLDER [POSITIONS]`, the folder of a database.
//!
//! Positions are reached by moves that were played, as people click through openings, to a random depth, and beside each
//! there is one that hardly anybody reached; each question wants ten games too. Anew: the database is opened for each
//! question, as a fresh program does.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use emilia_openings::{Database, FileSource, Filter, Page, ReadAt, Storage};
use emilia_rules::{GridPosition, Move, Playable};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, rest @ ..] = arguments.as_slice() else { return Err("say FOLDER [POSITIONS]".into()) };
    let count: usize = rest.first().map_or(Ok(1000), |text| text.parse())?;
    let folder = Folder(PathBuf::from(folder));
    let begin = Instant::now();
    let database = Database::open(&folder)?;
    println!("{} games in {} files, opened in {:?}", database.games(), database.files(), begin.elapsed());
    let positions = positions(&database, count)?;
    let open = Filter::default();
    let player = Filter { player: Some("a".to_owned()), from: Some(1990), ..Filter::default() };
    let years = Filter { from: Some(1990), ..Filter::default() };
    for (what, filter) in [("all games", &open), ("since 1990", &years), ("by player and year", &player)] {
        let times = positions.iter().map(|position| {
            let begin = Instant::now();
            database.explore(position, filter, Page::first(10)).map(|_| begin.elapsed())
        });
        report(what, times.collect::<Result<_, _>>()?);
    }
    let cold = positions.iter().take(200).map(|position| {
        let begin = Instant::now();
        let database = Database::open(&folder)?;
        database.explore(position, &open, Page::first(10)).map(|_| begin.elapsed())
    });
    report("all games, opened anew", cold.collect::<Result<_, emilia_openings::OpeningsError>>()?);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    Ok(())
}

/// A folder that is only read.
struct Folder(PathBuf);

impl Storage for Folder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        Ok(Some(Box::new(FileSource::new(File::open(self.0.join(name))?)?)))
    }

    fn write(&self, _: &str, _: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn remove(&self, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Walks from the start by moves that were played, as people click through openings, to a random depth.
fn positions(database: &Database, count: usize) -> Result<Vec<GridPosition>, Box<dyn Error>> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = GridPosition::default();
        for _ in 0..random.random_range(0..60) {
            let found = database.explore(&position, &Filter::default(), Page::first(0))?;
            let all: u64 = found.moves.iter().map(|found| found.tally.games).sum();
            if all == 0 {
                break;
            }
            let mut at = random.random_range(0..all);
            let chosen = found.moves.iter().find(|found| match at.checked_sub(found.tally.games) {
                Some(rest) => {
                    at = rest;
                    false
                }
                None => true,
            });
            let Some(mv) = chosen.map(|found| found.mv.map(Into::into)) else { break };
            position = position.play(mv)?;
        }
        positions.push(position);
        // And one beside it that hardly anybody reached.
        if let Some(mv) = position.moves().last().filter(|mv| *mv != Move::Pass) {
            positions.push(position.play(mv)?);
        }
    }
    Ok(positions)
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{what}: {} questions, median {:?}, 99 % {:?}, longest {:?}",
        times.len(),
        at(50),
        at(99),
        at(100)
    );
}
