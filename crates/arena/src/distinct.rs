use std::collections::HashSet;

use emilia_rules::{Color, GridPosition, Move, Playable, Point, Size, Start, Symmetry};

/// One line of moves to each position after so many plies, counting positions that are turned or mirrored as one.
/// Positions where the game is over or the next player must pass are left out.
///
/// The number of positions grows sevenfold with each ply: 67,245 after eight on 8×8.
///
/// ```
/// use emilia_arena::distinct_lines;
/// assert_eq!(distinct_lines(emilia_rules::Size::EIGHT, 4).len(), 60);
/// ```
#[must_use]
pub fn distinct_lines(size: Size, plies: u32) -> Vec<Vec<Move<Point>>> {
    let start = GridPosition::start_as(size, Start::Standard);
    let mut lines = vec![(start, Vec::new())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for (position, line) in &lines {
            for mv in position.moves() {
                let Ok(after) = position.play(mv) else { continue };
                if seen.insert(canonical(&after)) {
                    next.push((after, [&line[..], &[mv]].concat()));
                }
            }
        }
        lines = next;
    }
    lines.retain(|(position, _)| position.moves().next().is_some_and(|mv| mv != Move::Pass));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The same text for all positions that differ by a symmetry only.
#[must_use]
pub fn canonical(position: &GridPosition) -> String {
    let size = position.size();
    let mut least: Option<Vec<u8>> = None;
    for symmetry in Symmetry::ALL {
        let mut cells = vec![b'-'; size.cells()];
        for point in size.points() {
            let at = symmetry.point(point, size);
            let index = usize::from(at.row()) * usize::from(size.get()) + usize::from(at.column());
            match position.disc(point) {
                Some(Color::Black) => cells[index] = b'X',
                Some(Color::White) => cells[index] = b'O',
                None => {}
            }
        }
        if least.as_ref().is_none_or(|known| cells < *known) {
            least = Some(cells);
        }
    }
    let mut text: String = least.unwrap_or_default().into_iter().map(char::from).collect();
    text.push(if position.turn() == Color::Black { 'X' } else { 'O' });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of positions up to symmetry, as published for the perft of Othello; nobody has to pass so early.
    #[test]
    fn there_are_as_many_positions_as_published() {
        for (plies, positions) in [(0, 1), (1, 1), (2, 3), (3, 14), (4, 60), (5, 322), (6, 1773)] {
            assert_eq!(distinct_lines(Size::EIGHT, plies).len(), positions, "{plies} plies");
        }
    }

    #[test]
    fn every_line_can_be_played() {
        for line in distinct_lines(Size::SIX, 5) {
            assert_eq!(line.len(), 5);
            line.iter().fold(GridPosition::start(Size::SIX), |position, mv| position.play(*mv).unwrap());
        }
    }
}
