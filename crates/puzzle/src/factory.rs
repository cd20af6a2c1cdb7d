use emilia_eval::Learned;
use emilia_human::{Moment, Network, Rating, chances};
use emilia_query::{Limits, Report, Stop};
use emilia_rules::{Board, Color, Position, Square, SquareSet};
use emilia_search::{Search, Solver, Table};

use crate::{Goal, Puzzle, Theme};

/// Plies of the look ahead that must not find the right move: what it finds is too easy.
const SHALLOW: u32 = 2;
/// The people who are asked, and how likely each may at most be right.
const ASKED: [u32; 4] = [1200, 1600, 2000, 2400];
const EASY: f64 = 0.85;
/// The easiest and the hardest that a puzzle is called.
const RATINGS: (f64, f64) = (800.0, 2800.0);

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

    /// The puzzle of a board, if it is one: every move is solved, one is right and all others are wrong, and neither a
    /// shallow search nor people find it as a matter of course.
    #[must_use]
    pub fn make(&self, board: Board, stop: &Stop) -> Option<Puzzle> {
        if board.moves().count() < 3 {
            return None;
        }
        let position = Position::new(board, Color::Black)?;
        if self.shallow(&position, stop)? == self.best(&position, stop)? {
            return None;
        }
        let scores = self.scores(&position, stop)?;
        let goal = Goal::of(&scores)?;
        let rating = rating(board, scores[0].0)?;
        Some(Puzzle { position, goal, rating, themes: Theme::of(board, scores[0].0, &scores), scores })
    }

    /// Whether the scores of a puzzle are what the solver finds.
    #[must_use]
    pub fn proves(&self, puzzle: &Puzzle, stop: &Stop) -> bool {
        self.scores(&puzzle.position, stop).is_some_and(|scores| scores == puzzle.scores)
    }

    fn shallow(&self, position: &Position, stop: &Stop) -> Option<Square> {
        self.table.clear();
        let mut search = Search::new(Learned::embedded(), &self.table, stop);
        search.limits = Limits::depth(SHALLOW);
        search.run(position, &mut ()).best_move()?.square()?.square()
    }

    /// The best move, which is cheaper to find than what all moves are worth.
    fn best(&self, position: &Position, stop: &Stop) -> Option<Square> {
        let report = self.solve(position, false, stop)?;
        report.best_move()?.square()?.square()
    }

    /// Every move with its exact score, the highest first, equal ones in the order of squares.
    fn scores(&self, position: &Position, stop: &Stop) -> Option<Vec<(Square, i32)>> {
        let report = self.solve(position, true, stop)?;
        let each =
            report.moves.iter().map(|found| Some((found.mv.square()?.square()?, found.discs()? as i32)));
        let mut scores = each.collect::<Option<Vec<_>>>()?;
        scores.sort_by_key(|(square, score)| (-score, *square));
        Some(scores)
    }

    fn solve(&self, position: &Position, all_moves: bool, stop: &Stop) -> Option<Report> {
        let mut solver = Solver::new(Learned::embedded(), &self.table, stop);
        solver.all_moves = all_moves;
        let report = solver.solve(position, &mut ());
        (!report.stopped && report.moves.iter().all(|found| found.exact)).then_some(report)
    }
}

/// How hard the right move is to find: the rating at which people would find it every second time, by how often those who
/// are asked find it. Nothing if it is too easy for all of them.
fn rating(board: Board, right: Square) -> Option<u32> {
    let moment = Moment::new(board);
    let mut sum = 0.0;
    let mut easy = true;
    for points in ASKED {
        let chances = chances(&Network::embedded().leanings(&moment, Rating::new(points)), 1.0);
        let found = chances.iter().find(|(square, _)| *square == right)?.1.clamp(0.001, 0.999);
        easy &= found > EASY;
        sum += f64::from(points) + 400.0 * ((1.0 - found) / found).log10();
    }
    let rating = (sum / ASKED.len() as f64).clamp(RATINGS.0, RATINGS.1);
    // In steps of ten, so that the last digit of a logarithm does not matter.
    (!easy).then_some((rating / 10.0).round() as u32 * 10)
}

#[cfg(test)]
mod tests {
    use emilia_record::obf;
    use emilia_rules::Size;

    use super::*;

    #[test]
    fn puzzles_of_published_endgames_have_the_published_scores() {
        let lines = include_str!("../../../data/endgame/exact/e10.obf").lines();
        let studies: Vec<_> = lines.filter_map(|line| obf::parse(line).unwrap()).take(60).collect();
        let (factory, stop) = (Factory::new(Table::new(1).unwrap()), Stop::default());
        let mut made = 0;
        for study in studies {
            let Ok(position) = Position::try_from(&study.position) else { continue };
            let Some(puzzle) = factory.make(position.board(), &stop) else { continue };
            made += 1;
            assert_eq!(study.score(), Some(puzzle.scores[0].1));
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
        let boards: std::collections::HashSet<Board> =
            puzzles.iter().map(|puzzle| puzzle.board().canonical(Size::EIGHT).0).collect();
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
        let alone = Board { own: emilia_rules::Bitboard(1), opponent: emilia_rules::Bitboard(2) };
        assert_eq!(factory.make(alone, &stop), None);
    }
}
