//! Opens a book of any size and looks positions up in it, mapped and by reading at a place:
//! `cargo run --release -p emilia-book --example large -- FILE MEGABYTES` makes the file first if it is not there.
#![allow(clippy::print_stdout, reason = "this is a program that prints what it measures")]

use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use emilia_book::{Basis, Book, Graph, Worth};
use emilia_mapping::Mapping;
use emilia_query::Selectivity;
use emilia_rules::{Board, Size, Square, SquareSet};

/// Positions looked up.
const LOOKUPS: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(megabytes)) = (arguments.next(), arguments.next()) else {
        return Err("say a file and how many megabytes it is to have".into());
    };
    let path = Path::new(&file);
    if !path.exists() {
        make(path, megabytes.parse::<usize>()? << 20)?;
    }
    let began = Instant::now();
    let book = Book::new(Mapping::of(&File::open(path)?)?)?;
    println!("opened {} positions in {:.1} µs", book.len(), began.elapsed().as_secs_f64() * 1e6);
    let boards = boards(7, LOOKUPS);
    let mut mapped = Vec::new();
    let mut found = 0;
    for board in &boards {
        let began = Instant::now();
        found += usize::from(black_box(book.find(*board)).is_some());
        mapped.push(began.elapsed());
    }
    println!("mapped: {found} of {LOOKUPS} found, {}", spread(&mut mapped));
    let source = File::open(path)?;
    let mut read = Vec::new();
    for board in &boards {
        let began = Instant::now();
        black_box(position_by_reading(&source, book.len(), board.canonical(Size::EIGHT).0)?);
        read.push(began.elapsed());
    }
    println!("read at places: {}", spread(&mut read));
    Ok(())
}

/// Writes a book of positions of random games.
fn make(path: &Path, bytes: usize) -> io::Result<()> {
    let mut graph = Graph::default();
    let worth = Worth { discs: 0, basis: Basis::Searched { depth: 20, selectivity: Selectivity::Likely } };
    let mut seed = 0;
    // A position takes 24 bytes and each of its moves 8.
    let mut length = 0;
    while length < bytes {
        for board in boards(seed, 100_000) {
            let moves: Vec<(Square, Worth)> =
                board.moves().into_iter().map(|square| (square, worth)).collect();
            length += 24 + 8 * moves.len();
            graph.judge(board, moves);
        }
        seed += 1;
    }
    fs::write(path, graph.bytes())
}

/// Positions of random games, the same for the same seed.
fn boards(seed: u64, count: usize) -> Vec<Board> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::START;
        while !board.moves().is_empty() && boards.len() < count {
            let moves: Vec<Square> = board.moves().into_iter().collect();
            if board.empties().count() < 48 {
                boards.push(board);
            }
            board = board.play(moves[below(moves.len())]);
        }
    }
    boards
}

/// The same search by halving with a call of the system for each step, as it would be without a map.
#[cfg(unix)]
fn position_by_reading(file: &File, positions: usize, wanted: Board) -> io::Result<bool> {
    use std::os::unix::fs::FileExt;
    let (mut low, mut high) = (0, positions);
    let mut board = [0; 16];
    while low < high {
        let middle = low + (high - low) / 2;
        file.read_exact_at(&mut board, 36 + 24 * middle as u64)?;
        let half = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| board[at + byte]));
        match (half(0), half(8)).cmp(&(wanted.own.0, wanted.opponent.0)) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Ok(true),
        }
    }
    Ok(false)
}

#[cfg(not(unix))]
fn position_by_reading(_: &File, _: usize, _: Board) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}

fn spread(times: &mut [Duration]) -> String {
    times.sort();
    let at = |share: usize| times[times.len() * share / 100].as_secs_f64() * 1e6;
    format!("median {:.2} µs, 99 % within {:.1} µs", at(50), at(99))
}
