//! Boards in the short form of chess programs: rows between slashes, numbers for runs of empty squares.
//!
//! Two dialects are read. In the common one `x` is Black, `o` is White and the top row comes first; it is also the one
//! that is written. In the XBoard one `p` is Black, `P` is White, the side to move is `b` or `w`, and the bottom row
//! comes first.
//!
//! ```
//! use emilia_record::fen;
//! use emilia_rules::GridPosition;
//! assert_eq!(fen::write(&GridPosition::default()), "8/8/8/3ox3/3xo3/8/8/8 x");
//! assert_eq!(fen::parse("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1").unwrap(), GridPosition::default());
//! ```

use std::fmt::Write;

use emilia_rules::{Color, GridPosition, Playable, Point, Setup, SetupError, Size};

use crate::Fault;
use crate::fault::clip;

/// Reads a board of any size in either dialect. Without a side to move, Black is to move.
pub fn parse(text: &str) -> Result<GridPosition, Fault> {
    let board = |source| Fault::Board { text: clip(text), source };
    let mut words = text.split_whitespace();
    let cells = words.next().unwrap_or_default();
    let rows: Vec<&str> = cells.split('/').take(usize::from(Size::MAX.get()) + 1).collect();
    let size = Size::new(rows.len()).map_err(|_| board(SetupError::BadLength(rows.len())))?;
    let xboard = cells.contains(['p', 'P']);
    let mut setup = Setup::empty(size);
    for (row, cells) in (0..).zip(&rows) {
        let row = if xboard { size.get() - 1 - row } else { row };
        fill(&mut setup, row, cells, xboard).map_err(board)?;
    }
    if let Some(side) = words.next() {
        setup.turn = match side {
            "x" | "X" | "b" | "B" | "*" => Color::Black,
            "o" | "O" | "w" | "W" => Color::White,
            _ => return Err(board(SetupError::BadTurn(clip(side)))),
        };
    }
    setup.position().map_err(board)
}

/// Puts the discs of one row on the board.
fn fill(setup: &mut Setup, row: u8, cells: &str, xboard: bool) -> Result<(), SetupError> {
    let side = usize::from(setup.size().get());
    let mut column = 0;
    let mut run = 0;
    for (at, character) in cells.chars().enumerate() {
        let disc = match (character, xboard) {
            ('0'..='9', _) => {
                run = (run * 10 + character as usize - '0' as usize).min(side + 1);
                continue;
            }
            ('p', true) | ('x' | 'X' | 'b' | 'B' | '*', false) => Some(Color::Black),
            ('P', true) | ('o' | 'O' | 'w' | 'W', false) => Some(Color::White),
            ('-' | '.' | '_', _) => None,
            _ => return Err(SetupError::BadCell { character, at: at + 1 }),
        };
        column += run;
        run = 0;
        let point = u8::try_from(column).ok().and_then(|column| Point::new(column, row));
        setup.put(point.ok_or(SetupError::BadLength(column + 1))?, disc)?;
        column += 1;
    }
    if column + run == side { Ok(()) } else { Err(SetupError::BadLength(column + run)) }
}

/// The board in the common dialect.
#[must_use]
pub fn write(position: &GridPosition) -> String {
    written(position, 0..position.size().get(), ['x', 'o'], ['x', 'o'])
}

/// The board in the XBoard dialect, as Edax reads it.
#[must_use]
pub fn write_xboard(position: &GridPosition) -> String {
    let text = written(position, (0..position.size().get()).rev(), ['p', 'P'], ['b', 'w']);
    format!("{text} - - 0 1")
}

fn written(
    position: &GridPosition,
    rows: impl Iterator<Item = u8>,
    discs: [char; 2],
    sides: [char; 2],
) -> String {
    let mut text = String::new();
    for (count, row) in rows.enumerate() {
        if count > 0 {
            text.push('/');
        }
        let mut run = 0;
        let close = |run: &mut u32, text: &mut String| {
            if *run > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, "{run}");
                *run = 0;
            }
        };
        for disc in
            (0..position.size().get()).map(|column| Point::new(column, row).and_then(|p| position.disc(p)))
        {
            match disc {
                Some(color) => {
                    close(&mut run, &mut text);
                    text.push(discs[color as usize]);
                }
                None => run += 1,
            }
        }
        close(&mut run, &mut text);
    }
    text.push(' ');
    text.push(sides[position.turn() as usize]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_read_as_they_are_written_on_every_board() {
        for size in Size::all() {
            let mut position = GridPosition::start(size);
            while let Some(mv) = position.moves().last() {
                assert_eq!(parse(&write(&position)).unwrap(), position);
                assert_eq!(parse(&write_xboard(&position)).unwrap(), position);
                position = position.play(mv).unwrap();
            }
        }
    }

    #[test]
    fn xboard_starts_with_the_colours_swapped() {
        let position = parse("8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1").unwrap();
        assert_eq!(position.turn(), Color::White);
        assert_eq!(position.passed(), GridPosition::start_as(Size::EIGHT, emilia_rules::Start::Mirrored));
    }

    #[test]
    fn broken_boards_are_refused() {
        for text in
            ["", "8/8", "9/8/8/3ox3/3xo3/8/8/8 x", "8/8/8/3ox3/3xo3/8/8/8 y", "4/4/4/4 x", "4/1xp1/4/4 x"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse("99999999999999999999x/4/4/4 x").is_err());
        let rows = |rows: usize| format!("x25/{}26", "26/".repeat(rows - 2));
        assert!(parse(&rows(26)).is_ok() && parse(&rows(27)).is_err());
        for (text, expected) in [
            ("4/1q2/4/4 x", SetupError::BadCell { character: 'q', at: 2 }),
            ("4/1x1/4/4 x", SetupError::BadLength(3)),
            ("4/x5/4/4 x", SetupError::BadLength(6)),
            (&rows(26).replacen("x25", "26x", 1), SetupError::BadLength(27)),
        ] {
            let Err(Fault::Board { source, .. }) = parse(text) else { panic!("{text}") };
            assert_eq!(source, expected, "{text}");
        }
    }

    #[test]
    fn runs_of_empty_squares_are_numbers_and_may_be_spelled_out() {
        let start = GridPosition::default();
        assert_eq!(write(&start), "8/8/8/3ox3/3xo3/8/8/8 x");
        assert_eq!(write_xboard(&start), "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1");
        assert_eq!(parse("8/8/8/...ox---/3xo3/8/________/8"), Ok(start));
        let full = "xxxx/oooo/xxxx/oooo o";
        assert_eq!(write(&parse(full).unwrap()), full);
    }
}
