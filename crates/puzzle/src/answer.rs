//! Judging an answer: whether it is right, and what follows if both sides go on as well as they can, by the exact solver.

use emilia_query::Stop;
use emilia_rules::{IllegalMove, Move, Playable, Position, Square, SquareSet, Status};
use thiserror::Error;

use crate::{Factory, Goal, Puzzle};

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it reaches the goal.
    pub right: bool,
    /// Whether nothing is left to be found.
    pub solved: bool,
    /// How the game ends now for the one who solves, in discs.
    pub score: i32,
    /// How it would end after the best move.
    pub best: i32,
    /// The best play of both sides after the move, to the end of the game.
    pub line: Vec<Move<Square>>,
    /// How many moves of the line are made at once: the reply and whatever leaves no choice, up to the next question; all if
    /// none is left.
    pub follow: usize,
}

/// Why a move cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// One of the moves so far cannot be made.
    #[error("move {number} of the puzzle: {error}")]
    Moves {
        /// Which one, counted from 1.
        number: usize,
        /// Why.
        error: IllegalMove<Square>,
    },
    /// It is not the turn of the one who solves, or the game is over.
    #[error("there is nothing to be answered after these moves")]
    NoQuestion,
    /// The move is illegal.
    #[error("{0}")]
    Illegal(IllegalMove<Square>),
    /// Somebody asked to stop.
    #[error("stopped before the answer was judged")]
    Stopped,
}

impl Puzzle {
    /// The position after these moves, passes made where they must be.
    pub fn after(&self, moves: &[Square]) -> Result<Position, AnswerError> {
        let mut position = self.position;
        for (number, square) in (1..).zip(moves) {
            let played = position.play(Move::Place(*square));
            position = settled(played.map_err(|error| AnswerError::Moves { number, error })?);
        }
        Ok(position)
    }

    /// Whether a game that ends like this for the one who solves reaches the goal.
    fn is_reached(&self, score: i32) -> bool {
        match self.goal {
            Goal::Win => score > 0,
            Goal::Draw => score >= 0,
            Goal::Most => self.scores.first().is_none_or(|(_, best)| score >= *best),
        }
    }
}

impl Factory {
    /// Judges a move after these moves of both sides.
    pub fn answer(
        &self,
        puzzle: &Puzzle,
        moves: &[Square],
        square: Square,
        stop: &Stop,
    ) -> Result<Answer, AnswerError> {
        let position = puzzle.after(moves)?;
        if position.turn() != puzzle.position.turn() || position.status() != Status::ToPlace {
            return Err(AnswerError::NoQuestion);
        }
        let after = position.play(Move::Place(square)).map_err(AnswerError::Illegal)?;
        let (line, score) = self.play_out(after, puzzle, stop)?;
        let best = if moves.is_empty() { puzzle.scores.first().map(|(_, score)| *score) } else { None };
        let best = match best {
            Some(best) => best,
            None => self.play_out(position, puzzle, stop)?.1,
        };
        let right = puzzle.is_reached(score);
        let follow = follow(after, puzzle, &line);
        let solved = right && (!puzzle.plays_on() || follow == line.len());
        Ok(Answer { right, solved, score, best, line, follow })
    }

    /// The best play of both sides to the end of the game, and how that ends for the one who solves.
    fn play_out(
        &self,
        mut position: Position,
        puzzle: &Puzzle,
        stop: &Stop,
    ) -> Result<(Vec<Move<Square>>, i32), AnswerError> {
        let mut line = Vec::new();
        while !position.is_over() {
            let mv = if position.status() == Status::MustPass {
                Move::Pass
            } else {
                let report = self.solve(&position, false, stop).ok_or(AnswerError::Stopped)?;
                let best = report.best_move().and_then(|mv| mv.square()?.square());
                Move::Place(best.ok_or(AnswerError::Stopped)?)
            };
            position = position.played(mv);
            line.push(mv);
        }
        let counts = position.counts();
        let margin = match counts.margin().signum() {
            0 => 0,
            sign => counts.margin() + sign * counts.empty as i32,
        };
        let black = puzzle.position.turn() == emilia_rules::Color::Black;
        Ok((line, if black { margin } else { -margin }))
    }
}

