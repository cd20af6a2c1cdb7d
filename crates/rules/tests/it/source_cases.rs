//! The cases of an earlier browser game's test suite, (row, column) from 0 as it wrote them.

use std::collections::BTreeSet;

use emilia_rules::{Color, GridPosition, Move, Outcome, Playable, Point, Setup, Size, Square, Status};

fn at(row: u8, column: u8) -> Point {
    Point::new(column, row).unwrap()
}

fn points(list: &[(u8, u8)]) -> BTreeSet<Point> {
    list.iter().map(|(row, column)| at(*row, *column)).collect()
}

fn legal(position: &GridPosition) -> BTreeSet<Point> {
    position.placements().into_iter().collect()
}

fn board(text: &str) -> GridPosition {
    text.parse::<Setup>().unwrap().position().unwrap()
}

fn start() -> GridPosition {
    GridPosition::start(Size::EIGHT)
}

/// Fifteen discs, White to move.
fn midgame() -> GridPosition {
    board(
        ".......O
         ......X.
         ..O..X..
         ..XOX...
         ...XO...
         ...XXO..
         .X.X....
         ....O...  O",
    )
}

/// Black to move and without a move.
fn skip() -> GridPosition {
    board(
        "..OOO...
         ...X....
         ........
         ........
         ........
         ........
         ........
         ......XX  X",
    )
}

#[test]
fn coordinates_add() {
    assert_eq!(at(2, 5).offset(0, 6), Some(at(8, 5)));
}

#[test]
fn coordinates_know_whether_they_are_on_the_board() {
    assert!(Size::EIGHT.contains(at(6, 0)));
    assert!(!Size::EIGHT.contains(at(8, 2)));
    assert_eq!(Square::new(2, 8), None);
    assert_eq!(at(3, 0).offset(-1, 0), None);
}

#[test]
fn start_board() {
    assert_eq!(start().size().cells(), 64);
    assert_eq!(start().disc(at(0, 1)), None);
    assert_eq!(start().disc(at(3, 4)), Some(Color::Black));
}

#[test]
fn start_validity_of_moves() {
    for (row, column, valid) in [(4, 5, true), (3, 2, true), (3, 1, false), (3, 3, false)] {
        assert_eq!(start().play(Move::Place(at(row, column))).is_ok(), valid);
    }
}

#[test]
fn start_enemy_discs() {
    let enemy = |row, column| start().disc(at(row, column)) == Some(!start().turn());
    assert!(enemy(3, 3));
    assert!(!enemy(7, 0));
    assert!(!enemy(4, 3));
}

#[test]
fn start_play_flips() {
    let next = start().play(Move::Place(at(4, 5))).unwrap();
    assert_eq!(next.disc(at(4, 4)), Some(Color::Black));
    assert_eq!(next.disc(at(4, 5)), Some(Color::Black));
}

#[test]
fn start_available_squares() {
    assert_eq!(legal(&start()), points(&[(4, 5), (5, 4), (3, 2), (2, 3)]));
}

#[test]
fn start_is_in_progress() {
    assert_eq!(start().status(), Status::ToPlace);
}

#[test]
fn in_progress_after_a_move() {
    assert_eq!(start().play(Move::Place(at(5, 4))).unwrap().status(), Status::ToPlace);
}

#[test]
fn start_counts() {
    assert_eq!((start().counts().black, start().counts().white), (2, 2));
}

#[test]
fn players_change() {
    assert_eq!(start().passed().turn(), Color::White);
}

#[test]
fn midgame_validity_of_moves() {
    for (row, column, valid) in
        [(7, 3, true), (4, 2, true), (2, 4, true), (6, 4, true), (6, 2, true), (6, 0, false)]
    {
        assert_eq!(midgame().play(Move::Place(at(row, column))).is_ok(), valid, "{row} {column}");
    }
}

#[test]
fn midgame_play_flips_seven() {
    let next = midgame().play(Move::Place(at(5, 2))).unwrap();
    let flipped = points(&[(1, 6), (2, 5), (3, 4), (4, 3), (6, 3), (5, 3), (5, 4)]);
    assert_eq!(midgame().flips(at(5, 2)).into_iter().collect::<BTreeSet<_>>(), flipped);
    assert!(flipped.iter().all(|point| next.disc(*point) == Some(Color::White)));
    assert_eq!((next.counts().black, next.counts().white), (2, 14));
}

#[test]
fn midgame_available_squares() {
    let expected = points(&[(7, 3), (4, 2), (2, 4), (6, 4), (6, 2), (5, 2), (3, 1), (3, 5)]);
    assert_eq!(legal(&midgame()), expected);
}

#[test]
fn midgame_is_in_progress() {
    assert_eq!(midgame().status(), Status::ToPlace);
}

#[test]
fn midgame_in_progress_after_a_move() {
    assert_eq!(midgame().play(Move::Place(at(2, 4))).unwrap().status(), Status::ToPlace);
}

#[test]
fn midgame_counts() {
    assert_eq!((midgame().counts().black, midgame().counts().white), (9, 6));
}

#[test]
fn a_side_without_a_move_does_not_end_the_game() {
    assert_eq!(skip().status(), Status::MustPass);
}

#[test]
fn after_the_skip_white_is_to_move() {
    let next = skip().play(Move::Pass).unwrap();
    assert_eq!((next.turn(), next.status()), (Color::White, Status::ToPlace));
}

#[test]
fn no_moves_and_equal_counts_is_a_tie() {
    let text = format!("{}{}{}", "O".repeat(16), ".".repeat(32), "X".repeat(16));
    assert_eq!(board(&text).status(), Status::Over(Outcome::Draw));
}

#[test]
fn no_moves_and_more_black_discs_is_a_black_win() {
    let text = format!("{}{}{}{}", ".".repeat(8), "O".repeat(8), ".".repeat(32), "X".repeat(16));
    assert_eq!(board(&text).status(), Status::Over(Outcome::Win(Color::Black)));
}

#[test]
fn a_full_board_with_more_white_discs_is_a_white_win() {
    let text: String = (0..64).map(|cell| if cell % 8 >= cell / 8 { 'O' } else { 'X' }).collect();
    let full = board(&text);
    assert_eq!((full.counts().white, full.counts().black), (36, 28));
    assert_eq!(full.status(), Status::Over(Outcome::Win(Color::White)));
}
