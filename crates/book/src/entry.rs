use emilia_rules::{Bitboard, Board, Square, Symmetry};

use crate::place::{same_moves, turned};
use crate::{Basis, Worth};

/// What a book knows of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The moves it knows something of, best first; moves that are the same by symmetry are all here.
    pub moves: Vec<BookMove>,
}

/// A move in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// Where the disc goes.
    pub square: Square,
    /// What was found when the position itself was looked at; nothing if the move is known by where it leads alone.
    pub judged: Option<Worth>,
    /// What the move is worth by everything the book knows: as judged, or by the positions it leads to if that rests on
    /// more.
    pub worth: Worth,
}

impl Entry {
    /// The best move; an entry has one.
    #[must_use]
    pub fn best(&self) -> Option<&BookMove> {
        self.moves.first()
    }

    /// What the position is worth to the side to move.
    #[must_use]
    pub fn worth(&self) -> Option<Worth> {
        self.best().map(|best| best.worth)
    }

    /// What it says about a move.
    #[must_use]
    pub fn of(&self, square: Square) -> Option<&BookMove> {
        self.moves.iter().find(|known| known.square == square)
    }

    /// Discs that a move gives away against the best one, by this entry.
    #[must_use]
    pub fn loss(&self, known: &BookMove) -> i32 {
        self.worth().map_or(0, |best| i32::from(best.discs) - i32::from(known.worth.discs))
    }

    /// The moves that give away at most so many discs, best first.
    pub fn within(&self, discs: i32) -> impl Iterator<Item = &BookMove> {
        self.moves.iter().filter(move |known| self.loss(known) <= discs)
    }

    /// No move that is not here is worth more, as far as searches have shown; nothing where every legal move is here, or
    /// no search has looked.
    #[must_use]
    pub fn others_at_most(&self, board: Board) -> Option<i8> {
        let here: Bitboard = self.moves.iter().map(|known| known.square).collect();
        let searched = self.moves.iter().filter_map(|known| known.judged);
        let searched = searched.filter(|worth| worth.basis > Basis::Game);
        searched.map(|worth| worth.discs).min().filter(|_| board.moves() != here)
    }

    /// The entry of a board whose book names it by another one: the moves turned back, and those added that are the
    /// same by symmetry.
    pub(crate) fn turned_back(kept: &[BookMove], named: Board, symmetry: Symmetry) -> Entry {
        let back = symmetry.inverse();
        let spread = |known: &BookMove| {
            let known = *known;
            let squares = same_moves(named, known.square).into_iter();
            squares.map(move |square| BookMove { square: turned(square, back), ..known })
        };
        Entry { moves: kept.iter().flat_map(spread).collect() }
    }
}

/// Best first; of equals what rests on more, then row by row.
pub(crate) fn sort(moves: &mut [BookMove]) {
    moves.sort_by_key(|known| (-known.worth.discs, std::cmp::Reverse(known.worth.basis), known.square));
}
