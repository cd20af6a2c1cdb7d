use emilia_eval::{Learned, Score};
use emilia_query::Stop;
use emilia_rules::{Board, Color, Position, SquareSet};
use emilia_search::{Search, Table, TableError};

use super::labelling::final_score;
use super::{Labelled, Origin};
use crate::workers::shared_out;

/// Gives positions near the end their exact scores, on all threads.
#[derive(Clone, Copy, Debug)]
pub struct Solving<'a> {
    /// Positions with so many empty squares or fewer are solved.
    pub most: u8,
    /// Pieces of work done in parallel; the result does not depend on it.
    pub threads: usize,
    /// A request ends it.
    pub stop: &'a Stop,
}

/// Megabytes of each thread's table.
pub(super) const TABLE: usize = 1;
/// Positions that a thread solves before it asks for more.
const AT_A_TIME: usize = 256;

impl Solving<'_> {
    /// The same positions, those near the end with exact scores. Nothing if it was stopped.
    pub fn positions(&self, labelled: &[Labelled]) -> Result<Option<Vec<Labelled>>, TableError> {
        let blocks: Vec<&[Labelled]> = labelled.chunks(AT_A_TIME).collect();
        let solved = shared_out(blocks.len(), self.threads, TABLE, self.stop, |number, table| {
            let solved = |labelled: &Labelled| match labelled.origin {
                Origin::Exact => *labelled,
                _ => self.score(labelled.board, table).map_or(*labelled, |discs| Labelled {
                    score: (discs * Score::PER_DISC) as i16,
                    origin: Origin::Exact,
                    ..*labelled
                }),
            };
            blocks[number].iter().map(solved).collect::<Vec<Labelled>>()
        })?;
        Ok(solved.map(|blocks| blocks.concat()))
    }

    /// The exact score of a board with few empty squares, in discs.
    pub(super) fn score(&self, board: Board, table: &Table) -> Option<i32> {
        if board.empties().count() > self.most.into() {
            return None;
        }
        if let Some(discs) = final_score(board) {
            return Some(discs);
        }
        let search = Search::new(Learned::embedded(), table, self.stop);
        let report = search.run(&Position::new(board, Color::Black)?, &mut ());
        report.discs().filter(|_| report.is_exact()).map(|discs| discs as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::Bitboard;

    fn labelled(board: Board) -> Labelled {
        Labelled { board, score: 5, origin: Origin::Depth(3), game: 9 }
    }

    /// Every row is Black's but for its last squares, which are a white disc and an empty square: each move flips it.
    fn rows(empty: u32) -> Board {
        let (mut own, mut opponent) = (u64::MAX, 0u64);
        for row in 0..empty {
            own &= !(0xC0 << (8 * row));
            opponent |= 0x40 << (8 * row);
        }
        Board { own: Bitboard(own), opponent: Bitboard(opponent) }
    }

    #[test]
    fn positions_near_the_end_get_their_exact_score_and_others_stay() {
        let given = [labelled(rows(1)), labelled(Board::START), labelled(rows(0))];
        let stop = Stop::default();
        for threads in [1, 3] {
            let solved = Solving { most: 4, threads, stop: &stop }.positions(&given).unwrap().unwrap();
            let exact = |at: usize| Labelled { score: 64 * 128, origin: Origin::Exact, ..given[at] };
            assert_eq!(solved, [exact(0), given[1], exact(2)]);
        }
    }

    #[test]
    fn nothing_comes_of_it_if_it_is_stopped() {
        let stop = Stop::default();
        stop.request();
        assert_eq!(Solving { most: 4, threads: 1, stop: &stop }.positions(&[labelled(rows(1))]), Ok(None));
    }
}
