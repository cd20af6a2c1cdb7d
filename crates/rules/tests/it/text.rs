//! What is printed can be read again, and what cannot be read is refused with the reason.

use crate::common::{Dice, random_game};
use emilia_rules::{
    Color, GridPosition, Move, MoveTextError, Outcome, Playable, Point, Setup, SetupError, Size, parse_move,
};
use proptest::prelude::*;

/// Letters of the longest text that is read as a move.
const LONGEST_MOVE: usize = 24;

#[test]
fn words_up_to_the_longest_are_moves_and_longer_ones_are_not() {
    let place = |text: &str| parse_move(text, Size::EIGHT).map(Move::square);
    let d3 = Point::new(3, 2);
    assert!(d3.is_some());
    assert_eq!(place("d3"), Ok(d3));
    assert_eq!(place(&format!("#{:0>width$}", 19, width = LONGEST_MOVE - 1)), Ok(d3));
    let longer = format!("#{:0>width$}", 19, width = LONGEST_MOVE);
    assert!(matches!(place(&longer), Err(MoveTextError::Unreadable(_))));
    assert_eq!(place("pass"), Ok(None));
}

#[test]
fn outcomes_are_said_in_words() {
    let said =
        [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw].map(|end| end.to_string());
    assert_eq!(said, ["black wins", "white wins", "draw"]);
}

#[test]
fn moves_and_counts_are_said_as_players_say_them() {
    let d3 = Point::new(3, 2).unwrap();
    assert_eq!([Move::Place(d3), Move::Pass].map(|mv| mv.to_string()), ["d3", "pass"]);
    let position = GridPosition::default().placed(d3);
    assert_eq!(position.counts().to_string(), "4-1");
}

#[test]
fn positions_print_and_parse_on_every_size() {
    for size in Size::all() {
        for position in random_game(size, &mut Dice(5)).into_iter().step_by(9) {
            let text = position.to_string();
            assert_eq!(text.parse::<Setup>().unwrap().position().unwrap(), position);
            let lines: Vec<String> = text.as_bytes()[..size.cells()]
                .chunks(size.get().into())
                .map(|row| String::from_utf8_lossy(row).into_owned())
                .collect();
            let spelled = format!("{}\n{}", lines.join("\n"), position.turn());
            assert_eq!(spelled.parse::<Setup>().unwrap().position().unwrap(), position);
            // A character more than there are squares is the side to move, even without a blank before it.
            assert_eq!(text.replace(' ', "").parse::<Setup>().unwrap().position().unwrap(), position);
        }
    }
}

#[test]
fn every_spelling_of_a_cell_is_understood() {
    let start = GridPosition::start(Size::MIN);
    for (empty, black, white, side) in [
        ('-', 'X', 'O', "X"),
        ('.', '*', '0', "*"),
        ('U', 'B', 'W', "B"),
        ('u', 'b', 'w', "Black"),
        ('_', 'x', 'o', ""),
        ('+', '●', '○', "●"),
        ('·', '●', '○', ""),
    ] {
        let text: String = start.to_string()[..16]
            .chars()
            .map(|cell| match cell {
                'X' => black,
                'O' => white,
                _ => empty,
            })
            .collect();
        let setup: Setup = format!("{text} {side}").parse().unwrap();
        assert_eq!(setup.position().unwrap(), start);
    }
}

#[test]
fn a_disc_apart_at_the_end_is_never_a_square() {
    for text in [
        "-----OX--XO---- X",
        "---- -OX- -XO- --- X",
        "----\n-OX-\n-XO-\n---\nX",
        "- - - -\n- O X -\n- X O -\n- - -\nX",
    ] {
        assert_eq!(text.parse::<Setup>().unwrap_err(), SetupError::BadLength(15), "{text:?}");
    }
    // Without anything to tell it from the squares, it is one.
    for text in ["-----OX--XO----X", "- - - -\n- O X -\n- X O -\n- - - X", "----\n-OX-\n-XO-\n---X"] {
        let setup: Setup = text.parse().unwrap();
        assert_eq!((setup.turn, setup.position().unwrap().counts().black), (Color::Black, 3), "{text:?}");
    }
}

