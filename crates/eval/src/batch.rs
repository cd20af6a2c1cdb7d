//! Judging many boards at once, none of which follows from another.

use std::sync::LazyLock;

use emilia_rules::batch::Words;
use emilia_rules::{Bitboard, Board, Kernel, Portable, Task, Tier};

use crate::layout::{LANES, Layout, empties};
use crate::{Evaluator, Fillings, Learned, Score};

/// What the own discs of a row add to the fillings of all places, for each of its 256 patterns. The opponent's discs take
/// as much away. Sixteen sums take the place of one for each disc.
struct RowSteps(Box<[[[u16; LANES]; 256]; 8]>);

static ROW_STEPS: LazyLock<RowSteps> = LazyLock::new(|| {
    let layout = Layout::shared();
    let mut steps: Box<[[[u16; LANES]; 256]; 8]> =
        vec![[[0; LANES]; 256]; 8].into_boxed_slice().try_into().expect("a board has eight rows");
    for (row, patterns) in steps.iter_mut().enumerate() {
        for pattern in 1..256usize {
            let column = pattern.trailing_zeros() as usize;
            let rest = patterns[pattern & (pattern - 1)];
            let step = &layout.steps[8 * row + column];
            for lane in 0..LANES {
                patterns[pattern][lane] = rest[lane].wrapping_add(step[lane]);
            }
        }
    }
    RowSteps(steps)
});

impl RowSteps {
    /// The fillings of a board, from scratch.
    #[inline(always)]
    fn fillings(&self, empty: &[u16; LANES], [own, opponent]: Words) -> Fillings {
        let mut fillings = *empty;
        for row in 0..8 {
            let own = &self.0[row][(own >> (8 * row)) as usize & 255];
            let opponent = &self.0[row][(opponent >> (8 * row)) as usize & 255];
            for lane in 0..LANES {
                fillings[lane] = fillings[lane].wrapping_add(own[lane]).wrapping_sub(opponent[lane]);
            }
        }
        Fillings(fillings)
    }
}

/// Boards whose weights are fetched together: while those of one are on their way, the next one is looked at.
const TOGETHER: usize = 8;

impl Learned {
    /// What each board is worth to the side to move: the scores of [`Evaluator::score`].
    pub fn scores(&self, tier: Tier, boards: &[Words], out: &mut [Score]) {
        tier.run(Scores { learned: self, steps: &ROW_STEPS, layout: Layout::shared(), boards, out });
    }

    /// The filling of each place of each board: base three, 0 for an empty square, 1 for an own disc, 2 for the opponent's.
    pub fn fillings(boards: &[Words], out: &mut [[u16; LANES]]) {
        for ([own, opponent], out) in boards.iter().zip(out) {
            let board = Board { own: Bitboard(*own), opponent: Bitboard(*opponent) };
            *out = Layout::shared().fillings(board);
        }
    }
}

struct Scores<'a> {
    learned: &'a Learned,
    steps: &'a RowSteps,
    layout: &'a Layout,
    boards: &'a [Words],
    out: &'a mut [Score],
}

impl Task for Scores<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Scores { learned, steps, layout, boards, out } = self;
        let mut fillings: [Fillings; TOGETHER] = [const { Fillings([0; LANES]) }; TOGETHER];
        let mut moves = [[0; 2]; TOGETHER];
        for (boards, out) in boards.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            for (words, fillings) in boards.iter().zip(&mut fillings) {
                *fillings = steps.fillings(&layout.empty, *words);
                if let Learned::Network(network) = learned {
                    network.prefetch_rows(kernel, fillings, empties(board(*words)));
                }
            }
            // While the weights are on their way; without a branch, so that several boards are looked at in step.
            for ([own, opponent], moves) in boards.iter().zip(&mut moves) {
                *moves = [Portable.moves(*own, *opponent), Portable.moves(*opponent, *own)];
            }
            for (((words, fillings), moves), out) in boards.iter().zip(&fillings).zip(&moves).zip(out) {
                *out = match learned {
                    Learned::Network(network) => {
                        let mobility = moves.map(u64::count_ones);
                        network.score_by(kernel, fillings, mobility, empties(board(*words)))
                    }
                    Learned::Patterns(patterns) => patterns.score(kernel, fillings, board(*words)),
                };
            }
        }
    }
}

#[inline(always)]
fn board([own, opponent]: Words) -> Board {
    Board { own: Bitboard(own), opponent: Bitboard(opponent) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::SquareSet;

    /// Boards of some games, a different number on from each.
    fn boards() -> Vec<Board> {
        let mut found = Vec::new();
        for pick in 0..30 {
            let mut board = Board::START;
            while !board.moves().is_empty() {
                found.push(board);
                let moves = board.moves();
                let square = moves.into_iter().nth((pick * 7 + found.len()) % moves.count() as usize);
                board = board.play(square.unwrap());
            }
        }
        found
    }

    #[test]
    fn many_boards_have_the_scores_of_each() {
        let boards = boards();
        let words: Vec<Words> = boards.iter().map(|board| [board.own.0, board.opponent.0]).collect();
        let patterns = Learned::read(&crate::weights::tests::scattered().bytes()).unwrap();
        for learned in [Learned::embedded(), &patterns] {
            let expected: Vec<Score> =
                boards.iter().map(|b| learned.score(Portable, &learned.features(*b), *b)).collect();
            assert!(expected.iter().collect::<std::collections::HashSet<_>>().len() > 100);
            for tier in Tier::available() {
                for length in [words.len(), 0, 1, 7, 9] {
                    let mut scores = vec![Score(i32::MAX); length];
                    learned.scores(tier, &words[..length], &mut scores);
                    assert_eq!(scores, expected[..length], "{tier}");
                }
            }
        }
    }

    #[test]
    fn fillings_of_many_boards_are_those_of_the_layout() {
        let words = [[Board::START.own.0, Board::START.opponent.0], [u64::MAX, 0], [0, u64::MAX]];
        let mut found = [[7; LANES]; 3];
        Learned::fillings(&words, &mut found);
        for (words, found) in words.into_iter().zip(found) {
            assert_eq!(found, Layout::shared().fillings(board(words)));
        }
    }
}
