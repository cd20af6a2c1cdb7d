use emilia_eval::Learned;
use emilia_query::{Limits, Report, Stop};
use emilia_rules::{GridPosition, Playable, Position, Size, Square, SquareSet};
use emilia_search::{GridMemory, GridSearch, Search, Solver, Table, TableError};

use crate::difficulty::rating;
use crate::{Goal, Puzzle, Theme};

/// Plies of the look ahead that must not find the right move: what it finds is too easy.
const SHALLOW: u32 = 2;
/// Megabytes that it takes where it searches as on boards of every size.
const SHALLOW_MEMORY: usize = 1;

/// Makes puzzles of positions.
#[derive(Debug)]
pub struct Factory {
    table: Table,
}

impl Factory {
    /// A factory that works with this table.
    #[must_use]
    pub fn new(table: Table) -> Factory {
        Factory { table }
    }

    /// A factory with a table of about so many megabytes.
    pub fn sized(megabytes: usize) -> Result<Factory, TableError> {
        Table::new(megabytes).map(Factory::new)
    }

    /// The puzzle of a position, if it is one: every move is solved, one is right and all others are wrong, and neither
    /// a shallow search nor people find it as a matter of course.
    #[must_use]
    pub fn make(&self, position: &Position, stop: &Stop) -> Option<Puzzle> {
        if !Puzzle::is_board(position) || position.placements().count() < 3 {
            return None;
        }
        if self.shallow(position, stop)? == self.best(position, stop)? {
            return None;
        }
        let scores = self.scores(position, stop)?;
        let goal = Goal::of(&scores)?;
        let rating = rating(position, &scores)?;
        let themes = Theme::of(position, scores[0].0, &scores);
        Some(Puzzle { position: *position, goal, rating, themes, scores })
    }

    /// Whether the scores of a puzzle are what the solver finds.
    #[must_use]
    pub fn proves(&self, puzzle: &Puzzle, stop: &Stop) -> bool {
        self.scores(&puzzle.position, stop).is_some_and(|scores| scores == puzzle.scores)
    }

    fn shallow(&self, position: &Position, stop: &Stop) -> Option<Square> {
        let limits = Limits::depth(SHALLOW);
        let report = if position.size() == Size::EIGHT {
            self.table.clear();
            let mut search = Search::new(Learned::embedded(), &self.table, stop);
            search.limits = limits;
            search.run(position, &mut ())
        } else {
            // What was learned of 8×8 boards says nothing here.
            let mut memory = GridMemory::new(SHALLOW_MEMORY);
            GridSearch::new(limits).run(&GridPosition::from(*position), &mut memory, stop, &mut ())
        };
        report.best_move()?.square()?.square()
    }

    /// The best move, which is cheaper to find than what all moves are worth.
    fn best(&self, position: &Position, stop: &Stop) -> Option<Square> {
        let report = self.solve(position, false, stop)?;
        report.best_move()?.square()?.square()
    }

    /// Every move with its exact score, the highest first, equal ones in the order of squares.
    pub(crate) fn scores(&self, position: &Position, stop: &Stop) -> Option<Vec<(Square, i32)>> {
        let report = self.solve(position, true, stop)?;
        let each =
            report.moves.iter().map(|found| Some((found.mv.square()?.square()?, found.discs()? as i32)));
        let mut scores = each.collect::<Option<Vec<_>>>()?;
        scores.sort_by_key(|(square, score)| (-score, *square));
        Some(scores)
    }

    pub(crate) fn solve(&self, position: &Position, all_moves: bool, stop: &Stop) -> Option<Report> {
        let mut solver = Solver::new(Learned::embedded(), &self.table, stop);
        solver.all_moves = all_moves;
        let report = solver.solve(position, &mut ());
        (!report.stopped && report.moves.iter().all(|found| found.exact)).then_some(report)
    }
}

#[cfg(test)]
mod tests {
    use emilia_record::obf;
    use emilia_rules::{Bitboard, Board, Color};

    use super::*;

    #[test]
    fn puzzles_of_published_endgames_have_the_published_scores() {
        let lines = include_str!("../../../data/endgame/exact/e10.obf").lines();
        let exercises: Vec<_> = lines.filter_map(|line| obf::parse(line).unwrap()).take(60).collect();
        let (factory, stop) = (Factory::new(Table::new(1).unwrap()), Stop::default());
        let mut made = 0;
        for exercise in exercises {
            let Ok(position) = Position::try_from(&exercise.position) else { continue };
            let Some(puzzle) = factory.make(&position, &stop) else { continue };
            made += 1;
            assert_eq!(exercise.score(), Some(puzzle.scores[0].1));
            assert!(factory.proves(&puzzle, &stop));
            assert_eq!(Puzzle::parse(&puzzle.line()).as_ref(), Ok(&puzzle));
            let mut wrong = puzzle.clone();
            wrong.scores[1].1 -= 2;
            assert!(!factory.proves(&wrong, &stop));
        }
        assert!(made > 0);
    }

    #[test]
    fn the_puzzles_of_the_program_are_there_and_a_sample_is_proved() {
        let puzzles: Vec<Puzzle> = Puzzle::shipped().collect();
        assert!(puzzles.len() >= 3000);
        let boards: std::collections::HashSet<Position> =
            puzzles.iter().map(|puzzle| puzzle.position.canonical()).collect();
        assert_eq!(boards.len(), puzzles.len(), "none is there twice");
        let (factory, stop) = (Factory::new(Table::new(1).unwrap()), Stop::default());
        for puzzle in puzzles.iter().step_by(250) {
            assert!(factory.proves(puzzle, &stop), "{}", puzzle.line());
        }
        for goal in [Goal::Win, Goal::Draw, Goal::Most] {
            assert!(puzzles.iter().filter(|puzzle| puzzle.goal == goal).count() > 30, "{goal:?}");
        }
        for (name, theme) in Theme::ALL {
            assert!(puzzles.iter().filter(|puzzle| puzzle.themes.contains(&theme)).count() > 0, "{name}");
        }
    }

    #[test]
    fn a_board_with_one_move_is_no_puzzle() {
        let (factory, stop) = (Factory::new(Table::new(1).unwrap()), Stop::default());
        let alone = Board { own: Bitboard(1), opponent: Bitboard(2) };
        let alone = Position::new(alone, Color::Black).unwrap();
        assert_eq!(factory.make(&alone, &stop), None);
    }
}
