use emilia_record::{Exercise, Fault, obf};
use emilia_rules::{GridPosition, Move, Playable, Point, Position, Square};
use thiserror::Error;

use crate::Theme;

/// A position with one right move: the score of every move is known and proved.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The position, on 6×6 or 8×8.
    pub position: Position,
    /// What is to be found.
    pub goal: Goal,
    /// Every legal move with its exact score in discs, the right one first, empty squares to the winner.
    pub scores: Vec<(Square, i32)>,
    /// How hard it is, on the scale of the players `human`: people of this rating find it every second time.
    pub rating: u32,
    /// What it is about.
    pub themes: Vec<Theme>,
}

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The only move that wins.
    Win,
    /// The only move that does not lose.
    Draw,
    /// The move that gets most discs.
    Most,
}

/// Why a line is no puzzle.
#[derive(Debug, PartialEq, Error)]
pub enum PuzzleError {
    /// It is no position with scores.
    #[error("the line is no position with scores: {0}")]
    Line(#[from] Fault),
    /// There is no position in it.
    #[error("the line holds no position")]
    Empty,
    /// On a board that is too large to be solved, or so small that everything is known.
    #[error("the position is neither on 6×6 nor on 8×8")]
    OtherBoard,
    /// What follows the percent sign is not goal, rating and themes.
    #[error("{0:?} is no goal, rating and themes, such as \"win 1850 parity,quiet\"")]
    Description(String),
    /// A legal move without a score, or a score twice.
    #[error("not every move has one score")]
    Scores,
    /// Packed puzzles whose boards, scores and ratings are not as many.
    #[error("the packed puzzles have {boards} boards, {scores} lines of scores and {ratings} ratings")]
    Packed {
        /// How many boards.
        boards: usize,
        /// How many lines of scores.
        scores: usize,
        /// How many ratings.
        ratings: usize,
    },
    /// A rating that is no number.
    #[error("{0:?} is no rating")]
    Rating(String),
    /// The scores do not make one move the right one.
    #[error("no move is the only right one")]
    NotUnique,
}

impl Goal {
    const ALL: [(&'static str, Goal); 3] = [("win", Goal::Win), ("draw", Goal::Draw), ("most", Goal::Most)];
    /// By how many discs the best move must be better than the next where discs are asked for.
    const MARGIN: i32 = 4;

    /// What these scores, the highest first, ask for, if one move is right and all others are wrong.
    #[must_use]
    pub fn of(scores: &[(Square, i32)]) -> Option<Goal> {
        let (first, second) = (scores.first()?.1, scores.get(1)?.1);
        match (first.signum(), second.signum()) {
            (1, 0 | -1) => Some(Goal::Win),
            (0, -1) => Some(Goal::Draw),
            _ => (first - second >= Goal::MARGIN).then_some(Goal::Most),
        }
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Goal::ALL.iter().find(|(_, goal)| *goal == self).map_or("", |(name, _)| name)
    }
}

impl Puzzle {
    /// The puzzles that come with the program, in the order of their file.
    #[cfg(not(target_family = "wasm"))]
    pub fn shipped() -> impl Iterator<Item = Puzzle> {
        emilia_data::PUZZLES.lines().filter_map(|line| Puzzle::parse(line).ok())
    }

    /// The right move.
    #[must_use]
    pub fn right(&self) -> Option<Square> {
        self.scores.first().map(|(square, _)| *square)
    }

    /// Whether there are puzzles on this board.
    #[must_use]
    pub fn is_board(position: &Position) -> bool {
        [6, 8].contains(&position.size().get())
    }

    /// Whether it is to be played on to the end of the game: with few empty squares, each move can still go wrong.
    #[must_use]
    pub fn plays_on(&self) -> bool {
        self.themes.contains(&Theme::LastSix)
    }

    /// The line of a file: the position and the scores of all moves as Othello Board Files have them, and as the comment
    /// goal, rating and themes.
    #[must_use]
    pub fn line(&self) -> String {
        let mut exercise = Exercise::new(GridPosition::from(self.position));
        exercise.scores =
            self.scores.iter().map(|(square, score)| (Move::Place(Point::from(*square)), *score)).collect();
        let themes: Vec<&str> = self.themes.iter().map(|theme| theme.name()).collect();
        exercise.comment = format!("{} {} {}", self.goal.name(), self.rating, themes.join(","));
        obf::write_line(&exercise)
    }

    /// Reads such a line, and checks what can be checked without solving: that every move has a score, that one is the only
    /// right one, and that goal and themes follow from them.
    pub fn parse(line: &str) -> Result<Puzzle, PuzzleError> {
        let exercise = obf::parse(line)?.ok_or(PuzzleError::Empty)?;
        let position = Position::try_from(&exercise.position).map_err(|_| PuzzleError::OtherBoard)?;
        let scores =
            exercise.scores.iter().filter_map(|(mv, score)| Some((mv.square()?.square()?, *score))).collect();
        let puzzle = Puzzle::new(position, scores, 0)?;
        let wrong = || PuzzleError::Description(exercise.comment.chars().take(80).collect());
        let mut words = exercise.comment.split(' ');
        let (name, rating) =
            (words.next().unwrap_or_default(), words.next().and_then(|text| text.parse().ok()));
        let listed = words.next().unwrap_or_default().split(',').filter(|name| !name.is_empty());
        if name != puzzle.goal.name() || !listed.eq(puzzle.themes.iter().map(|theme| theme.name())) {
            return Err(wrong());
        }
        Ok(Puzzle { rating: rating.ok_or_else(wrong)?, ..puzzle })
    }

    /// The puzzle of a position with these scores, if every move has one and one move is the only right one.
    pub(crate) fn new(
        position: Position,
        mut scores: Vec<(Square, i32)>,
        rating: u32,
    ) -> Result<Puzzle, PuzzleError> {
        if !Puzzle::is_board(&position) {
            return Err(PuzzleError::OtherBoard);
        }
        scores.sort_by_key(|(square, score)| (-score, *square));
        let mut squares: Vec<Square> = scores.iter().map(|(square, _)| *square).collect();
        squares.sort();
        if !position.placements().into_iter().eq(squares) {
            return Err(PuzzleError::Scores);
        }
        let goal = Goal::of(&scores).ok_or(PuzzleError::NotUnique)?;
        let themes = Theme::of(&position, scores[0].0, &scores);
        Ok(Puzzle { position, goal, scores, rating, themes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_move_must_be_right() {
        let scores = |list: &[i32]| list.iter().map(|score| (Square::A1, *score)).collect::<Vec<_>>();
        assert_eq!(Goal::of(&scores(&[2, 0, -4])), Some(Goal::Win));
        assert_eq!(Goal::of(&scores(&[0, -2])), Some(Goal::Draw));
        assert_eq!(Goal::of(&scores(&[12, 8, 2])), Some(Goal::Most));
        assert_eq!(Goal::of(&scores(&[-2, -6])), Some(Goal::Most));
        assert_eq!(Goal::of(&scores(&[4, 2])), None, "two moves win");
        assert_eq!(Goal::of(&scores(&[4])), None, "a forced move is no puzzle");
    }

    #[test]
    fn lines_that_are_no_puzzles_are_refused_by_name() {
        let error = |text: &str| Puzzle::parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "the line holds no position");
        assert!(error("hello").starts_with("the line is no position with scores"));
        let start = "---------------------------OX------XO--------------------------- X;";
        assert_eq!(error(start), "not every move has one score");
        assert_eq!(error(&format!("{start} D3:+2; C4:+2; F5:+2; E6:+2;")), "no move is the only right one");
        let text = format!("{start} D3:+2; C4:-2; F5:-2; E6:-2; % most 1500");
        assert!(error(&text).starts_with("\"most 1500\" is no goal"));
        let good = Puzzle::parse(&text.replace("most 1500", "win 1500")).unwrap();
        assert_eq!((good.right(), good.goal, good.rating), (Some(Square::D3), Goal::Win, 1500));
        assert_eq!(Puzzle::parse(&good.line()), Ok(good));
    }
}
