//! Exact scores of the solver, compared with trying every game to its end by the plain rules.

use emilia_eval::Learned;
use emilia_query::Stop;
use emilia_rules::{GridPosition, Playable, Position, Size};
use emilia_search::{Problem, Solver, Table};

use crate::part::{Round, Tally};

/// Most empty squares: with more, every game is too many.
const EMPTIES: u32 = 9;

pub(crate) fn round(round: &mut Round) -> Tally {
    let positions = round.scaled(100, 15);
    let table = Table::new(1).unwrap();
    let stop = Stop::default();
    let solver = Solver::new(Learned::embedded(), &table, &stop);
    for _ in 0..positions {
        let size = Size::new([4, 6, 8, 8][round.below(4) as usize]).unwrap();
        let empties = 1 + round.below(EMPTIES.into()) as u32;
        let position = reached(round, size, empties);
        let found = Problem::new(position).score(&solver.solve(&position, &mut ()));
        assert_eq!(found, brute_force(&position), "{}", GridPosition::from(position));
    }
    Tally::of(positions)
}

/// A position of a random game with so many empty squares, or where the game was over before.
pub(crate) fn reached(round: &mut Round, size: Size, empties: u32) -> Position {
    let mut position = Position::try_from(&GridPosition::start(size)).unwrap();
    while position.counts().empty > empties {
        let moves: Vec<_> = position.moves().collect();
        if moves.is_empty() {
            break;
        }
        position = position.play(*round.pick(&moves)).unwrap();
    }
    position
}

/// The score for the side to move when both play as well as can be, empty squares to the winner.
fn brute_force(position: &Position) -> i32 {
    if position.is_over() {
        return Problem::new(*position).score(&emilia_query::Report::of(Vec::new()));
    }
    let replies = position.moves().map(|mv| -brute_force(&position.play(mv).unwrap()));
    replies.max().unwrap()
}
