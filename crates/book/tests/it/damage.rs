use emilia_book::{Book, BookError, Journal, Note, Task};
use emilia_rules::{Bitboard, Board, Square, SquareSet};

use crate::{Dice, random_graph, searched};

#[test]
fn what_is_no_book_is_refused_by_name() {
    assert_eq!(Book::new(*b"").unwrap_err(), BookError::NotABook);
    assert_eq!(Book::new(*b"EMILIABK").unwrap_err(), BookError::NotABook);
    let whole = random_graph(1, 5).bytes();
    let mut later = whole.clone();
    later[8] = 2;
    assert_eq!(Book::new(later).unwrap_err(), BookError::OtherVersion(2));
    let cut = whole[..whole.len() - 3].to_vec();
    let found = cut.len() as u64;
    assert_eq!(Book::new(cut).unwrap_err(), BookError::Length { expected: found + 3, found });
}

/// Every byte counts: none can be altered without being noticed.
#[test]
fn no_altered_byte_goes_unnoticed() {
    let whole = random_graph(2, 2).bytes();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Book::new(damaged).is_err(), "byte {at}");
    }
}

/// What is not checked as a whole is checked position by position: one that was altered is not known, the others are.
#[test]
fn what_is_sound_of_a_damaged_book_is_kept_and_nothing_else() {
    let graph = random_graph(3, 12);
    let whole = graph.bytes();
    let mut dice = Dice(5);
    for _ in 0..300 {
        let mut damaged = whole.clone();
        let at = 36 + dice.below(whole.len() - 36);
        damaged[at] = damaged[at].wrapping_add(1 + dice.below(255) as u8);
        let (kept, lost) = Book::salvage(damaged).unwrap();
        assert_eq!((kept.len() + lost, lost), (graph.len(), 1), "byte {at}");
        for (board, moves) in kept.positions() {
            assert_eq!(graph.find(board).unwrap().moves.len(), kept.find(board).unwrap().moves.len());
            assert!(!moves.is_empty());
        }
    }
}

fn notes() -> Vec<Note> {
    let after = Board::START.play(Square::D3);
    let task = |board: Board| Task { board, known: Bitboard::EMPTY, best: Some(-3), margin: 2 };
    vec![
        Note::Planned { level: 9, tasks: vec![task(Board::START)] },
        Note::Judged { board: Board::START, found: vec![(Square::D3, searched(1, 9))] },
        Note::Planned { level: 9, tasks: vec![task(after), Task { best: None, ..task(Board::START) }] },
        Note::Judged {
            board: after,
            found: vec![(Square::C3, searched(-1, 9)), (Square::E3, searched(-4, 9))],
        },
    ]
}

#[test]
fn a_journal_cut_off_anywhere_keeps_its_whole_notes() {
    let (notes, mut bytes, mut ends) = (notes(), Journal::BEGINNING.to_vec(), vec![Journal::BEGINNING.len()]);
    for note in &notes {
        bytes.extend(note.bytes());
        ends.push(bytes.len());
    }
    for length in 0..=bytes.len() {
        let journal = Journal::read(&bytes[..length]).unwrap();
        let whole = ends.iter().filter(|end| **end <= length).count().saturating_sub(1);
        assert_eq!(journal.notes, notes[..whole], "{length} bytes");
        assert_eq!(journal.whole, if length < 12 { 0 } else { ends[whole] });
    }
    assert_eq!(Journal::read(b"something else"), None);
    let journal = Journal::read(&bytes).unwrap();
    assert_eq!(journal.open_tasks(9).len(), 1, "one of the two planned last is done");
    assert_eq!(journal.open_tasks(8), []);
}
