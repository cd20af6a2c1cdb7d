//! `.egbk3` of Egaroucid, and the older `.egbk2` and `.egbk`.

use std::collections::BTreeMap;

use emilia_query::Selectivity;
use emilia_rules::{Bitboard, Board, Square, SquareSet};

use super::{Bytes, Foreign, ForeignError, LevelMeaning, Program, level_of, split};
use crate::place::{After, after, is_playable, key};
use crate::{Basis, Graph, Worth};

pub(super) const MAGIC: &[u8] = b"EGAROUCID";
/// A move that is none, its value and its level.
const NO_MOVE: u8 = 65;
const NO_VALUE: i8 = -127;
/// What values of the oldest files rest on: they do not say, and Egaroucid itself takes the least for them.
const UNSAID: Basis = Basis::Searched { depth: 1, selectivity: Selectivity::Likely };

/// What a file says of a position: its value, and of some moves theirs.
struct Record {
    board: Board,
    value: Worth,
    moves: Vec<(Square, Worth)>,
}

pub(super) fn read(bytes: &[u8], meaning: LevelMeaning<'_>) -> Result<Foreign, ForeignError> {
    let program = Program::Egaroucid;
    let mut rest = Bytes(&bytes[MAGIC.len()..]);
    let version = rest.byte().unwrap_or(0);
    let one: fn(&mut Bytes<'_>, LevelMeaning<'_>) -> Option<Record> = match version {
        2 => with_links,
        3 => with_leaf,
        _ => return Err(ForeignError::Version { program, version, known: "versions 1 to 3" }),
    };
    let positions = rest.take().map_or(-1, i32::from_le_bytes);
    let wrong = ForeignError::Length { program, positions: positions.into() };
    let count = u32::try_from(positions).map_err(|_| wrong)?;
    let mut records = Vec::new();
    for _ in 0..count {
        records.push(one(&mut rest, meaning).ok_or(wrong)?);
    }
    if rest.0.is_empty() { Ok(taken_in(&records)) } else { Err(wrong) }
}

/// The oldest files: a number of positions, and for each its discs and its value.
pub(super) fn read_oldest(bytes: &[u8]) -> Option<Foreign> {
    const RECORD: usize = 17;
    let mut rest = Bytes(bytes);
    let positions = usize::try_from(i32::from_le_bytes(rest.take()?)).ok()?;
    if positions == 0 || rest.0.len() != positions.checked_mul(RECORD)? {
        return None;
    }
    let mut records = Vec::new();
    for _ in 0..positions {
        let board = board(&mut rest)?;
        let discs = i8::try_from(i32::from(rest.byte()?) - 64).ok().filter(|discs| *discs <= 64)?;
        records.push(Record { board, value: Worth { discs, basis: UNSAID }, moves: Vec::new() });
    }
    Some(taken_in(&records))
}

/// A position of version 3: value, level, lines, and the best move that leads out of the book.
fn with_leaf(rest: &mut Bytes<'_>, meaning: LevelMeaning<'_>) -> Option<Record> {
    let board = board(rest)?;
    let empties = board.empties().count();
    let worth = |discs, level| Worth { discs, basis: meaning(level, empties) };
    let (discs, level) = (rest.discs()?, rest.byte()?);
    let _lines: [u8; 4] = rest.take()?;
    let (leaf, leaf_move, leaf_level) = (rest.discs()?, rest.byte()?, rest.byte()?);
    let moves = square(leaf_move).map(|square| (square, worth(leaf, leaf_level))).into_iter().collect();
    Some(Record { board, value: worth(discs, level), moves })
}

/// A position of version 2: value, level, and the moves that stay in the book.
fn with_links(rest: &mut Bytes<'_>, meaning: LevelMeaning<'_>) -> Option<Record> {
    let board = board(rest)?;
    let (discs, level) = (rest.discs()?, rest.byte()?);
    let basis = meaning(level, board.empties().count());
    let links = u32::from_le_bytes(rest.take()?);
    let mut moves = Vec::new();
    for _ in 0..links {
        let (discs, link) = (rest.discs()?, rest.byte()?);
        moves.extend(square(link).map(|square| (square, Worth { discs, basis })));
    }
    Some(Record { board, value: Worth { discs, basis }, moves })
}

/// The positions as a graph: what is said of moves, and for each move that leads to another position its value.
fn taken_in(records: &[Record]) -> Foreign {
    let possible = |worth: &Worth| (-64..=64).contains(&worth.discs);
    let sound = records.iter().filter(|record| is_playable(record.board));
    let values: BTreeMap<Board, Worth> = sound
        .clone()
        .filter(|record| possible(&record.value))
        .map(|record| (key(record.board), record.value))
        .collect();
    let mut graph = Graph::default();
    for record in sound {
        let board = record.board;
        let said =
            record.moves.iter().filter(|(square, worth)| possible(worth) && board.moves().contains(*square));
        graph.judge(board, said.copied());
        let follows = |square: Square| match after(board, square) {
            After::Opponent(next) => values.get(&key(next)).map(|value| value.answered()),
            After::Again(next) => {
                values.get(&key(next)).map(|value| Worth { basis: value.basis.before(), ..*value })
            }
            After::Over(_) => None,
        };
        let led = board.moves().into_iter().filter_map(|square| Some((square, follows(square)?)));
        graph.judge(board, led.collect::<Vec<_>>());
    }
    graph.settle();
    let positions = records.len();
    let left_out = records.iter().filter(|record| graph.find(record.board).is_none()).count();
    Foreign { program: Program::Egaroucid, graph, positions, left_out }
}

/// The book as Egaroucid reads it.
#[must_use]
pub fn write(graph: &Graph) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(3);
    bytes.extend((graph.len() as u32).to_le_bytes());
    for (board, moves) in graph.positions() {
        let best = moves.first().map_or(Worth { discs: 0, basis: Basis::Game }, |best| best.worth);
        let split = split(graph, board);
        bytes.extend(board.own.0.reverse_bits().to_le_bytes());
        bytes.extend(board.opponent.0.reverse_bits().to_le_bytes());
        bytes.extend([best.discs as u8, level_of(best.basis)]);
        bytes.extend((split.links.len() as u32).to_le_bytes());
        let leaf = split.leaf.map_or([NO_VALUE as u8, NO_MOVE, 0], |leaf| {
            [leaf.worth.discs as u8, 63 - leaf.square.index(), level_of(leaf.worth.basis)]
        });
        bytes.extend(leaf);
    }
    bytes
}

/// Discs: the highest bit is a1.
fn board(rest: &mut Bytes<'_>) -> Option<Board> {
    let own = Bitboard(u64::from_le_bytes(rest.take()?).reverse_bits());
    let opponent = Bitboard(u64::from_le_bytes(rest.take()?).reverse_bits());
    Some(Board { own, opponent })
}

/// A square: h8 is 0, a1 is 63; a pass and no move are none.
fn square(index: u8) -> Option<Square> {
    Square::from_index(63u8.checked_sub(index)?)
}
