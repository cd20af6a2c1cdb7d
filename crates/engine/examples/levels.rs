//! How much work the levels are on 8×8, over a game:
//!
//! ```text
//! emilia convert data/wthor/WTH_1985.wtb --to transcript | sed -n '1p;3p;20p;33p' > games.txt
//! cargo run --release -p emilia-engine --example levels -- 1 22 games.txt
//! ```
//!
//! searches every fourth position of these games, from the eighth move on until a dozen squares are empty, by each of these
//! levels, each with an empty table, and prints the mean number of nodes and of seconds for a move by how many squares
//! are empty, and for all of them. The first game begins with a number of empty squares that four divides, each further one a move
//! later, so that four games meet every number. Nodes are the same on every machine; seconds are those of one thread.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Duration;

use emilia_engine::limits_of_level;
use emilia_eval::Learned;
use emilia_query::{Level, Stop};
use emilia_rules::{GridPosition, Move, Playable, Position, Size, Status, parse_move};
use emilia_search::{Search, Table};

/// The most empty squares of each column, and the fewest of the last.
const COLUMNS: [u32; 6] = [52, 40, 30, 24, 18, 12];
/// Megabytes of the table: as many as a patient user gives.
const HASH: usize = 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, file] = &arguments[..] else { return Err("usage: levels FROM TO GAMES".into()) };
    let (from, to): (Level, Level) = (Level::new(from.parse()?)?, Level::new(to.parse()?)?);
    let mut positions = Vec::new();
    for (number, line) in std::fs::read_to_string(file)?.lines().enumerate() {
        positions.extend(along(line, number as u32)?);
    }
    let table = Table::new(HASH)?;
    println!("level    nodes s/move | nodes with at most {COLUMNS:?} empty squares");
    for number in from.get()..=to.get() {
        let level = Level::new(number.into())?;
        let work: Vec<(u32, u64, Duration)> =
            positions.iter().map(|position| search(position, level, &table)).collect();
        let mean = |least: u32, most: u32| {
            let some: Vec<_> = work.iter().filter(|(empties, ..)| (least..=most).contains(empties)).collect();
            let count = some.len().max(1) as f64;
            let nodes: u64 = some.iter().map(|(_, nodes, _)| nodes).sum();
            let time: Duration = some.iter().map(|(.., time)| time).sum();
            (nodes as f64 / count, time.as_secs_f64() / count)
        };
        let (nodes, seconds) = mean(0, 60);
        let columns: Vec<String> =
            COLUMNS.windows(2).map(|ends| format!("{:11.0}", mean(ends[1] + 1, ends[0]).0)).collect();
        println!("{number:5} {nodes:10.0} {seconds:8.4} | {}", columns.join(" "));
    }
    Ok(())
}

/// Every fourth position of a game, begun so many moves later.
fn along(game: &str, later: u32) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut position = GridPosition::start(Size::EIGHT);
    let mut seen = Vec::new();
    for at in (0..game.len()).step_by(2) {
        let text = game.get(at..at + 2).ok_or("a game is a line of moves such as f5d6")?;
        if position.status() == Status::MustPass {
            position = position.play(Move::Pass)?;
        }
        position = position.play(parse_move(text, Size::EIGHT)?)?;
        let empties = position.counts().empty;
        if (empties + later).is_multiple_of(4) && (13..=52).contains(&empties) {
            seen.push(Position::try_from(&position)?);
        }
    }
    Ok(seen)
}

/// The empty squares of a position, the nodes that a level takes for it, and the time.
fn search(position: &Position, level: Level, table: &Table) -> (u32, u64, Duration) {
    table.clear();
    let stop = Stop::new();
    let empties = position.counts().empty;
    let mut search = Search::new(Learned::embedded(), table, &stop);
    search.limits = limits_of_level(level, Size::EIGHT, empties);
    let report = search.run(position, &mut ());
    (empties, report.nodes, report.time)
}
