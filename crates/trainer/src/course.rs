use emilia_record::{Fault, transcript};
use emilia_rules::{GridPosition, Move, Playable, Point, Symmetry};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

/// An opening that is learned: the moves of a line, wherever and whichever way turned its positions arise.
#[derive(Clone, Debug)]
pub struct Course {
    /// The positions of the line with the move that follows in each.
    steps: Vec<(GridPosition, Point)>,
}

/// Why a line cannot be learned.
#[derive(Debug, Error)]
pub enum CourseError {
    /// It cannot be played.
    #[error("the line: {0}")]
    Line(#[from] Fault),
    /// It does not begin where games on 8×8 begin.
    #[error("the line begins with the usual start on 8×8; give its moves only, such as f5d6c3d3c4")]
    Start,
    /// It is no opening any more.
    #[error("the line has at most {LONGEST} moves")]
    Long,
}

/// Plies that count as an opening.
const LONGEST: usize = 40;

impl Course {
    /// The opening of this line: moves one after the other, passes left out. Without moves everything is beyond it.
    pub fn new(line: &str) -> Result<Course, CourseError> {
        let game = transcript::parse(line)?;
        if *game.start() != GridPosition::default() {
            return Err(CourseError::Start);
        }
        let mut position = *game.start();
        let mut steps = Vec::new();
        for mv in game.main_line() {
            if let Move::Place(point) = mv {
                steps.push((position, point));
            }
            position = position.played(mv);
        }
        if steps.len() > LONGEST { Err(CourseError::Long) } else { Ok(Course { steps }) }
    }

    /// How many moves it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The move of the line in this position, if the line comes through it.
    #[must_use]
    pub fn next(&self, position: &GridPosition) -> Option<Point> {
        let canonical = position.canonical();
        let (known, point) = self.steps.iter().find(|(known, _)| known.canonical() == canonical)?;
        let symmetry = Symmetry::ALL.iter().find(|symmetry| known.transformed(**symmetry) == *position)?;
        Some(symmetry.point(*point, position.size()))
    }
}

/// One of these by their weights, the same for the same seed and ply; none if nothing weighs anything.
#[must_use]
pub fn draw<T: Copy>(weighted: &[(T, f64)], seed: u64, ply: usize) -> Option<T> {
    let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(ply as u64);
    let mut left = random.random::<f64>() * total;
    let mut drawn = None;
    for (one, weight) in weighted.iter().filter(|(_, weight)| *weight > 0.0) {
        drawn = Some(*one);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> GridPosition {
        let mut game = transcript::parse(moves).unwrap();
        game.to_end();
        *game.position()
    }

    #[test]
    fn a_line_goes_on_whichever_way_it_is_turned_or_reached() {
        let tiger = Course::new("f5d6c3d3c4").unwrap();
        let next = |moves: &str| tiger.next(&after(moves)).map(|point| point.to_string());
        assert_eq!(next("f5").as_deref(), Some("d6"));
        // The other first moves, and what follows there.
        assert_eq!(next("c4").as_deref(), Some("e3"));
        assert_eq!(next("d3").as_deref(), Some("c5"));
        assert_eq!(next("e6").as_deref(), Some("f4"));
        assert_eq!(next("f5d6c3d3").as_deref(), Some("c4"));
        assert_eq!(next("f5d6c3d3c4"), None);
        assert_eq!(next("f5f6"), None);
        assert_eq!((tiger.len(), Course::new("").unwrap().is_empty()), (5, true));
    }

    #[test]
    fn what_is_no_opening_is_refused() {
        assert_eq!(Course::new("f5f5").unwrap_err().to_string(), "the line: move 2, \"f5\": f5 is occupied");
        let board = "-----OX--XO----- X;b1";
        assert!(matches!(Course::new(board), Err(CourseError::Start)));
    }

    #[test]
    fn draws_follow_the_weights_and_the_seed() {
        let weighted = [('a', 3.0), ('b', 1.0), ('c', 0.0)];
        let drawn: Vec<char> = (0..4000).map(|seed| draw(&weighted, seed, 7).unwrap()).collect();
        let again: Vec<char> = (0..4000).map(|seed| draw(&weighted, seed, 7).unwrap()).collect();
        assert_eq!(drawn, again);
        let first = drawn.iter().filter(|one| **one == 'a').count();
        assert!((2850..3150).contains(&first) && !drawn.contains(&'c'), "{first}");
        assert_eq!(draw(&[('c', 0.0)], 1, 1), None);
        assert_eq!(draw::<char>(&[], 1, 1), None);
    }
}
