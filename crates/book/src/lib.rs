//! Opening books: what is known of positions, moves with their values, and what each value rests on.
//!
//! A book is a graph, not a tree: positions that are the same but for symmetry or the order of moves are one, and a
//! value found anywhere counts for every position before it. Each value says what it rests on ([`Basis`]): proven to the
//! end of the game, searched so deep with so much certainty, or the result of a game. A value never replaces one that
//! rests on more.
//!
//! A [`Book`] is a file as it lies on the disk or in memory; it is asked, never loaded. A [`Graph`] is a book that
//! grows: judged position by position ([`Growth`] says which are next), settled by negamax, merged, pruned, and written.
//! Nothing here reads a file or searches; whoever does hands in bytes and values.
//!
//! ```
//! use emilia_book::{Basis, Book, Graph, Worth};
//! use emilia_rules::{Board, Square};
//!
//! let mut graph = Graph::default();
//! let after_d3 = Board::START.play(Square::D3);
//! graph.judge(Board::START, [(Square::D3, Worth { discs: 1, basis: Basis::Game })]);
//! graph.judge(after_d3, [(Square::C3, Worth { discs: 0, basis: Basis::Solved })]);
//! graph.settle();
//!
//! let book = Book::new(graph.bytes())?;
//! let entry = book.find(Board::START).unwrap();
//! let f5 = entry.of(Square::F5).expect("the same move as d3, turned");
//! assert_eq!(f5.worth, Worth { discs: 0, basis: Basis::Solved });
//! # Ok::<(), emilia_book::BookError>(())
//! ```

#![forbid(unsafe_code)]

mod entry;
mod file;
mod foreign;
mod graph;
mod growth;
mod journal;
mod place;
mod worth;

pub use entry::{BookMove, Entry};
pub use file::{Book, BookError, PositionFault};
pub use foreign::{Foreign, ForeignError, LevelMeaning, Program, write_edax, write_egaroucid};
pub use graph::Graph;
pub use growth::{Growth, Origin, Task};
pub use journal::{Journal, Note};
pub use worth::{Basis, Worth};
