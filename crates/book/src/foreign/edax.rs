//! `book.dat` of Edax 4.

use std::collections::BTreeMap;

use emilia_rules::{Bitboard, Board, Square, SquareSet};

use super::{Bytes, Foreign, ForeignError, LevelMeaning, Program, level_of, split};
use crate::place::{is_playable, key};
use crate::{Basis, BookMove, Graph, Worth};

/// The words EDAX and BOOK as numbers, least byte first.
pub(super) const MAGIC: &[u8] = b"XADEKOOB";
const VERSION: u8 = 4;
/// Bytes before the first position.
const HEADER: usize = 42;
/// A move that is none, and its score.
const NO_MOVE: u8 = 65;
const NO_SCORE: i8 = -127;
/// The moment that our files say they were written at: the same book is the same file.
const WRITTEN: [u8; 8] = [0xe8, 0x07, 1, 1, 0, 0, 0, 0];

pub(super) fn read(bytes: &[u8], meaning: LevelMeaning<'_>) -> Result<Foreign, ForeignError> {
    let program = Program::Edax;
    let mut rest = Bytes(&bytes[MAGIC.len()..]);
    let version = rest.byte().unwrap_or(0);
    if version != VERSION {
        return Err(ForeignError::Version { program, version, known: "version 4" });
    }
    let short = ForeignError::Length { program, positions: 0 };
    let _release_date_and_options: [u8; 29] = rest.take().ok_or(short)?;
    let positions = i32::from_le_bytes(rest.take().ok_or(short)?);
    let wrong = ForeignError::Length { program, positions: positions.into() };
    let (mut graph, mut left_out) = (Graph::default(), 0);
    for _ in 0..u32::try_from(positions).map_err(|_| wrong)? {
        let Record { board, level, moves } = Record::read(&mut rest).ok_or(wrong)?;
        let legal = |square: Square| is_playable(board) && board.moves().contains(square);
        let basis = meaning(level, board.empties().count());
        let found: Vec<(Square, Worth)> = moves
            .into_iter()
            .filter(|(discs, _)| (-64..=64).contains(discs))
            .filter_map(|(discs, square)| Some((Square::from_index(square)?, Worth { discs, basis })))
            .filter(|(square, _)| legal(*square))
            .collect();
        left_out += usize::from(found.is_empty());
        graph.judge(board, found);
    }
    if !rest.0.is_empty() {
        return Err(wrong);
    }
    graph.settle();
    Ok(Foreign { program, graph, positions: positions as usize, left_out })
}

/// A position of the file.
struct Record {
    board: Board,
    level: u8,
    /// Links and the leaf: score and square.
    moves: Vec<(i8, u8)>,
}

impl Record {
    fn read(rest: &mut Bytes<'_>) -> Option<Record> {
        let own = Bitboard(u64::from_le_bytes(rest.take()?));
        let opponent = Bitboard(u64::from_le_bytes(rest.take()?));
        let _games_lines_value_and_bounds: [u8; 22] = rest.take()?;
        let links = rest.byte()?;
        let level = rest.byte()?;
        let moves = (0..=links).map(|_| Some((rest.discs()?, rest.byte()?))).collect::<Option<_>>()?;
        Some(Record { board: Board { own, opponent }, level, moves })
    }
}

/// The book as Edax reads it. Edax has a level for a position and not for a move: the least of its moves is said.
#[must_use]
pub fn write(graph: &Graph) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, 0]);
    bytes.extend(WRITTEN);
    let deepest = graph.positions().map(|(board, _)| board.empties().count()).min().unwrap_or(60);
    let level = graph.positions().flat_map(|(_, moves)| moves).map(|known| level_of(known.worth.basis)).min();
    for option in [i32::from(level.unwrap_or(1)), deepest as i32, 0, 0, 1, graph.len() as i32] {
        bytes.extend(option.to_le_bytes());
    }
    debug_assert_eq!(bytes.len(), HEADER);
    let lines = lines(graph);
    for (board, moves) in graph.positions() {
        put(&mut bytes, graph, board, lines.get(&board).copied().unwrap_or(1), moves);
    }
    bytes
}

fn put(bytes: &mut Vec<u8>, graph: &Graph, board: Board, lines: u32, moves: &[BookMove]) {
    let mut split = split(graph, board);
    // Edax takes a position without a leaf for one whose moves are all links.
    if split.leaf.is_none() && split.links.len() < board.moves().count() as usize {
        split.leaf = split.links.pop();
    }
    bytes.extend(board.own.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
    for number in [0, 0, 0, lines] {
        bytes.extend(number.to_le_bytes());
    }
    let best = moves.first().map_or(0, |best| i16::from(best.worth.discs));
    let solved = moves.iter().all(|known| known.worth.basis == Basis::Solved);
    let (lower, upper) = if solved { (best, best) } else { (-64, 64) };
    for number in [best, lower, upper] {
        bytes.extend(number.to_le_bytes());
    }
    let level = moves.iter().map(|known| level_of(known.worth.basis)).min().unwrap_or(1);
    bytes.extend([split.links.len() as u8, level]);
    for link in &split.links {
        bytes.extend([link.worth.discs as u8, link.square.index()]);
    }
    let leaf = split.leaf.map_or((NO_SCORE, NO_MOVE), |leaf| (leaf.worth.discs, leaf.square.index()));
    bytes.extend([leaf.0 as u8, leaf.1]);
}

/// How many lines go on from each position: one for each move that leads out of the book.
fn lines(graph: &Graph) -> BTreeMap<Board, u32> {
    let mut boards: Vec<Board> = graph.positions().map(|(board, _)| board).collect();
    boards.sort_by_key(|board| board.empties().count());
    let mut lines = BTreeMap::new();
    for board in boards {
        let split = split(graph, board);
        let through = |square: Square| lines.get(&key(board.play(square))).copied().unwrap_or(1);
        let links = split.links.iter().map(|link| through(link.square));
        let all = links.chain(split.leaf.map(|_| 1)).fold(0, u32::saturating_add);
        lines.insert(board, all);
    }
    lines
}
