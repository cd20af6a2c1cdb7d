//! What is written while a book grows, note by note, so that work that was cut off goes on where it stopped.

use emilia_rules::{Bitboard, Board, Square};

use crate::file::{MOVE_BYTES, checksum, decode, encode_move, number32, number64};
use crate::{BookMove, Task, Worth};

/// What every journal begins with, its version included.
const MAGIC: &[u8; 12] = b"EMILIABJ\x01\0\0\0";
/// Bytes of a note beside what it says: its kind, its length, a checksum.
const AROUND: usize = 9;
/// Bytes of a task: the board, what is known, the best, whether there is one, the margin.
const TASK: usize = 27;
const PLANNED: u8 = b'P';
const JUDGED: u8 = b'J';

/// A note in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// These positions are to be judged at this level.
    Planned {
        /// How strong the search is.
        level: u8,
        /// What is to be judged.
        tasks: Vec<Task>,
    },
    /// This was found out about moves of a position.
    Judged {
        /// The position.
        board: Board,
        /// Its moves.
        found: Vec<(Square, Worth)>,
    },
}

/// What a journal says, as far as it is whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    /// Its notes, in order.
    pub notes: Vec<Note>,
    /// Bytes that are whole; what follows was cut off in the middle of a note.
    pub whole: usize,
}

impl Journal {
    /// What a journal begins with.
    pub const BEGINNING: &[u8] = MAGIC;

    /// Reads a journal up to its last whole note; nothing if it is something else.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Journal> {
        if !bytes.starts_with(MAGIC) {
            // One that was cut off before it had begun is an empty one.
            return MAGIC.starts_with(bytes).then(Journal::default);
        }
        let mut journal = Journal { notes: Vec::new(), whole: MAGIC.len() };
        while let Some((note, length)) = Note::read(&bytes[journal.whole..]) {
            journal.notes.push(note);
            journal.whole += length;
        }
        Some(journal)
    }

    /// What was planned for this level last and is not yet judged.
    #[must_use]
    pub fn open_tasks(&self, wanted: u8) -> Vec<Task> {
        let mut open = Vec::new();
        for note in &self.notes {
            match note {
                Note::Planned { level, tasks } if *level == wanted => open.clone_from(tasks),
                Note::Planned { .. } => open.clear(),
                Note::Judged { board, .. } => open.retain(|task| task.board != *board),
            }
        }
        open
    }
}

impl Note {
    /// The note as a journal keeps it.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 5];
        match self {
            Note::Planned { level, tasks } => {
                bytes[0] = PLANNED;
                bytes.push(*level);
                tasks.iter().for_each(|task| put_task(&mut bytes, task));
            }
            Note::Judged { board, found } => {
                bytes[0] = JUDGED;
                put_board(&mut bytes, *board);
                for (square, worth) in found {
                    let known = BookMove { square: *square, judged: Some(*worth), worth: *worth };
                    bytes.extend(encode_move(&known));
                }
            }
        }
        let length = (bytes.len() - 5) as u32;
        bytes[1..5].copy_from_slice(&length.to_le_bytes());
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The first note in these bytes and how long it is, if there is a whole one.
    fn read(bytes: &[u8]) -> Option<(Note, usize)> {
        let length = number32(bytes.get(..5)?, 1) as usize;
        let whole = bytes.get(..length.checked_add(AROUND)?)?;
        let (said, sum) = whole.split_at(length + 5);
        if checksum(said) != number32(sum, 0) {
            return None;
        }
        let (kind, said) = (said[0], &said[5..]);
        let note = match kind {
            PLANNED => {
                let (level, tasks) = said.split_first()?;
                let tasks = tasks.chunks(TASK).map(task).collect::<Option<_>>()?;
                Note::Planned { level: *level, tasks }
            }
            JUDGED => {
                let (board, found) = said.split_at_checked(16)?;
                let one = |bytes| decode(bytes).and_then(|known| Some((known.square, known.judged?)));
                let found = found.chunks(MOVE_BYTES).map(one).collect::<Option<_>>()?;
                Note::Judged { board: get_board(board), found }
            }
            _ => return None,
        };
        Some((note, whole.len()))
    }
}

fn put_board(bytes: &mut Vec<u8>, board: Board) {
    bytes.extend(board.own.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
}

fn get_board(bytes: &[u8]) -> Board {
    Board { own: Bitboard(number64(bytes, 0)), opponent: Bitboard(number64(bytes, 8)) }
}

fn put_task(bytes: &mut Vec<u8>, task: &Task) {
    put_board(bytes, task.board);
    bytes.extend(task.known.0.to_le_bytes());
    bytes.extend([task.best.unwrap_or(0) as u8, u8::from(task.best.is_some()), task.margin]);
}

fn task(bytes: &[u8]) -> Option<Task> {
    let &[best, known, margin] = bytes.get(24..TASK)? else { return None };
    Some(Task {
        board: get_board(bytes),
        known: Bitboard(number64(bytes, 16)),
        best: (known != 0).then_some(best as i8),
        margin,
    })
}
