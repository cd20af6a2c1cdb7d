use emilia_rules::{Playable, Size};

use super::difference;
use crate::{Component, Evaluate, View, regions};

/// Differences of discs, moves and corners in the ratio 1 : 100 : 1000, as on a well-known Cornell course page.
#[derive(Clone, Debug)]
pub struct Cornell<P: Playable> {
    corners: P::Set,
}

impl<P: Playable> Cornell<P> {
    /// For boards of this size.
    #[must_use]
    pub fn new(size: Size) -> Cornell<P> {
        Cornell { corners: regions::corners::<P>(size) }
    }
}

impl<P: Playable> Evaluate<P> for Cornell<P> {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        each(Component::of("discs", view.discs(), difference, 0.01));
        each(Component::of("mobility", view.mobility(), difference, 1.0));
        each(Component::of("corners", view.count_on(self.corners), difference, 10.0));
    }
}
