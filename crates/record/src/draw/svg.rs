use std::fmt;

use emilia_rules::{Color, GridPosition, Playable, Point};

/// A position to be drawn as a self-contained SVG picture.
///
/// ```
/// use emilia_record::draw::{Mark, Svg};
/// use emilia_rules::{GridPosition, Point};
/// let position = GridPosition::default();
/// let picture = Svg {
///     legal: true,
///     marks: vec![(Point::new(3, 2).unwrap(), Mark::new("+2"))],
///     ..Svg::new(&position)
/// };
/// assert!(picture.to_string().starts_with("<svg xmlns="));
/// ```
#[derive(Clone, Debug)]
pub struct Svg<'a> {
    /// What to draw.
    pub position: &'a GridPosition,
    /// Side of a square in pixels.
    pub cell: u32,
    /// Column letters and row numbers.
    pub coordinates: bool,
    /// Whether to put a dot where the side to move can place a disc.
    pub legal: bool,
    /// The move to point out, usually the last one.
    pub last: Option<Point>,
    /// Words on squares: move numbers, evaluations.
    pub marks: Vec<(Point, Mark)>,
}

/// A short text on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What to write.
    pub text: String,
    /// The colour of the letters as CSS writes it; `None` is one that stands out from what is below.
    pub color: Option<String>,
}

impl Mark {
    /// A mark in a colour that can be read.
    #[must_use]
    pub fn new(text: &str) -> Mark {
        Mark { text: text.to_owned(), color: None }
    }
}

impl<'a> Svg<'a> {
    /// A picture with coordinates, 50 pixels a square.
    #[must_use]
    pub fn new(position: &'a GridPosition) -> Svg<'a> {
        Svg { position, cell: 50, coordinates: true, legal: false, last: None, marks: Vec::new() }
    }
}

/// Everything below is drawn on squares of this many units and scaled by the picture's view box.
const UNIT: i32 = 100;

const STYLE: &str = "\
.frame{fill:#0b3d24}.board{fill:url(#felt)}.grid{stroke:#0a3a22;stroke-width:2.5;fill:none}\
.point{fill:#0a3a22}.black{fill:url(#black)}.white{fill:url(#white)}.shadow{fill:#000;opacity:.28}\
.legal{fill:#000;opacity:.22}.last{fill:#e5484d}\
text{font-family:system-ui,'Helvetica Neue',Arial,sans-serif;text-anchor:middle;dominant-baseline:central}\
.label{font-size:34px;fill:#d7e8dc}.mark{font-weight:600}";

const DEFS: &str = "<defs>\
<linearGradient id=\"felt\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"><stop offset=\"0\" stop-color=\"#2f9e63\"/>\
<stop offset=\"1\" stop-color=\"#1f7d4c\"/></linearGradient>\
<radialGradient id=\"black\" cx=\".36\" cy=\".3\" r=\".75\"><stop offset=\"0\" stop-color=\"#5a5f66\"/>\
<stop offset=\".55\" stop-color=\"#22252a\"/><stop offset=\"1\" stop-color=\"#0c0d0f\"/></radialGradient>\
<radialGradient id=\"white\" cx=\".36\" cy=\".3\" r=\".8\"><stop offset=\"0\" stop-color=\"#ffffff\"/>\
<stop offset=\".6\" stop-color=\"#f1f3f4\"/><stop offset=\"1\" stop-color=\"#c3c9ce\"/></radialGradient></defs>";

impl fmt::Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = i32::from(self.position.size().get());
        let margin = if self.coordinates { 60 } else { 20 };
        let total = side * UNIT + 2 * margin;
        let pixels = u64::from(self.cell) * total as u64 / UNIT as u64;
        let counts = self.position.counts();
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{pixels}\" height=\"{pixels}\" \
             viewBox=\"{} {} {total} {total}\" role=\"img\">",
            -margin, -margin
        )?;
        writeln!(
            f,
            "<title>Othello {}: black {}, white {}, {} to move</title>",
            self.position.size(),
            counts.black,
            counts.white,
            self.position.turn()
        )?;
        writeln!(f, "<style>{STYLE}</style>{DEFS}")?;
        self.board(f, side, margin)?;
        if self.coordinates {
            self.labels(f, side)?;
        }
        self.discs(f)?;
        self.signs(f)?;
        writeln!(f, "</svg>")
    }
}

