use std::ops::RangeInclusive;

use emilia_eval::{Evaluator, Score};
use emilia_query::Limits;
use emilia_rules::{Board, Color, Portable, Position};
use emilia_search::Search;

/// How far shallow searches are from deep ones, measured: what multi-ProbCut needs to know.
#[derive(Clone, Debug, Default)]
pub struct Spread(Vec<Measurement>);

/// The difference between searches of two depths over some boards with equally many empty squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Empty squares of the boards.
    pub empties: u32,
    /// The deep search; as many plies as empty squares if it went to the end of the game.
    pub depth: u32,
    /// The shallow search; 0 is the evaluator alone.
    pub shallow: u32,
    /// Boards compared.
    pub boards: usize,
    /// Root of the mean squared difference, in discs.
    pub deviation: f64,
}

/// `deviation = constant + empties × … + depth × … + shallow × …`, in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane(pub [f64; 4]);

/// `deviation = (constant + empties × …) × plies / (plies + half_plies) × half_depth / (half_depth + shallow)`, in discs, where
/// `plies` are those between the two searches: it grows with them ever more slowly, and falls with the depth of the shallow one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curve {
    /// Discs, before …
    pub constant: f64,
    /// … what an empty square adds to them.
    pub empties: f64,
    /// After so many plies it is half as wide as it will ever be.
    pub half_plies: f64,
    /// A shallow search of so many plies is off by half as much as the evaluator alone.
    pub half_depth: f64,
}

/// Halves are looked for among these, in tenths of a ply.
const HALF_PLIES: RangeInclusive<u32> = 2..=50;
const HALF_DEPTHS: RangeInclusive<u32> = 30..=300;

/// A lead of so many discs decides a game.
const DECIDED: f64 = 30.0;

impl Spread {
    /// Searches every board to each of these depths (0 for the evaluator alone) with nothing left out, and to the
    /// end of the game if `to_the_end`. Only depths of the same parity are compared: the score of a board depends
    /// on who moves last, so others differ more, and no search would predict one from the other.
    pub fn measure(&mut self, search: &mut Search<'_>, boards: &[Board], depths: &[u32], to_the_end: bool) {
        let Some(first) = boards.first() else { return };
        let empties = emilia_eval::layout::empties(*first) as u32;
        let mut depths = depths.to_vec();
        if to_the_end {
            depths.push(empties);
        }
        // The searches that are compared are left by themselves, as those are that the constants are for.
        search.evaluator_alone = true;
        let mut scores = vec![Vec::new(); depths.len()];
        for position in boards.iter().filter_map(|board| Position::new(*board, Color::Black)) {
            for (scores, depth) in scores.iter_mut().zip(&depths) {
                scores.push(match depth {
                    0 => {
                        let features = search.evaluator.features(position.board());
                        let score = search.evaluator.score(Portable, &features, position.board());
                        f64::from(score.0) / f64::from(Score::PER_DISC)
                    }
                    _ => {
                        search.limits = Limits::depth(*depth);
                        search.run(&position, &mut ()).discs().unwrap_or_default()
                    }
                });
            }
        }
        // Boards that are as good as decided say nothing about those near a window.
        let close: Vec<usize> = (0..scores[0].len())
            .filter(|board| scores.iter().all(|scores| scores[*board].abs() < DECIDED))
            .collect();
        for deep in 0..depths.len() {
            for shallow in 0..deep {
                let ends = deep + 1 == depths.len();
                let same_parity = depths[deep] % 2 == depths[shallow] % 2;
                if !same_parity || to_the_end && !ends {
                    continue;
                }
                let square = |board: &usize| (scores[deep][*board] - scores[shallow][*board]).powi(2);
                let squares: f64 = close.iter().map(square).sum();
                self.0.push(Measurement {
                    empties,
                    depth: depths[deep],
                    shallow: depths[shallow],
                    boards: close.len(),
                    deviation: (squares / close.len().max(1) as f64).sqrt(),
                });
            }
        }
    }

    /// Adds what was measured elsewhere.
    pub fn absorb(&mut self, other: Spread) {
        self.0.extend(other.0);
    }

    /// What was measured so far.
    #[must_use]
    pub fn measurements(&self) -> &[Measurement] {
        &self.0
    }

