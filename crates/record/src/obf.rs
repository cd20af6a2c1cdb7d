//! Othello Board Files (`.obf`) and the older endgame scripts: a position a line, with the scores of its moves.
//!
//! ```
//! use emilia_record::obf;
//! let line = "-XXXXXXXOOXXOOOOOOXXOXOOXXOOOOXOXXOXOOXOXXXOOXOOXXOOOOOOXXXXXXXX O; PS:-10; % one square left";
//! let exercise = obf::parse(line).unwrap().unwrap();
//! assert_eq!(exercise.score(), Some(-10));
//! assert_eq!(obf::write_line(&exercise), line);
//! ```

use std::fmt::Write;

use emilia_rules::{Move, Playable, SquareSet, Status};

use crate::fault::clip;
use crate::movetext::{is_pass, square};
use crate::{Exercise, Fault, board};

/// Reads a line. Empty lines, comment lines and the result lines that old solvers put between positions hold no
/// position.
///
/// Every scored move must be legal. The field `--:-127;` that some programs put last means nothing and is dropped.
pub fn parse(line: &str) -> Result<Option<Exercise>, Fault> {
    let (line, comment) = line.split_once('%').unwrap_or((line, ""));
    let line = line.trim();
    if line.is_empty() || is_result(line) {
        return Ok(None);
    }
    let (cells, fields) = line.split_once(';').unwrap_or((line, ""));
    let mut exercise = Exercise::new(board::parse(cells)?);
    comment.trim().clone_into(&mut exercise.comment);
    for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let wrong = |what| Fault::Field { what, text: clip(field) };
        match field.split_once(':') {
            Some(("--", _)) => {}
            Some((word, score)) => {
                let score = score.trim().parse().map_err(|_| wrong("score"))?;
                exercise
                    .scores
                    .push((scored_move(&exercise, word.trim()).ok_or_else(|| wrong("legal move"))?, score));
            }
            None => exercise.best = Some(field.parse().map_err(|_| wrong("score"))?),
        }
    }
    Ok(Some(exercise))
}

fn scored_move(exercise: &Exercise, word: &str) -> Option<Move<emilia_rules::Point>> {
    if is_pass(word) {
        return (exercise.position.status() == Status::MustPass).then_some(Move::Pass);
    }
    let (point, length) = square(word)?;
    (length == word.len() && exercise.position.placements().contains(point)).then_some(Move::Place(point))
}

/// `38 - 26`, `Black win`, `Draw`, `White win`.
fn is_result(line: &str) -> bool {
    let count = |text: &str| text.trim().parse::<u16>().is_ok();
    ["black win", "white win", "draw"].iter().any(|word| line.eq_ignore_ascii_case(word))
        || line.split_once(" - ").is_some_and(|(black, white)| count(black) && count(white))
}

/// The line of an exercise, without a line break.
#[must_use]
pub fn write_line(exercise: &Exercise) -> String {
    let mut line = format!("{};", board::write(&exercise.position));
    for (mv, score) in &exercise.scores {
        let name = match mv {
            Move::Place(point) => point.to_string().to_ascii_uppercase(),
            Move::Pass => "PS".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(line, " {name}:{score:+};");
    }
    if let Some(best) = exercise.best {
        let _ = write!(line, " {best:+};");
    }
    let comment = exercise.comment.split_whitespace().collect::<Vec<_>>().join(" ");
    if !comment.is_empty() {
        let _ = write!(line, " % {comment}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_other_than_moves_are_understood() {
        let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
        let exercise = parse(&format!("{board}; A2:+38; C7:+36; --:-127;")).unwrap().unwrap();
        assert_eq!(exercise.scores.len(), 2);
        assert_eq!(exercise.position.counts().empty, 20);
        assert_eq!(parse(&format!("{board}; +12;")).unwrap().unwrap().score(), Some(12));
        assert_eq!(parse(board).unwrap().unwrap().score(), None);
        for line in ["", "  ", "% words", "38 - 26", "Black win", "draw"] {
            assert_eq!(parse(line).unwrap(), None, "{line}");
        }
        for line in ["38 - x", "x - 26", "38 -26", "black wins"] {
            assert!(parse(line).is_err(), "{line}");
        }
        let error = parse(&format!("{board}; A1:+2;")).unwrap_err();
        assert_eq!(error.to_string(), "\"A1:+2\" is not a legal move");
    }
}
