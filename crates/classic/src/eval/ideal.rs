use emilia_rules::{Playable, Size};

use super::difference;
use crate::{Component, Evaluate, View, regions};

/// Mobility, ideal squares and the share of the discs: the evaluator of a console program for every board size.
///
/// A disc on an ideal square counts 2, on any other 1. Ideal are the border and, in the corrected form, the four
/// squares in the middle.
#[derive(Clone, Debug)]
pub struct Ideal<P: Playable> {
    ideal: P::Set,
}

/// Which squares are ideal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IdealForm {
    /// Border and centre, as the original program describes itself.
    #[default]
    Corrected,
    /// The border alone: what the original program did, because a condition in it was always true.
    Original,
}

impl<P: Playable> Ideal<P> {
    /// For boards of this size.
    #[must_use]
    pub fn new(size: Size, form: IdealForm) -> Ideal<P> {
        Ideal { ideal: form.squares::<P>(size) }
    }
}

impl IdealForm {
    /// The ideal squares of a board.
    pub(crate) fn squares<P: Playable>(self, size: Size) -> P::Set {
        let middle = size.get() / 2 - 1;
        regions::squares_where::<P>(size, |point| match regions::ring(point, size) {
            0 => true,
            ring => ring == middle && self == IdealForm::Corrected,
        })
    }
}

impl<P: Playable> Evaluate<P> for Ideal<P> {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        let discs = view.discs();
        let on_ideal = view.count_on(self.ideal);
        let ideal = (discs.0 + on_ideal.0, discs.1 + on_ideal.1);
        each(Component::of("mobility", view.mobility(), difference, 10.0));
        each(Component::of("ideal", ideal, difference, 20.0));
        each(Component::of("discs", discs, whole_percentage, 1.0));
    }
}

/// The difference in percent of all discs, rounded towards 0.
#[inline(always)]
fn whole_percentage(own: i32, opponent: i32) -> f64 {
    f64::from((100 * (own - opponent)).checked_div(own + opponent).unwrap_or(0))
}
