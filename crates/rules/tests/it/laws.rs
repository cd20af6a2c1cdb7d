//! What the documentation promises, held to the plainest way of saying it.

use crate::common::{Dice, random_game};
use emilia_rules::perft::{Passes, Perft};
use emilia_rules::{
    Bitboard, Board, Color, Direction, Grid, GridPosition, IllegalMove, Move, Playable, Point, Position,
    Setup, Size, Square, SquareSet, Status, Symmetry,
};

/// Every operation on sets, compared with yes or no for each square.
fn sets_are_yes_or_no_for_each_square<S>(squares: &[S::Square], dice: &mut Dice)
where
    S: SquareSet,
    S::Square: Into<Point>,
{
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
            let point: Point = (*square).into();
            let (column, row) = (usize::from(point.column()), usize::from(point.row()));
            assert_eq!(set.row(row) >> column & 1 != 0, *member, "{square:?} in a row of {set:?}");
            assert_eq!(set.column(column) >> row & 1 != 0, *member, "{square:?} in a column of {set:?}");
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
fn a_grid_has_the_rows_that_it_was_made_of() {
    let mut dice = Dice(19);
    // More rows and columns than the largest board has.
    let rows: Vec<u32> = (0..40).map(|_| (dice.below(1 << 16) << 16 | dice.below(1 << 16)) as u32).collect();
    let grid = Grid::from_rows(rows.iter().copied());
    for point in Size::MAX.points() {
        let member = rows[usize::from(point.row())] >> point.column() & 1 != 0;
        assert_eq!(grid.contains(point), member, "{point}");
    }
    assert!(grid.fits(Size::MAX));
    assert_eq!(Grid::from_rows([0b101]).into_iter().count(), 2);
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
            assert_eq!(GridPosition::from(position.passed()), grid.passed());
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

/// Every point that the largest board has.
fn points() -> impl Iterator<Item = Point> {
    Size::MAX.points()
}

/// Every move there is, tried on a position: the legal ones are those that are listed, and lead where they say; all others
/// are refused for the first reason that holds.
fn legal_moves_are_those_that_are_listed<P: Playable>(position: &P) {
    let size = position.size();
    let listed: Vec<Move<P::Square>> = position.moves().collect();
    let over = position.placements().is_empty() && position.passed().placements().is_empty();
    assert_eq!(position.is_over(), over);
    assert_eq!(listed.is_empty(), over);
    for point in points() {
        assert_eq!(position.square(point).is_some(), size.contains(point), "{point} on {size}");
        let Some(square) = position.square(point) else { continue };
        assert_eq!(square.into(), point);
        let mv = Move::Place(square);
        let expected = match position.disc(square) {
            _ if listed.contains(&mv) => Ok(position.placed(square)),
            _ if over => Err(IllegalMove::GameOver),
            Some(_) => Err(IllegalMove::Occupied(square)),
            None => Err(IllegalMove::FlipsNothing(square)),
        };
        assert_eq!(position.play(mv), expected, "{point}");
        if listed.contains(&mv) {
            assert_eq!(position.played(mv), position.placed(square));
        }
    }
    let expected = match position.status() {
        Status::MustPass => Ok(position.passed()),
        Status::ToPlace => Err(IllegalMove::NeedlessPass),
        Status::Over(_) => Err(IllegalMove::GameOver),
    };
    assert_eq!(position.play(Move::Pass), expected);
    assert_eq!(listed.contains(&Move::Pass), expected.is_ok());
    assert_eq!(position.played(Move::Pass), position.passed());
}

#[test]
fn legal_moves_are_those_that_are_listed_on_boards_of_both_kinds() {
    let mut dice = Dice(14);
    for side in [4, 6, 8, 10] {
        for _ in 0..3 {
            for grid in random_game(Size::new(side).unwrap(), &mut dice) {
                legal_moves_are_those_that_are_listed(&grid);
                if let Ok(position) = Position::try_from(&grid) {
                    legal_moves_are_those_that_are_listed(&position);
                }
            }
        }
    }
}

#[test]
fn both_colours_discs_and_the_empty_squares_make_up_the_board() {
    let mut dice = Dice(15);
    for side in [4, 8, 12] {
        for grid in random_game(Size::new(side).unwrap(), &mut dice) {
            let (black, white) = (grid.discs(Color::Black), grid.discs(Color::White));
            assert_eq!(
                (black & white, black | white | grid.empties()),
                (Grid::EMPTY, Grid::board(grid.size()))
            );
            let counts = grid.counts();
            assert_eq!(
                (counts.black, counts.white, counts.empty),
                (black.count(), white.count(), grid.empties().count())
            );
            for point in grid.size().points() {
                let disc = match (black.contains(point), white.contains(point)) {
                    (true, _) => Some(Color::Black),
                    (_, true) => Some(Color::White),
                    _ => None,
                };
                assert_eq!((grid.disc(point), Setup::from(grid).disc(point)), (disc, disc));
            }
        }
    }
}

#[test]
fn a_position_of_64_bits_is_any_two_sets_that_share_no_square() {
    let (one, other) = (Bitboard(0b0110), Bitboard(0b1001));
    let board = |own, opponent| Board { own, opponent };
    let position = Position::new(board(one, other), Color::White).unwrap();
    assert_eq!(
        (position.board(), position.turn(), position.size()),
        (board(one, other), Color::White, Size::EIGHT)
    );
    assert_eq!((position.own(), position.opponent()), (one, other));
    assert_eq!(Position::new(board(one, Bitboard(0b0100)), Color::Black), None);
    assert_eq!(Position::default().to_string(), GridPosition::default().to_string());
    assert_eq!(Position::default().board(), Board::START);
}

#[test]
fn points_are_counted_row_by_row() {
    for size in Size::all() {
        for (index, point) in size.points().enumerate() {
            assert_eq!((point.index(size), Point::from_index(index, size)), (index, Some(point)));
        }
        assert_eq!(Point::from_index(size.cells(), size), None);
        assert_eq!(size.points().count(), size.cells());
    }
    for (column, row) in [(0, 26), (26, 0), (26, 26), (255, 0)] {
        assert_eq!(Point::new(column, row), None);
    }
    for point in points() {
        assert_eq!(Point::new(point.column(), point.row()), Some(point));
        let square = (point.column() < 8 && point.row() < 8).then_some(());
        assert_eq!(point.square().map(|_| ()), square, "{point}");
    }
}

#[test]
fn steps_lead_to_the_neighbour_and_back() {
    for direction in Direction::ALL {
        let (columns, rows) = direction.step();
        assert_eq!(direction.opposite().step(), (-columns, -rows));
        assert_eq!(direction.opposite().opposite(), direction);
        for point in points() {
            let (column, row) =
                (i32::from(point.column()) + i32::from(columns), i32::from(point.row()) + i32::from(rows));
            let inside = (0..26).contains(&column) && (0..26).contains(&row);
            let next = inside.then(|| Point::new(column as u8, row as u8).unwrap());
            assert_eq!(point.offset(columns, rows), next, "{point} {direction:?}");
        }
    }
    let both_ways: Vec<Direction> =
        Direction::AXES.into_iter().flat_map(|axis| [axis, axis.opposite()]).collect();
    assert!(Direction::ALL.iter().all(|direction| both_ways.contains(direction)));
}

#[test]
fn squares_are_counted_row_by_row() {
    for (index, square) in (0u8..).zip(Square::ALL) {
        assert_eq!((square.index(), square.column(), square.row()), (index, index % 8, index / 8));
        assert_eq!(Square::from_index(index), Some(square));
        assert_eq!(Square::new(index % 8, index / 8), Some(square));
        assert_eq!(Point::from(square).square(), Some(square));
        assert_eq!(square.to_string(), Point::from(square).to_string());
    }
    assert_eq!((Square::from_index(64), Square::new(8, 0), Square::new(0, 8)), (None, None, None));
}

#[test]
fn a_set_up_board_holds_what_was_put_there_last() {
    let mut setup = Setup::empty(Size::SIX);
    assert_eq!(setup.size(), Size::SIX);
    let (c3, f6) = (Point::new(2, 2).unwrap(), Point::new(5, 5).unwrap());
    for disc in [Some(Color::Black), Some(Color::White), None, Some(Color::White), Some(Color::Black)] {
        setup.put(c3, disc).unwrap();
        assert_eq!((setup.disc(c3), setup.disc(f6)), (disc, None));
    }
    setup.put(f6, Some(Color::White)).unwrap();
    setup.turn = Color::White;
    let position = setup.position().unwrap();
    assert_eq!((position.turn(), position.size()), (Color::White, Size::SIX));
    assert_eq!((position.own(), position.opponent()), (Grid::only(f6), Grid::only(c3)));
    assert_eq!(Setup::from(position), setup);
    let before = setup;
    assert!(setup.put(Point::new(6, 0).unwrap(), None).is_err());
    assert_eq!(setup, before);
}

#[test]
fn the_discs_in_the_middle_lie_as_they_are_named() {
    for (start, d4, e4) in [
        (emilia_rules::Start::Standard, Color::White, Color::Black),
        (emilia_rules::Start::Mirrored, Color::Black, Color::White),
    ] {
        let position = GridPosition::start_as(Size::EIGHT, start);
        let disc = |column, row| position.disc(Point::new(column, row).unwrap());
        assert_eq!(
            [disc(3, 3), disc(4, 4), disc(4, 3), disc(3, 4)],
            [Some(d4), Some(d4), Some(e4), Some(e4)]
        );
        assert_eq!((position.turn(), position.counts().empty), (Color::Black, 60));
    }
    assert_eq!(GridPosition::default(), GridPosition::start(Size::EIGHT));
}

#[test]
fn passes_are_counted_as_they_are_named() {
    assert_eq!(["ply", "free"].map(|word| word.parse::<Passes>().unwrap()), [Passes::Ply, Passes::Free]);
}

#[test]
fn sets_are_drawn_square_by_square() {
    let mut dice = Dice(16);
    for side in [4, 8, 12] {
        let size = Size::new(side).unwrap();
        for position in random_game(size, &mut dice).into_iter().step_by(7) {
            // The smallest board that holds every member is drawn.
            let set = position.own() | Grid::only(Point::from_index(size.cells() - 1, size).unwrap());
            let mark = |point: Point| if set.contains(point) { "*" } else { "." };
            let marks: Vec<&str> = size.points().map(mark).collect();
            let rows: Vec<String> = marks.chunks(side).map(|row| row.join(" ") + "\n").collect();
            assert_eq!(set.to_string(), rows.concat());
            if size == Size::EIGHT {
                assert_eq!(Bitboard(set.word()).to_string(), rows.concat());
            }
        }
    }
}

#[test]
fn a_position_is_turned_square_by_square() {
    let mut dice = Dice(17);
    for side in [4, 8, 10] {
        let size = Size::new(side).unwrap();
        for position in random_game(size, &mut dice).into_iter().step_by(5) {
            let canonical = position.canonical();
            for symmetry in Symmetry::ALL {
                let turned = position.transformed(symmetry);
                assert_eq!((turned.turn(), turned.size()), (position.turn(), size));
                assert!(
                    size.points()
                        .all(|point| turned.disc(symmetry.point(point, size)) == position.disc(point))
                );
                assert_eq!(turned.canonical(), canonical);
            }
            assert!(Symmetry::ALL.iter().any(|symmetry| position.transformed(*symmetry) == canonical));
        }
    }
}

#[test]
fn a_position_fits_into_as_many_rows_as_it_has_and_no_fewer() {
    for size in Size::all() {
        let start = GridPosition::start(size);
        assert_eq!(
            start.narrowed::<8>().map(|narrow| narrow.counts()),
            (size.get() <= 8).then(|| start.counts())
        );
        assert_eq!(
            start.narrowed::<16>().map(|narrow| narrow.turn()),
            (size.get() <= 16).then(|| start.turn())
        );
        assert_eq!(start.narrowed::<32>(), Some(start));
    }
}

/// The leaves, counted as one would explain it.
fn leaves(position: &GridPosition, depth: u32, passes: Passes) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    let left = |mv| if mv == Move::Pass && passes == Passes::Free { depth } else { depth - 1 };
    position.moves().map(|mv| leaves(&position.played(mv), left(mv), passes)).sum()
}

/// From the middle of games, where sides pass and games end before the last ply.
#[test]
fn leaves_are_counted_alike_on_every_board_and_on_any_number_of_threads() {
    let mut dice = Dice(18);
    for (side, step, most) in [(4, 3, 6), (6, 9, 4), (8, 25, 3), (10, 60, 2)] {
        for position in random_game(Size::new(side).unwrap(), &mut dice).into_iter().step_by(step) {
            for passes in [Passes::Ply, Passes::Free] {
                for depth in 0..=most {
                    let expected = leaves(&position, depth, passes);
                    for threads in 1..=2 {
                        let perft = Perft { passes, threads, ..Perft::new(depth) };
                        assert_eq!(
                            perft.count(&position),
                            expected,
                            "{position} {depth} {passes:?} {threads}"
                        );
                    }
                }
            }
        }
    }
}

/// White has no move, Black has two, and after them White has three.
#[test]
fn passes_are_counted_on_boards_of_every_size() {
    for side in [8, 10, 18] {
        let mut setup = Setup::empty(Size::new(side).unwrap());
        setup.turn = Color::White;
        for (column, row, color) in [(0, 2, Color::Black), (1, 2, Color::White), (1, 1, Color::White)] {
            setup.put(Point::new(column, row).unwrap(), Some(color)).unwrap();
        }
        let passing = setup.position().unwrap();
        assert_eq!((passing.status(), passing.passed().placements().count()), (Status::MustPass, 2));
        // Black alone: nobody can move.
        setup.put(Point::new(1, 1).unwrap(), None).unwrap();
        setup.put(Point::new(1, 2).unwrap(), None).unwrap();
        let over = setup.position().unwrap();
        assert!(over.is_over());
        for (position, passes) in
            [(passing, Passes::Ply), (passing, Passes::Free), (over, Passes::Ply), (over, Passes::Free)]
        {
            for depth in 0..=5 {
                let perft = Perft { passes, ..Perft::new(depth) };
                assert_eq!(
                    perft.count(&position),
                    leaves(&position, depth, passes),
                    "{side} {depth} {passes:?}"
                );
            }
        }
        // The pass; then Black's move; then White's: b1 after c1, b4 or d4 after c3.
        assert_eq!([1, 2, 3].map(|depth| Perft::new(depth).count(&passing)), [1, 2, 3]);
    }
}
