use emilia_rules::{Bitboard, Board, SquareSet};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Games;

/// A board and its score for the side to move, in 128ths of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The board.
    pub board: Board,
    /// Its score.
    pub score: i16,
}

impl Sample {
    /// Bytes of a sample in a file: own discs, opponent's discs, score, all little-endian.
    pub const BYTES: usize = 18;

    /// As bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; Sample::BYTES] {
        let mut bytes = [0; Sample::BYTES];
        bytes[..8].copy_from_slice(&self.board.own.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        bytes[16..].copy_from_slice(&self.score.to_le_bytes());
        bytes
    }

    /// The samples of a file; a cut-off one at the end is left out, and so is one whose sides overlap.
    pub fn read(bytes: &[u8]) -> impl Iterator<Item = Sample> + '_ {
        bytes.chunks_exact(Sample::BYTES).filter_map(|bytes| {
            let word = |at: usize| (0..8).fold(0, |word, i| word | u64::from(bytes[at + i]) << (8 * i));
            let board = Board { own: Bitboard(word(0)), opponent: Bitboard(word(8)) };
            let score = i16::from_le_bytes([bytes[16], bytes[17]]);
            (board.own & board.opponent).is_empty().then_some(Sample { board, score })
        })
    }
}

/// Draws boards as a search meets them: on and beside the lines of tournament games.
#[derive(Debug)]
pub struct Sampler<'a> {
    games: &'a Games,
    random: ChaCha8Rng,
    /// A search looks at moves nobody would play: so many plies before the board, at most, play leaves the game
    /// and goes on at random. 7 to begin with.
    pub random_plies: usize,
}

impl<'a> Sampler<'a> {
    /// A sampler whose draws are the same for the same seed.
    #[must_use]
    pub fn new(games: &'a Games, seed: u64) -> Sampler<'a> {
        Sampler { games, random: ChaCha8Rng::seed_from_u64(seed), random_plies: 7 }
    }

    /// A board with so many empty squares on which the side to move can move; none if the draw was a game that
    /// ended before, or if there are no games.
    pub fn draw(&mut self, empties: usize) -> Option<Board> {
        let games = self.games.all();
        if games.is_empty() {
            return None;
        }
        let game = &games[self.random.random_range(0..games.len())];
        let leave = empties + self.random.random_range(0..=self.random_plies);
        // A game's board number n has 60 - n empty squares.
        let mut board = *game.boards.get(60usize.saturating_sub(leave))?;
        loop {
            let mut moves = board.moves();
            if moves.is_empty() {
                board = board.pass();
                moves = board.moves();
                if moves.is_empty() {
                    return None;
                }
            }
            if board.empties().count() as usize <= empties {
                return Some(board);
            }
            let pick = self.random.random_range(0..moves.count() as usize);
            board = board.play(moves.into_iter().nth(pick)?);
        }
    }
}
