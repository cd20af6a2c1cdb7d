use emilia_book::{Basis, Foreign, ForeignError, Graph, Program, Worth, write_edax, write_egaroucid};
use emilia_query::Selectivity;
use emilia_rules::{Board, Square, SquareSet};

use crate::{Dice, random_graph, searched};

fn meaning(level: u8, empties: u32) -> Basis {
    if u32::from(level) >= empties {
        return Basis::Solved;
    }
    Basis::Searched { depth: level, selectivity: Selectivity::Likely }
}

fn read(bytes: &[u8]) -> Result<Foreign, ForeignError> {
    Foreign::read(bytes, &meaning)
}

/// The start and the position after f5, byte by byte as the layout of Edax has them.
fn by_hand_edax() -> Vec<u8> {
    let mut bytes = b"XADEKOOB".to_vec();
    bytes.extend([4, 5]);
    bytes.extend([0xe9, 0x07, 6, 2, 17, 8, 51, 0]);
    for number in [18i32, 36, 0, 2, 1, 2] {
        bytes.extend(number.to_le_bytes());
    }
    let start = Board::START;
    bytes.extend(start.own.0.to_le_bytes());
    bytes.extend(start.opponent.0.to_le_bytes());
    for number in [1u32, 2, 3, 9] {
        bytes.extend(number.to_le_bytes());
    }
    for number in [0i16, -2, 2] {
        bytes.extend(number.to_le_bytes());
    }
    // Four links, f5 = 37 the first; no leaf.
    bytes.extend([4, 18, 0, 37, 0, 19, 0, 26, 0, 44, -127i8 as u8, 65]);
    let after = start.play(Square::F5);
    bytes.extend(after.own.0.to_le_bytes());
    bytes.extend(after.opponent.0.to_le_bytes());
    bytes.extend([0; 16]);
    for number in [0i16, -64, 64] {
        bytes.extend(number.to_le_bytes());
    }
    // No link; the leaf is d6 = 43.
    bytes.extend([0, 20, -1i8 as u8, 43]);
    bytes
}

#[test]
fn a_book_of_edax_is_read_as_its_layout_says() {
    let foreign = read(&by_hand_edax()).unwrap();
    assert_eq!((foreign.program, foreign.positions, foreign.left_out), (Program::Edax, 2, 0));
    let entry = foreign.graph.find(Board::START).unwrap();
    assert_eq!(entry.moves.len(), 4);
    assert_eq!(entry.of(Square::F5).unwrap().judged, Some(searched(0, 18)));
    assert_eq!(
        entry.of(Square::F5).unwrap().worth,
        searched(1, 21),
        "the leaf after f5 was looked at more deeply"
    );
    let leaf = foreign.graph.find(Board::START.play(Square::F5)).unwrap();
    assert_eq!(leaf.of(Square::D6).unwrap().worth, searched(-1, 20));
}

/// The start and the position after f5 as the page about books of Egaroucid describes them.
fn by_hand_egaroucid(version: u8) -> Vec<u8> {
    let mut bytes = b"EGAROUCID".to_vec();
    bytes.push(version);
    bytes.extend(2i32.to_le_bytes());
    if version == 1 {
        bytes.clear();
        bytes.extend(2i32.to_le_bytes());
    }
    let after = Board::START.play(Square::F5);
    // f5 counted from h8 is 26, d6 is 20.
    for (board, value, link) in [(Board::START, 1i8, 26u8), (after, -1, 20)] {
        bytes.extend(board.own.0.reverse_bits().to_le_bytes());
        bytes.extend(board.opponent.0.reverse_bits().to_le_bytes());
        match version {
            1 => bytes.push((value + 64) as u8),
            2 => {
                bytes.extend([value as u8, 21]);
                bytes.extend(1u32.to_le_bytes());
                bytes.extend([value as u8, link]);
            }
            _ => {
                bytes.extend([value as u8, 21]);
                bytes.extend(7u32.to_le_bytes());
                bytes.extend(if board == after { [-1i8 as u8, 20, 19] } else { [-127i8 as u8, 65, 0] });
            }
        }
    }
    bytes
}