#[test]
fn broken_positions_name_the_culprit() {
    let error = |text: &str| text.parse::<Setup>().unwrap_err();
    assert_eq!(error("--?-"), SetupError::BadCell { character: '?', at: 3 });
    assert_eq!(error(""), SetupError::BadLength(0));
    assert_eq!(error("---"), SetupError::BadLength(3));
    assert_eq!(error("-----OX--XO----- -"), SetupError::BadTurn("-".to_owned()));
    assert_eq!(error(&"-".repeat(700)), SetupError::BadLength(700));
    assert_eq!("-".repeat(16).parse::<Setup>().unwrap().position(), Err(SetupError::NoDiscs));
    let mut setup = Setup::empty(Size::MIN);
    let z26 = Point::new(25, 25).unwrap();
    assert_eq!(setup.put(z26, Some(Color::Black)).unwrap_err().to_string(), "z26 is not on a board of 4×4");
}

#[test]
fn moves_are_read_in_every_notation() {
    for size in Size::all() {
        for point in size.points() {
            let (column, row) = (point.column(), point.row());
            let letter = |index: u8| char::from(b'a' + index);
            let expected = Ok(Move::Place(point));
            for text in [
                point.to_string(),
                point.to_string().to_uppercase(),
                format!("  {point}\t"),
                format!("{}{}", letter(row), letter(column)),
                format!("{} {}", row + 1, column + 1),
                format!("{},{}", row + 1, column + 1),
                format!("{} , {}", row + 1, column + 1),
                format!("#{}", point.index(size)),
            ] {
                assert_eq!(parse_move(&text, size), expected, "{text:?} on {size}");
            }
        }
        for pass in ["pass", "PASS", "--", "-", "@@@@", "0000"] {
            assert_eq!(parse_move(pass, size), Ok(Move::Pass));
        }
    }
    assert_eq!(parse_move("pa", Size::EIGHT), Ok(Move::Pass));
    assert_eq!(parse_move("ps", Size::EIGHT), Ok(Move::Pass));
    assert!(matches!(parse_move("pa", Size::MAX), Ok(Move::Place(_))));
}

#[test]
fn anything_else_is_no_move() {
    for text in [
        "", " ", "d", "d0", "d9", "0 1", "9 1", "1 9", "#64", "#", "3", "3 ", "d3x", "ü3", "d-3", "i1",
        "1,2,3",
    ] {
        assert!(parse_move(text, Size::EIGHT).is_err(), "{text:?}");
    }
    let long = "d".repeat(1000);
    assert!(parse_move(&long, Size::EIGHT).unwrap_err().to_string().len() < 100);
    assert_eq!(parse_move("d9", Size::EIGHT).unwrap_err().to_string(), "\"d9\" is not on a board of 8×8");
}

#[test]
fn sizes_are_even_and_between_4_and_26() {
    let good: Vec<usize> = (0..100).filter(|side| Size::new(*side).is_ok()).collect();
    assert_eq!(good, [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26]);
    for size in Size::all() {
        let start = GridPosition::start(size);
        assert_eq!(start.placements().into_iter().count(), 4);
        assert_eq!((start.counts().black, start.counts().white, start.turn()), (2, 2, Color::Black));
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,60}", side in 2usize..=13) {
        let _ = text.parse::<Setup>();
        let _ = parse_move(&text, Size::new(side * 2).unwrap());
    }

    #[test]
    fn any_setup_prints_and_parses(side in 2usize..=13, seed: u64, white: bool) {
        let size = Size::new(side * 2).unwrap();
        let mut dice = Dice(seed);
        let mut setup = Setup::empty(size);
        setup.turn = if white { Color::White } else { Color::Black };
        for point in size.points() {
            setup.put(point, [None, Some(Color::Black), Some(Color::White)][dice.below(3)]).unwrap();
        }
        prop_assert_eq!(setup.to_string().parse::<Setup>().unwrap(), setup);
    }
}
