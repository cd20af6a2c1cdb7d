use std::collections::BTreeSet;

use emilia_book::{Basis, Book, Graph, Growth, Origin, Worth};
use emilia_query::Selectivity;
use emilia_rules::{Board, Size, Square, SquareSet};

const DEPTH: u8 = 2;

fn wanted(_: Board) -> Basis {
    Basis::Searched { depth: DEPTH, selectivity: Selectivity::Certain }
}

/// A search that everybody can check: discs after so many plies, by minimax.
fn minimax(board: Board, depth: u8) -> i8 {
    if depth == 0 || board.moves().is_empty() {
        return board.difference() as i8;
    }
    board.moves().into_iter().map(|square| -minimax(board.play(square), depth - 1)).max().unwrap_or(0)
}

fn best_of(board: Board, among: impl IntoIterator<Item = Square>) -> Option<(Square, Worth)> {
    let scored = among.into_iter().map(|square| (-minimax(board.play(square), DEPTH - 1), square));
    let (discs, square) = scored.max_by_key(|(discs, square)| (*discs, std::cmp::Reverse(*square)))?;
    Some((square, Worth { discs, basis: wanted(board) }))
}

/// Grows until nothing is missing; how many positions were judged.
fn grow(graph: &mut Graph, growth: &Growth, most: usize) -> usize {
    let mut judged = 0;
    loop {
        graph.settle();
        let tasks = growth.tasks(graph, &wanted);
        if tasks.is_empty() || judged >= most {
            return judged;
        }
        for task in tasks {
            let mut found = Vec::new();
            while let Some((square, worth)) = best_of(task.board, task.open(&found)) {
                let last = task.ends_with(worth.discs, &found);
                found.push((square, worth));
                if last {
                    break;
                }
            }
            graph.judge(task.board, found);
            judged += 1;
        }
    }
}

fn good_lines(plies: u32, loss: i32) -> Growth {
    Growth { from: Origin::Board(Board::START), plies, narrow_plies: plies, move_loss: loss, line_loss: loss }
}

/// The law that a grown book keeps: walk every line from the start, and wherever it is still good, the position is there
/// and no move is missing that could go on with it.
fn walk(graph: &Graph, board: Board, left: u32, may_lose: i32, lines: &mut usize) {
    if left == 0 {
        *lines += 1;
        return;
    }
    let entry = graph.find(board).unwrap_or_else(|| panic!("not in the book:\n{board}"));
    let best = i32::from(entry.worth().unwrap().discs);
    if let Some(most) = entry.others_at_most(board) {
        assert!(i32::from(most) < best - may_lose, "a good move may be missing:\n{board}");
    }
    for known in entry.within(may_lose) {
        assert!(known.worth.basis >= wanted(board));
        let next = board.play(known.square);
        let next = if next.moves().is_empty() { next.pass() } else { next };
        if !next.moves().is_empty() {
            walk(graph, next, left - 1, may_lose - entry.loss(known), lines);
        }
    }
}

#[test]
fn every_good_line_is_in_a_book_that_was_grown() {
    for (plies, loss) in [(1, 0), (5, 0), (5, 2), (4, 5)] {
        let mut graph = Graph::default();
        grow(&mut graph, &good_lines(plies, loss), usize::MAX);
        let mut lines = 0;
        walk(&graph, Board::START, plies, loss, &mut lines);
        assert!(lines >= 4, "{plies} plies, {loss} discs: {lines} lines");
    }
}

#[test]
fn growth_that_was_broken_off_comes_to_the_same_book() {
    let growth = good_lines(5, 2);
    let mut whole = Graph::default();
    grow(&mut whole, &growth, usize::MAX);
    let mut again = Graph::default();
    while grow(&mut again, &growth, 1) > 0 {
        // As if written and read.
        again = Book::new(again.bytes()).unwrap().graph().unwrap();
    }
    assert_eq!(again, whole);
}

#[test]
fn narrow_lines_go_on_and_a_larger_growth_holds_the_smaller() {
    let mut graph = Graph::default();
    grow(&mut graph, &good_lines(4, 1), usize::MAX);
    let small = graph.clone();
    let narrow = Growth { narrow_plies: 9, ..good_lines(4, 1) };
    grow(&mut graph, &narrow, usize::MAX);
    let ply = |board: Board| 60 - board.empties().count();
    assert_eq!(small.positions().map(|(board, _)| ply(board)).max(), Some(3));
    assert!(small.positions().all(|(board, _)| graph.find(board).is_some()));
    let beyond: Vec<Board> =
        graph.positions().map(|(board, _)| board).filter(|board| ply(*board) > 3).collect();
    assert!(!beyond.is_empty() && beyond.iter().all(|board| ply(*board) < 9));
    // Each of them is reached by the only good move of a position of the book.
    let mut only = Vec::new();
    for (board, _) in graph.positions() {
        let entry = graph.find(board).unwrap();
        let good: Vec<Board> = entry.within(1).map(|known| board.play(known.square)).collect();
        if good.iter().map(|next| next.canonical(Size::EIGHT).0).collect::<BTreeSet<_>>().len() == 1 {
            only.push(good[0].canonical(Size::EIGHT).0);
        }
    }
    assert!(beyond.iter().all(|board| only.contains(board)));
    assert_eq!(grow(&mut graph, &good_lines(4, 0), usize::MAX), 0, "nothing is missing in a larger book");
}

#[test]
fn nothing_grows_from_a_position_without_moves() {
    let over = Board { own: emilia_rules::Bitboard(1), opponent: emilia_rules::Bitboard(0) };
    let growth = Growth { from: Origin::Board(over), ..good_lines(5, 2) };
    assert_eq!(growth.tasks(&Graph::default(), &wanted), []);
}

/// What docs/openings.md promises of the book that comes with the program.
#[test]
fn nothing_is_missing_in_our_own_book() {
    let graph = Book::embedded().graph().unwrap();
    let level_24 = |_: Board| Basis::Searched { depth: 24, selectivity: Selectivity::Likely };
    assert_eq!(good_lines(12, 2).tasks(&graph, &level_24), []);
    let mut lines = 0;
    walk(&graph, Board::START, 12, 2, &mut lines);
    assert!(lines > 100, "{lines}");
    assert!(graph.bytes().len() <= 3 << 20);
}
