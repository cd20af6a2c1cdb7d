//! How a book grows: which positions are to be judged next.

use std::collections::{BTreeMap, BTreeSet};

use emilia_rules::{Bitboard, Board, SquareSet};

use crate::place::{after, is_playable, key, same_moves};
use crate::{Basis, BookMove, Graph, Worth};

/// Which lines a book is to hold: all those from a position on which the sides give away little.
///
/// What a move gives away is its distance from the best move of its position, by what the book knows; what a line gives
/// away is the sum over the moves of both sides. Values change while a book grows, so that a growth is asked for tasks
/// again and again until there are none. The tasks depend on the book alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Where lines begin.
    pub from: Origin,
    /// Moves of a line: the positions before each of them are judged.
    pub plies: u32,
    /// Moves of a line that is narrow: from the last of [`Self::plies`] moves on, a line goes on as long as each was the
    /// only one that gives away at most [`Self::line_loss`].
    pub narrow_plies: u32,
    /// Discs that a move may give away.
    pub move_loss: i32,
    /// Discs that a line may give away.
    pub line_loss: i32,
}

/// Where the lines of a growth begin, and from where their moves are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In this position.
    Board(Board),
    /// In every position of the book; moves are counted from the start of the game.
    Everywhere,
}

/// A position to be judged: the best of its moves that are not known, again and again, until one is below the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// The position, as it stands in the book.
    pub board: Board,
    /// Moves that need no judgement any more.
    pub known: Bitboard,
    /// What the moves that are known make of the position, if any are: the best found so far counts if it is higher.
    pub best: Option<i8>,
    /// Discs below the best at which a move is the last to be judged.
    pub margin: u8,
}

/// How a position was reached.
#[derive(Clone, Copy)]
struct Reached {
    loss: i32,
    /// Whether the move that led to it was the only one.
    forced: bool,
}

/// Positions by the discs placed since the start of the game, which every move adds one to and a pass none.
type Layers = BTreeMap<u32, BTreeMap<Board, Reached>>;

fn placed(board: Board) -> u32 {
    60 - board.empties().count().min(60)
}

impl Growth {
    /// The positions to be judged next, in order; those with the fewest discs alone, because what comes after depends on
    /// them. `wanted` says what a value has to rest on in a position.
    #[must_use]
    pub fn tasks(&self, graph: &Graph, wanted: &dyn Fn(Board) -> Basis) -> Vec<Task> {
        let (base, mut layers) = self.beginning(graph);
        let mut tasks = Vec::new();
        while let Some((ply, layer)) = layers.pop_first() {
            for (board, reached) in layer {
                let length = ply.saturating_sub(base);
                if length >= self.plies && !(reached.forced && length < self.narrow_plies) {
                    continue;
                }
                let sure = sure_moves(graph.kept(board).unwrap_or_default(), wanted(board));
                let margin = self.move_loss.min(self.line_loss - reached.loss).max(0);
                if let Some(task) = task(board, &sure, margin) {
                    tasks.push(task);
                } else {
                    self.follow(board, &sure, reached, layers.entry(ply + 1).or_default());
                }
            }
            if !tasks.is_empty() {
                break;
            }
        }
        tasks
    }

    /// Where lines begin, and the number of discs from which their moves are counted.
    fn beginning(&self, graph: &Graph) -> (u32, Layers) {
        let reached = |forced| Reached { loss: 0, forced };
        match self.from {
            Origin::Board(from) => {
                let first = is_playable(from).then(|| (key(from), reached(true)));
                (placed(from), Layers::from([(placed(from), first.into_iter().collect())]))
            }
            Origin::Everywhere => {
                let mut layers = Layers::new();
                for (board, _) in graph.positions() {
                    layers.entry(placed(board)).or_default().insert(board, reached(false));
                }
                (0, layers)
            }
        }
    }

    /// Where the moves lead that the lines may go on with.
    fn follow(&self, board: Board, sure: &[Sure], reached: Reached, next: &mut BTreeMap<Board, Reached>) {
        let best = sure.iter().map(|(_, worth)| i32::from(worth.discs)).max().unwrap_or(0);
        let loss = |worth: &Worth| best - i32::from(worth.discs);
        let playable = sure.iter().filter(|(_, worth)| loss(worth) <= self.line_loss);
        let forced = playable.count() == 1;
        for (known, worth) in sure {
            let total = reached.loss + loss(worth);
            if loss(worth) > self.move_loss || total > self.line_loss {
                continue;
            }
            if let Some(board) = after(board, known.square).board() {
                let way = next.entry(key(board)).or_insert(Reached { loss: total, forced: false });
                way.loss = way.loss.min(total);
                way.forced |= forced;
            }
        }
    }
}

/// A move whose worth rests on enough, and that worth.
type Sure = (BookMove, Worth);

fn sure_moves(moves: &[BookMove], wanted: Basis) -> Vec<Sure> {
    moves.iter().filter(|known| known.worth.basis >= wanted).map(|known| (*known, known.worth)).collect()
}

/// What is still to be judged of a position, if anything is: moves that are not known may be worth as much as the last
/// that was judged.
fn task(board: Board, sure: &[Sure], margin: i32) -> Option<Task> {
    let known: Bitboard =
        sure.iter().fold(Bitboard::EMPTY, |known, (mv, _)| known | same_moves(board, mv.square));
    if known == board.moves() {
        return None;
    }
    let best = sure.iter().map(|(_, worth)| worth.discs).max();
    let last = sure.iter().filter_map(|(known, _)| known.judged).filter(|judged| judged.basis > Basis::Game);
    let last = last.map(|judged| judged.discs).min();
    let floor = best.map(|best| i32::from(best) - margin);
    let done = last.zip(floor).is_some_and(|(last, floor)| i32::from(last) < floor);
    (!done).then_some(Task { board, known, best, margin: margin as u8 })
}

impl Task {
    /// What is to be judged so that the best move of each of these positions is known.
    #[must_use]
    pub fn of_positions(
        boards: impl IntoIterator<Item = Board>,
        graph: &Graph,
        wanted: &dyn Fn(Board) -> Basis,
    ) -> Vec<Task> {
        let boards: BTreeSet<Board> =
            boards.into_iter().filter(|board| is_playable(*board)).map(key).collect();
        let missing = |board: Board| {
            let sure = sure_moves(graph.kept(board).unwrap_or_default(), wanted(board));
            sure.is_empty().then(|| task(board, &sure, 0)).flatten()
        };
        boards.into_iter().filter_map(missing).collect()
    }

    /// The moves that are to be looked at when those are known too.
    #[must_use]
    pub fn open(&self, found: &[(emilia_rules::Square, Worth)]) -> Bitboard {
        let found =
            found.iter().fold(Bitboard::EMPTY, |all, (square, _)| all | same_moves(self.board, *square));
        let known = self.known | found;
        self.board.moves().into_iter().filter(|square| !known.contains(*square)).collect()
    }

    /// Whether a move of this value is the last to be judged, where those were found before it.
    #[must_use]
    pub fn ends_with(&self, discs: i8, found: &[(emilia_rules::Square, Worth)]) -> bool {
        let best = found.iter().map(|(_, worth)| worth.discs).chain(self.best).max().unwrap_or(discs);
        i32::from(discs) < i32::from(best) - i32::from(self.margin)
    }
}
