use std::fmt;

use crate::{Bitboard, Kernel, Portable, Size, Square, SquareSet, Symmetry};

/// The discs of a board of at most 8×8, seen by the side to move: no colours, 16 bytes.
///
/// This is what searches and evaluations use. A board knows neither its size nor whose turn it is;
/// [`Position`](crate::Position) does. The caller keeps `own` and `opponent` apart.
///
/// ```
/// use emilia_rules::{Board, Square};
/// let board = Board::START;
/// assert_eq!(board.flips(Square::D3).to_string().matches('*').count(), 1);
/// assert_eq!(board.play(Square::D3).moves().into_iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["c3", "e3", "c5"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    /// Discs of the side to move.
    pub own: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
}

impl Board {
    /// The usual 8×8 start, Black to move.
    pub const START: Board =
        Board { own: Bitboard(0x0000_0008_1000_0000), opponent: Bitboard(0x0000_0010_0800_0000) };

    /// Squares that hold a disc.
    #[must_use]
    pub fn occupied(self) -> Bitboard {
        self.own | self.opponent
    }

    /// Squares of the 8×8 board that hold none.
    #[must_use]
    pub fn empties(self) -> Bitboard {
        Bitboard(!(self.own.0 | self.opponent.0))
    }

    /// Squares of the 8×8 board where the side to move can place a disc.
    #[must_use]
    #[inline(always)]
    pub fn moves(self) -> Bitboard {
        Bitboard(Portable.moves(self.own.0, self.opponent.0))
    }

    /// What a disc on this empty square would flip; nothing if the move is illegal.
    #[must_use]
    #[inline(always)]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(Portable.flips(self.own.0, self.opponent.0, u32::from(square.index())))
    }

    /// The board after a legal move on this square, seen by the other side.
    #[must_use]
    #[inline(always)]
    pub fn play(self, square: Square) -> Board {
        self.after(square, self.flips(square))
    }

    /// The board after placing on this square and flipping these discs, seen by the other side.
    #[must_use]
    #[inline(always)]
    pub fn after(self, square: Square, flips: Bitboard) -> Board {
        let bit = 1 << square.index();
        Board { own: Bitboard(self.opponent.0 ^ flips.0), opponent: Bitboard(self.own.0 ^ flips.0 ^ bit) }
    }

    /// The board seen by the other side.
    #[must_use]
    #[inline(always)]
    pub fn pass(self) -> Board {
        Board { own: self.opponent, opponent: self.own }
    }

    /// Own discs less the opponent's.
    #[must_use]
    pub fn difference(self) -> i32 {
        self.own.count() as i32 - self.opponent.count() as i32
    }

    /// The board turned or mirrored.
    #[must_use]
    pub fn transformed(self, symmetry: Symmetry, size: Size) -> Board {
        Board { own: symmetry.bitboard(self.own, size), opponent: symmetry.bitboard(self.opponent, size) }
    }

    /// The smallest of the eight boards that are the same but for symmetry, and the symmetry that leads to it.
    #[must_use]
    pub fn canonical(self, size: Size) -> (Board, Symmetry) {
        let mut best = (self, Symmetry::Identity);
        for symmetry in &Symmetry::ALL[1..] {
            let board = self.transformed(*symmetry, size);
            if board < best.0 {
                best = (board, *symmetry);
            }
        }
        best
    }
}

impl fmt::Display for Board {
    /// Eight rows of `X` (own), `O` (opponent) and `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            f.write_str(match (self.own.contains(square), self.opponent.contains(square)) {
                (true, _) => "X",
                (_, true) => "O",
                _ => "-",
            })?;
            f.write_str(if square.column() < 7 { " " } else { "\n" })?;
        }
        Ok(())
    }
}
