//! Replays every WTHOR game of a folder on one core and says how fast: `cargo run --release --example replay -- FOLDER`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use emilia_record::thor::{Archive, Directory};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder of .wtb files")?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
            files.push(std::fs::read(path)?);
        }
    }
    let (mut games, mut moves, mut broken) = (0, 0, 0);
    let begun = Instant::now();
    let mut archives = Vec::new();
    for bytes in &files {
        let archive = Archive::parse(bytes)?;
        let replay = archive.replay();
        games += replay.games;
        moves += replay.moves;
        broken += replay.broken.len();
        archives.push(archive);
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{games} games, {moves} moves, {broken} broken");
    println!("replayed: {seconds:.3} s, {:.0} games/s", games as f64 / seconds);

    let begun = Instant::now();
    let directory = Directory::default();
    let trees = archives.iter().flat_map(|archive| archive.games(&directory)).filter(Result::is_ok).count();
    let seconds = begun.elapsed().as_secs_f64();
    println!("made game trees: {seconds:.3} s, {:.0} games/s", trees as f64 / seconds);
    Ok(())
}