#[test]
fn books_of_egaroucid_are_read_as_they_are_described() {
    let (start, after) = (Board::START, Board::START.play(Square::F5));
    let third = read(&by_hand_egaroucid(3)).unwrap();
    assert_eq!((third.program, third.positions, third.left_out), (Program::Egaroucid, 2, 0));
    assert_eq!(third.graph.find(after).unwrap().of(Square::D6).unwrap().worth, searched(-1, 19));
    assert_eq!(third.graph.find(start).unwrap().of(Square::F5).unwrap().worth, searched(1, 22));
    let second = read(&by_hand_egaroucid(2)).unwrap();
    assert_eq!(second.graph.find(after).unwrap().of(Square::D6).unwrap().worth, searched(-1, 21));
    let first = read(&by_hand_egaroucid(1)).unwrap();
    assert_eq!((first.positions, first.left_out), (2, 1), "nothing follows the second position");
    assert_eq!(first.graph.find(start).unwrap().of(Square::D3).unwrap().worth, searched(1, 2));
}

/// What a format has room for comes back: positions, and the values of moves that stay in the book.
#[test]
fn what_is_written_for_others_is_read_back() {
    for seed in 0..5 {
        let graph = random_graph(seed, 8);
        let edax = read(&write_edax(&graph)).unwrap();
        let egaroucid = read(&write_egaroucid(&graph)).unwrap();
        assert_eq!((edax.positions, edax.left_out), (graph.len(), 0));
        assert_eq!((egaroucid.positions, egaroucid.left_out), (graph.len(), 0));
        for (board, moves) in graph.positions() {
            let best = moves[0].worth.discs;
            let value = |graph: &Graph| {
                graph.find(board).unwrap().moves.iter().filter_map(|m| m.judged).map(|j| j.discs).max()
            };
            assert_eq!(value(&edax.graph), Some(best), "{board}");
            assert!(egaroucid.graph.find(board).is_some());
        }
    }
}

/// Edax refuses a position without a leaf unless all its legal moves are links.
#[test]
fn every_position_written_for_edax_has_a_leaf_or_all_links() {
    let bytes = write_edax(&random_graph(4, 8));
    let mut at = 42;
    while at < bytes.len() {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let board =
            Board { own: emilia_rules::Bitboard(word(at)), opponent: emilia_rules::Bitboard(word(at + 8)) };
        let links = bytes[at + 38];
        let leaf = bytes[at + 40 + 2 * usize::from(links) + 1];
        assert!(leaf < 64 || u32::from(links) == board.moves().count(), "{board}");
        at += 42 + 2 * usize::from(links);
    }
    assert_eq!(at, bytes.len());
}

#[test]
fn damaged_files_of_others_are_refused_or_read_but_never_fatal() {
    assert_eq!(read(b"").unwrap_err(), ForeignError::Unknown);
    assert_eq!(read(b"nothing of the kind").unwrap_err(), ForeignError::Unknown);
    let mut dice = Dice(1);
    for whole in [by_hand_edax(), by_hand_egaroucid(3), by_hand_egaroucid(2), write_edax(&random_graph(1, 2))]
    {
        assert!(read(&whole).is_ok());
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length} bytes");
        }
        let longer = [whole.as_slice(), &[0]].concat();
        assert!(matches!(read(&longer).unwrap_err(), ForeignError::Length { .. }));
        for _ in 0..2000 {
            let mut damaged = whole.clone();
            let at = dice.below(whole.len());
            damaged[at] = dice.below(256) as u8;
            if let Ok(foreign) = read(&damaged) {
                // Whatever is taken in is a sound book.
                let book = emilia_book::Book::new(foreign.graph.bytes()).unwrap();
                assert_eq!(book.graph().unwrap(), foreign.graph);
            }
        }
    }
    let mut other = by_hand_edax();
    other[8] = 3;
    assert_eq!(
        read(&other).unwrap_err().to_string(),
        "a book of Edax, version 3; only version 4 can be read"
    );
}

#[test]
fn a_value_beyond_the_board_is_left_out() {
    let mut bytes = by_hand_edax();
    let leaf = bytes.len() - 2;
    bytes[leaf] = 100;
    let foreign = read(&bytes).unwrap();
    assert_eq!(foreign.left_out, 1);
    assert_eq!(foreign.graph.find(Board::START).unwrap().worth(), Some(searched(0, 18)));
    let solved = Worth { discs: 3, basis: meaning(60, 60) };
    assert_eq!(solved.basis, Basis::Solved);
}
