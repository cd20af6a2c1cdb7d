use emilia_eval::Learned;
use emilia_query::{Limits, Report, Selectivity, Stop};
use emilia_rules::{Board, Color, Move, Point, Position, Square, SquareSet};
use emilia_search::{Search, Table, TableError};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::starts::pick;
use super::{Plan, Starts};
use crate::data::{Game, Origin, Ply};

/// One thread's partner for games against itself. Its table is made once and cleared before each game.
#[derive(Debug)]
pub struct Sparring<'a> {
    plan: &'a Plan,
    starts: &'a Starts,
    evaluator: &'a Learned,
    table: Table,
    stop: Stop,
}

/// Megabytes of the table: what an endgame of 18 empty squares fills, and little to clear before a game.
const TABLE: usize = 2;
/// How often a move is not the best one, in every game one of these: many games must be clean, so that their results
/// say something about their positions, and some wild, so that odd positions are met.
const DARING: [f64; 4] = [0.0, 0.0, 0.06, 0.2];
/// The same from where scores are exact.
const DARING_AT_THE_END: [f64; 4] = [0.0, 0.05, 0.1, 0.2];
/// At so many empty squares the rest of a line of best play is proven move by move and can be followed; before, it
/// comes out of the table and each position is searched again.
const PROVEN_LINE: usize = 12;
/// How sure a search must be that does not reach the end.
const SELECTIVITY: Selectivity = Selectivity::Likely;

impl<'a> Sparring<'a> {
    /// A partner who judges by this evaluator.
    pub fn new(
        plan: &'a Plan,
        starts: &'a Starts,
        evaluator: &'a Learned,
    ) -> Result<Sparring<'a>, TableError> {
        Ok(Sparring { plan, starts, evaluator, table: Table::new(TABLE)?, stop: Stop::new() })
    }

    /// Plays the game of this number.
    #[must_use]
    pub fn play(&mut self, number: u64) -> Game {
        let mut random = ChaCha8Rng::seed_from_u64(self.plan.seed);
        random.set_stream(number);
        self.table.clear();
        let start = self.starts.board(number, &mut random);
        let daring = DARING[random.random_range(0..DARING.len())];
        let daring_at_the_end = DARING_AT_THE_END[random.random_range(0..DARING_AT_THE_END.len())];
        let mut game = Game { start, plies: Vec::with_capacity(64) };
        let mut board = start;
        // Moves that are known to be best, the next one last, and their score for the side to move.
        let mut line: Vec<Move> = Vec::new();
        let mut score = 0;
        loop {
            if board.moves().is_empty() {
                board = board.pass();
                if board.moves().is_empty() {
                    return game;
                }
                // What a pass is worth will be known after the next move.
                game.plies.push(Ply { mv: Move::Pass, score: 0, origin: Origin::Unknown, random: false });
                line.pop();
                score = -score;
            }
            let empties = board.empties().count() as usize;
            let exact = empties <= usize::from(self.plan.exact_from);
            let leave = random.random_bool(if exact { daring_at_the_end } else { daring });
            let (mut mv, origin);
            if exact {
                if line.is_empty() {
                    let report = self.search(board, Limits::default(), 1);
                    score = discs(&report);
                    line = report.line().iter().rev().map_while(|mv| on_board(*mv)).collect();
                }
                (mv, origin) = (line.pop(), Origin::Exact);
                if empties > PROVEN_LINE {
                    line.clear();
                }
            } else {
                let limits =
                    Limits { selectivity: Some(SELECTIVITY), ..Limits::depth(self.plan.depth.into()) };
                // Whoever does not take the best move takes the second best, or any.
                let second = leave && random.random_bool(0.5);
                let report = self.search(board, limits, if second { 2 } else { 1 });
                score = discs(&report);
                let chosen = report.moves.last().and_then(|found| on_board(found.mv));
                (mv, origin) = (chosen, Origin::Depth(self.plan.depth));
                if leave && !second {
                    mv = pick(board, &mut random).map(Move::Place);
                }
            }
            if leave && exact {
                mv = pick(board, &mut random).map(Move::Place);
                line.clear();
            }
            let Some(mv @ Move::Place(square)) = mv else { return game };
            if let Some(pass) = game.plies.last_mut().filter(|ply| ply.mv == Move::Pass) {
                (pass.score, pass.origin) = (-score as i8, origin);
            }
            game.plies.push(Ply { mv, score: score as i8, origin, random: leave });
            board = board.play(square);
            score = -score;
        }
    }

    fn search(&self, board: Board, limits: Limits, lines: usize) -> Report {
        let mut search = Search::new(self.evaluator, &self.table, &self.stop);
        search.limits = limits;
        search.lines = lines;
        let position = Position::new(board, Color::Black).unwrap_or_default();
        search.run(&position, &mut ())
    }
}

/// The score in whole discs, which is what searches on 8×8 count in.
fn discs(report: &Report) -> i32 {
    report.discs().unwrap_or_default() as i32
}

/// A move on 8×8.
fn on_board(mv: Move<Point>) -> Option<Move<Square>> {
    match mv {
        Move::Place(point) => point.square().map(Move::Place),
        Move::Pass => Some(Move::Pass),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::Kind;
    use emilia_eval::Learned;
    use emilia_search::{Problem, Solver};

    /// Scores that are called exact are what a solver finds that starts from nothing, passes and odd moves included.
    #[test]
    fn exact_scores_are_exact_and_games_are_finished() {
        let plan = Plan { depth: 2, exact_from: 13, ..Plan::default() };
        let starts = Starts::new(Kind::Random, Vec::new()).unwrap();
        let mut sparring = Sparring::new(&plan, &starts, Learned::embedded()).unwrap();
        let table = Table::new(1).unwrap();
        let stop = Stop::new();
        let solver = Solver::new(Learned::embedded(), &table, &stop);
        let (mut random, mut passes) = (0, 0);
        for number in 0..12 {
            let game = sparring.play(number);
            let boards: Vec<Board> = game.boards().collect();
            assert!(
                boards
                    .last()
                    .is_some_and(|last| { last.moves().is_empty() && last.pass().moves().is_empty() })
            );
            for (board, ply) in boards.iter().zip(&game.plies) {
                random += usize::from(ply.random);
                passes += usize::from(ply.mv == Move::Pass);
                let exact = board.empties().count() <= 13;
                assert_eq!(ply.origin, if exact { Origin::Exact } else { Origin::Depth(2) });
                if exact {
                    let position = Position::new(*board, Color::White).unwrap();
                    let score = Problem::new(position).score(&solver.solve(&position, &mut ()));
                    assert_eq!(i32::from(ply.score), score, "game {number}:\n{board}");
                }
            }
        }
        assert!(random > 10 && passes > 0, "{random} random moves, {passes} passes");
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_seed_alone() {
        let starts = Starts::new(Kind::Mix, Vec::new()).unwrap();
        let plan = |seed| Plan { seed, depth: 2, exact_from: 8, ..Plan::default() };
        let (one, two) = (plan(1), plan(2));
        let game = |plan, before: &[u64], number| {
            let mut sparring = Sparring::new(plan, &starts, Learned::embedded()).unwrap();
            before.iter().for_each(|number| drop(sparring.play(*number)));
            sparring.play(number)
        };
        assert_eq!(game(&one, &[], 3), game(&one, &[7, 5], 3));
        assert_ne!(game(&one, &[], 0), game(&two, &[], 0));
    }
}
