//! The same question for many boards at once, for whoever has millions of them.
//!
//! A board is two words, own discs and the opponent's, as in [`Board`]; boards of 4×4 and 6×6 lie in the top left part.
//! The loops are plain, without a branch or a table: compiled for a processor with wide registers, they take four or
//! eight boards at a time. The kind of processor is chosen once for a batch.
//!
//! ```
//! use emilia_rules::{batch, Board, Size, Tier};
//! let boards = [[Board::START.own.0, Board::START.opponent.0]; 3];
//! let mut moves = [0; 3];
//! batch::moves(Tier::best(), &boards, Size::EIGHT, &mut moves);
//! assert_eq!(moves, [Board::START.moves().0; 3]);
//! ```

use thiserror::Error;

use crate::{Bitboard, Board, Kernel, Portable, Size, Symmetry, Task, Tier};

/// Own discs and the opponent's.
pub type Words = [u64; 2];

/// What stands for a pass in a list of moves.
pub const PASS: u8 = 64;

/// A move of a batch that is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board {at}: move {square} is illegal")]
pub struct IllegalAt {
    /// Which board, from 0.
    pub at: usize,
    /// What was to be played there.
    pub square: u8,
}

/// Where the side to move can place a disc.
pub fn moves(tier: Tier, boards: &[Words], size: Size, out: &mut [u64]) {
    tier.run(Moves { boards, region: Bitboard::region(size).0, out });
}

struct Moves<'a> {
    boards: &'a [Words],
    region: u64,
    out: &'a mut [u64],
}

impl Task for Moves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for (board, out) in self.boards.iter().zip(self.out) {
            *out = Portable.moves(board[0], board[1]) & self.region;
        }
    }
}

/// What a disc on each square would flip; nothing where that is illegal.
pub fn flips(tier: Tier, boards: &[Words], squares: &[u8], out: &mut [u64]) {
    tier.run(Flips { boards, squares, out });
}

struct Flips<'a> {
    boards: &'a [Words],
    squares: &'a [u8],
    out: &'a mut [u64],
}

impl Task for Flips<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for ((board, square), out) in self.boards.iter().zip(self.squares).zip(self.out) {
            *out = flipped(*board, placed(*square));
        }
    }
}

/// The boards after a move on each, seen by the other side. If a move is illegal, what is written is of no use.
pub fn play(
    tier: Tier,
    boards: &[Words],
    squares: &[u8],
    size: Size,
    out: &mut [Words],
) -> Result<(), IllegalAt> {
    let region = Bitboard::region(size).0;
    if tier.run(Play { boards, squares, region, out }) {
        return Ok(());
    }
    // Something is a pass or illegal.
    check(tier, boards, squares, size)
}

/// Whether every move is legal on its board.
pub fn check(tier: Tier, boards: &[Words], squares: &[u8], size: Size) -> Result<(), IllegalAt> {
    let region = Bitboard::region(size).0;
    if tier.run(Check { boards, squares, region }) {
        return Ok(());
    }
    let wrong = boards.iter().zip(squares).position(|(board, square)| !is_legal(*board, *square, region));
    wrong.map_or(Ok(()), |at| Err(IllegalAt { at, square: squares[at] }))
}

struct Play<'a> {
    boards: &'a [Words],
    squares: &'a [u8],
    region: u64,
    out: &'a mut [Words],
}

impl Task for Play<'_> {
    type Output = bool;

    /// Whether every move places a disc, legally.
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) -> bool {
        let mut wrong = 0;
        for ((board, square), out) in self.boards.iter().zip(self.squares).zip(self.out) {
            let bit = placed(*square);
            let flips = flipped(*board, bit);
            wrong |= u64::from(flips == 0) | (bit & (board[0] | board[1] | !self.region));
            *out = [board[1] ^ flips, board[0] ^ flips ^ bit];
        }
        wrong == 0
    }
}

struct Check<'a> {
    boards: &'a [Words],
    squares: &'a [u8],
    region: u64,
}

impl Task for Check<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) -> bool {
        let mut wrong = 0;
        for (board, square) in self.boards.iter().zip(self.squares) {
            let bit = placed(*square);
            wrong |= u64::from(flipped(*board, bit) == 0) | (bit & (board[0] | board[1] | !self.region));
        }
        wrong == 0
    }
}

fn is_legal(board: Words, square: u8, region: u64) -> bool {
    let moves = |[own, opponent]: Words| Portable.moves(own, opponent) & region;
    match square {
        PASS => moves(board) == 0 && moves([board[1], board[0]]) != 0,
        _ => moves(board) & placed(square) != 0,
    }
}

/// The square as a set; nothing for a pass.
#[inline(always)]
fn placed(square: u8) -> u64 {
    // Shifted by more than a word has bits, nothing would be left on some processors and anything on others.
    u64::from(square < 64) << (square & 63)
}

/// What a disc on this one square flips: from it, runs of opposing discs spread along every line, and those that end at an
/// own disc count. Without a branch, so that several boards can be looked at in step.
#[inline(always)]
fn flipped([own, opponent]: Words, bit: u64) -> u64 {
    const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    let inner = opponent & INNER_COLUMNS;
    let mut flips = 0;
    for step in [1, 7, 8, 9] {
        let between = if step == 8 { opponent } else { inner };
        let up_pairs = between & (between << step);
        let down_pairs = up_pairs >> step;
        let mut up = (bit << step) & between;
        let mut down = (bit >> step) & between;
        up |= (up << step) & between;
        down |= (down >> step) & between;
        up |= (up << (2 * step)) & up_pairs;
        down |= (down >> (2 * step)) & down_pairs;
        up |= (up << (2 * step)) & up_pairs;
        down |= (down >> (2 * step)) & down_pairs;
        flips |= if (up << step) & own == 0 { 0 } else { up };
        flips |= if (down >> step) & own == 0 { 0 } else { down };
    }
    flips
}

