//! Board strings: n² characters from a1 along the rows, then the side to move.
//!
//! ```
//! use emilia_record::board;
//! let text = "---------------------------OX------XO--------------------------- X";
//! let position = board::parse(text).unwrap();
//! assert_eq!(board::write(&position), text);
//! ```

use emilia_rules::{GridPosition, Setup, SetupError, Size};

use crate::fault::clip;
use crate::{Exercise, Fault, fen};

/// Reads a board in one piece, in rows, or in the short form of [`fen`]. The side to move may follow; it is Black if
/// it is missing. [`Setup`] says which characters stand for what.
pub fn parse(text: &str) -> Result<GridPosition, Fault> {
    if text.contains('/') {
        return fen::parse(text);
    }
    let board = |source| Fault::Board { text: clip(text), source };
    text.parse::<Setup>().map_err(board)?.position().map_err(board)
}

/// Whether a text is so much like a board that it is meant to be one, right or wrong.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let enough =
        text.chars().filter(|character| !character.is_whitespace()).nth(Size::MIN.cells() - 1).is_some();
    (enough && !matches!(text.parse::<Setup>(), Err(SetupError::BadCell { .. })))
        || (text.contains('/') && fen::parse(text).is_ok())
}

/// Reads a board that may be followed by a whole number, which is then the score for the side to move.
///
/// A lone `0` after a blank is a score, although it could be a white disc.
pub fn parse_scored(text: &str) -> Result<Exercise, Fault> {
    let text = text.trim();
    if let Some((cells, last)) = text.rsplit_once(char::is_whitespace)
        && let Ok(score) = last.parse()
    {
        return Ok(Exercise { best: Some(score), ..Exercise::new(parse(cells)?) });
    }
    Ok(Exercise::new(parse(text)?))
}

/// The squares as `X`, `O` and `-`, a blank, the side to move.
#[must_use]
pub fn write(position: &GridPosition) -> String {
    position.to_string()
}

/// Splits a text into boards: one a line, or one drawn over several lines. Blank lines separate.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let mut boards = Vec::new();
    for block in blocks(text) {
        let lines = block.lines().filter(|line| !line.trim().is_empty());
        let first = lines.clone().next().map_or(0, width);
        if Size::new(first).is_ok()
            && lines.clone().take(first).filter(|line| width(line) == first).count() == first
        {
            boards.push(block);
        } else {
            boards.extend(lines);
        }
    }
    boards
}

/// Characters of a line, blanks aside.
fn width(line: &str) -> usize {
    line.chars().filter(|character| !character.is_whitespace()).count()
}

/// The parts of a text between blank lines.
pub(crate) fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(['\n', '\r']);
        while let Some(line) = rest.lines().next()
            && line.trim().is_empty()
        {
            rest = rest[line.len()..].trim_start_matches(['\n', '\r']);
            if rest.is_empty() {
                return None;
            }
        }
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        let (block, after) = rest.split_at(end);
        rest = after;
        Some(block)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_lines_are_told_apart() {
        let picture = "----\n-OX-\n-XO-\n----\nX\n";
        let line = "-----OX--XO----- X\n";
        assert_eq!(split(picture).len(), 1);
        assert_eq!(split(&line.repeat(3)).len(), 3);
        assert_eq!(split(&format!("\n \n{picture}\n\n{line}{line}")).len(), 3);
        let large = format!("{}\n", "-".repeat(16)).repeat(16);
        assert_eq!(split(&large).len(), 1);
        // Lines as long as those of a picture, but too few for one.
        assert_eq!(split(&format!("{}\n", "-".repeat(16)).repeat(2)).len(), 2);
        for part in split(&format!("{picture}\n{line}")) {
            assert_eq!(write(&parse(part).unwrap()), line.trim());
        }
    }

    #[test]
    fn sixteen_cells_look_like_a_board() {
        for text in ["-----OX--XO-----", "---- -OX- -XO- ---- X", "4/1ox1/1xo1/4"] {
            assert!(looks_like(text), "{text}");
        }
        for text in ["-----OX--XO----", "f5d6c3d3c4f4f6f3e6e7", "4/1ox1/1xo1", "and/or and/or and/or", "---"]
        {
            assert!(!looks_like(text), "{text}");
        }
    }

    #[test]
    fn a_number_after_the_board_is_a_score() {
        let exercise = parse_scored("-----OX--XO----- -2").unwrap();
        assert_eq!(exercise.best, Some(-2));
        assert_eq!(parse_scored("-----OX--XO----- 0").unwrap().best, Some(0));
        assert_eq!(parse_scored("-----OX--XO-----0").unwrap().best, None);
        assert!(parse_scored("---- 5").is_err());
    }
}
