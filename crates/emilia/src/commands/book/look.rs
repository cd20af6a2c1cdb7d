//! Books that are looked at.

use std::path::PathBuf;

use clap::Args;
use emilia_book::{Basis, Book, BookMove, Entry};
use emilia_rules::{Board, SquareSet};
use serde::Serialize;

use super::grow::eight;
use super::store::open;
use crate::position::PositionArg;
use crate::{Failure, Streams};

/// Show what a book knows of a position
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book show own
  emilia book show mine.ebk f5d6c3 --json")]
pub(super) struct Show {
    /// The book; "own" is the one that comes with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves or a board [default: the start of the game]
    #[arg(value_name = "POSITION")]
    position: Option<PositionArg>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Tell what is in a book: positions by the number of moves before them, and what their values rest on
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book stats own
  emilia book stats mine.ebk --json")]
pub(super) struct Stats {
    /// The book; "own" is the one that comes with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Check every position, move and value of a book
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book check mine.ebk")]
pub(super) struct Check {
    /// The book; "own" is the one that comes with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,
}

/// A move for a program to read.
#[derive(Serialize)]
struct MoveLine {
    #[serde(rename = "move")]
    mv: String,
    discs: i8,
    source: String,
    judged: Option<JudgedLine>,
}

#[derive(Serialize)]
struct JudgedLine {
    discs: i8,
    source: String,
}

impl MoveLine {
    fn new(known: &BookMove) -> MoveLine {
        MoveLine {
            mv: known.square.to_string(),
            discs: known.worth.discs,
            source: known.worth.basis.to_string(),
            judged: known
                .judged
                .map(|judged| JudgedLine { discs: judged.discs, source: judged.basis.to_string() }),
        }
    }
}

impl Show {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let board = eight(self.position.as_ref())?;
        let entry = open(&self.book)?.find(board);
        if self.json {
            let moves: Vec<MoveLine> =
                entry.iter().flat_map(|entry| &entry.moves).map(MoveLine::new).collect();
            return Ok(streams.write_json(&serde_json::json!({ "moves": moves }))?);
        }
        let Some(entry) = entry else {
            writeln!(streams.out, "the book does not know this position")?;
            return Ok(());
        };
        print(&entry, board, streams)
    }
}

fn print(entry: &Entry, board: Board, streams: &mut Streams<'_>) -> Result<(), Failure> {
    writeln!(streams.out, "move  discs  source      looked at here")?;
    for known in &entry.moves {
        let judged =
            known.judged.map_or_else(String::new, |judged| format!("{:+} {}", judged.discs, judged.basis));
        let (discs, source) = (known.worth.discs, known.worth.basis.to_string());
        writeln!(streams.out, "{:<5} {discs:>+5}  {source:<10}  {judged}", known.square.to_string())?;
    }
    if let Some(most) = entry.others_at_most(board) {
        writeln!(streams.out, "every other move is worth {most:+} at most, as far as was looked")?;
    }
    Ok(())
}

/// What is in a book.
#[derive(Serialize)]
struct Statistics {
    positions: usize,
    moves: usize,
    solved: usize,
    searched: usize,
    games: usize,
    shallowest: Option<u8>,
    plies: Vec<PlyLine>,
}

#[derive(Serialize)]
struct PlyLine {
    ply: u32,
    positions: usize,
    moves: usize,
    best: usize,
}

impl Stats {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let book = open(&self.book)?;
        let statistics = statistics(&book).map_err(|error| Failure::in_file(&self.book, &error))?;
        if self.json {
            return Ok(streams.write_json(&statistics)?);
        }
        writeln!(streams.out, "moves before  positions  moves known  of them best")?;
        for PlyLine { ply, positions, moves, best } in &statistics.plies {
            writeln!(streams.out, "{ply:>12} {positions:>10} {moves:>12} {best:>13}")?;
        }
        let Statistics { positions, moves, solved, searched, games, shallowest, .. } = statistics;
        write!(
            streams.out,
            "{positions} positions with {moves} moves judged: {solved} solved, {searched} searched, {games} from games"
        )?;
        match shallowest {
            Some(depth) => writeln!(streams.out, "; the shallowest search looked {depth} plies ahead")?,
            None => writeln!(streams.out)?,
        }
        Ok(())
    }
}

fn statistics(book: &Book) -> Result<Statistics, emilia_book::BookError> {
    let graph = book.graph()?;
    let mut found = Statistics {
        positions: graph.len(),
        moves: 0,
        solved: 0,
        searched: 0,
        games: 0,
        shallowest: None,
        plies: Vec::new(),
    };
    let mut plies = std::collections::BTreeMap::<u32, PlyLine>::new();
    for (board, moves) in graph.positions() {
        let ply = 60 - board.empties().count();
        let line = plies.entry(ply).or_insert(PlyLine { ply, positions: 0, moves: 0, best: 0 });
        let best = moves.first().map(|best| best.worth.discs);
        line.positions += 1;
        line.moves += moves.len();
        line.best += moves.iter().filter(|known| Some(known.worth.discs) == best).count();
        for judged in moves.iter().filter_map(|known| known.judged) {
            found.moves += 1;
            match judged.basis {
                Basis::Solved => found.solved += 1,
                Basis::Game => found.games += 1,
                Basis::Searched { depth, .. } => {
                    found.searched += 1;
                    found.shallowest = Some(found.shallowest.map_or(depth, |least| least.min(depth)));
                }
            }
        }
    }
    found.plies = plies.into_values().collect();
    Ok(found)
}

impl Check {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let book = open(&self.book)?;
        let graph = book.graph().map_err(|error| Failure::in_file(&self.book, &error))?;
        let mut settled = graph.clone();
        settled.settle();
        if settled != graph {
            let sentence = format!(
                "{}: some values are not what the positions after them say; \"emilia book fix\" mends that",
                self.book.display()
            );
            return Err(Failure::failed(sentence));
        }
        writeln!(streams.out, "{} positions, all sound", graph.len())?;
        Ok(())
    }
}
