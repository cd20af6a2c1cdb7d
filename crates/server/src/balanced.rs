//! Openings after which neither side is ahead: eight moves drawn from a list, so that both have to think for themselves.
//! Players know the idea as XOT.

use emilia_record::transcript;
use emilia_rules::{Move, Point};

/// One opening a line; lines that begin with `#` say how the list was made.
const LIST: &str = include_str!("../../../data/openings/balanced.txt");

/// Every opening of the list.
pub(crate) fn openings() -> Vec<Vec<Move<Point>>> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.filter_map(|line| Some(transcript::parse(line).ok()?.main_line().collect())).collect()
}

/// One of them, chosen by a random number.
pub(crate) fn opening(number: u32) -> Vec<Move<Point>> {
    let mut all = openings();
    let at = number as usize % all.len().max(1);
    if at < all.len() { all.swap_remove(at) } else { Vec::new() }
}

#[cfg(test)]
#[allow(clippy::print_stderr, reason = "a test says why it does nothing")]
mod tests {
    use std::collections::HashSet;

    use emilia_rules::{GridPosition, Playable};

    use super::*;

    #[test]
    fn every_opening_has_eight_legal_moves_and_a_position_of_its_own() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#')).count();
        let openings = openings();
        assert_eq!(openings.len(), lines);
        assert!(lines >= 100, "{lines}");
        let mut seen = HashSet::new();
        for opening in &openings {
            assert_eq!(opening.len(), 8);
            assert!(seen.insert(end(opening)), "{opening:?}");
        }
    }

    /// Matthias Berg's list was made with another program; half of ours should be in it.
    #[test]
    fn another_program_finds_them_balanced_too() {
        let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/openings/xot-large.txt");
        let Ok(published) = std::fs::read_to_string(list) else {
            eprintln!("{list} is not here");
            return;
        };
        let line =
            |text: &str| -> Vec<Move<Point>> { transcript::parse(text).unwrap().main_line().collect() };
        let known: HashSet<GridPosition> = published.lines().map(|text| end(&line(text))).collect();
        let openings = openings();
        let shared = openings.iter().filter(|opening| known.contains(&end(opening))).count();
        assert!(2 * shared > openings.len(), "{shared} of {}", openings.len());
    }

    fn end(opening: &[Move<Point>]) -> GridPosition {
        opening.iter().fold(GridPosition::default(), |board, mv| board.play(*mv).unwrap()).canonical()
    }
}
