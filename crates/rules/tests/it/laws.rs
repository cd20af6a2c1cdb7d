//! What the documentation promises, held to the plainest way of saying it.

use crate::common::{Dice, random_game};
use emilia_rules::{Bitboard, Board, Grid, Playable, Point, Position, Size, Square, SquareSet, Symmetry};

/// Every operation on sets, compared with yes or no for each square.
fn sets_are_yes_or_no_for_each_square<S: SquareSet>(squares: &[S::Square], dice: &mut Dice) {
    let set = |members: &[bool]| -> S {
        squares.iter().zip(members).filter(|(_, member)| **member).map(|(square, _)| *square).collect()
    };
    let same = |set: S, members: &[bool]| {
        let listed: Vec<S::Square> =
            squares.iter().zip(members).filter(|(_, member)| **member).map(|(square, _)| *square).collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), listed);
        assert_eq!((set.count() as usize, set.is_empty()), (listed.len(), listed.is_empty()));
        for (square, member) in squares.iter().zip(members) {
            assert_eq!(set.contains(*square), *member, "{square:?} in {set:?}");
        }
    };
    for _ in 0..10 {
        let mut some = || -> Vec<bool> { squares.iter().map(|_| dice.below(2) == 0).collect() };
        let (one, other) = (some(), some());
        let both = |combine: fn(bool, bool) -> bool| -> Vec<bool> {
            one.iter().zip(&other).map(|(one, other)| combine(*one, *other)).collect()
        };
        let (a, b) = (set(&one), set(&other));
        same(a & b, &both(|one, other| one && other));
        same(a | b, &both(|one, other| one || other));
        same(a ^ b, &both(|one, other| one != other));
        same(a - b, &both(|one, other| one && !other));
        let (mut met, mut joined) = (a, a);
        met &= b;
        joined |= b;
        assert_eq!((met, joined), (a & b, a | b));
    }
    for square in squares {
        same(S::only(*square), &squares.iter().map(|other| other == square).collect::<Vec<_>>());
    }
    same(S::EMPTY, &vec![false; squares.len()]);
    assert_eq!(S::default(), S::EMPTY);
}

#[test]
fn sets_of_every_kind_are_yes_or_no_for_each_square() {
    let mut dice = Dice(11);
    sets_are_yes_or_no_for_each_square::<Bitboard>(&Square::ALL, &mut dice);
    let points = |side: usize| Size::new(side).unwrap().points().collect::<Vec<Point>>();
    sets_are_yes_or_no_for_each_square::<Grid<8>>(&points(8), &mut dice);
    sets_are_yes_or_no_for_each_square::<Grid<16>>(&points(16), &mut dice);
    sets_are_yes_or_no_for_each_square::<Grid>(&points(26), &mut dice);
}

#[test]
fn a_board_is_all_its_points_and_no_other() {
    for size in Size::all() {
        assert!(Grid::<32>::board(size).into_iter().eq(size.points()));
        for larger in Size::all() {
            assert_eq!(Grid::board(size).fits(larger), size <= larger, "{size} on {larger}");
        }
    }
    for size in Size::all().filter(|size| size.is_compact()) {
        assert!(Bitboard::board(size).into_iter().map(Point::from).eq(size.points()));
        assert!(Grid::<8>::board(size).into_iter().eq(size.points()));
        assert_eq!(Grid::from_word(Bitboard::board(size).0), Grid::board(size));
        assert_eq!(Grid::board(size).word(), Bitboard::board(size).0);
    }
}

#[test]
fn an_iterator_knows_how_many_squares_are_left() {
    let set = Bitboard(0x8100_0010_0800_0081);
    let mut squares = set.into_iter();
    for left in (0..set.count() as usize).rev() {
        assert!(squares.next().is_some());
        assert_eq!((squares.len(), squares.size_hint()), (left, (left, Some(left))));
    }
    assert_eq!(squares.next(), None);
}

#[test]
fn a_board_of_64_bits_says_what_its_position_says() {
    let mut dice = Dice(12);
    for size in Size::all().filter(|size| size.is_compact()) {
        for grid in random_game(size, &mut dice) {
            let position = Position::try_from(&grid).unwrap();
            let (board, counts) = (position.board(), position.counts());
            assert_eq!(board.occupied().count(), counts.black + counts.white);
            assert_eq!(board.occupied() ^ board.empties(), Bitboard::board(Size::EIGHT));
            assert_eq!((board.empties() & Bitboard::board(size)), position.empties());
            assert_eq!(
                board.difference(),
                counts.of(position.turn()) as i32 - counts.of(!position.turn()) as i32
            );
            assert_eq!(board.pass(), position.passed().board());
            for square in position.placements() {
                assert_eq!(board.play(square), position.placed(square).board());
                assert_eq!(board.after(square, board.flips(square)), board.play(square));
                assert_eq!(board.flips(square), position.flips(square));
            }
            for square in position.empties() {
                assert_eq!(board.flips(square).is_empty(), !position.placements().contains(square));
            }
        }
    }
}

#[test]
fn the_canonical_board_is_the_least_and_comes_with_its_symmetry() {
    let mut dice = Dice(13);
    for size in Size::all().filter(|size| size.is_compact()) {
        for grid in random_game(size, &mut dice) {
            let board = Position::try_from(&grid).unwrap().board();
            let (least, symmetry) = board.canonical(size);
            assert_eq!(board.transformed(symmetry, size), least);
            assert!(Symmetry::ALL.iter().all(|symmetry| least <= board.transformed(*symmetry, size)));
        }
    }
}

#[test]
fn a_board_is_drawn_square_by_square() {
    let drawn = Board::START.play(Square::F5).to_string();
    let rows = "- - - - - - - -\n".repeat(3);
    assert_eq!(drawn, format!("{rows}- - - X O - - -\n- - - O O O - -\n{rows}"));
}
