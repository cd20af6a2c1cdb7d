//! A fixed amount of work whose node count is the fingerprint of the search.

use emilia_eval::{Evaluator, Fillings, Learned, Play};
use emilia_query::{Limits, Selectivity, Stop};
use emilia_rules::{Bitboard, Board, Kernel, Position, Setup, Square, Task, Tier};

use crate::{Search, Table, TableError};

/// Megabytes of the table, made anew for each position.
const TABLE: usize = 16;

/// The positions: the start, tournament games at 52, 44, 36, 28 and 24 empty squares, and FFO endgames #1 and #7
/// and #40.
const POSITIONS: [&str; 9] = [
    "---------------------------OX------XO--------------------------- X",
    "------------------O-X-----OOX-----OOX-----X--------------------- X",
    "------------X-----XXXO----OOXXO---OOOX----OXX------------------- O",
    "--XO------XOO---OOOXX-O--OOXXOX--OOOXXX--OOO-X---OX-O----------- X",
    "--OOOO----OOOX--XXOOXOXXXOXOXXXXXXXOXXXX--XOXO-------X---------- O",
    "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O",
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
    "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X",
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
];

/// Searches the positions to this depth on one thread and counts the nodes. The count is the same on every
/// processor, and from run to run; it changes when the search or the evaluator does.
///
/// ```
/// use emilia_eval::Learned;
/// use emilia_rules::Tier;
/// let counts: Vec<u64> = Tier::available()
///     .map(|tier| emilia_search::bench(Learned::embedded(), 4, tier).unwrap())
///     .collect();
/// assert!(counts.iter().all(|count| *count == counts[0]));
/// ```
pub fn bench(evaluator: &Learned, depth: u32, tier: Tier) -> Result<u64, TableError> {
    let stop = Stop::default();
    let mut nodes = 0;
    for position in positions() {
        let table = Table::new(TABLE)?;
        let mut search = Search::new(evaluator, &table, &stop);
        search.tier = tier;
        search.limits =
            Limits { depth: Some(depth), selectivity: Some(Selectivity::Likely), ..Limits::default() };
        nodes += search.run(&position, &mut ()).nodes;
    }
    Ok(nodes)
}

/// The depth at which `Bench:` lines are counted.
pub const BENCH_DEPTH: u32 = 16;

/// Boards that were judged, and the sum of their scores, for the side to move of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub boards: u64,
    /// In 128ths of a disc: the same on every processor.
    pub sum: i64,
}

/// Judges every board that is so many plies away from one of the positions, with features carried along: how fast an
/// evaluator is in a search.
///
/// ```
/// use emilia_eval::Learned;
/// use emilia_rules::Tier;
/// let tally = emilia_search::judge(Learned::embedded(), 1, Tier::best());
/// assert!(tally.boards > 50);
/// ```
pub fn judge(evaluator: &Learned, plies: u32, tier: Tier) -> Tally {
    tier.run(Walk { evaluator, plies })
}

struct Walk<'e> {
    evaluator: &'e Learned,
    plies: u32,
}

impl Task for Walk<'_> {
    type Output = Tally;

    fn run<K: Kernel>(self, kernel: K) -> Tally {
        let mut tally = Tally::default();
        for position in positions() {
            let board = position.board();
            self.walk(kernel, board, &self.evaluator.features(board), self.plies, &mut tally);
        }
        tally
    }
}

impl Walk<'_> {
    fn walk<K: Kernel>(&self, kernel: K, board: Board, features: &Fillings, plies: u32, tally: &mut Tally) {
        kernel.enter(
            #[inline(always)]
            move || {
                if plies == 0 {
                    tally.boards += 1;
                    tally.sum += i64::from(self.evaluator.score(kernel, features, board).0);
                    return;
                }
                let mut rest = kernel.moves(board.own.0, board.opponent.0);
                if rest == 0 && kernel.moves(board.opponent.0, board.own.0) != 0 {
                    let passed = self.evaluator.pass(features, board);
                    self.walk(kernel, board.pass(), &passed, plies - 1, tally);
                }
                while rest != 0 {
                    let number = rest.trailing_zeros();
                    rest &= rest - 1;
                    let flips = Bitboard(kernel.flips(board.own.0, board.opponent.0, number));
                    let square = Square::ALL[number as usize & 63];
                    let after = self.evaluator.after(features, board, Play { square, flips });
                    self.walk(kernel, board.after(square, flips), &after, plies - 1, tally);
                }
            },
        )
    }
}

fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.iter().filter_map(|text| {
        let setup: Setup = text.parse().ok()?;
        Position::try_from(&setup.position().ok()?).ok()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use emilia_eval::Learned;
    use emilia_rules::SquareSet;

    #[test]
    fn every_processor_judges_alike() {
        let tally: Vec<Tally> = Tier::available().map(|tier| judge(Learned::embedded(), 2, tier)).collect();
        assert!(tally.iter().all(|found| *found == tally[0]), "{tally:?}");
        assert!(tally[0].boards > 500 && tally[0].sum != 0);
        let moves: u64 = positions().map(|position| u64::from(position.board().moves().count())).sum();
        assert_eq!(judge(Learned::embedded(), 1, Tier::best()).boards, moves);
    }

    #[test]
    fn all_positions_are_read() {
        assert_eq!(positions().count(), POSITIONS.len());
    }

    /// Every board so many plies away, by the rules alone and judged from scratch.
    fn slow(board: Board, plies: u32) -> Tally {
        let learned = Learned::embedded();
        let moves = board.moves();
        if plies == 0 {
            let score = learned.score(emilia_rules::Portable, &learned.features(board), board);
            return Tally { boards: 1, sum: score.0.into() };
        }
        let mut next: Vec<Board> = moves.into_iter().map(|square| board.play(square)).collect();
        if moves.is_empty() && !board.pass().moves().is_empty() {
            next.push(board.pass());
        }
        next.into_iter().map(|board| slow(board, plies - 1)).fold(Tally::default(), |all, tally| Tally {
            boards: all.boards + tally.boards,
            sum: all.sum + tally.sum,
        })
    }

    #[test]
    fn boards_are_judged_as_from_scratch() {
        let all = positions().map(|position| slow(position.board(), 2));
        let (boards, sum) = all.fold((0, 0), |(boards, sum), tally| (boards + tally.boards, sum + tally.sum));
        assert_eq!(judge(Learned::embedded(), 2, Tier::best()), Tally { boards, sum });
        // With a pass, and where the game is over.
        let tier = Tier::best();
        for text in ["-XXXXXXO", "XXXXXXXX"] {
            let text = format!("{text}{}{text} X", "X".repeat(48));
            let setup: Setup = text.parse().unwrap();
            let board = Position::try_from(&setup.position().unwrap()).unwrap().board();
            struct Here(Board);
            impl Task for Here {
                type Output = Tally;
                fn run<K: Kernel>(self, kernel: K) -> Tally {
                    let (mut tally, evaluator) = (Tally::default(), Learned::embedded());
                    let walk = Walk { evaluator, plies: 2 };
                    walk.walk(kernel, self.0, &evaluator.features(self.0), 2, &mut tally);
                    tally
                }
            }
            assert_eq!(tier.run(Here(board)), slow(board, 2));
        }
    }
}
