use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::{Color, Counts, IllegalMove, Move, Objective, Point, Size, SquareSet, Status};

/// What positions of every board size have in common.
///
/// Perft, games and the textbook searches are written once, over this trait. Implementors say what is on the board
/// and how discs flip; everything else follows. Positions are values: to play is to make the next one.
///
/// Laws: `own` and `opponent` share no square; a square is in `placements` exactly if it is empty and `flips` there
/// is not empty; `placed` puts one disc and turns the flips.
///
/// ```
/// use emilia_rules::{GridPosition, Move, Playable, Point, Size, Status};
/// let start = GridPosition::start(Size::new(10).unwrap());
/// assert_eq!(start.status(), Status::ToPlace);
/// let e4 = Point::new(4, 3).unwrap();
/// let next = start.play(Move::Place(e4)).unwrap();
/// assert_eq!(next.counts().to_string(), "4-1");
/// assert_eq!(start.play(Move::Pass).unwrap_err().to_string(), "a pass is legal only without another move");
/// ```
pub trait Playable: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// A square of such a board.
    type Square: Copy + Debug + Display + Eq + Hash + Into<Point> + Send + Sync;
    /// A set of such squares.
    type Set: SquareSet<Square = Self::Square>;

    /// The side of the board.
    fn size(&self) -> Size;

    /// Whose turn it is.
    fn turn(&self) -> Color;

    /// Discs of the side to move.
    fn own(&self) -> Self::Set;

    /// Discs of the other side.
    fn opponent(&self) -> Self::Set;

    /// Squares where the side to move can place a disc.
    fn placements(&self) -> Self::Set;

    /// What a disc of the side to move on this empty square would flip; nothing if that is illegal.
    fn flips(&self, square: Self::Square) -> Self::Set;

    /// The position after a move that the caller knows to be legal. An illegal one gives a position that no game
    /// reaches, but nothing worse.
    #[must_use]
    fn placed(&self, square: Self::Square) -> Self;

    /// The same board with the other side to move, legal or not.
    #[must_use]
    fn passed(&self) -> Self;

    /// The position after a move that the caller knows to be legal: [`Playable::play`] without the check.
    ///
    /// ```
    /// use emilia_rules::{GridPosition, Playable};
    /// let start = GridPosition::default();
    /// assert!(start.moves().all(|mv| start.play(mv) == Ok(start.played(mv))));
    /// ```
    #[must_use]
    #[inline]
    fn played(&self, mv: Move<Self::Square>) -> Self {
        match mv {
            Move::Place(square) => self.placed(square),
            Move::Pass => self.passed(),
        }
    }

    /// The square at this point, if it is on the board.
    fn square(&self, point: Point) -> Option<Self::Square>;

    /// Discs of this colour.
    #[inline]
    fn discs(&self, color: Color) -> Self::Set {
        if color == self.turn() { self.own() } else { self.opponent() }
    }

    /// The disc on this square.
    #[inline]
    fn disc(&self, square: Self::Square) -> Option<Color> {
        if self.own().contains(square) {
            Some(self.turn())
        } else if self.opponent().contains(square) {
            Some(!self.turn())
        } else {
            None
        }
    }

    /// Squares without a disc.
    #[inline]
    fn empties(&self) -> Self::Set {
        Self::Set::board(self.size()) - (self.own() | self.opponent())
    }

    /// Discs of both colours, and empty squares.
    #[inline]
    fn counts(&self) -> Counts {
        let black = self.discs(Color::Black).count();
        let white = self.discs(Color::White).count();
        Counts { black, white, empty: self.size().cells() as u32 - black - white }
    }

    /// Whether the side to move can place a disc, must pass, or the game is over.
    #[inline]
    fn status(&self) -> Status {
        if !self.placements().is_empty() {
            Status::ToPlace
        } else if !self.passed().placements().is_empty() {
            Status::MustPass
        } else {
            Status::Over(self.counts().outcome(Objective::Most))
        }
    }

    /// Whether neither side can place a disc.
    #[inline]
    fn is_over(&self) -> bool {
        matches!(self.status(), Status::Over(_))
    }

    /// The legal moves: placements in row-major order, or a forced pass, or none when the game is over.
    fn moves(&self) -> impl Iterator<Item = Move<Self::Square>> {
        let pass = (self.status() == Status::MustPass).then_some(Move::Pass);
        self.placements().into_iter().map(Move::Place).chain(pass)
    }

    /// The position after this move, if it is legal.
    fn play(&self, mv: Move<Self::Square>) -> Result<Self, IllegalMove<Self::Square>> {
        match mv {
            Move::Place(square) if self.placements().contains(square) => Ok(self.placed(square)),
            Move::Place(square) if !self.size().contains(square.into()) => Err(IllegalMove::OffBoard(square)),
            Move::Place(_) if self.is_over() => Err(IllegalMove::GameOver),
            Move::Place(square) if self.disc(square).is_some() => Err(IllegalMove::Occupied(square)),
            Move::Place(square) => Err(IllegalMove::FlipsNothing(square)),
            Move::Pass => match self.status() {
                Status::MustPass => Ok(self.passed()),
                Status::ToPlace => Err(IllegalMove::NeedlessPass),
                Status::Over(_) => Err(IllegalMove::GameOver),
            },
        }
    }
}
