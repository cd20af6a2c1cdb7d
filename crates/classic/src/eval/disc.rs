use emilia_rules::Playable;

use super::difference;
use crate::{Component, Evaluate, View};

/// Own discs less the opponent's: what beginners count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disc;

impl<P: Playable> Evaluate<P> for Disc {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        each(Component::of("discs", view.discs(), difference, 1.0));
    }
}
