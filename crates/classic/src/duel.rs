use emilia_query::Report;
use emilia_rules::{Color, GridPosition, Playable, Size};

use crate::{Control, Dice, Evaluator, Order, Search};

/// Two searches, one with each colour.
///
/// ```
/// use emilia_classic::{Dice, Duel, Method, Search};
/// use emilia_rules::{GridPosition, Playable, Size};
///
/// let duel = Duel { black: Search::new(Method::First), white: Search::new(Method::Greedy) };
/// let end = duel.play(GridPosition::start(Size::MIN), &mut Dice::new(1), |_, _| ());
/// assert!(end.is_over());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duel {
    /// Who moves first.
    pub black: Search,
    /// Who answers.
    pub white: Search,
}

impl Duel {
    /// The duel of a course exercise on 6×6: alpha-beta ten plies deep, the evaluator that was handed out against one
    /// that a student made. White wins 27 : 9.
    #[must_use]
    pub fn of_judges() -> (GridPosition, Duel) {
        let with = |evaluator| Search { evaluator, order: Order::Rings, ..Search::alphabeta(10) };
        let duel = Duel { black: with(Evaluator::Judge), white: with(Evaluator::MyJudge) };
        (GridPosition::start(Size::SIX), duel)
    }

    /// Plays the game to its end, or to the first report without a move. Each report, forced passes included, is shown
    /// together with the position it is about.
    pub fn play(
        &self,
        start: GridPosition,
        dice: &mut Dice,
        mut show: impl FnMut(&GridPosition, &Report),
    ) -> GridPosition {
        let mut position = start;
        while !position.is_over() {
            let search = match position.turn() {
                Color::Black => &self.black,
                Color::White => &self.white,
            };
            let report = search.run(&position, dice, &mut Control::unlimited());
            show(&position, &report);
            match report.best_move().map(|mv| position.play(mv)) {
                Some(Ok(next)) => position = next,
                _ => break,
            }
        }
        position
    }
}
