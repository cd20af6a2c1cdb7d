use std::collections::BTreeMap;

use emilia_rules::{Bitboard, Board, Size, Square, SquareSet};

use crate::entry::sort;
use crate::file::encode;
use crate::place::{After, after, is_playable, key, named};
use crate::{Basis, BookMove, Entry, Worth};

/// A book that grows, in memory: positions, each with its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    nodes: BTreeMap<Board, Vec<BookMove>>,
}

impl Graph {
    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What is known of a board on which the side to move can move.
    #[must_use]
    pub fn find(&self, board: Board) -> Option<Entry> {
        let (named, symmetry) = board.canonical(Size::EIGHT);
        Some(Entry::turned_back(self.nodes.get(&named)?, named, symmetry))
    }

    /// Every position as it stands in the book, in order, with its moves; those that are the same by symmetry once.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = (Board, &[BookMove])> {
        self.nodes.iter().map(|(board, moves)| (*board, moves.as_slice()))
    }

    /// Takes in what was found out about moves of a position. What rests on less than what is known already is left
    /// out, and so are illegal moves. [`Self::settle`] carries it on.
    pub fn judge(&mut self, board: Board, found: impl IntoIterator<Item = (Square, Worth)>) {
        if !is_playable(board) {
            return;
        }
        let (kept, symmetry) = board.canonical(Size::EIGHT);
        for (square, worth) in found {
            let square = named(kept, crate::place::turned(square, symmetry));
            if kept.moves().contains(square) {
                let moves = self.nodes.entry(kept).or_default();
                let known = moves.iter_mut().find(|known| known.square == square);
                match known {
                    Some(known) => {
                        known.judged = Some(known.judged.map_or(worth, |judged| judged.or_stronger(worth)));
                    }
                    None => moves.push(BookMove { square, judged: Some(worth), worth }),
                }
            }
        }
    }

    /// Negamax over the whole graph: every move gets what it is worth by where it leads, if that rests on more than
    /// what was judged; moves that lead to positions of the book are added; moves come best first.
    pub fn settle(&mut self) {
        let mut boards: Vec<Board> = self.nodes.keys().copied().collect();
        boards.sort_by_key(|board| board.empties().count());
        for board in boards {
            let mut moves = self.nodes.remove(&board).unwrap_or_default();
            // Without what came from positions that are gone.
            moves.retain(|known| known.judged.is_some());
            let mut seen = Bitboard::EMPTY;
            for square in board.moves().into_iter().map(|square| named(board, square)) {
                if seen.contains(square) {
                    continue;
                }
                seen |= Bitboard::only(square);
                let follows = self.follows(board, square);
                let known = moves.iter_mut().find(|known| known.square == square);
                match (known, follows) {
                    (Some(known), follows) => {
                        let judged = known.judged.unwrap_or(known.worth);
                        known.worth =
                            follows.filter(|follows| follows.basis >= judged.basis).unwrap_or(judged);
                    }
                    (None, Some(worth)) => moves.push(BookMove { square, judged: None, worth }),
                    (None, None) => {}
                }
            }
            sort(&mut moves);
            if !moves.is_empty() {
                self.nodes.insert(board, moves);
            }
        }
    }

    /// What a move is worth by where it leads, if that is known. Positions with fewer empty squares are settled.
    fn follows(&self, board: Board, square: Square) -> Option<Worth> {
        let best = |board: Board| self.nodes.get(&key(board)).and_then(|moves| moves.first());
        match after(board, square) {
            After::Over(discs) => Some(Worth { discs, basis: Basis::Solved }),
            After::Opponent(next) => best(next).map(|best| best.worth.answered()),
            After::Again(next) => {
                best(next).map(|best| Worth { discs: best.worth.discs, basis: best.worth.basis.before() })
            }
        }
    }

    /// Takes in everything that another book judged. The order of books makes no difference where they rest on
    /// different things; of equals what was here stays.
    pub fn merge(&mut self, other: &Graph) {
        for (board, moves) in &other.nodes {
            let judged = moves.iter().filter_map(|known| Some((known.square, known.judged?)));
            self.judge(*board, judged);
        }
        self.settle();
    }

    /// Keeps the positions that pass this test alone; how many are gone.
    pub fn retain(&mut self, mut keep: impl FnMut(Board) -> bool) -> usize {
        let before = self.nodes.len();
        self.nodes.retain(|board, _| keep(*board));
        self.settle();
        before - self.nodes.len()
    }

    /// For every position of the book that can be reached from this one: the least that both sides together have given
    /// away on the way, by what the book knows.
    #[must_use]
    pub fn losses(&self, from: Board) -> BTreeMap<Board, i32> {
        let mut least = BTreeMap::new();
        let mut layer = BTreeMap::from([(key(from), 0)]);
        while !layer.is_empty() {
            // A layer has positions with as many discs; a pass does not add any.
            let mut next = BTreeMap::new();
            for (board, loss) in layer {
                let Some(moves) = self.nodes.get(&board) else { continue };
                least.insert(board, loss);
                let best = moves.first().map_or(0, |best| i32::from(best.worth.discs));
                for known in moves {
                    if let Some(reached) = after(board, known.square).board() {
                        let loss = loss + best - i32::from(known.worth.discs);
                        let known = next.entry(key(reached)).or_insert(loss);
                        *known = loss.min(*known);
                    }
                }
            }
            layer = next;
        }
        least
    }

    /// The file that holds this book.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        encode(self.nodes.iter())
    }

    /// A position as a file has it.
    pub(crate) fn put(&mut self, board: Board, moves: Vec<BookMove>) {
        self.nodes.insert(board, moves);
    }

    pub(crate) fn kept(&self, named: Board) -> Option<&[BookMove]> {
        self.nodes.get(&named).map(Vec::as_slice)
    }
}
