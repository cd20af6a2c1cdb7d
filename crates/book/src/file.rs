//! The file of a book: positions in order, so that one is found without reading the others. See docs/formats.md.

use std::fmt;
use std::sync::{Arc, LazyLock};

use emilia_rules::{Bitboard, Board, Size, Square, SquareSet};
use thiserror::Error;

use crate::place::{is_playable, key};
use crate::{Basis, BookMove, Entry, Graph, Worth};

/// What every file begins with.
const MAGIC: &[u8; 8] = b"EMILIABK";
const VERSION: u32 = 1;
/// Bytes before the first position: magic, version, positions, moves, checksum of all that follows, checksum of these.
const HEADER: usize = 36;
/// Bytes of a position: own discs, the opponent's, its first move, how many it has, a checksum of it with its moves.
const POSITION: usize = 24;
/// Bytes of a move: square; discs and basis as judged; discs and basis as settled; nothing.
const MOVE: usize = 8;
/// A move that was not judged where it is played.
const NOT_JUDGED: u8 = 255;
/// Books of at most so many bytes are checked as a whole when they are opened; of larger ones each position is checked
/// when it is looked up.
const CHECKED_WHOLE: usize = 16 << 20;

/// A book as it lies on the disk or in memory: asked, never loaded.
pub struct Book {
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    positions: usize,
}

/// Why bytes are no book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// It is something else.
    #[error("this is no book of Emilia")]
    NotABook,
    /// A later program wrote it.
    #[error("a book of version {0}; this program reads version {VERSION}")]
    OtherVersion(u32),
    /// It is not as long as it says.
    #[error("a book cut short or added to: {found} bytes instead of {expected}")]
    Length {
        /// What its beginning says.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// Some of it was altered.
    #[error("a damaged book: its checksum is wrong; \"emilia book fix\" keeps what is sound")]
    Checksum,
    /// A position that cannot be what was written.
    #[error("position {number} of the book is {fault}")]
    Position {
        /// Counted from 1.
        number: usize,
        /// What is wrong with it.
        fault: PositionFault,
    },
}

/// What is wrong with a position of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PositionFault {
    /// Its checksum is wrong, or its moves are elsewhere.
    #[error("damaged")]
    Damaged,
    /// It is not after the one before it.
    #[error("out of order")]
    OutOfOrder,
    /// It is not the one of its eight that stands in a book, or nobody can move there.
    #[error("not one that stands in a book")]
    NotAKey,
    /// One of its moves is illegal, or there twice.
    #[error("one with an illegal move")]
    IllegalMove,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({} positions)", self.positions)
    }
}

impl Book {
    /// The book that comes with the program: docs/openings.md says how it was made.
    #[must_use]
    pub fn embedded() -> Arc<Book> {
        static BOOK: LazyLock<Arc<Book>> =
            LazyLock::new(|| Arc::new(Book::new(emilia_data::BOOK).expect("a test reads this file")));
        Arc::clone(&BOOK)
    }

    /// The book in these bytes: a memory map, an array of the program, or what was read.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Book, BookError> {
        let book = Book::unchecked(bytes)?;
        let bytes = book.bytes();
        if bytes.len() <= CHECKED_WHOLE && checksum(&bytes[HEADER..]) != number32(bytes, 28) {
            return Err(BookError::Checksum);
        }
        Ok(book)
    }

    /// The same, even if what follows the header was altered.
    fn unchecked(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Book, BookError> {
        let all = bytes.as_ref();
        if !all.starts_with(MAGIC) || all.len() < HEADER {
            return Err(BookError::NotABook);
        }
        match number32(all, 8) {
            VERSION => {}
            other => return Err(BookError::OtherVersion(other)),
        }
        if checksum(&all[..32]) != number32(all, 32) {
            return Err(BookError::Checksum);
        }
        let (positions, moves) = (number64(all, 12), number64(all, 20));
        let part = |count: u64, width: usize| count.checked_mul(width as u64);
        let expected = part(positions, POSITION)
            .zip(part(moves, MOVE))
            .and_then(|(positions, moves)| positions.checked_add(moves)?.checked_add(HEADER as u64))
            .ok_or(BookError::Checksum)?;
        if expected != all.len() as u64 {
            return Err(BookError::Length { expected, found: all.len() as u64 });
        }
        Ok(Book { bytes: Box::new(bytes), positions: positions as usize })
    }

    /// What is known of a board on which the side to move can move. A position that was damaged is not known.
    #[must_use]
    pub fn find(&self, board: Board) -> Option<Entry> {
        let (named, symmetry) = board.canonical(Size::EIGHT);
        let number = self.number_of(named)?;
        let moves = self.moves(number)?;
        Some(Entry::turned_back(&moves, named, symmetry))
    }

    /// How many positions it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The whole book as a graph, if every position is sound.
    pub fn graph(&self) -> Result<Graph, BookError> {
        let bytes = self.bytes();
        if checksum(&bytes[HEADER..]) != number32(bytes, 28) {
            return Err(BookError::Checksum);
        }
        let mut graph = Graph::default();
        let mut before = None;
        for number in 0..self.positions {
            let wrong = |fault| BookError::Position { number: number + 1, fault };
            let (board, moves) = self.sound(number).map_err(wrong)?;
            if before.is_some_and(|before| before >= board) {
                return Err(wrong(PositionFault::OutOfOrder));
            }
            before = Some(board);
            graph.put(board, moves);
        }
        Ok(graph)
    }

    /// What is sound of a book that may be damaged, and how many positions are not. The beginning must be whole.
    pub fn salvage(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<(Graph, usize), BookError> {
        let book = Book::unchecked(bytes)?;
        let (mut graph, mut lost) = (Graph::default(), 0);
        for number in 0..book.positions {
            match book.sound(number) {
                Ok((board, moves)) => graph.put(board, moves),
                Err(_) => lost += 1,
            }
        }
        Ok((graph, lost))
    }

    fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    fn record(&self, number: usize) -> &[u8] {
        let at = HEADER + number * POSITION;
        &self.bytes()[at..at + POSITION]
    }

    fn board(&self, number: usize) -> Board {
        let record = self.record(number);
        Board { own: Bitboard(number64(record, 0)), opponent: Bitboard(number64(record, 8)) }
    }

    /// Which position this is, by halving.
    fn number_of(&self, named: Board) -> Option<usize> {
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.board(middle) < named { low = middle + 1 } else { high = middle }
        }
        (low < self.positions && self.board(low) == named).then_some(low)
    }

    /// The moves of a position, if they are as they were written.
    fn moves(&self, number: usize) -> Option<Vec<BookMove>> {
        let record = self.record(number);
        let (first, count) = (number32(record, 16) as usize, usize::from(number16(record, 20)));
        let from = HEADER + self.positions * POSITION + first.checked_mul(MOVE)?;
        let moves = self.bytes().get(from..from.checked_add(count * MOVE)?)?;
        if short_checksum(&record[..22], moves) != number16(record, 22) {
            return None;
        }
        moves.chunks_exact(MOVE).map(decode).collect()
    }

    /// A position with everything about it in order.
    fn sound(&self, number: usize) -> Result<(Board, Vec<BookMove>), PositionFault> {
        let board = self.board(number);
        let moves = self.moves(number).filter(|moves| !moves.is_empty()).ok_or(PositionFault::Damaged)?;
        if !is_playable(board) || key(board) != board {
            return Err(PositionFault::NotAKey);
        }
        let squares: Bitboard = moves.iter().map(|known| known.square).collect();
        let legal = (squares & board.moves()) == squares && squares.count() as usize == moves.len();
        if legal { Ok((board, moves)) } else { Err(PositionFault::IllegalMove) }
    }
}

