//! Moves out of a book, before any search.

use std::fmt;
use std::sync::Arc;

use emilia_book::{Basis, Book, BookMove, Entry};
use emilia_classic::Dice;
use emilia_query::{MoveReport, Query, Report, Source, Value};
use emilia_rules::{Board, GridPosition, Move, Objective, Playable, Point, Position, Size, SquareSet};

use crate::spec::Settings;
use crate::{FileFault, FileReader, PlayerError};

/// Plies of a line that are shown out of a book.
const LINE: usize = 20;

/// A book to play by, and how much may be given away so that games differ.
#[derive(Clone)]
pub(crate) struct Opening {
    book: Arc<Book>,
    /// Discs that may be given away in a game.
    slack: i32,
    seed: u64,
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opening({:?}, slack {})", self.book, self.slack)
    }
}

impl Opening {
    /// What the settings say: no book, the one that comes with the program, or the one of a file.
    pub(crate) fn new(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Option<Opening>, PlayerError> {
        let slack = settings.number("book-slack", 0, 64)? as i32;
        let seed = settings.number("seed", 0, u64::MAX)?;
        let book = match settings.text("book") {
            "no" => return Ok(None),
            "yes" => Book::embedded(),
            file => {
                let book = Opening::file(file, read);
                Arc::new(book.map_err(|fault| PlayerError::File { file: file.to_owned(), fault })?)
            }
        };
        Ok(Some(Opening { book, slack, seed }))
    }

    /// The book that comes with the program, as if the settings had asked for it.
    pub(crate) fn usual(settings: &Settings<'_>) -> Result<Opening, PlayerError> {
        let slack = settings.number("book-slack", 0, 64)? as i32;
        Ok(Opening { book: Book::embedded(), slack, seed: settings.number("seed", 0, u64::MAX)? })
    }

    fn file(file: &str, read: FileReader<'_>) -> Result<Book, FileFault> {
        Ok(Book::new(read(file)?)?)
    }

    /// Where the dice of this game begin. An odd multiplier: no two games share a seed.
    pub(crate) fn dice(&self, game: u64) -> Dice {
        Dice::new(self.seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// What the book says to a question for one move, if it knows the position: a move drawn by lot of those that give
    /// away no more than is left of the slack.
    pub(crate) fn answer(&self, query: &Query, dice: &mut Dice) -> Option<Report> {
        if query.among.is_some() || query.lines > 1 || query.limits.endless {
            return None;
        }
        let board = board(query.position())?;
        let entry = self.book.find(board)?;
        let left = (self.slack - self.given_away(query)).max(0);
        let good: Vec<&BookMove> =
            entry.within(left).filter(|known| known.worth.basis > Basis::Game).collect();
        let drawn =
            **good.get(dice.below(u32::try_from(good.len()).ok().filter(|count| *count > 0)?) as usize)?;
        Some(Report { source: Source::Book, ..Report::of(vec![self.report(board, &drawn)]) })
    }

    /// Discs that the side to move has given away so far by moves that the book knows.
    fn given_away(&self, query: &Query) -> i32 {
        let (mut position, mut given) = (*query.start(), 0);
        let mover = query.position().turn();
        for mv in query.moves() {
            let own = (position.turn() == mover).then(|| board(&position)).flatten();
            if let Some((entry, square)) =
                own.and_then(|board| self.book.find(board)).zip(mv.square().and_then(|point| point.square()))
            {
                given += entry.of(square).map_or(0, |known| entry.loss(known));
            }
            position = position.played(*mv);
        }
        given
    }

    fn report(&self, board: Board, known: &BookMove) -> MoveReport {
        let (depth, selectivity) = match known.worth.basis {
            Basis::Searched { depth, selectivity } => (u32::from(depth), Some(selectivity)),
            Basis::Solved => (board.empties().count(), None),
            Basis::Game => (0, None),
        };
        MoveReport {
            value: Some(Value::Discs(f64::from(known.worth.discs))),
            depth,
            selectivity,
            exact: known.worth.basis == Basis::Solved,
            line: self.line(board, known),
            ..MoveReport::new(placed(known))
        }
    }

    /// The move and what the book expects after it.
    fn line(&self, board: Board, first: &BookMove) -> Vec<Move<Point>> {
        let mut line = vec![placed(first)];
        let mut board = board.play(first.square);
        while line.len() < LINE {
            if board.moves().is_empty() {
                board = board.pass();
                if board.moves().is_empty() {
                    break;
                }
                line.push(Move::Pass);
            }
            let Some(best) = self.book.find(board).as_ref().and_then(Entry::best).copied() else { break };
            line.push(placed(&best));
            board = board.play(best.square);
        }
        // A pass is shown only before the move that follows it.
        if line.last() == Some(&Move::Pass) {
            line.pop();
        }
        line
    }
}

fn placed(known: &BookMove) -> Move<Point> {
    Move::Place(Point::from(known.square))
}

/// The board of a position that a book can know.
fn board(position: &GridPosition) -> Option<Board> {
    let small = Position::try_from(position).ok().filter(|small| small.size() == Size::EIGHT)?;
    Some(small.board()).filter(|board| !board.moves().is_empty())
}

/// Whether a game is one that books are about.
pub(crate) fn is_known_game(query: &Query, objective: Objective) -> bool {
    objective == Objective::Most && query.position().size() == Size::EIGHT
}
