use emilia_rules::{Direction, Playable, Size, SquareSet};

use crate::View;

/// The discs of one colour by how safe they are.
///
/// *Stable* discs can never be flipped again, whatever happens. *Unstable* ones can be flipped by the opponent's very
/// next move. The rest are *semi-stable*. No disc is in two classes.
///
/// Not every disc that is safe is found (that would take a search of the whole game), but every disc that is called
/// stable is safe.
///
/// ```
/// use emilia_classic::{Stability, View};
/// use emilia_rules::{GridPosition, Setup, SquareSet};
///
/// let position = "XXO- XO-- O--- ---- X".parse::<Setup>()?.position()?;
/// let (black, white) = Stability::both(&View::new(&position));
/// assert_eq!(black.stable.count(), 3);      // a1 is a corner, b1 and a2 lean on it
/// assert_eq!(white.unstable.count(), 3);    // c1 falls to d1, b2 to c3, a3 to a4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stability<S> {
    /// Discs that nothing can flip any more.
    pub stable: S,
    /// Discs that are neither.
    pub semi_stable: S,
    /// Discs that the opponent could flip if it were its turn now.
    pub unstable: S,
}

impl<S: SquareSet> Stability<S> {
    /// The classes of the side to move, and of the other side. It does not matter whose turn it is.
    #[must_use]
    #[inline(always)]
    pub fn both<P: Playable<Set = S>>(view: &View<'_, P>) -> (Stability<S>, Stability<S>) {
        let other = view.position.passed();
        let own_unstable = flipped_by_some_move(&other, other.placements());
        let opponent_unstable = flipped_by_some_move(view.position, view.placements);
        let (own_stable, opponent_stable) = stable(view.own, view.opponent, view.position.size());
        (
            Stability::new(view.own, own_stable, own_unstable),
            Stability::new(view.opponent, opponent_stable, opponent_unstable),
        )
    }

    #[inline(always)]
    fn new(discs: S, stable: S, unstable: S) -> Stability<S> {
        Stability { stable, semi_stable: discs - stable - unstable, unstable }
    }

    /// Stable discs count 1, unstable ones −1, the rest nothing.
    #[must_use]
    #[inline(always)]
    pub fn balance(&self) -> i32 {
        self.stable.count() as i32 - self.unstable.count() as i32
    }
}

/// Discs that at least one placement of the side to move would flip.
#[inline(always)]
fn flipped_by_some_move<P: Playable>(position: &P, placements: P::Set) -> P::Set {
    placements.into_iter().fold(P::Set::EMPTY, |flipped, square| flipped | position.flips(square))
}

/// The stable discs of both sides: the smallest sets such that a disc is stable if on each of its four lines
///
/// * it stands at the border, so that nothing can be placed behind it, or
/// * a neighbour is a stable disc of its colour, or
/// * both neighbours are stable discs, or
/// * the whole line is full.
///
/// Grown from nothing until nothing is added.
#[inline(always)]
fn stable<S: SquareSet>(own: S, opponent: S, size: Size) -> (S, S) {
    let board = S::board(size);
    let occupied = own | opponent;
    // What no later step has to look at again: border squares and full lines, for each line through a square.
    let mut safe = [S::EMPTY; 4];
    for (safe, axis) in safe.iter_mut().zip(Direction::AXES) {
        *safe = at_border(board, axis) | full_lines(occupied, board, axis);
    }
    let mut own_stable = S::EMPTY;
    let mut opponent_stable = S::EMPTY;
    loop {
        let mut own_next = own - own_stable;
        let mut opponent_next = opponent - opponent_stable;
        for (safe, axis) in safe.iter().zip(Direction::AXES) {
            let (own_ahead, own_behind) = beside(own_stable, axis);
            let (opponent_ahead, opponent_behind) = beside(opponent_stable, axis);
            let between = (own_ahead | opponent_ahead) & (own_behind | opponent_behind);
            let either_way = *safe | between;
            own_next &= either_way | own_ahead | own_behind;
            opponent_next &= either_way | opponent_ahead | opponent_behind;
        }
        if (own_next | opponent_next).is_empty() {
            return (own_stable, opponent_stable);
        }
        own_stable |= own_next;
        opponent_stable |= opponent_next;
    }
}

/// The squares one step along an axis from these, both ways.
#[inline(always)]
fn beside<S: SquareSet>(set: S, axis: Direction) -> (S, S) {
    (set.shifted(axis), set.shifted(axis.opposite()))
}

/// Squares that have a neighbour off the board on this axis.
#[inline(always)]
fn at_border<S: SquareSet>(board: S, axis: Direction) -> S {
    let (ahead, behind) = beside(board, axis);
    board - (ahead & behind)
}

/// Squares whose whole line along this axis is occupied.
#[inline(always)]
fn full_lines<S: SquareSet>(occupied: S, board: S, axis: Direction) -> S {
    let mut open = board - occupied;
    loop {
        let (ahead, behind) = beside(open, axis);
        let wider = open | ((ahead | behind) & board);
        if wider == open {
            return board - open;
        }
        open = wider;
    }
}
