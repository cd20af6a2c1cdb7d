use emilia_rules::{Color, Playable, SquareSet};

use crate::{Stability, View};

/// A way to say how good a position is, made ready for one board size.
///
/// It names the components one by one, always in the same order; the score is the sum of their contributions. So
/// what a table of components shows and what a search adds up can never differ.
///
/// Laws: the score after [`Playable::passed`] is exactly the score with the sign changed; the score of a starting
/// position is 0; turning or mirroring the board changes nothing.
///
/// ```
/// use emilia_classic::{Evaluate, Judge, View};
/// use emilia_rules::{Playable, Position, Size, Square};
///
/// let judge = Judge::<Position>::new(Size::EIGHT);
/// let position = Position::default().placed(Square::D3);
/// assert_eq!(judge.score(&View::new(&position)), -3.0);
/// ```
pub trait Evaluate<P: Playable> {
    /// Hands every component to `each`, in order.
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component));

    /// What the position is worth to the side to move.
    #[inline(always)]
    fn score(&self, view: &View<'_, P>) -> f64 {
        let mut total = 0.0;
        self.weigh(view, &mut |component| total += component.contribution());
        total
    }
}

/// One thing an evaluator looks at, seen by the side evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// What it is called.
    pub name: &'static str,
    /// What was counted for the side evaluated: discs, moves, points.
    pub own: f64,
    /// What was counted for the other side.
    pub opponent: f64,
    /// What the formula of this component makes of the two counts.
    pub value: f64,
    /// How much it matters.
    pub weight: f64,
}

impl Component {
    /// Value times weight.
    #[must_use]
    #[inline(always)]
    pub fn contribution(&self) -> f64 {
        self.value * self.weight
    }

    /// A component from two counts and what a formula makes of them.
    #[inline(always)]
    pub(crate) fn of(
        name: &'static str,
        (own, opponent): (i32, i32),
        formula: impl FnOnce(i32, i32) -> f64,
        weight: f64,
    ) -> Component {
        let value = formula(own, opponent);
        Component { name, own: f64::from(own), opponent: f64::from(opponent), value, weight }
    }
}

/// An evaluation taken apart, for a person to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown<S> {
    /// Name of the evaluator.
    pub evaluator: &'static str,
    /// The side through whose eyes the numbers are.
    pub side: Color,
    /// Every component, in the order in which they are added.
    pub components: Vec<Component>,
    /// Which discs are safe, for Black.
    pub black: Stability<S>,
    /// Which discs are safe, for White.
    pub white: Stability<S>,
}

impl<S: SquareSet> Breakdown<S> {
    /// Takes the evaluation of a position apart, as this side sees it.
    #[must_use]
    pub fn new<P>(name: &'static str, evaluator: &impl Evaluate<P>, position: &P, side: Color) -> Breakdown<S>
    where
        P: Playable<Set = S>,
    {
        let turned = if side == position.turn() { position.clone() } else { position.passed() };
        let mut components = Vec::new();
        evaluator.weigh(&View::new(&turned), &mut |component| components.push(component));
        let (own, opponent) = Stability::both(&View::new(&turned));
        let (black, white) = if side == Color::Black { (own, opponent) } else { (opponent, own) };
        Breakdown { evaluator: name, side, components, black, white }
    }

    /// The sum of all contributions: exactly what a search uses.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.components.iter().fold(0.0, |total, component| total + component.contribution())
    }

    /// Which discs of this colour are safe.
    #[must_use]
    pub fn stability(&self, color: Color) -> &Stability<S> {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }
}