    /// The plane nearest to the measurements in the sense of least squares.
    #[must_use]
    pub fn plane(&self) -> Plane {
        // Normal equations, solved by elimination; a little is added to the diagonal so that it never degenerates.
        let mut rows = [[0.0; 5]; 4];
        for measurement in &self.0 {
            let Measurement { empties, depth, shallow, deviation, .. } = *measurement;
            let x = [1.0, f64::from(empties), f64::from(depth), f64::from(shallow)];
            for (row, xi) in rows.iter_mut().zip(x) {
                for (cell, xj) in row.iter_mut().zip(x) {
                    *cell += xi * xj;
                }
                row[4] += xi * deviation;
            }
        }
        for (at, row) in rows.iter_mut().enumerate() {
            row[at] += 1e-6;
        }
        for pivot in 0..4 {
            let above = rows[pivot];
            for row in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot).map(|(_, row)| row) {
                let factor = row[pivot] / above[pivot];
                for (cell, above) in row.iter_mut().zip(above) {
                    *cell -= factor * above;
                }
            }
        }
        Plane(std::array::from_fn(|at| rows[at][4] / rows[at][at]))
    }

    /// The curve nearest to the measurements in the sense of least squares, differences counted as parts of what was measured.
    #[must_use]
    pub fn curve(&self) -> Curve {
        let curves = HALF_PLIES.flat_map(|plies| {
            HALF_DEPTHS.filter_map(move |depth| self.level(f64::from(plies) / 10.0, f64::from(depth) / 10.0))
        });
        curves.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, curve)| curve).unwrap_or_default()
    }

    /// The curve with these halves that is nearest to the measurements, and how far it is from them; nothing if they do not
    /// tell.
    fn level(&self, half_plies: f64, half_depth: f64) -> Option<(f64, Curve)> {
        let told: Vec<[f64; 2]> = (self.0.iter().filter(|measurement| measurement.deviation > 0.0))
            .map(|measurement| {
                let plies = f64::from(measurement.depth - measurement.shallow);
                let part = plies / (plies + half_plies) * half_depth
                    / (half_depth + f64::from(measurement.shallow))
                    / measurement.deviation;
                [part, part * f64::from(measurement.empties)]
            })
            .collect();
        // Normal equations of two unknowns: each measurement says that they add up to one.
        let sum = |term: fn(&[f64; 2]) -> f64| told.iter().map(term).sum::<f64>();
        let (aa, ab, bb) = (sum(|[a, _]| a * a), sum(|[a, b]| a * b), sum(|[_, b]| b * b));
        let (a, b) = (sum(|[a, _]| *a), sum(|[_, b]| *b));
        let determinant = aa * bb - ab * ab;
        let constant = (a * bb - b * ab) / determinant;
        let empties = (aa * b - ab * a) / determinant;
        let error = told.iter().map(|[a, b]| (1.0 - constant * a - empties * b).powi(2)).sum::<f64>();
        (constant.is_finite() && error.is_finite())
            .then_some((error, Curve { constant, empties, half_plies, half_depth }))
    }

    /// The smallest deviation that was measured, in discs; zero before anything was.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.0.iter().map(|measurement| measurement.deviation).reduce(f64::min).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use emilia_eval::Learned;
    use emilia_query::Stop;
    use emilia_record::Hint;
    use emilia_search::Table;

    use super::*;
    use crate::Known;

    #[test]
    fn a_curve_is_found_again() {
        assert_eq!(Spread::default().curve(), Curve::default());
        let mut spread = Spread::default();
        for empties in [24, 30, 40] {
            for (depth, shallow) in [(8_u32, 2_u32), (7, 3), (6, 0), (3, 1), (12, 10), (12, 0)] {
                let plies = f64::from(depth - shallow);
                let deviation = (6.5 - 0.07 * f64::from(empties)) * plies / (plies + 1.4) * 8.5
                    / (8.5 + f64::from(shallow));
                spread.0.push(Measurement { empties, depth, shallow, boards: 1, deviation });
            }
        }
        let Curve { constant, empties, half_plies, half_depth } = spread.curve();
        assert_eq!((half_plies, half_depth), (1.4, 8.5));
        assert!((constant - 6.5).abs() < 1e-9 && (empties + 0.07).abs() < 1e-9, "{constant} {empties}");
    }

    /// A search to any depth keeps to it, so that it is not the score at the end of the game that is compared with itself.
    #[test]
    fn no_search_to_a_depth_sees_the_end() {
        let solved = include_bytes!("../../../data/endgame/exact/e14.obf");
        let known = Known::from_exercises(&emilia_record::read(solved, &Hint::default()).unwrap());
        let boards: Vec<Board> = known.iter().take(30).map(|known| known.board).collect();
        let (table, stop) = (Table::new(1).unwrap(), Stop::new());
        let mut spread = Spread::default();
        let mut search = Search::new(Learned::embedded(), &table, &stop);
        spread.measure(&mut search, &boards, &[4, 8, 12], true);
        let found: Vec<_> =
            spread.measurements().iter().map(|found| (found.shallow, found.deviation)).collect();
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|(_, deviation)| *deviation > 0.5), "{found:?}");
    }

    #[test]
    fn a_plane_is_found_again() {
        let mut spread = Spread::default();
        for empties in [20, 30, 40] {
            for (depth, shallow) in [(8, 2), (7, 3), (6, 0), (3, 1)] {
                let deviation =
                    2.0 + 0.02 * f64::from(empties) + 0.1 * f64::from(depth) - 0.2 * f64::from(shallow);
                spread.0.push(Measurement { empties, depth, shallow, boards: 1, deviation });
            }
        }
        for (found, expected) in spread.plane().0.into_iter().zip([2.0, 0.02, 0.1, -0.2]) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
}
