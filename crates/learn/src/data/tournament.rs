use emilia_eval::Learned;
use emilia_query::Stop;
use emilia_record::thor::Archive;
use emilia_rules::{Board, Color, Position, Size, SquareSet};
use emilia_search::{Search, Table, TableError};

use super::{Labelled, Labelling};
use crate::workers::shared_out;

/// Makes scored positions of tournament games, those near the end solved on all threads.
#[derive(Clone, Copy, Debug)]
pub struct Tournament<'a> {
    /// Positions with so many empty squares or fewer are solved.
    pub solve: u8,
    /// Games looked at in parallel; the result does not depend on it.
    pub threads: usize,
    /// A request ends it.
    pub stop: &'a Stop,
}

/// Megabytes of each thread's table.
const TABLE: usize = 1;
/// Empty squares at which the files of the database have exact scores if their header does not say it.
const USUAL_DEPTH: u8 = 22;

impl Tournament<'_> {
    /// The positions of an archive, game by game; of one that is not of 8×8 there are none. Nothing if it was stopped.
    pub fn positions(&self, archive: &Archive) -> Result<Option<Vec<Labelled>>, TableError> {
        if archive.size() != Size::EIGHT {
            return Ok(Some(Vec::new()));
        }
        let depth = if archive.header().depth == 0 { USUAL_DEPTH } else { archive.header().depth };
        let threads = if self.solve == 0 { 1 } else { self.threads };
        let games = shared_out(archive.len(), threads, TABLE, self.stop, |number, table| {
            let record = archive.record(number)?;
            Labelling::tournament(&record, depth, |board| self.solved(board, table))
        })?;
        Ok(games.map(|games| games.into_iter().flatten().flatten().collect()))
    }

    /// The exact score of a board with few empty squares.
    fn solved(&self, board: Board, table: &Table) -> Option<i32> {
        if board.empties().count() > self.solve.into() {
            return None;
        }
        let search = Search::new(Learned::embedded(), table, self.stop);
        let report = search.run(&Position::new(board, Color::Black)?, &mut ());
        report.discs().filter(|_| report.is_exact()).map(|discs| discs as i32)
    }
}
