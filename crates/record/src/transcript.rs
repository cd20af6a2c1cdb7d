//! Transcripts: the moves one after the other, `f5d6c3d3c4`, passes left out.
//!
//! Readers take upper and lower case, move numbers, and any of blank `, ; - _ / > | .` between moves. A start other than
//! the usual one on 8×8 comes before the moves, as `<board> <side>;`. The writer uses lower case without separators and
//! writes a pass only where the record ends with one. Only the main line is written: notes, tags, clocks and who wins
//! with fewest discs are left out.
//!
//! ```
//! use emilia_record::transcript;
//! let game = transcript::parse("1. F5 d6 2. C3-d3").unwrap();
//! assert_eq!(transcript::write(&game), "f5d6c3d3");
//! let error = transcript::parse("f5f5").unwrap_err();
//! assert_eq!(error.to_string(), "move 2, \"f5\": f5 is occupied");
//! ```

use std::fmt::Write;

use emilia_rules::{Move, Size};

use crate::movetext::{follow, square};
use crate::{Fault, Game, board};

/// Reads one game.
pub fn parse(text: &str) -> Result<Game, Fault> {
    let (mut game, moves) = match text.split_once(';') {
        Some((cells, moves)) if board::looks_like(cells) => {
            (Game::from_position(board::parse(cells)?), moves)
        }
        _ => (Game::new(Size::EIGHT), text),
    };
    let mut rest = moves;
    loop {
        rest = rest.trim_start_matches(is_separator);
        if rest.is_empty() {
            break;
        }
        let length = match square(rest) {
            Some((_, length)) => length,
            None => word_length(rest),
        };
        follow(&mut game, &rest[..length])?;
        rest = &rest[length..];
    }
    game.to_start();
    Ok(game)
}

/// What may stand between moves; a number that follows no letter is a move number.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || character.is_ascii_digit() || ",;:-_/>|.".contains(character)
}

/// The length of what is no square: a word of letters, or a single character.
fn word_length(text: &str) -> usize {
    match text.find(|character: char| !character.is_ascii_alphabetic()) {
        Some(0) => text.chars().next().map_or(0, char::len_utf8),
        Some(length) => length,
        None => text.len(),
    }
}

/// The main line of a game.
#[must_use]
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    if game.size() != Size::EIGHT || !game.is_usual_start() {
        text = format!("{};", board::write(game.start()));
    }
    let mut last = None;
    for mv in game.main_line() {
        if let Move::Place(point) = mv {
            // Writing to a string cannot fail.
            let _ = write!(text, "{point}");
        }
        last = Some(mv);
    }
    if last == Some(Move::Pass) {
        text.push_str("pa");
    }
    text
}

/// Splits a text into games: one a line, or, where the lines make no sense one by one, one between blank lines.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let mut games = Vec::new();
    for block in board::blocks(text) {
        let lines = block.lines().filter(|line| !line.trim().is_empty());
        // A single game written over several lines is legal as a whole, and from its second line on not by itself.
        let wrapped =
            lines.clone().nth(1).is_some_and(|second| parse(second).is_err()) && parse(block).is_ok();
        if wrapped {
            games.push(block);
        } else {
            games.extend(lines);
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::Playable;

    #[test]
    fn separators_numbers_and_case_are_free() {
        let plain = parse("f5d6c3d3c4").unwrap();
        for text in [
            "F5D6C3D3C4",
            "F5d6C3d3C4",
            "f5 d6 c3 d3 c4",
            "f5, d6; c3-d3_c4",
            "1. f5 d6 2. c3 d3 3. c4",
            "f5>d6>c3\nd3/c4\n",
        ] {
            assert_eq!(parse(text).unwrap(), plain, "{text}");
        }
        for text in ["x", "f9", "f5é", "f5d6c3d3c4 hello", "é;", "f0", "a"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn another_start_comes_before_the_moves() {
        let text = "-----OX--XO----- X;b1a1";
        let game = parse(text).unwrap();
        assert_eq!(game.size(), Size::MIN);
        assert_eq!(write(&game), text);
    }

    #[test]
    fn forced_passes_are_put_in_and_left_out() {
        for size in Size::all() {
            let mut game = Game::new(size);
            for _ in 0..80 {
                let Some(mv) = game.position().moves().last() else { break };
                game.play(mv).unwrap();
                assert_eq!(parse(&write(&game)).unwrap(), game);
            }
        }
        let text = "XO-------------- O;c1";
        let game = parse(text).unwrap();
        assert_eq!(game.main_line().next(), Some(Move::Pass));
        assert_eq!(write(&game), text);
        assert_eq!(write(&parse("XO-------------- O;pass").unwrap()), "XO-------------- O;pa");
    }

    #[test]
    fn games_are_one_a_line_or_wrapped() {
        assert_eq!(split("f5d6\nf5f6\nf5f4\n").len(), 3);
        assert_eq!(split("f5d6c3\nd3c4\n\nf5f6").len(), 2);
        assert_eq!(split("f5d6c3\na1a1\nf5f6").len(), 3);
    }
}
