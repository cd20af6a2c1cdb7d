use emilia_rules::{Grid, GridPosition, Playable, Point, SquareSet};

use crate::{Evaluator, IdealForm, Judge, SquareWeights, Stability, View, regions};

/// A square that a component of an evaluation counts, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedSquare {
    /// The square.
    pub square: Point,
    /// Whether it counts for the side to move.
    pub own: bool,
    /// How much.
    pub points: i32,
}

impl Evaluator {
    /// Which squares a component of this evaluator counts, for the side to move and for the other.
    ///
    /// Law: the points of a side add up to what its [`Component`](crate::Component) says it has.
    ///
    /// ```
    /// use emilia_classic::Evaluator;
    /// use emilia_rules::GridPosition;
    ///
    /// let squares = Evaluator::Cornell.on_board(&GridPosition::default(), "mobility");
    /// let own: Vec<String> = squares.iter().filter(|it| it.own).map(|it| it.square.to_string()).collect();
    /// assert_eq!(own, ["d3", "c4", "f5", "e6"]);
    /// ```
    #[must_use]
    pub fn on_board(&self, position: &GridPosition, component: &str) -> Vec<CountedSquare> {
        let (view, size) = (View::new(position), position.size());
        let discs = |squares: Grid| counted(view.own & squares, view.opponent & squares, |_| 1);
        let all = Grid::board(size);
        match component {
            "discs" | "parity" => discs(all),
            "corners" => discs(regions::corners::<GridPosition>(size)),
            "x-squares" => discs(regions::x_squares::<GridPosition>(size)),
            "closeness" => {
                let open = regions::corners::<GridPosition>(size) - (view.own | view.opponent);
                discs(open.grown())
            }
            "frontier" => discs(view.empties().grown()),
            "mobility" => counted(view.placements, position.passed().placements(), |_| 1),
            "stability" => stability(&view),
            "squares" => {
                let table = match self {
                    Evaluator::Static => SquareWeights::<GridPosition>::fixed(size),
                    _ => SquareWeights::<GridPosition>::positional(size),
                };
                counted(view.own, view.opponent, |point| table.value(point))
            }
            "ideal" => {
                let form = if let Evaluator::Ideal(form) = self { *form } else { IdealForm::default() };
                let ideal = form.squares::<GridPosition>(size);
                counted(view.own, view.opponent, |point| 1 + i32::from(ideal.contains(point)))
            }
            "backing" => {
                let lines = Judge::<GridPosition>::new(size).backed(&view);
                let backed = |point| lines.iter().filter(|line| line.contains(point)).count() as i32;
                counted(view.own, view.opponent, |point| 1 + backed(point))
            }
            _ => Vec::new(),
        }
    }
}

/// The squares of both sides with their points; those without any are left out.
fn counted(own: Grid, opponent: Grid, points: impl Fn(Point) -> i32) -> Vec<CountedSquare> {
    let side = |squares: Grid, own| squares.into_iter().map(move |square| (square, own));
    side(own, true)
        .chain(side(opponent, false))
        .map(|(square, own)| CountedSquare { square, own, points: points(square) })
        .filter(|counted| counted.points != 0)
        .collect()
}

/// Stable discs count 1, unstable ones −1.
fn stability(view: &View<'_, GridPosition>) -> Vec<CountedSquare> {
    let (own, opponent) = Stability::both(view);
    let mut squares = counted(own.stable, opponent.stable, |_| 1);
    squares.extend(counted(own.unstable, opponent.unstable, |_| -1));
    squares
}
