//! Every fast thing has a slow twin: both are walked through random games on every board.

use crate::common::{Cells, Dice, random_game};
use emilia_rules::{
    Bitboard, Color, Direction, Grid, GridPosition, IllegalMove, Kernel, Move, Playable, Point, Portable,
    Position, Size, Square, SquareSet, Status, Task, Tier,
};

/// Fewer games on larger boards: they have more squares to look at.
fn games(size: Size) -> usize {
    (6000 / (size.cells() * size.cells() / 64)).clamp(2, 300)
}

#[test]
fn word_parallel_rules_equal_the_cell_walk_on_every_size() {
    for size in Size::all() {
        let mut dice = Dice(u64::from(size.get()));
        for _ in 0..games(size) {
            for position in random_game(size, &mut dice) {
                let cells = Cells::of(&position);
                let placements: Vec<Point> = position.placements().into_iter().collect();
                assert_eq!(placements, cells.placements(position.turn()), "{position}");
                assert_eq!(
                    position.passed().placements().into_iter().collect::<Vec<_>>(),
                    cells.placements(!position.turn()),
                    "{position}"
                );
                for point in position.empties() {
                    let flips: Vec<Point> = position.flips(point).into_iter().collect();
                    let expected = cells.flips(position.turn(), point.column().into(), point.row().into());
                    assert_eq!(flips, expected, "{point} in {position}");
                }
            }
        }
    }
}

/// Walks a game with as many rows as the board needs.
fn narrow_boards_are_played_alike<const N: usize>(game: &[GridPosition]) {
    for position in game {
        let Some(narrow) = position.narrowed::<N>() else { return };
        let same = |one: Grid<N>, other: Grid| one.into_iter().eq(other);
        assert!(same(narrow.placements(), position.placements()), "{position}");
        for point in position.placements() {
            let next = position.placed(point);
            assert_eq!(Some(narrow.placed(point)), next.narrowed(), "{point} in {position}");
            assert!(same(narrow.flips(point), position.flips(point)), "{point} in {position}");
        }
        assert_eq!(Some(narrow.passed()), position.passed().narrowed());
        let frame = |set: Grid| set & Grid::board(position.size());
        let narrow_frame = |set: Grid<N>| set & Grid::board(position.size());
        for direction in Direction::ALL {
            let (one, other) = (narrow.own().shifted(direction), position.own().shifted(direction));
            assert!(same(narrow_frame(one), frame(other)), "{direction:?} of {position}");
        }
        assert!(same(narrow_frame(narrow.own().grown()), frame(position.own().grown())));
        assert_eq!(narrow.counts(), position.counts());
        assert_eq!(narrow.own().is_empty(), position.own().is_empty());
    }
}

#[test]
fn a_board_is_the_same_in_any_number_of_rows() {
    for size in Size::all() {
        let game = random_game(size, &mut Dice(500 + u64::from(size.get())));
        narrow_boards_are_played_alike::<8>(&game);
        narrow_boards_are_played_alike::<16>(&game);
        narrow_boards_are_played_alike::<32>(&game);
    }
}

#[test]
fn playing_changes_the_board_as_the_cell_walk_does() {
    for size in Size::all() {
        let mut dice = Dice(1000 + u64::from(size.get()));
        let game = random_game(size, &mut dice);
        for pair in game.windows(2) {
            let before = pair[0].counts();
            let placed: Vec<Point> = (pair[0].empties() - pair[1].empties()).into_iter().collect();
            let mut cells = Cells::of(&pair[0]);
            if let [point] = placed[..] {
                let flips = pair[0].flips(point).count();
                let after = pair[1].counts();
                assert_eq!(after.of(pair[0].turn()), before.of(pair[0].turn()) + 1 + flips);
                assert_eq!(after.of(!pair[0].turn()), before.of(!pair[0].turn()) - flips);
                cells.play(pair[0].turn(), point);
            } else {
                assert_eq!(pair[0].status(), Status::MustPass);
            }
            assert_eq!(cells, Cells::of(&pair[1]));
            assert_ne!(pair[0].turn(), pair[1].turn());
        }
        let last = game[game.len() - 1];
        assert!(matches!(last.status(), Status::Over(_)));
        assert_eq!(last.play(Move::Pass), Err(IllegalMove::GameOver));
    }
}

