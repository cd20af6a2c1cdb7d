use emilia_rules::{Playable, SquareSet};

/// A position as an evaluator looks at it: through the eyes of the side to move, whose placements are known already.
///
/// A search has to find the placements of every node anyway (to see passes and the end of the game), so the
/// evaluators do not look for them again.
#[derive(Clone, Debug)]
pub struct View<'a, P: Playable> {
    /// The position.
    pub position: &'a P,
    /// Discs of the side to move.
    pub own: P::Set,
    /// Discs of the other side.
    pub opponent: P::Set,
    /// Where the side to move can place a disc.
    pub placements: P::Set,
}

impl<'a, P: Playable> View<'a, P> {
    /// Looks at a position.
    #[must_use]
    #[inline(always)]
    pub fn new(position: &'a P) -> View<'a, P> {
        View::with_placements(position, position.placements())
    }

    /// Looks at a position whose placements the caller has found already.
    #[must_use]
    #[inline(always)]
    pub fn with_placements(position: &'a P, placements: P::Set) -> View<'a, P> {
        View { position, own: position.own(), opponent: position.opponent(), placements }
    }

    /// Squares without a disc.
    #[must_use]
    #[inline(always)]
    pub fn empties(&self) -> P::Set {
        P::Set::board(self.position.size()) - (self.own | self.opponent)
    }

    /// How many of these squares hold a disc of the side to move, and how many one of the other side.
    #[must_use]
    #[inline(always)]
    pub fn count_on(&self, squares: P::Set) -> (i32, i32) {
        ((self.own & squares).count() as i32, (self.opponent & squares).count() as i32)
    }

    /// Discs of the side to move, and of the other side.
    #[must_use]
    #[inline(always)]
    pub fn discs(&self) -> (i32, i32) {
        (self.own.count() as i32, self.opponent.count() as i32)
    }

    /// Placements of the side to move, and those the other side would have if it were its turn.
    #[must_use]
    #[inline(always)]
    pub fn mobility(&self) -> (i32, i32) {
        (self.placements.count() as i32, self.position.passed().placements().count() as i32)
    }

    /// Discs with at least one empty neighbour: of the side to move, and of the other side.
    #[must_use]
    #[inline(always)]
    pub fn frontier(&self) -> (i32, i32) {
        self.count_on(self.empties().grown())
    }
}
