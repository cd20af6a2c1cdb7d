//! How moves, lines and depths are written.

use emilia_query::{Bound, MoveReport, Selectivity};
use emilia_rules::{Move, Point, Size, parse_move};

/// A move: `F5`, or `PA` for a pass.
pub(super) fn square(mv: Move<Point>) -> String {
    match mv {
        Move::Place(point) => point.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

/// Reads the move of `F5/1.25/0.30`, and the seconds. Some engines write blanks instead of slashes.
pub(super) fn read(text: &str, size: Size) -> Option<(Move<Point>, Option<f64>, Option<f64>)> {
    let mut fields = text.trim().split(['/', ' ', '\t']);
    let word = fields.next()?;
    let mv = if word.eq_ignore_ascii_case("pa") || word.eq_ignore_ascii_case("pass") {
        Move::Pass
    } else {
        let starts_right = word.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
        let digits = word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
        let square = starts_right && digits && word.len() > 1;
        square.then(|| parse_move(word, size).ok()).flatten()?
    };
    let mut number =
        || fields.next().and_then(|field| field.parse::<f64>().ok()).filter(|value| value.is_finite());
    let value = number();
    Some((mv, value, number()))
}

/// A line of play without blanks.
pub(super) fn line(found: &MoveReport) -> String {
    let moves: Vec<String> = found.line.iter().map(|mv| square(*mv)).collect();
    // On boards with two-digit rows only a dash keeps the moves apart.
    moves.join("-")
}

/// How deep and how sure: `14`, `14@73%`, `100%`, and `100%W` for a proven win, loss or draw.
pub(super) fn depth(found: &MoveReport) -> String {
    match (found.exact, found.bound, found.selectivity) {
        (true, Bound::Exact, _) => "100%".to_owned(),
        (true, ..) => "100%W".to_owned(),
        (false, _, Some(selectivity)) if selectivity < Selectivity::Certain => {
            format!("{}@{selectivity}", found.depth)
        }
        _ => found.depth.to_string(),
    }
}
