use emilia_rules::{Playable, Size, SquareSet};

use super::{difference, share_of_larger};
use crate::{Component, Evaluate, Genes, SquareWeights, View, regions};

/// The six terms of Kukreja's program, with weights of one's choice.
///
/// Three evaluators are made of it: `kukreja` with the published weights, `genes` with weights that evolution found,
/// and `myjudge`, which leaves out corner closeness. A term with weight 0 is neither computed nor listed.
#[derive(Clone, Debug)]
pub struct SixTerms<P: Playable> {
    genes: Genes,
    table: SquareWeights<P>,
    corners: P::Set,
}

impl<P: Playable> SixTerms<P> {
    /// For boards of this size.
    #[must_use]
    pub fn new(size: Size, genes: Genes) -> SixTerms<P> {
        SixTerms { genes, table: SquareWeights::positional(size), corners: regions::corners::<P>(size) }
    }

    /// Discs next to a corner that is still empty. No square is next to two corners, even on 4×4.
    #[inline(always)]
    fn beside_empty_corners(&self, view: &View<'_, P>) -> (i32, i32) {
        let open = self.corners - (view.own | view.opponent);
        view.count_on(open.grown())
    }
}

impl<P: Playable> Evaluate<P> for SixTerms<P> {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        let [d, p, f, c, l, m] = self.genes.values();
        if p != 0.0 {
            each(Component::of("parity", view.discs(), share_of_larger, p));
        }
        if c != 0.0 {
            let corners = |own, opponent| 25.0 * difference(own, opponent);
            each(Component::of("corners", view.count_on(self.corners), corners, c));
        }
        if l != 0.0 {
            let closeness = |own, opponent| -12.5 * difference(own, opponent);
            each(Component::of("closeness", self.beside_empty_corners(view), closeness, l));
        }
        if m != 0.0 {
            each(Component::of("mobility", view.mobility(), share_of_larger, m));
        }
        if f != 0.0 {
            let fewer = |own, opponent| -share_of_larger(own, opponent);
            each(Component::of("frontier", view.frontier(), fewer, f));
        }
        if d != 0.0 {
            each(Component::of("squares", self.table.sums(view), difference, d));
        }
    }
}
