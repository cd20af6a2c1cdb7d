use thiserror::Error;

use crate::{Move, Point, Size};

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveTextError {
    /// Nothing that looks like a move.
    #[error("{0:?} is not a move; write a square such as d3, or pass")]
    Unreadable(String),
    /// A square, but not one of this board.
    #[error("{text:?} is not on a board of {size}")]
    OffBoard {
        /// What was written.
        text: String,
        /// The board it should have been on.
        size: Size,
    },
}

/// Longest text that is looked at; also the most that an error repeats.
const LONGEST: usize = 24;

/// Reads a move in any of the notations people use, in upper or lower case, with blanks around it:
///
/// | text | means |
/// |---|---|
/// | `d3`, `k10` | column letter, row number |
/// | `cd` | two letters: row, then column |
/// | `3 4`, `3,4` | two numbers from 1: row, then column |
/// | `#19` | row-major index from 0 |
/// | `pass`, `pa`, `ps`, `--`, `-`, `@@@@`, `0000` | a pass (`pa` and `ps` only where they are no squares) |
///
/// ```
/// use emilia_rules::{parse_move, Size};
/// for text in ["d3", " D3 ", "cd", "3 4", "3,4", "#19"] {
///     assert_eq!(parse_move(text, Size::EIGHT).unwrap().to_string(), "d3");
/// }
/// assert!(parse_move("d9", Size::EIGHT).is_err());
/// ```
pub fn parse_move(text: &str, size: Size) -> Result<Move<Point>, MoveTextError> {
    let word = text.trim();
    let unreadable = || MoveTextError::Unreadable(word.chars().take(LONGEST).collect());
    if word.is_empty() || word.len() > LONGEST || !word.is_ascii() {
        return Err(unreadable());
    }
    let word = word.to_ascii_lowercase();
    if matches!(word.as_str(), "pass" | "--" | "-" | "@@@@" | "0000") {
        return Ok(Move::Pass);
    }
    let (column, row) = coordinates(&word, size).ok_or_else(unreadable)?;
    match point_on_board(column, row, size) {
        Some(point) => Ok(Move::Place(point)),
        None if matches!(word.as_str(), "pa" | "ps") => Ok(Move::Pass),
        None => Err(MoveTextError::OffBoard { text: word, size }),
    }
}

/// Column and row from 0, as written: they may lie off the board.
fn coordinates(word: &str, size: Size) -> Option<(usize, usize)> {
    let letter = |byte: u8| byte.is_ascii_lowercase().then(|| usize::from(byte - b'a'));
    let number = |digits: &str| {
        (digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse::<usize>().ok()).flatten()
    };
    let bytes = word.as_bytes();
    if let Some(index) = word.strip_prefix('#') {
        let index = number(index)?;
        let side = usize::from(size.get());
        return Some((index % side, index / side));
    }
    if let [row, column] = bytes
        && let (Some(row), Some(column)) = (letter(*row), letter(*column))
    {
        return Some((column, row));
    }
    if let Some(column) = letter(bytes[0]) {
        return Some((column, number(&word[1..])?.checked_sub(1)?));
    }
    let (row, column) = word.split_once(',').or_else(|| word.split_once(' '))?;
    Some((number(column.trim())?.checked_sub(1)?, number(row.trim())?.checked_sub(1)?))
}

fn point_on_board(column: usize, row: usize, size: Size) -> Option<Point> {
    let point = Point::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)?;
    size.contains(point).then_some(point)
}
