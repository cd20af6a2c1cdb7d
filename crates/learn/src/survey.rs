use emilia_eval::Learned;
use emilia_query::Stop;
use emilia_rules::{Board, SquareSet};
use emilia_search::{Search, TableError};

use crate::Spread;
use crate::workers::shared_out;

/// Boards on which multi-ProbCut is measured: equally many for each of some numbers of empty squares.
#[derive(Clone, Debug)]
pub struct Survey {
    groups: Vec<Group>,
    boards: usize,
}

/// Boards with equally many empty squares, and whether they are searched to the end of the game.
#[derive(Clone, Debug)]
struct Group {
    empties: u32,
    to_the_end: bool,
    boards: Vec<Board>,
}

/// Empty squares of boards that are searched to a few plies, and of those that are searched to the end.
const MIDDLE: [u32; 6] = [24, 28, 32, 36, 40, 44];
const END: [u32; 7] = [12, 13, 14, 15, 16, 17, 18];
/// The searches that are compared; 0 is the evaluator alone. Searches to the end are compared with fewer.
const DEPTHS: [u32; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const DEPTHS_BEFORE_THE_END: usize = 9;
/// Megabytes of each thread's table.
const TABLE: usize = 16;

impl Survey {
    /// A survey of so many boards for each number of empty squares; there are none yet.
    #[must_use]
    pub fn new(boards: usize) -> Survey {
        let group = |empties: &u32, to_the_end| Group { empties: *empties, to_the_end, boards: Vec::new() };
        let middle = MIDDLE.iter().map(|empties| group(empties, false));
        let end = END.iter().map(|empties| group(empties, true));
        Survey { groups: middle.chain(end).collect(), boards }
    }

    /// Takes a board if one like it is wanted and somebody can move on it.
    pub fn add(&mut self, board: Board) {
        let empties = board.empties().count();
        let wanting = |group: &&mut Group| group.empties == empties && group.boards.len() < self.boards;
        if let Some(group) = self.groups.iter_mut().find(wanting)
            && !board.moves().is_empty()
        {
            group.boards.push(board);
        }
    }

    /// The first number of empty squares of which there are too few boards, and how many there are.
    #[must_use]
    pub fn wants(&self) -> Option<(u32, usize)> {
        let group = self.groups.iter().find(|group| group.boards.len() < self.boards);
        group.map(|group| (group.empties, group.boards.len()))
    }

    /// Numbers of empty squares that are looked at.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Searches all boards, each number of empty squares on a thread of its own, and says how far searches to a few
    /// plies are from each other, and how far from the end of the game. `done` is told when a number is done. Nothing
    /// if it was stopped.
    pub fn measure(
        &self,
        evaluator: &Learned,
        threads: usize,
        stop: &Stop,
        done: &(dyn Fn() + Sync),
    ) -> Result<Option<[Spread; 2]>, TableError> {
        // The last ones take longest: first come the searches to the end of many squares.
        let last_first: Vec<&Group> = self.groups.iter().rev().collect();
        let spreads = shared_out(last_first.len(), threads, TABLE, stop, |number, table| {
            let group = last_first[number];
            table.clear();
            let mut spread = Spread::default();
            let mut search = Search::new(evaluator, table, stop);
            let depths = if group.to_the_end { &DEPTHS[..DEPTHS_BEFORE_THE_END] } else { &DEPTHS };
            spread.measure(&mut search, &group.boards, depths, group.to_the_end);
            done();
            spread
        })?;
        Ok(spreads.map(|spreads| {
            let mut found = [Spread::default(), Spread::default()];
            for (group, spread) in self.groups.iter().zip(spreads.into_iter().rev()) {
                found[usize::from(group.to_the_end)].absorb(spread);
            }
            found
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_taken_until_there_are_enough() {
        let mut survey = Survey::new(1);
        assert_eq!(survey.wants(), Some((24, 0)));
        let mut board = Board::START;
        while let Some(square) = board.moves().into_iter().next() {
            survey.add(board);
            survey.add(board);
            board = board.play(square);
        }
        assert!(survey.groups.iter().all(|group| group.boards.len() <= 1));
        assert!(survey.groups.iter().any(|group| group.boards.len() == 1));
        assert_eq!(survey.groups(), MIDDLE.len() + END.len());
    }
}
