use emilia_record::thor::Archive;
use emilia_rules::Size;
use emilia_search::TableError;

use super::solving::{Solving, TABLE};
use super::{Labelled, Labelling};
use crate::workers::shared_out;

/// Makes scored positions of tournament games, those near the end solved on all threads.
#[derive(Clone, Copy, Debug)]
pub struct Tournament<'a> {
    /// How positions are solved: a game at a time.
    pub solving: Solving<'a>,
}

/// Empty squares at which the files of the database have exact scores if their header does not say it.
const USUAL_DEPTH: u8 = 22;

impl Tournament<'_> {
    /// The positions of an archive, game by game; of one that is not of 8×8 there are none. Nothing if it was stopped.
    pub fn positions(&self, archive: &Archive) -> Result<Option<Vec<Labelled>>, TableError> {
        if archive.size() != Size::EIGHT {
            return Ok(Some(Vec::new()));
        }
        let depth = if archive.header().depth == 0 { USUAL_DEPTH } else { archive.header().depth };
        let Solving { most, threads, stop } = self.solving;
        let threads = if most == 0 { 1 } else { threads };
        let games = shared_out(archive.len(), threads, TABLE, stop, |number, table| {
            let record = archive.record(number)?;
            Labelling::tournament(&record, depth, |board| self.solving.score(board, table))
        })?;
        Ok(games.map(|games| games.into_iter().flatten().flatten().collect()))
    }
}
