use emilia_rules::{Playable, Size};

use super::difference;
use crate::{Component, Evaluate, SquareWeights, View};

/// A fixed value for every square, nothing else: the simplest evaluator that knows what a corner is worth.
#[derive(Clone, Debug)]
pub struct Static<P: Playable> {
    table: SquareWeights<P>,
}

impl<P: Playable> Static<P> {
    /// For boards of this size.
    #[must_use]
    pub fn new(size: Size) -> Static<P> {
        Static { table: SquareWeights::fixed(size) }
    }
}

impl<P: Playable> Evaluate<P> for Static<P> {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        each(Component::of("squares", self.table.sums(view), difference, 1.0));
    }
}
