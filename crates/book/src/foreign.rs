//! Book files of other programs, after the published descriptions of them: docs/formats.md.

mod edax;
mod egaroucid;

use emilia_rules::{Board, SquareSet};
use thiserror::Error;

use crate::{Basis, BookMove, Graph};

pub use edax::write as write_edax;
pub use egaroucid::write as write_egaroucid;

/// What a value rests on that another program found at this level on a board with so many empty squares.
pub type LevelMeaning<'a> = &'a dyn Fn(u8, u32) -> Basis;

/// The book of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Whose it is.
    pub program: Program,
    /// What is in it.
    pub graph: Graph,
    /// Positions that the file has.
    pub positions: usize,
    /// Positions of them that cannot be, or from which nobody can move, or of which nothing is said; they are left out.
    pub left_out: usize,
}

/// A program whose book files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Edax 4: `book.dat`.
    Edax,
    /// Egaroucid: `.egbk3`, and the older `.egbk2` and `.egbk`.
    Egaroucid,
}

/// Why a file of another program cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ForeignError {
    /// It is something else.
    #[error("this is no book of Edax or Egaroucid")]
    Unknown,
    /// A version that has not been described.
    #[error("a book of {program}, version {version}; only {known} can be read", program = .program.name())]
    Version {
        /// Whose it is.
        program: Program,
        /// What it says.
        version: u8,
        /// What can be read.
        known: &'static str,
    },
    /// It ends too early, or goes on too long.
    #[error("a book of {} that says it has {positions} positions, which is not as long as the file", .program.name())]
    Length {
        /// Whose it is.
        program: Program,
        /// What it says.
        positions: i64,
    },
}

impl Program {
    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Program::Edax => "Edax",
            Program::Egaroucid => "Egaroucid",
        }
    }
}

impl Foreign {
    /// Reads a book of another program, known by how it begins; the oldest one of Egaroucid, which has no such
    /// beginning, by its length.
    pub fn read(bytes: &[u8], meaning: LevelMeaning<'_>) -> Result<Foreign, ForeignError> {
        if bytes.starts_with(edax::MAGIC) {
            edax::read(bytes, meaning)
        } else if bytes.starts_with(egaroucid::MAGIC) {
            egaroucid::read(bytes, meaning)
        } else {
            egaroucid::read_oldest(bytes).ok_or(ForeignError::Unknown)
        }
    }
}

/// Bytes one after the other.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn discs(&mut self) -> Option<i8> {
        self.take().map(i8::from_le_bytes)
    }
}

/// The level that stands for what a value rests on, where a file has nothing but levels.
fn level_of(basis: Basis) -> u8 {
    match basis {
        Basis::Game => 1,
        Basis::Searched { depth, .. } => depth.min(60),
        Basis::Solved => 60,
    }
}

/// What a book knows of a board: the moves that lead to positions of the book, and the best of the others.
struct Split {
    links: Vec<BookMove>,
    leaf: Option<BookMove>,
}

fn split(graph: &Graph, board: Board) -> Split {
    let mut split = Split { links: Vec::new(), leaf: None };
    for known in graph.find(board).into_iter().flat_map(|entry| entry.moves) {
        let next = board.play(known.square);
        if !next.moves().is_empty() && graph.find(next).is_some() {
            split.links.push(known);
        } else if split.leaf.is_none() {
            split.leaf = Some(known);
        }
    }
    split
}