/// The file of a book with these positions, which are in order.
pub(crate) fn encode<'g>(nodes: impl ExactSizeIterator<Item = (&'g Board, &'g Vec<BookMove>)>) -> Vec<u8> {
    let count = nodes.len();
    let mut bytes = vec![0; HEADER];
    bytes.reserve(count * (POSITION + 4 * MOVE));
    let mut all_moves = Vec::new();
    for (board, moves) in nodes {
        let first = (all_moves.len() / MOVE) as u32;
        let start = all_moves.len();
        moves.iter().for_each(|known| all_moves.extend(encode_move(known)));
        let from = bytes.len();
        bytes.extend(board.own.0.to_le_bytes());
        bytes.extend(board.opponent.0.to_le_bytes());
        bytes.extend(first.to_le_bytes());
        bytes.extend((moves.len() as u16).to_le_bytes());
        let sum = short_checksum(&bytes[from..], &all_moves[start..]);
        bytes.extend(sum.to_le_bytes());
    }
    let moves = (all_moves.len() / MOVE) as u64;
    bytes.append(&mut all_moves);
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..20].copy_from_slice(&(count as u64).to_le_bytes());
    bytes[20..28].copy_from_slice(&moves.to_le_bytes());
    let body = checksum(&bytes[HEADER..]);
    bytes[28..32].copy_from_slice(&body.to_le_bytes());
    let header = checksum(&bytes[..32]);
    bytes[32..36].copy_from_slice(&header.to_le_bytes());
    bytes
}

/// A move as a file or a journal keeps it.
pub(crate) fn encode_move(known: &BookMove) -> [u8; MOVE] {
    let worth = |worth: Worth| {
        let [code, depth] = worth.basis.encode();
        [worth.discs as u8, code, depth]
    };
    let judged = known.judged.map_or([0, NOT_JUDGED, 0], worth);
    let settled = worth(known.worth);
    let square = known.square.index();
    [square, judged[0], judged[1], judged[2], settled[0], settled[1], settled[2], 0]
}

/// A move, if these bytes are one.
pub(crate) fn decode(bytes: &[u8]) -> Option<BookMove> {
    let &[square, judged, judged_code, judged_depth, discs, code, depth, 0] = bytes else { return None };
    let worth = |discs: u8, basis: [u8; 2]| {
        let discs = discs as i8;
        let basis = Basis::decode(basis)?;
        (-64..=64).contains(&discs).then_some(Worth { discs, basis })
    };
    let judged = match judged_code {
        NOT_JUDGED => None,
        _ => Some(worth(judged, [judged_code, judged_depth])?),
    };
    Some(BookMove { square: Square::from_index(square)?, judged, worth: worth(discs, [code, depth])? })
}

/// Bytes of a move in a file or journal.
pub(crate) const MOVE_BYTES: usize = MOVE;

pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

fn short_checksum(record: &[u8], moves: &[u8]) -> u16 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(record);
    hasher.update(moves);
    hasher.finalize() as u16
}

fn number16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(crate) fn number32(bytes: &[u8], at: usize) -> u32 {
    u32::from(number16(bytes, at)) | u32::from(number16(bytes, at + 2)) << 16
}

pub(crate) fn number64(bytes: &[u8], at: usize) -> u64 {
    u64::from(number32(bytes, at)) | u64::from(number32(bytes, at + 4)) << 32
}
