//! How many lines of a book must be known.

use emilia_book::{Book, Entry};
use emilia_rules::{Board, Color, GridPosition, Playable, Position, Size, Square, SquareSet};
use thiserror::Error;

use crate::lines::{Choice, Effort, Knowledge, Lines, Repertoire};

/// Lines of a book that keep what a position promises, less a tolerance.
pub struct BookLines<'b> {
    known: Known<'b>,
    learner: Color,
    floor: i32,
}

/// Why lines cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BookLinesError {
    /// The board is of another size, or the game is over.
    #[error("lines are counted on 8×8, from a position in which somebody can move")]
    NoOpening,
    /// The book knows nothing of it.
    #[error("the book does not know this position")]
    Unknown,
}

/// What must be known from a position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// What has to be learned in all.
    pub repertoire: Repertoire,
    /// What the learner is to keep, in discs.
    pub floor: i32,
    /// Whether it is the learner's turn.
    pub learners: bool,
    /// The moves that the book knows here, the best for the learner first.
    pub moves: Vec<SurveyedMove>,
}

/// A move, and what must be known after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyedMove {
    /// Where the disc goes.
    pub square: Square,
    /// What it is worth to the learner, in discs, whoever makes it.
    pub discs: i32,
    /// What must be known after it; nothing if the learner may not choose it, because it gives away too much.
    pub effort: Option<Effort>,
    /// Whether the book goes on after it.
    pub goes_on: bool,
    /// Whether it is the move that needs the fewest lines.
    pub advised: bool,
}

impl<'b> BookLines<'b> {
    /// Lines for this side from this position on, that give away at most so many discs of what it is worth. Beyond so many
    /// moves on the board, if that is said, nothing counts as known.
    pub fn new(
        book: &'b Book,
        from: &GridPosition,
        learner: Color,
        tolerance: u8,
        plies: Option<u32>,
    ) -> Result<BookLines<'b>, BookLinesError> {
        let known = Known { book, plies: plies.unwrap_or(60) };
        let (board, turn) = opening(from).ok_or(BookLinesError::NoOpening)?;
        let worth = book.find(board).and_then(|entry| entry.worth()).ok_or(BookLinesError::Unknown)?;
        let worth = if turn == learner { i32::from(worth.discs) } else { -i32::from(worth.discs) };
        Ok(BookLines { known, learner, floor: worth - i32::from(tolerance) })
    }

    /// What must be known from this position on. Where the book ends there are no moves.
    pub fn survey(&self, position: &GridPosition) -> Result<Survey, BookLinesError> {
        let (board, turn) = opening(position).ok_or(BookLinesError::NoOpening)?;
        let learners = turn == self.learner;
        let place = Place::new(board, learners);
        let mut lines = Lines::new(&self.known, self.floor);
        let repertoire = lines.repertoire(&place);
        let advice = if learners { lines.advice(&place) } else { None };
        let entry = self.known.entry(board);
        let moves = entry.iter().flat_map(|entry| &entry.moves).map(|known| {
            let choice = choice(board, learners, known.square, known.worth.discs);
            let may = !learners || choice.worth >= self.floor;
            SurveyedMove {
                square: known.square,
                discs: choice.worth,
                effort: may.then(|| lines.effort_of(&choice)),
                goes_on: !self.known.choices(&choice.to).is_empty(),
                advised: advice.as_ref().is_some_and(|advice| advice.to == choice.to),
            }
        });
        let mut moves: Vec<SurveyedMove> = moves.collect();
        moves.sort_by_key(|known| (-known.discs, known.square));
        Ok(Survey { repertoire, floor: self.floor, learners, moves })
    }
}

/// The board of a position in which somebody can move, and who.
fn opening(position: &GridPosition) -> Option<(Board, Color)> {
    let position = Position::try_from(position).ok().filter(|position| position.size() == Size::EIGHT)?;
    let (board, turn) = (position.board(), position.turn());
    if !board.moves().is_empty() {
        Some((board, turn))
    } else {
        (!board.pass().moves().is_empty()).then_some((board.pass(), !turn))
    }
}

/// What a book knows, up to so many moves on the board.
struct Known<'b> {
    book: &'b Book,
    plies: u32,
}

/// A position as the book names it, and whether it is the learner's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    board: Board,
    learners: bool,
}

impl Place {
    fn new(board: Board, learners: bool) -> Place {
        Place { board: board.canonical(Size::EIGHT).0, learners }
    }
}

impl Known<'_> {
    fn entry(&self, board: Board) -> Option<Entry> {
        let played = 60 - board.empties().count();
        if played < self.plies { self.book.find(board) } else { None }
    }
}

impl Knowledge for Known<'_> {
    type Place = Place;

    fn is_learners(&self, place: &Place) -> bool {
        place.learners
    }

    fn choices(&self, place: &Place) -> Vec<Choice<Place>> {
        let entry = self.entry(place.board);
        let moves = entry.iter().flat_map(|entry| &entry.moves);
        moves.map(|known| choice(place.board, place.learners, known.square, known.worth.discs)).collect()
    }
}