impl Svg<'_> {
    /// Frame, felt, lines, and the four points that Othello boards have.
    fn board(&self, f: &mut fmt::Formatter<'_>, side: i32, margin: i32) -> fmt::Result {
        let length = side * UNIT;
        let total = length + 2 * margin;
        writeln!(
            f,
            "<rect class=\"frame\" x=\"{0}\" y=\"{0}\" width=\"{total}\" height=\"{total}\" rx=\"16\"/>\
             <rect class=\"board\" width=\"{length}\" height=\"{length}\"/>",
            -margin
        )?;
        f.write_str("<path class=\"grid\" d=\"")?;
        for line in 0..=side {
            let at = line * UNIT;
            write!(f, "M0 {at}H{length}M{at} 0V{length}")?;
        }
        writeln!(f, "\"/>")?;
        if side > 4 {
            for (x, y) in [(2, 2), (2, side - 2), (side - 2, 2), (side - 2, side - 2)] {
                write!(f, "<circle class=\"point\" cx=\"{}\" cy=\"{}\" r=\"7\"/>", x * UNIT, y * UNIT)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn labels(&self, f: &mut fmt::Formatter<'_>, side: i32) -> fmt::Result {
        for index in 0..side {
            let at = index * UNIT + UNIT / 2;
            let letter = char::from(b'a' + index as u8);
            let number = index + 1;
            write!(f, "<text class=\"label\" x=\"{at}\" y=\"-30\">{letter}</text>")?;
            writeln!(f, "<text class=\"label\" x=\"-30\" y=\"{at}\">{number}</text>")?;
        }
        Ok(())
    }

    fn discs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in self.position.size().points() {
            let Some(color) = self.position.disc(point) else { continue };
            let (x, y) = middle(point);
            writeln!(
                f,
                "<circle class=\"shadow\" cx=\"{}\" cy=\"{}\" r=\"42\"/><circle class=\"{color}\" cx=\"{x}\" cy=\"{y}\" r=\"42\"/>",
                x + 3,
                y + 5
            )?;
        }
        Ok(())
    }

    /// Dots on legal moves, a spot on the last move, and the marks. A mark takes the place of a dot or spot.
    fn signs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marked = |point: Point| self.marks.iter().any(|(at, _)| *at == point);
        if self.legal {
            for point in self.position.placements().into_iter().filter(|point| !marked(*point)) {
                let (x, y) = middle(point);
                writeln!(f, "<circle class=\"legal\" cx=\"{x}\" cy=\"{y}\" r=\"13\"/>")?;
            }
        }
        let on_board = |point: &Point| self.position.size().contains(*point);
        if let Some(point) = self.last.filter(on_board) {
            let (x, y) = middle(point);
            let (x, y) = if marked(point) { (x + 36, y - 36) } else { (x, y) };
            writeln!(f, "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"9\"/>")?;
        }
        for (point, mark) in self.marks.iter().filter(|(point, _)| on_board(point)) {
            let (x, y) = middle(*point);
            let plain = match self.position.disc(*point) {
                Some(Color::Black) => "#ffffff",
                Some(Color::White) => "#111111",
                None => "#f4fff8",
            };
            // About three characters fit at the largest size.
            let font = (150 / i32::try_from(mark.text.chars().count().max(3)).unwrap_or(UNIT)).clamp(10, 44);
            writeln!(
                f,
                "<text class=\"mark\" x=\"{x}\" y=\"{y}\" font-size=\"{font}\" fill=\"{}\">{}</text>",
                escaped(mark.color.as_deref().unwrap_or(plain)),
                escaped(&mark.text)
            )?;
        }
        Ok(())
    }
}

fn middle(point: Point) -> (i32, i32) {
    (i32::from(point.column()) * UNIT + UNIT / 2, i32::from(point.row()) * UNIT + UNIT / 2)
}

/// Text that XML takes as it is: markup escaped, control characters left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            character if character.is_control() => {}
            character => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::Size;

    #[test]
    fn a_picture_shows_every_disc_and_sign_once() {
        for size in Size::all() {
            let position = GridPosition::start(size);
            let last = Point::new(size.get() - 1, 0);
            let text = Svg { legal: true, last, ..Svg::new(&position) }.to_string();
            assert_eq!(text.matches("class=\"black\"").count(), 2);
            assert_eq!(text.matches("class=\"white\"").count(), 2);
            assert_eq!(text.matches("class=\"legal\"").count(), 4);
            assert_eq!(text.matches("class=\"last\"").count(), 1);
            assert_eq!(text.matches("class=\"label\"").count(), 2 * usize::from(size.get()));
        }
    }

    #[test]
    fn marks_cannot_break_the_picture() {
        let position = GridPosition::default();
        let mark = Mark { text: "</text>&\u{0}".to_owned(), color: Some("\"><x".to_owned()) };
        let marks = vec![(Point::new(0, 0).unwrap(), mark), (Point::new(25, 25).unwrap(), Mark::new("off"))];
        let text = Svg { marks, ..Svg::new(&position) }.to_string();
        assert!(text.contains("fill=\"&quot;&gt;&lt;x\">&lt;/text&gt;&amp;</text>"));
        assert!(!text.contains("off<"));
    }
}