/// How many moves of a line come before the one who solves has a choice.
fn follow(mut position: Position, puzzle: &Puzzle, line: &[Move<Square>]) -> usize {
    for (made, mv) in line.iter().enumerate() {
        if position.turn() == puzzle.position.turn() && position.placements().count() > 1 {
            return made;
        }
        position = position.played(*mv);
    }
    line.len()
}

/// The same, with a pass made if one must be.
fn settled(position: Position) -> Position {
    if position.status() == Status::MustPass { position.passed() } else { position }
}

#[cfg(test)]
mod tests {
    use emilia_search::Table;

    use super::*;
    use crate::Theme;

    fn factory() -> Factory {
        Factory::new(Table::new(1).unwrap())
    }

    /// Short puzzles of every goal: solving them takes no time.
    fn short() -> Vec<Puzzle> {
        let short = |puzzle: &Puzzle| puzzle.position.empties().count() <= 8;
        let of =
            |goal: Goal| Puzzle::shipped().filter(short).filter(move |puzzle| puzzle.goal == goal).take(6);
        [Goal::Win, Goal::Draw, Goal::Most].into_iter().flat_map(of).collect()
    }

    #[test]
    fn every_first_move_ends_as_the_puzzle_says_and_only_one_is_right() {
        let (factory, stop) = (factory(), Stop::default());
        for puzzle in short() {
            for (square, score) in &puzzle.scores {
                let answer = factory.answer(&puzzle, &[], *square, &stop).unwrap();
                assert_eq!((answer.score, answer.best), (*score, puzzle.scores[0].1), "{}", puzzle.line());
                assert_eq!(answer.right, Some(*square) == puzzle.right());
                // The line is played by the rules, from the first move to the last.
                let mut position = puzzle.after(&[*square]).unwrap();
                let passed = usize::from(answer.line.first() == Some(&Move::Pass));
                for mv in &answer.line[passed..] {
                    position = position.play(*mv).unwrap();
                }
                assert!(position.is_over());
            }
        }
    }

    #[test]
    fn with_six_empty_squares_a_puzzle_is_played_to_its_end() {
        let (factory, stop) = (factory(), Stop::default());
        let mut longest = 0;
        for puzzle in short().into_iter().filter(Puzzle::plays_on) {
            let (mut moves, mut asked) = (Vec::new(), 0);
            loop {
                let position = puzzle.after(&moves).unwrap();
                let judged: Vec<(Square, Answer)> = position
                    .placements()
                    .into_iter()
                    .map(|square| (square, factory.answer(&puzzle, &moves, square, &stop).unwrap()))
                    .collect();
                assert!(asked == 0 || judged.len() > 1, "only what can go wrong is asked");
                let (square, answer) = judged.into_iter().find(|(_, answer)| answer.right).unwrap();
                asked += 1;
                moves.push(square);
                moves.extend(answer.line[..answer.follow].iter().filter_map(|mv| mv.square()));
                assert_eq!(answer.solved, puzzle.after(&moves).unwrap().is_over());
                if answer.solved {
                    break;
                }
            }
            longest = longest.max(asked);
        }
        assert!(longest > 1);
    }

    #[test]
    fn what_cannot_be_judged_is_refused() {
        let (factory, stop) = (factory(), Stop::default());
        let puzzle = short().remove(0);
        let occupied = puzzle.position.own().into_iter().next().unwrap();
        let error = factory.answer(&puzzle, &[], occupied, &stop).unwrap_err();
        assert_eq!(error.to_string(), format!("{occupied} is occupied"));
        let error = factory.answer(&puzzle, &[occupied], occupied, &stop).unwrap_err();
        assert_eq!(error.to_string(), format!("move 1 of the puzzle: {occupied} is occupied"));
        let right = puzzle.right().unwrap();
        let answer = factory.answer(&puzzle, &[], right, &stop).unwrap();
        let all: Vec<Square> =
            [right].into_iter().chain(answer.line.iter().filter_map(|mv| mv.square())).collect();
        assert_eq!(factory.answer(&puzzle, &all, right, &stop), Err(AnswerError::NoQuestion));
        stop.request();
        let long = Puzzle::shipped().find(|puzzle| !puzzle.themes.contains(&Theme::LastSix)).unwrap();
        let stopped = factory.answer(&long, &[], long.right().unwrap(), &stop);
        assert_eq!(stopped, Err(AnswerError::Stopped));
    }
}
