use std::fmt;
use std::hash::{Hash, Hasher};

use emilia_rules::{Bitboard, Board, Color, Kernel, Playable, Point, Position, Size, Square};

/// A position of at most 8×8 whose flips and moves come from a kernel made for this processor.
///
/// Everything is inlined, so that a search that has entered its kernel is compiled for it from top to bottom.
#[derive(Clone, Copy)]
pub(crate) struct Compact<K> {
    board: Board,
    turn: Color,
    size: Size,
    kernel: K,
}

impl<K: Kernel> Compact<K> {
    pub(crate) fn new(position: &Position, kernel: K) -> Compact<K> {
        Compact { board: position.board(), turn: position.turn(), size: position.size(), kernel }
    }

    fn key(&self) -> (Board, Color, Size) {
        (self.board, self.turn, self.size)
    }
}

impl<K: Kernel> Playable for Compact<K> {
    type Square = Square;
    type Set = Bitboard;

    #[inline(always)]
    fn size(&self) -> Size {
        self.size
    }

    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    fn own(&self) -> Bitboard {
        self.board.own
    }

    #[inline(always)]
    fn opponent(&self) -> Bitboard {
        self.board.opponent
    }

    #[inline(always)]
    fn placements(&self) -> Bitboard {
        let moves = self.kernel.moves(self.board.own.0, self.board.opponent.0);
        Bitboard(moves & Bitboard::region(self.size).0)
    }

    #[inline(always)]
    fn flips(&self, square: Square) -> Bitboard {
        Bitboard(self.kernel.flips(self.board.own.0, self.board.opponent.0, u32::from(square.index())))
    }

    #[inline(always)]
    fn placed(&self, square: Square) -> Compact<K> {
        Compact { board: self.board.after(square, self.flips(square)), turn: !self.turn, ..*self }
    }

    #[inline(always)]
    fn passed(&self) -> Compact<K> {
        Compact { board: self.board.pass(), turn: !self.turn, ..*self }
    }

    fn square(&self, point: Point) -> Option<Square> {
        if self.size.contains(point) { point.square() } else { None }
    }
}

impl<K: Kernel> fmt::Debug for Compact<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with {}", self.key(), self.kernel.tier())
    }
}

impl<K: Kernel> PartialEq for Compact<K> {
    fn eq(&self, other: &Compact<K>) -> bool {
        self.key() == other.key()
    }
}

impl<K: Kernel> Eq for Compact<K> {}

impl<K: Kernel> Hash for Compact<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