/// Whether neither side can place a disc.
pub fn over(tier: Tier, boards: &[Words], size: Size, out: &mut [bool]) {
    tier.run(Over { boards, region: Bitboard::region(size).0, out });
}

struct Over<'a> {
    boards: &'a [Words],
    region: u64,
    out: &'a mut [bool],
}

impl Task for Over<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for ([own, opponent], out) in self.boards.iter().zip(self.out) {
            let moves = Portable.moves(*own, *opponent) | Portable.moves(*opponent, *own);
            *out = moves & self.region == 0;
        }
    }
}

/// Own discs less the opponent's, empty squares to the side with more: the score, if the game ends here.
pub fn scores(tier: Tier, boards: &[Words], size: Size, out: &mut [i8]) {
    tier.run(Scores { boards, cells: size.cells().min(64) as i32, out });
}

struct Scores<'a> {
    boards: &'a [Words],
    cells: i32,
    out: &'a mut [i8],
}

impl Task for Scores<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for ([own, opponent], out) in self.boards.iter().zip(self.out) {
            let (own, opponent) = (own.count_ones() as i32, opponent.count_ones() as i32);
            let empty = self.cells - own - opponent;
            *out = (own - opponent + (own - opponent).signum() * empty) as i8;
        }
    }
}

/// The boards turned or mirrored.
pub fn transformed(tier: Tier, boards: &[Words], symmetry: Symmetry, size: Size, out: &mut [Words]) {
    tier.run(Transformed { boards, symmetry, size, out });
}

struct Transformed<'a> {
    boards: &'a [Words],
    symmetry: Symmetry,
    size: Size,
    out: &'a mut [Words],
}

impl Task for Transformed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for (board, out) in self.boards.iter().zip(self.out) {
            *out = board.map(|discs| self.symmetry.bitboard(Bitboard(discs), self.size).0);
        }
    }
}

/// For each board the smallest of the eight that are the same but for symmetry, as [`Board::canonical`] finds it.
pub fn canonical(tier: Tier, boards: &[Words], size: Size, out: &mut [Words]) {
    tier.run(Canonical { boards, size, out });
}

struct Canonical<'a> {
    boards: &'a [Words],
    size: Size,
    out: &'a mut [Words],
}

impl Task for Canonical<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for (board, out) in self.boards.iter().zip(self.out) {
            let mut best = *board;
            for symmetry in Symmetry::ALL {
                let [own, opponent] = board.map(|discs| symmetry.bitboard(Bitboard(discs), self.size).0);
                let smaller = own < best[0] || (own == best[0] && opponent < best[1]);
                best = if smaller { [own, opponent] } else { best };
            }
            *out = best;
        }
    }
}

/// A random game from this board to its end: what was placed, in order, and the last board as the side sees it that was
/// to move at the first. Passes follow from the rules and are not told.
///
/// `below` throws the dice: a number from 0 up to but not including what it is given.
#[inline(always)]
pub fn random_game<K: Kernel>(
    kernel: K,
    start: Board,
    size: Size,
    mut below: impl FnMut(u32) -> u32,
    mut placed: impl FnMut(u8),
) -> Board {
    let region = Bitboard::region(size).0;
    let (mut own, mut opponent, mut first) = (start.own.0, start.opponent.0, true);
    let mut passed = false;
    loop {
        let moves = kernel.moves(own, opponent) & region;
        if moves == 0 {
            (own, opponent, first) = (opponent, own, !first);
            if passed {
                break;
            }
            passed = true;
            continue;
        }
        passed = false;
        let square = nth(moves, below(moves.count_ones()));
        let flips = kernel.flips(own, opponent, square);
        (own, opponent) = (opponent ^ flips, own ^ flips ^ (1 << square));
        first = !first;
        placed(square as u8);
    }
    let (own, opponent) = if first { (own, opponent) } else { (opponent, own) };
    Board { own: Bitboard(own), opponent: Bitboard(opponent) }
}

/// The square of the member with this number, counted from 0.
#[inline(always)]
fn nth(mut set: u64, number: u32) -> u32 {
    for _ in 0..number {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros() & 63
}

/// Where a game stands after the other side has answered at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The board as the side sees it that has been answered.
    pub board: Board,
    /// Where that side can place a disc; nowhere if the game is over.
    pub moves: Bitboard,
}

/// The side to move places discs at random until the other side can place one again, or the game is over. Whoever cannot
/// place a disc passes.
#[inline(always)]
pub fn random_answer<K: Kernel>(
    kernel: K,
    board: Board,
    size: Size,
    mut below: impl FnMut(u32) -> u32,
) -> Answered {
    let region = Bitboard::region(size).0;
    let (mut own, mut opponent) = (board.own.0, board.opponent.0);
    loop {
        let moves = kernel.moves(own, opponent) & region;
        let mut waiting = kernel.moves(opponent, own) & region;
        if moves != 0 {
            let square = nth(moves, below(moves.count_ones()));
            let flips = kernel.flips(own, opponent, square);
            (own, opponent) = (own ^ flips ^ (1 << square), opponent ^ flips);
            waiting = kernel.moves(opponent, own) & region;
        }
        if waiting != 0 || moves == 0 {
            let board = Board { own: Bitboard(opponent), opponent: Bitboard(own) };
            return Answered { board, moves: Bitboard(waiting) };
        }
    }
}
