//! What a puzzle is about, by rules that look at the board and the exact scores alone.

use emilia_rules::{Bitboard, Playable, Position, Square, SquareSet};

/// What a puzzle is about. It may be about several things, or about nothing in particular.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// The right move is in a region with an odd number of empty squares, and every other move is in an even one.
    Parity,
    /// The right move lets the opponent take a corner at once that could not be taken before.
    Sacrifice,
    /// Some move loses all discs.
    WipeOut,
    /// The right move is a corner.
    Corner,
    /// The right move is diagonally beside an empty corner, where nobody likes to play.
    XSquare,
    /// After the right move the opponent has to pass.
    Pass,
    /// The right move turns fewer discs than any other.
    Quiet,
    /// At most six squares are empty.
    LastSix,
}

impl Theme {
    /// Every theme with its name.
    pub const ALL: [(&'static str, Theme); 8] = [
        ("parity", Theme::Parity),
        ("sacrifice", Theme::Sacrifice),
        ("wipe-out", Theme::WipeOut),
        ("corner", Theme::Corner),
        ("x-square", Theme::XSquare),
        ("pass", Theme::Pass),
        ("quiet", Theme::Quiet),
        ("last-six", Theme::LastSix),
    ];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Theme::ALL.iter().find(|(_, theme)| *theme == self).map_or("", |(name, _)| name)
    }

    /// The theme of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Theme> {
        Theme::ALL.iter().find(|(known, _)| *known == name).map(|(_, theme)| *theme)
    }

    /// The themes of a position in which this move is the right one, by the scores of all moves.
    #[must_use]
    pub fn of(position: &Position, right: Square, scores: &[(Square, i32)]) -> Vec<Theme> {
        let all = Theme::ALL.iter().map(|(_, theme)| *theme);
        all.filter(|theme| theme.applies(position, right, scores)).collect()
    }

    fn applies(self, position: &Position, right: Square, scores: &[(Square, i32)]) -> bool {
        let others = || scores.iter().map(|(square, _)| *square).filter(|square| *square != right);
        let odd = |square: Square| region(position.empties(), square).count() % 2 == 1;
        let flips = |square: Square| position.flips(square).count();
        let after = position.placed(right);
        match self {
            Theme::Parity => odd(right) && others().all(|square| !odd(square)),
            Theme::Sacrifice => !given_corners(position, right).is_empty(),
            Theme::WipeOut => {
                let all = position.size().cells() as i32;
                scores.iter().any(|(_, score)| *score == -all)
            }
            Theme::Corner => corners(position).contains(right),
            Theme::XSquare => {
                corner_beside(position, right).is_some_and(|corner| position.empties().contains(corner))
            }
            Theme::Pass => after.placements().is_empty() && !after.passed().placements().is_empty(),
            Theme::Quiet => others().all(|square| flips(square) > flips(right)),
            Theme::LastSix => position.empties().count() <= 6,
        }
    }
}

/// The four corners of the board.
pub(crate) fn corners(position: &Position) -> Bitboard {
    let last = position.size().get() - 1;
    let corner = |column, row| Square::new(column, row).map_or(0, |square| 1u64 << square.index());
    Bitboard(corner(0, 0) | corner(last, 0) | corner(0, last) | corner(last, last))
}

/// The corners that the opponent can take after this move and could not take before.
pub(crate) fn given_corners(position: &Position, mv: Square) -> Bitboard {
    let (before, after) = (position.passed().placements(), position.placed(mv).placements());
    after & corners(position) & Bitboard(!before.0)
}

/// The empty squares that hang together with this one along rows and columns.
pub(crate) fn region(empties: Bitboard, square: Square) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut found = 1u64 << square.index();
    loop {
        let grown = found | found << 8 | found >> 8 | (found << 1 & NOT_A) | (found >> 1 & NOT_H);
        let grown = grown & empties.0;
        if grown == found {
            return Bitboard(found);
        }
        found = grown;
    }
}

/// The corner that a square is diagonally beside.
fn corner_beside(position: &Position, square: Square) -> Option<Square> {
    let last = position.size().get() - 1;
    let edge = |line: u8| match line {
        1 => Some(0),
        line if line + 1 == last => Some(last),
        _ => None,
    };
    Square::new(edge(square.column())?, edge(square.row())?)
}

#[cfg(test)]
mod tests {
    use emilia_rules::{GridPosition, Size};

    use super::*;

    #[test]
    fn names_are_read_as_written() {
        for (name, theme) in Theme::ALL {
            assert_eq!((Theme::named(name), theme.name()), (Some(theme), name));
        }
        assert_eq!(Theme::named("luck"), None);
    }

    #[test]
    fn regions_hang_together_along_rows_and_columns_only() {
        // a1, b1 and a2 together; c2 touches b1 by a corner; h1 is at the other edge.
        let empties = Bitboard(1 | 1 << 1 | 1 << 8 | 1 << 10 | 1 << 7);
        assert_eq!(region(empties, Square::A1).count(), 3);
        assert_eq!(region(empties, Square::C2).count(), 1);
        assert_eq!(region(empties, Square::H1).count(), 1);
    }

    #[test]
    fn squares_beside_corners_are_known_on_every_size() {
        let eight = Position::default();
        assert_eq!(corner_beside(&eight, Square::B2), Some(Square::A1));
        assert_eq!(corner_beside(&eight, Square::G7), Some(Square::H8));
        assert_eq!(corner_beside(&eight, Square::B1), None);
        let six = GridPosition::start(Size::new(6).unwrap());
        let six = Position::try_from(&six).unwrap();
        assert_eq!(corner_beside(&six, Square::E5), Some(Square::F6));
        assert_eq!(corner_beside(&six, Square::G7), None);
        let squares: Vec<Square> = corners(&six).into_iter().collect();
        assert_eq!(squares, [Square::A1, Square::F1, Square::A6, Square::F6]);
    }
}