fn choice(board: Board, learners: bool, square: Square, discs: i8) -> Choice<Place> {
    let after = board.play(square);
    let discs = i32::from(discs);
    // Who cannot answer passes.
    let to = if after.moves().is_empty() && !after.pass().moves().is_empty() {
        Place::new(after.pass(), learners)
    } else {
        Place::new(after, !learners)
    };
    Choice { to, worth: if learners { discs } else { -discs } }
}

#[cfg(test)]
mod tests {
    use emilia_book::{Basis, Graph, Worth};
    use emilia_record::transcript;
    use emilia_rules::parse_move;

    use super::*;

    fn after(moves: &str) -> GridPosition {
        let mut game = transcript::parse(moves).unwrap();
        game.to_end();
        *game.position()
    }

    /// A book of these lines; each move is worth what is said, to the side that makes it.
    fn book(moves: &[(&str, &str, i8)]) -> Book {
        let mut graph = Graph::default();
        for (before, mv, discs) in moves {
            let board = Position::try_from(&after(before)).unwrap().board();
            let point = parse_move(mv, Size::EIGHT).unwrap().square().unwrap();
            let square = Square::new(point.column(), point.row()).unwrap();
            graph.judge(board, [(square, Worth { discs: *discs, basis: Basis::Game })]);
        }
        graph.settle();
        Book::new(graph.bytes()).unwrap()
    }

    /// White may answer f5 in two ways, d6 (even) and f6 (one disc worse), Black both times in one; f4 is known to be bad.
    fn small() -> Book {
        book(&[
            ("", "f5", 0),
            ("f5", "d6", 0),
            ("f5", "f6", -1),
            ("f5", "f4", -4),
            ("f5d6", "c3", 0),
            ("f5d6", "c5", -2),
            ("f5f6", "e6", 1),
        ])
    }

    #[test]
    fn the_lines_of_a_small_book_are_counted() {
        let book = small();
        let start = GridPosition::default();
        let black = BookLines::new(&book, &start, Color::Black, 0, None).unwrap();
        let survey = black.survey(&start).unwrap();
        assert_eq!((survey.learners, survey.floor, survey.moves.len()), (true, 0, 4), "all four first moves");
        assert_eq!(survey.repertoire.effort, Effort { open: 0, lines: 3 });
        // The first move, and the answers to d6 and f6; nothing is known after f4.
        assert_eq!((survey.repertoire.decisions, survey.repertoire.longest), (3, 3));
        let replies = black.survey(&after("f5")).unwrap();
        assert!(
            !replies.learners
                && replies.moves.iter().all(|known| known.effort == Some(Effort { open: 0, lines: 1 }))
        );
        // Turned, it is the same.
        assert_eq!(black.survey(&after("c4")).unwrap().repertoire, replies.repertoire);
        let white = BookLines::new(&book, &start, Color::White, 0, None).unwrap();
        assert_eq!(white.survey(&start).unwrap().repertoire.effort.lines, 2, "Black has two moves after d6");
        let only = white.survey(&after("f5")).unwrap();
        let advised: Vec<String> =
            only.moves.iter().filter(|known| known.advised).map(|known| known.square.to_string()).collect();
        assert_eq!(advised, ["d6"]);
        assert_eq!(
            only.moves.iter().filter(|known| known.effort.is_none()).count(),
            2,
            "f6 and f4 give too much away"
        );
        // One disc of tolerance: after f6 there is one line only.
        let loose = BookLines::new(&book, &start, Color::White, 1, None).unwrap();
        assert_eq!(loose.survey(&start).unwrap().repertoire.effort.lines, 1);
    }

    #[test]
    fn what_the_book_does_not_know_is_said() {
        let book = small();
        let lines = |from: &GridPosition| BookLines::new(&book, from, Color::Black, 0, None).err();
        assert_eq!(lines(&after("f5f4")), Some(BookLinesError::Unknown));
        assert_eq!(lines(&GridPosition::start(Size::MIN)), Some(BookLinesError::NoOpening));
        let short = BookLines::new(&book, &GridPosition::default(), Color::Black, 0, Some(1)).unwrap();
        assert_eq!(short.survey(&GridPosition::default()).unwrap().repertoire.effort.lines, 1);
        assert!(short.survey(&after("f5f4")).unwrap().moves.is_empty());
    }

    #[test]
    fn the_book_that_comes_with_the_program_can_be_learned() {
        let book = Book::embedded();
        let start = GridPosition::default();
        let lines = |tolerance| {
            let lines = BookLines::new(&book, &start, Color::Black, tolerance, None).unwrap();
            lines.survey(&start).unwrap().repertoire
        };
        let (exact, loose) = (lines(0), lines(2));
        assert!(exact.effort.lines >= 1 && loose.effort <= exact.effort, "{exact:?} {loose:?}");
    }
}
