//! How hard a puzzle is: the rating at which people would find the right move every second time.

use emilia_human::{Moment, Network, Rating, chances};
use emilia_rules::{Playable, Position, Size, Square, SquareSet};

use crate::Puzzle;
use crate::theme::{corners, given_corners};

/// The people who are asked, and how likely each may at most be right.
const ASKED: [u32; 4] = [1200, 1600, 2000, 2400];
const EASY: f64 = 0.85;
/// The easiest and the hardest that a puzzle is called.
const RATINGS: (f64, f64) = (800.0, 2800.0);

/// How uncertain a rating is before anybody has answered: by people who are only imitated, and by what a position looks like, which
/// is so far off on 8×8.
const ASKED_DEVIATION: f64 = 150.0;
const ESTIMATED_DEVIATION: f64 = 203.0;

impl Puzzle {
    /// How uncertain its rating is before anybody has answered it.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        if self.position.size() == Size::EIGHT { ASKED_DEVIATION } else { ESTIMATED_DEVIATION }
    }
}

/// The rating of a puzzle with these scores, the right move first, in steps of ten, so that the last digit of a logarithm
/// does not matter. Nothing if it is too easy for all who are asked.
pub(crate) fn rating(position: &Position, scores: &[(Square, i32)]) -> Option<u32> {
    let rating =
        if position.size() == Size::EIGHT { asked(position, scores)? } else { estimate(position, scores) };
    Some((rating.clamp(RATINGS.0, RATINGS.1) / 10.0).round() as u32 * 10)
}

/// By how often those who are asked find it.
fn asked(position: &Position, scores: &[(Square, i32)]) -> Option<f64> {
    let right = scores.first()?.0;
    let moment = Moment::new(position.board());
    let mut sum = 0.0;
    let mut easy = true;
    for points in ASKED {
        let chances = chances(&Network::embedded().leanings(&moment, Rating::new(points)), 1.0);
        let found = chances.iter().find(|(square, _)| *square == right)?.1.clamp(0.001, 0.999);
        easy &= found > EASY;
        sum += f64::from(points) + 400.0 * ((1.0 - found) / found).log10();
    }
    (!easy).then_some(sum / ASKED.len() as f64)
}

/// By what the position looks like, where there are no people to ask: least squares over the ratings of the 6,003 puzzles on
/// 8×8 of the first release, of which it explains a
/// quarter; it misses by 203 points (root mean square).
fn estimate(position: &Position, scores: &[(Square, i32)]) -> f64 {
    let Some(((right, _), others)) = scores.split_first() else { return RATINGS.0 };
    let replies = |square: Square| position.placed(square).placements().count();
    let is_corner = |square: Square| corners(position).contains(square);
    let fewer = others.iter().filter(|(square, _)| replies(*square) < replies(*right)).count();
    let share = |count: usize| count as f64 / others.len().max(1) as f64;
    let if_so = |points: f64, so: bool| if so { points } else { 0.0 };
    1769.0
        + 28.0 * scores.len() as f64
        + 137.0 * share(fewer)
        + if_so(-144.0, is_corner(*right))
        + if_so(159.0, !given_corners(position, *right).is_empty())
        + if_so(48.0, others.iter().any(|(square, _)| is_corner(*square)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_position_looks_like_says_a_little_about_how_hard_it_is() {
        let puzzles: Vec<Puzzle> =
            Puzzle::shipped().filter(|puzzle| puzzle.position.size() == Size::EIGHT).collect();
        let count = puzzles.len() as f64;
        let mean = puzzles.iter().map(|puzzle| f64::from(puzzle.rating)).sum::<f64>() / count;
        let (mut bias, mut missed, mut spread) = (0.0, 0.0, 0.0);
        for puzzle in &puzzles {
            let rating = f64::from(puzzle.rating);
            let error = rating - estimate(&puzzle.position, &puzzle.scores);
            bias += error / count;
            missed += error * error / count;
            spread += (rating - mean) * (rating - mean) / count;
        }
        assert!(bias.abs() < 5.0, "{bias}");
        assert!((195.0..210.0).contains(&missed.sqrt()), "{}", missed.sqrt());
        assert!(missed / spread < 0.78, "{}", missed / spread);
    }
}
