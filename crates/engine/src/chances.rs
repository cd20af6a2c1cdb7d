//! How likely a game is won from here, if both sides go on without mistakes.

use emilia_query::MoveReport;
use emilia_rules::{GridPosition, Objective, Playable, Size};
use emilia_search::deviation_from_exact;

/// How likely a side wins, draws and loses. The three add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// That it wins.
    pub win: f64,
    /// That nobody does.
    pub draw: f64,
    /// That it loses.
    pub loss: f64,
}

impl Chances {
    /// What Emilia's value of a move says about the outcome. What a search of its depth is off by was measured on 8×8
    /// (`emilia_search::deviation_from_exact`); elsewhere there is nothing to say unless the value is proven.
    #[must_use]
    pub fn of(position: &GridPosition, objective: Objective, found: &MoveReport) -> Option<Chances> {
        let discs = found.discs()?;
        if found.exact {
            return Some(Chances::proven(discs));
        }
        let measured = position.size() == Size::EIGHT && objective == Objective::Most;
        let deviation = deviation_from_exact(position.counts().empty, found.depth);
        measured.then(|| Chances::uncertain(discs, deviation))
    }

    /// The outcome of a solved position.
    fn proven(discs: f64) -> Chances {
        let sure = |holds: bool| f64::from(u8::from(holds));
        Chances { win: sure(discs > 0.0), draw: sure(discs == 0.0), loss: sure(discs < 0.0) }
    }

    /// The exact score lies around this value, as a normal distribution has it. Scores are even: a draw is all between -1 and 1.
    fn uncertain(discs: f64, deviation: f64) -> Chances {
        let (loss, win) = (below((-1.0 - discs) / deviation), below((discs - 1.0) / deviation));
        Chances { win, draw: 1.0 - win - loss, loss }
    }

    /// What is expected of the game, from 0 to 1: a draw counts half.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.win + self.draw / 2.0
    }
}

/// How much of a normal distribution lies below so many deviations: formula 26.2.17 of Abramowitz and Stegun, right to
/// seven digits.
fn below(deviations: f64) -> f64 {
    const COEFFICIENTS: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * deviations.abs());
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let density = (-deviations * deviations / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let tail = density * series;
    if deviations > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use emilia_query::Value;
    use emilia_rules::{Move, Point};

    use super::*;

    fn found(discs: f64, depth: u32, exact: bool) -> MoveReport {
        let mv: Move<Point> = GridPosition::default().moves().next().unwrap();
        MoveReport { value: Some(Value::Discs(discs)), depth, exact, ..MoveReport::new(mv) }
    }

    fn expected(discs: f64, depth: u32, exact: bool) -> f64 {
        let chances =
            Chances::of(&GridPosition::default(), Objective::Most, &found(discs, depth, exact)).unwrap();
        assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-9);
        chances.expected()
    }

    /// Values of the normal distribution from a printed table.
    #[test]
    fn the_normal_distribution_is_the_printed_one() {
        for (deviations, wanted) in
            [(0.0, 0.5), (0.5, 0.691_46), (1.0, 0.841_34), (-1.96, 0.025), (3.0, 0.998_65)]
        {
            assert!((below(deviations) - wanted).abs() < 1e-5, "{deviations}");
        }
    }

    #[test]
    fn chances_grow_with_the_value_and_with_what_is_known() {
        assert!((expected(0.0, 8, false) - 0.5).abs() < 1e-9);
        assert!(expected(2.0, 8, false) < expected(2.0, 20, false));
        assert!(expected(2.0, 8, false) < expected(6.0, 8, false));
        assert!((expected(-4.0, 8, false) + expected(4.0, 8, false) - 1.0).abs() < 1e-9);
        assert_eq!([2.0, 0.0, -2.0].map(|discs| expected(discs, 60, true)), [1.0, 0.5, 0.0]);
    }

    #[test]
    fn nothing_is_said_where_nothing_was_measured() {
        let large = GridPosition::start(Size::new(10).unwrap());
        assert_eq!(Chances::of(&large, Objective::Most, &found(5.0, 8, false)), None);
        assert_eq!(Chances::of(&GridPosition::default(), Objective::Fewest, &found(5.0, 8, false)), None);
        assert!(Chances::of(&large, Objective::Most, &found(5.0, 96, true)).is_some());
    }
}
