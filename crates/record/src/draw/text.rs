use std::fmt;
use std::str::FromStr;

use emilia_rules::{Color, GridPosition, Playable, Point, SquareSet};
use thiserror::Error;

/// Which characters stand for the discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// `X`, `O` and `.`, legal moves `*`.
    #[default]
    Letters,
    /// `X`, `O` and `-`, legal moves `*`: as in board strings.
    Dashes,
    /// `B`, `W` and `.`, legal moves `*`.
    Colors,
    /// `●`, `○` and `·`, legal moves `+`; in colour both discs are `●`.
    Discs,
}

/// A name that no style has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a style; there are letters, dashes, colors, discs")]
pub struct StyleError(pub String);

impl Style {
    /// All styles.
    pub const ALL: [Style; 4] = [Style::Letters, Style::Dashes, Style::Colors, Style::Discs];

    /// The name by which a person asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Style::Letters => "letters",
            Style::Dashes => "dashes",
            Style::Colors => "colors",
            Style::Discs => "discs",
        }
    }

    /// Characters for black, white, an empty square and a legal move.
    const fn characters(self) -> [char; 4] {
        match self {
            Style::Letters => ['X', 'O', '.', '*'],
            Style::Dashes => ['X', 'O', '-', '*'],
            Style::Colors => ['B', 'W', '.', '*'],
            Style::Discs => ['●', '○', '·', '+'],
        }
    }
}

impl FromStr for Style {
    type Err = StyleError;

