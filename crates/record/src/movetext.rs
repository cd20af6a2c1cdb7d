//! Moves as records write them: a square such as `f5` or `k10`, or one of the spellings of a pass.

use emilia_rules::{Move, MoveTextError, Point, Size};

use crate::fault::clip;
use crate::{Fault, Game};

/// Reads a square off the front of a text: the square and how many bytes it took.
pub(crate) fn square(text: &str) -> Option<(Point, usize)> {
    let bytes = text.as_bytes();
    let column = bytes.first().filter(|byte| byte.is_ascii_alphabetic())?.to_ascii_lowercase() - b'a';
    let digits = bytes[1..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let row: u8 = text[1..1 + digits].parse().ok()?;
    Some((Point::new(column, row.checked_sub(1)?)?, 1 + digits))
}

/// The square that is all of a text.
pub(crate) fn whole_square(text: &str) -> Option<Point> {
    let text = text.trim();
    square(text).filter(|(_, length)| *length == text.len()).map(|(point, _)| point)
}

/// Whether a word is a pass: a beginning of `pass` of at least two letters, or one of the other spellings.
pub(crate) fn is_pass(word: &str) -> bool {
    let word = word.trim().to_ascii_lowercase();
    matches!(word.as_str(), "pa" | "pas" | "pass" | "ps" | "--" | "-" | "@@@@" | "0000")
}

/// Makes the move that this word states. What follows a square in the word is the caller's to judge.
pub(crate) fn follow(game: &mut Game, word: &str) -> Result<(), Fault> {
    let ply = game.ply() + 1;
    let mv = read(word, game.size()).map_err(|source| Fault::NotAMove { ply, source })?;
    game.follow(mv).map_err(|source| Fault::Illegal { ply, text: clip(word), source })
}

fn read(word: &str, size: Size) -> Result<Move<Point>, MoveTextError> {
    if is_pass(word) {
        return Ok(Move::Pass);
    }
    match square(word) {
        Some((point, _)) if size.contains(point) => Ok(Move::Place(point)),
        Some(_) => Err(MoveTextError::OffBoard { text: clip(word), size }),
        None => Err(MoveTextError::Unreadable(clip(word))),
    }
}
