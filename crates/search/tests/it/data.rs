//! Positions solved by others.

use emilia_rules::{Move, Position, Setup, Size, parse_move};
use emilia_search::Problem;

/// The positions of a file in OBF in `data/endgame`.
pub(crate) fn obf(file: &str) -> Vec<Problem> {
    let path = format!("{}/../../data/endgame/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path).lines().map(problem).collect()
}

/// One line of OBF: the board, the side to move, and moves with their scores.
pub(crate) fn problem(line: &str) -> Problem {
    let mut fields = line.split(';').map(str::trim);
    let known = |field: &str| {
        let (mv, score) = field.split_once(':')?;
        let mv = match mv {
            "--" => return None,
            "PS" => Move::Pass,
            _ => parse_move(&mv.to_lowercase(), Size::EIGHT).unwrap(),
        };
        Some((mv, score.parse().unwrap()))
    };
    Problem { position: position(fields.next().unwrap()), known: fields.filter_map(known).collect() }
}

/// A board and the side to move.
pub(crate) fn position(text: &str) -> Position {
    Position::try_from(&text.parse::<Setup>().unwrap().position().unwrap()).unwrap()
}