    fn from_str(text: &str) -> Result<Style, StyleError> {
        Style::ALL
            .into_iter()
            .find(|style| style.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| StyleError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A position to be drawn as text, a line a row.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    /// What to draw.
    pub position: &'a GridPosition,
    /// With which characters.
    pub style: Style,
    /// Column letters above, row numbers at the left.
    pub coordinates: bool,
    /// Whether to mark the squares where the side to move can place a disc.
    pub legal: bool,
    /// The move to put in brackets, usually the last one.
    pub last: Option<Point>,
    /// Whether to use the colours of an ANSI terminal.
    pub ansi: bool,
}

impl<'a> Text<'a> {
    /// A plain drawing with coordinates.
    #[must_use]
    pub fn new(position: &'a GridPosition, style: Style) -> Text<'a> {
        Text { position, style, coordinates: true, legal: false, last: None, ansi: false }
    }

    fn cell(&self, f: &mut fmt::Formatter<'_>, point: Point, legal: bool) -> fmt::Result {
        let [black, mut white, empty, open] = self.style.characters();
        if self.ansi && self.style == Style::Discs {
            // In colour both discs are solid; what is white is painted white.
            white = black;
        }
        let (character, color) = match self.position.disc(point) {
            Some(Color::Black) => (black, BLACK),
            Some(Color::White) => (white, WHITE),
            None if legal => (open, OPEN),
            None => (empty, EMPTY),
        };
        if self.ansi { write!(f, "{color}{character}{BOARD}") } else { write!(f, "{character}") }
    }
}

/// The board: black on green. Discs: bold black, bold white; legal moves yellow; empty squares faint.
const BOARD: &str = "\x1b[0;30;42m";
const BLACK: &str = "\x1b[1;38;5;16;42m";
const WHITE: &str = "\x1b[1;38;5;231;42m";
const OPEN: &str = "\x1b[0;93;42m";
const EMPTY: &str = "\x1b[0;30;42m";
const PLAIN: &str = "\x1b[0m";

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.position.size();
        let legal = if self.legal { self.position.placements() } else { SquareSet::EMPTY };
        let margin = if size.get() >= 10 { 2 } else { 1 };
        if self.coordinates {
            write!(f, "{:margin$}", "")?;
            for column in 0..size.get() {
                write!(f, " {}", char::from(b'a' + column))?;
            }
            writeln!(f)?;
        }
        for row in 0..size.get() {
            if self.coordinates {
                write!(f, "{:>margin$}", row + 1)?;
            }
            if self.ansi {
                f.write_str(BOARD)?;
            }
            let mut after_last = false;
            for column in 0..size.get() {
                let Some(point) = Point::new(column, row) else { continue };
                let last = self.last == Some(point);
                let blank = if last {
                    "("
                } else if after_last {
                    ")"
                } else if column > 0 || self.coordinates || self.last.is_some() {
                    " "
                } else {
                    ""
                };
                f.write_str(blank)?;
                self.cell(f, point, legal.contains(point))?;
                after_last = last;
            }
            if after_last {
                f.write_str(")")?;
            } else if self.ansi {
                f.write_str(" ")?;
            }
            if self.ansi {
                f.write_str(PLAIN)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{Move, Size};

    #[test]
    fn the_last_move_is_in_brackets() {
        let start = GridPosition::start(Size::MIN);
        let first = start.moves().next().unwrap();
        let position = start.play(first).unwrap();
        let text = Text { last: first.square(), ..Text::new(&position, Style::Discs) };
        assert_eq!(text.to_string(), "  a b c d\n1 ·(●)· ·\n2 · ● ● ·\n3 · ● ○ ·\n4 · · · ·\n");
        assert_eq!(first, Move::Place(Point::new(1, 0).unwrap()));
    }

    #[test]
    fn every_size_and_style_keeps_its_columns() {
        for size in Size::all() {
            let position = GridPosition::start(size);
            for style in Style::ALL {
                let text = Text { legal: true, ..Text::new(&position, style) }.to_string();
                let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
                assert_eq!(widths.len(), usize::from(size.get()) + 1);
                assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
                assert_eq!(style.name().parse(), Ok(style));
            }
        }
    }

    #[test]
    fn a_drawing_without_coordinates_can_be_read_back() {
        let position = GridPosition::start(Size::EIGHT);
        let text = Text { coordinates: false, ..Text::new(&position, Style::Dashes) }.to_string();
        assert_eq!(crate::board::parse(&text), Ok(position));
    }

    #[test]
    fn blanks_stand_between_columns_and_beside_brackets() {
        let position = GridPosition::start(Size::MIN);
        let bare = Text { coordinates: false, ..Text::new(&position, Style::Letters) };
        assert_eq!(bare.to_string(), ". . . .\n. O X .\n. X O .\n. . . .\n");
        let legal = Text { legal: true, ..bare.clone() };
        assert_eq!(legal.to_string(), ". * . .\n* O X .\n. X O *\n. . * .\n");
        let last = |column| Text { last: Point::new(column, 1), ..bare.clone() }.to_string();
        assert_eq!(last(0), " . . . .\n(.)O X .\n . X O .\n . . . .\n");
        assert_eq!(last(3), " . . . .\n . O X(.)\n . X O .\n . . . .\n");
        assert_eq!(format!("{:>8}{:<8}|", Style::Discs, Style::Dashes), "   discsdashes  |");
        let large = GridPosition::start(Size::new(10).unwrap());
        let text = Text::new(&large, Style::Colors).to_string();
        assert!(text.starts_with("   a b c d e f g h i j\n 1 . . . . . . . . . .\n"), "{text}");
        assert!(text.contains("\n 5 . . . . W B . . . .\n") && text.contains("\n10 . "), "{text}");
    }

    #[test]
    fn in_colour_both_discs_are_solid_and_letters_stay_letters() {
        let position = GridPosition::start(Size::MIN);
        let row = |style| {
            let text = Text { ansi: true, coordinates: false, ..Text::new(&position, style) }.to_string();
            text.lines().nth(1).unwrap().to_owned()
        };
        let expected = |white, black, empty| {
            let empty = format!("{EMPTY}{empty}{BOARD}");
            format!("{BOARD}{empty} {WHITE}{white}{BOARD} {BLACK}{black}{BOARD} {empty} {PLAIN}")
        };
        assert_eq!(row(Style::Discs), expected('●', '●', '·'));
        assert_eq!(row(Style::Dashes), expected('O', 'X', '-'));
    }

    #[test]
    fn colours_are_switched_off_at_the_end_of_each_line() {
        let position = GridPosition::start(Size::SIX);
        let text = Text { ansi: true, ..Text::new(&position, Style::Letters) }.to_string();
        assert!(text.lines().skip(1).all(|line| line.ends_with(PLAIN)));
    }
}