#[test]
fn the_64_bit_position_equals_the_grid() {
    for size in Size::all().filter(|size| size.is_compact()) {
        let mut dice = Dice(7);
        for _ in 0..100 {
            for grid in random_game(size, &mut dice) {
                let position = Position::try_from(&grid).unwrap();
                assert_eq!(GridPosition::from(position), grid);
                assert_eq!(position.counts(), grid.counts());
                assert_eq!(position.status(), grid.status());
                assert_eq!(Grid::from_word(position.placements().0), grid.placements());
                for square in position.placements() {
                    assert_eq!(GridPosition::from(position.placed(square)), grid.placed(square.into()));
                }
            }
        }
    }
    let ten = GridPosition::start(Size::new(10).unwrap());
    assert_eq!(Position::try_from(&ten).unwrap_err().to_string(), "10×10 is larger than 8×8");
}

/// Compares one kernel with the portable one.
struct Compare(Vec<(u64, u64)>);

impl Task for Compare {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        for (own, opponent) in self.0 {
            assert_eq!(kernel.moves(own, opponent), Portable.moves(own, opponent));
            for square in Bitboard(!(own | opponent)) {
                let square = u32::from(square.index());
                assert_eq!(
                    kernel.flips(own, opponent, square),
                    Portable.flips(own, opponent, square),
                    "{} flips {square} of {own:#x} {opponent:#x}",
                    kernel.tier()
                );
            }
        }
    }
}

#[test]
fn every_processor_tier_gives_the_same_flips_and_moves() {
    let mut dice = Dice(64);
    let mut boards: Vec<(u64, u64)> = (0..50)
        .flat_map(|_| random_game(Size::EIGHT, &mut dice))
        .map(|position| (position.own().word(), position.opponent().word()))
        .collect();
    // Boards that no game reaches: full rows, scattered discs, nothing at all.
    for _ in 0..2000 {
        let word = |dice: &mut Dice| (0..4).fold(0u64, |word, _| word << 16 | dice.below(1 << 16) as u64);
        let (own, mask) = (word(&mut dice), word(&mut dice));
        boards.push((own & mask, !own & word(&mut dice)));
        boards.push((own & !mask, !own));
    }
    boards.extend([(0, 0), (1, u64::MAX - 1), (u64::MAX - 1, 1)]);
    for tier in Tier::available() {
        tier.run(Compare(boards.clone()));
    }
}

#[test]
fn sets_obey_their_laws_in_both_representations() {
    let mut dice = Dice(3);
    for _ in 0..300 {
        let squares: Vec<Square> = (0..dice.below(64)).map(|_| Square::ALL[dice.below(64)]).collect();
        let bits: Bitboard = squares.iter().copied().collect();
        let grid: Grid = squares.iter().map(|square| Point::from(*square)).collect();
        assert_eq!(grid.word(), bits.0);
        assert_eq!(bits.count() as usize, bits.into_iter().count());
        assert_eq!(grid.count(), bits.count());
        assert!(bits.into_iter().zip(bits.into_iter().skip(1)).all(|(a, b)| a < b));
        for direction in Direction::ALL {
            let frame = Grid::board(Size::EIGHT);
            assert_eq!((grid.shifted(direction) & frame).word(), bits.shifted(direction).0, "{direction:?}");
            let there_and_back = bits.shifted(direction).shifted(direction.opposite());
            assert_eq!(there_and_back - bits, Bitboard::EMPTY);
        }
        assert_eq!((grid.grown() & Grid::board(Size::EIGHT)).word(), bits.grown().0);
    }
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    let start = GridPosition::start(Size::EIGHT);
    let at = |column, row| Move::Place(Point::new(column, row).unwrap());
    assert_eq!(start.play(at(3, 3)).unwrap_err().to_string(), "d4 is occupied");
    assert_eq!(start.play(at(0, 0)).unwrap_err().to_string(), "a1 flips nothing");
    assert_eq!(start.play(at(20, 0)).unwrap_err().to_string(), "u1 is not on the board");
    assert_eq!(start.play(Move::Pass), Err(IllegalMove::NeedlessPass));
    assert_eq!(start.turn(), Color::Black);
}
