//! Books that are changed without looking for new lines.

use std::fs::{self, File};
use std::path::PathBuf;

use clap::Args;
use emilia_book::{Basis, Book, Graph, Note, Task, Worth};
use emilia_mapping::Mapping;
use emilia_record::Game;
use emilia_rules::{Board, Color, Playable, Point, Position, Size, Square, SquareSet};

use super::grow::{Effort, eight};
use super::store::{Store, open};
use crate::files::{read_games, write_file};
use crate::position::PositionArg;
use crate::{Failure, Streams};

/// Add the positions of games, judged by search and by how the games ended
///
/// Each position of a game becomes one of the book: its best move is searched, and the move that was played has the result
/// of the game until a search has looked where it leads. Games are read in every format that "emilia convert" knows.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book learn mine.ebk club.ggf --plies 20 --level 16
  emilia book learn mine.ebk WTH_2020.wtb --results")]
pub(super) struct Learn {
    /// The book; it is begun if it is not there
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Files with games
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,

    /// Moves of each game that are looked at
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,

    /// Take the results of the games alone and search nothing
    #[arg(long)]
    results: bool,

    #[command(flatten)]
    effort: Effort,
}

/// What a game says of a position: the move that was played, and how it ended for the side that played it.
struct Played {
    board: Board,
    square: Square,
    result: Option<i8>,
}

impl Learn {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut played = Vec::new();
        let (mut taken, mut foreign) = (0, 0);
        for path in &self.games {
            for game in read_games(path)? {
                if game.size() == Size::EIGHT {
                    played.extend(moves_of(&game, self.plies));
                    taken += 1;
                } else {
                    foreign += 1;
                }
            }
        }
        let mut store = Store::open(&self.book, true)?;
        for Played { board, square, result } in &played {
            if let Some(discs) = *result {
                let found = vec![(*square, Worth { discs, basis: Basis::Game })];
                store.remember(Note::Judged { board: *board, found })?;
            }
        }
        store.sync()?;
        writeln!(streams.out, "{taken} games with {} moves{}", played.len(), other_boards(foreign))?;
        let boards: Vec<Board> = played.iter().map(|played| played.board).collect();
        let missing = |graph: &Graph, wanted: &dyn Fn(Board) -> Basis| match self.results {
            true => Vec::new(),
            false => Task::of_positions(boards.iter().copied(), graph, wanted),
        };
        self.effort.grow(store, &missing, streams)
    }
}

fn other_boards(games: usize) -> String {
    if games == 0 { String::new() } else { format!("; {games} games on boards other than 8×8 left out") }
}

/// The first moves of a game with its result.
fn moves_of(game: &Game, plies: u32) -> Vec<Played> {
    let margin = game.result.as_ref().and_then(|result| result.margin());
    let mut position = *game.start();
    let mut played = Vec::new();
    for mv in game.main_line() {
        let small = Position::try_from(&position).ok();
        let placed = mv.square().and_then(Point::square);
        if let Some((small, square)) = small.zip(placed) {
            let sign = if small.turn() == Color::Black { 1.0 } else { -1.0 };
            let result = margin.map(|margin| (sign * margin).round() as i8);
            played.push(Played { board: small.board(), square, result });
        }
        position = match position.play(mv) {
            Ok(next) => next,
            Err(_) => break,
        };
        if played.len() >= plies as usize {
            break;
        }
    }
    played
}

/// Mend a damaged book: keep what is sound, carry values back anew, say what is lost
///
/// What was there before stays beside it under the name BOOK.damaged if anything is lost.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book fix mine.ebk")]
pub(super) struct Fix {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
}

impl Fix {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let failed = |error| Failure::file(&self.book, error);
        let bytes = Mapping::of(&File::open(&self.book).map_err(failed)?).map_err(failed)?;
        let (graph, lost) = Book::salvage(bytes).map_err(|error| Failure::in_file(&self.book, &error))?;
        if lost > 0 {
            let mut damaged = self.book.as_os_str().to_owned();
            damaged.push(".damaged");
            fs::copy(&self.book, &damaged).map_err(failed)?;
        }
        let mut settled = graph.clone();
        settled.settle();
        write_file(&self.book, &settled.bytes()).map_err(failed)?;
        // What an interrupted run left in the journal is taken in too.
        let kept = Store::open(&self.book, false)?.finish()?.len();
        writeln!(streams.out, "{kept} positions are sound, {lost} are lost")?;
        Ok(())
    }
}

/// Take what other books hold into one; of two values the one that rests on more stays
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book merge mine.ebk yours.ebk theirs.ebk")]
pub(super) struct Merge {
    /// The book that grows; it is begun if it is not there
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Books that are taken in
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,
}

impl Merge {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut others = Vec::new();
        for path in &self.others {
            others.push(open(path)?.graph().map_err(|error| Failure::in_file(path, &error))?);
        }
        let mut store = Store::open(&self.book, true)?;
        let before = store.graph.len();
        others.iter().for_each(|other| store.graph.merge(other));
        let after = store.finish()?.len();
        writeln!(streams.out, "{after} positions, {} of them new", after - before)?;
        Ok(())
    }
}

/// Take away the positions that good lines do not lead to
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book prune mine.ebk --loss 2
  emilia book prune mine.ebk --loss 64 --plies 12")]
pub(super) struct Prune {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Where lines begin: moves or a board [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    from: Option<PositionArg>,

    /// Discs that both sides together may give away on a line that is kept
    #[arg(long, value_name = "DISCS", default_value = "2")]
    loss: u8,

    /// Moves after the start of the game after which nothing is kept [default: all]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
}

impl Prune {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let from = eight(self.from.as_ref())?;
        let mut store = Store::open(&self.book, false)?;
        let losses = store.graph.losses(from);
        let gone = store.graph.retain(|board| {
            let near = losses.get(&board).is_some_and(|loss| *loss <= i32::from(self.loss));
            near && self.plies.is_none_or(|plies| 60 - board.empties().count() < plies)
        });
        let kept = store.finish()?.len();
        writeln!(streams.out, "{gone} positions taken away, {kept} kept")?;
        Ok(())
    }
}
