use emilia_rules::{Board, Kernel, Size, Task, Tier};

use super::{Archive, Record};

/// What came of replaying a whole archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Games that are legal to their last move.
    pub games: usize,
    /// Discs placed in them.
    pub moves: usize,
    /// Games that have ended (nobody can move) and whose stated score is what the board says, empty squares given to
    /// the winner.
    pub confirmed: usize,
    /// Games with a move that is illegal or no square: number from 0, and which move of its bytes, from 1.
    pub broken: Vec<(usize, usize)>,
}

impl Archive {
    /// Replays every game with the best kernel of this processor, without making anything of them.
    #[must_use]
    pub fn replay(&self) -> Replay {
        if self.size() == Size::EIGHT { Tier::best().run(SmallReplay(self)) } else { self.large_replay() }
    }

    /// Replays boards that do not fit 64 bits, by making games of them.
    fn large_replay(&self) -> Replay {
        let mut replay = Replay::default();
        let directory = super::Directory::default();
        for (number, game) in self.games(&directory).enumerate() {
            match game {
                Ok(game) => replay.count_large(&game),
                Err(crate::Fault::Illegal { ply, .. } | crate::Fault::NotAMove { ply, .. }) => {
                    replay.broken.push((number, ply));
                }
                Err(_) => replay.broken.push((number, 1)),
            }
        }
        replay
    }
}

impl Replay {
    fn count_large(&mut self, game: &crate::Game) {
        use emilia_rules::{Move, Playable};
        let line: Vec<_> = game.main_line().collect();
        self.games += 1;
        self.moves += line.iter().filter(|mv| **mv != Move::Pass).count();
        if let Some(last) = game.position_at(&crate::Path::main(line.len()))
            && last.is_over()
            && game.result == Some(crate::GameResult::counted(last.counts().margin()))
        {
            self.confirmed += 1;
        }
    }
}

/// Byte of a move to row-major index; 64 is no square.
const SQUARES: [u8; 256] = {
    let mut squares = [64; 256];
    let mut index = 0;
    while index < 64 {
        squares[10 * (index / 8 + 1) + index % 8 + 1] = index as u8;
        index += 1;
    }
    squares
};

struct SmallReplay<'a>(&'a Archive);

impl Task for SmallReplay<'_> {
    type Output = Replay;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Replay {
        let mut replay = Replay::default();
        let width = Record::length(Size::EIGHT).unwrap_or(68);
        for (number, record) in self.0.bytes().chunks_exact(width).enumerate() {
            let (mut own, mut opponent) = (Board::START.own.0, Board::START.opponent.0);
            let mut black_moves = true;
            let mut moves = 0;
            let mut legal = true;
            for byte in &record[8..] {
                if *byte == 0 {
                    break;
                }
                let square = u32::from(SQUARES[usize::from(*byte)]);
                moves += 1;
                if square == 64 || (own | opponent) >> square & 1 != 0 {
                    legal = false;
                    break;
                }
                let mut flips = kernel.flips(own, opponent, square);
                if flips == 0 {
                    // The side to move has passed, and must have had to.
                    let forced = kernel.moves(own, opponent) == 0;
                    (own, opponent) = (opponent, own);
                    black_moves = !black_moves;
                    flips = kernel.flips(own, opponent, square);
                    if !forced || flips == 0 {
                        legal = false;
                        break;
                    }
                }
                (own, opponent) = (opponent ^ flips, own ^ flips ^ 1 << square);
                black_moves = !black_moves;
            }
            if !legal {
                replay.broken.push((number, moves));
                continue;
            }
            replay.games += 1;
            replay.moves += moves;
            if kernel.moves(own, opponent) == 0 && kernel.moves(opponent, own) == 0 {
                let (black, white) = if black_moves { (own, opponent) } else { (opponent, own) };
                replay.confirmed += usize::from(score(black, white) == u32::from(record[6]));
            }
        }
        replay
    }
}

/// Black's discs, the empty squares given to the winner (half of them in a draw).
#[inline(always)]
fn score(black: u64, white: u64) -> u32 {
    let (black, white) = (black.count_ones(), white.count_ones());
    let empty = 64 - black - white;
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => black + empty,
        std::cmp::Ordering::Equal => black + empty / 2,
        std::cmp::Ordering::Less => black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thor::record::decode;
    use emilia_rules::Square;

    #[test]
    fn empty_squares_are_the_winners_or_shared() {
        for (black, white, discs) in [(0b0011, 0b0100, 63), (0b0001, 0b0110, 1), (0b0011, 0b1100, 32)] {
            assert_eq!(score(black, white), discs);
        }
        assert_eq!(score(u64::MAX >> 30, u64::MAX << 34), 34);
    }

    #[test]
    fn the_table_agrees_with_the_formula() {
        for byte in 0..=255 {
            let square = decode(byte, Size::EIGHT).and_then(|point| point.square());
            assert_eq!(square, Square::from_index(SQUARES[usize::from(byte)]), "{byte}");
        }
    }
}
