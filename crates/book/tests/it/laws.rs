use std::collections::HashMap;

use emilia_book::{Basis, Book, Graph, Worth};
use emilia_rules::{Bitboard, Board, Size, Square, SquareSet, Symmetry};

use crate::{random_graph, searched};

/// The slow twin of settling: every value by its definition, without any order.
fn worth_of(
    graph: &Graph,
    board: Board,
    square: Square,
    seen: &mut HashMap<Board, Option<Worth>>,
) -> Option<Worth> {
    let judged = graph.find(board).and_then(|entry| entry.of(square)?.judged);
    let next = board.play(square);
    let follows = if next.moves().is_empty() && next.pass().moves().is_empty() {
        let difference = next.pass().difference();
        let empties = next.empties().count() as i32;
        Some(Worth { discs: (difference + difference.signum() * empties) as i8, basis: Basis::Solved })
    } else if next.moves().is_empty() {
        best_of(graph, next.pass(), seen).map(|best| Worth { discs: best.discs, basis: best.basis.before() })
    } else {
        best_of(graph, next, seen).map(|best| Worth { discs: -best.discs, basis: best.basis.before() })
    };
    match (judged, follows) {
        (Some(judged), Some(follows)) if follows.basis < judged.basis => Some(judged),
        (judged, follows) => follows.or(judged),
    }
}

fn best_of(graph: &Graph, board: Board, seen: &mut HashMap<Board, Option<Worth>>) -> Option<Worth> {
    graph.find(board)?;
    if let Some(known) = seen.get(&board) {
        return *known;
    }
    let worths: Vec<Worth> =
        board.moves().into_iter().filter_map(|square| worth_of(graph, board, square, seen)).collect();
    let best = worths.into_iter().max_by_key(|worth| (worth.discs, worth.basis));
    seen.insert(board, best);
    best
}

#[test]
fn settled_values_are_those_of_the_definition() {
    for seed in 0..20 {
        let graph = random_graph(seed, 30);
        let mut seen = HashMap::new();
        for (board, moves) in graph.positions() {
            for known in moves {
                assert_eq!(Some(known.worth), worth_of(&graph, board, known.square, &mut seen), "{board}");
            }
        }
    }
}

#[test]
fn a_book_says_the_same_of_a_board_however_it_is_turned() {
    let graph = random_graph(7, 20);
    let book = Book::new(graph.bytes()).unwrap();
    for (board, _) in graph.positions() {
        let entry = book.find(board).unwrap();
        assert_eq!(Some(&entry), graph.find(board).as_ref());
        for symmetry in Symmetry::ALL {
            let turned = book.find(board.transformed(symmetry, Size::EIGHT)).unwrap();
            assert_eq!(turned.moves.len(), entry.moves.len());
            for known in &entry.moves {
                let square = symmetry.point(known.square.into(), Size::EIGHT).square().unwrap();
                assert_eq!(turned.of(square).unwrap().worth, known.worth);
            }
        }
    }
    let never = Board { own: Bitboard(1), opponent: Bitboard(2) };
    assert_eq!(book.find(never), None);
}

#[test]
fn what_is_written_is_what_is_read() {
    for seed in 0..10 {
        let graph = random_graph(seed, 10);
        let book = Book::new(graph.bytes()).unwrap();
        assert_eq!(book.len(), graph.len());
        assert_eq!(book.graph().unwrap(), graph);
    }
    assert!(Book::new(Graph::default().bytes()).unwrap().is_empty());
}

#[test]
fn a_value_never_replaces_one_that_rests_on_more() {
    let (d3, start) = (Square::D3, Board::START);
    let mut graph = Graph::default();
    let value = |graph: &mut Graph| {
        graph.settle();
        graph.find(start).unwrap().of(d3).unwrap().worth
    };
    for (worth, expected) in [
        (Worth { discs: 9, basis: Basis::Game }, 9),
        (searched(1, 10), 1),
        (Worth { discs: 8, basis: Basis::Game }, 1),
        (searched(2, 9), 1),
        (searched(3, 10), 1),
        (searched(4, 11), 4),
    ] {
        graph.judge(start, [(d3, worth)]);
        assert_eq!(value(&mut graph).discs, expected, "{worth:?}");
    }
    // From below too: a reply that was looked at less deeply than the move itself does not count, another does.
    graph.judge(start.play(d3), [(Square::C3, searched(-20, 9))]);
    assert_eq!(value(&mut graph), searched(4, 11));
    graph.judge(start.play(d3), [(Square::C3, searched(-5, 10))]);
    assert_eq!(value(&mut graph), searched(5, 11));
    graph.judge(start, [(d3, Worth { discs: 0, basis: Basis::Solved })]);
    assert_eq!(value(&mut graph), Worth { discs: 0, basis: Basis::Solved });
}

#[test]
fn merging_is_the_same_in_every_order_and_once_is_enough() {
    let books: Vec<Graph> = (0..4).map(|seed| random_graph(seed, 25)).collect();
    let merged = |order: &[usize]| {
        let mut all = Graph::default();
        order.iter().for_each(|number| all.merge(&books[*number]));
        all
    };
    let once = merged(&[0, 1, 2, 3]);
    assert!(once.len() > books[0].len());
    assert_eq!(merged(&[0, 1, 2, 3, 3, 1, 0]), once);
    let strongest = |graph: &Graph| -> Vec<_> {
        graph
            .positions()
            .flat_map(|(_, moves)| moves.iter().map(|known| known.judged.map(|j| j.basis)))
            .collect()
    };
    assert_eq!(strongest(&merged(&[3, 2, 1, 0])).len(), strongest(&once).len());
    for (board, moves) in once.positions() {
        for known in moves {
            let most = books.iter().filter_map(|book| book.find(board)?.of(known.square)?.judged);
            assert_eq!(known.judged.map(|judged| judged.basis), most.map(|judged| judged.basis).max());
        }
    }
}

#[test]
fn what_a_line_gives_away_is_summed_and_the_cheapest_way_counts() {
    let start = Board::START;
    let after = start.play(Square::D3);
    let mut graph = Graph::default();
    graph.judge(start, [(Square::D3, searched(0, 9))]);
    graph.judge(
        after,
        [(Square::C3, searched(0, 8)), (Square::E3, searched(-2, 8)), (Square::C5, searched(-3, 8))],
    );
    let [c3, e3, c5] = [Square::C3, Square::E3, Square::C5].map(|square| after.play(square));
    for board in [c3, e3, c5] {
        let square = board.moves().into_iter().next().unwrap();
        graph.judge(board, [(square, searched(0, 1))]);
    }
    graph.settle();
    let losses = graph.losses(start);
    let loss = |board: Board| losses[&board.canonical(Size::EIGHT).0];
    assert_eq!([start, after, c3, e3, c5].map(loss), [0, 0, 0, 2, 3]);
    let gone = graph.retain(|board| losses.get(&board).is_some_and(|loss| *loss <= 2));
    assert_eq!((gone, graph.find(c5), graph.find(e3).is_some()), (1, None, true));
}
