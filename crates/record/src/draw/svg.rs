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

    /// What comes after the styles.
    fn drawn(picture: &Svg<'_>) -> String {
        picture.to_string().split_once("</defs>\n").unwrap().1.to_owned()
    }

    #[test]
    fn everything_is_drawn_where_it_belongs() {
        let position = GridPosition::start(Size::MIN);
        let at = |column, row| Point::new(column, row).unwrap();
        let marks =
            vec![(at(0, 1), Mark::new("+2")), (at(1, 1), Mark::new("seven77")), (at(2, 1), Mark::new("3"))];
        let picture = Svg {
            cell: 25,
            coordinates: false,
            legal: true,
            last: Some(at(0, 1)),
            marks,
            ..Svg::new(&position)
        };
        let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"110\" height=\"110\" \
            viewBox=\"-20 -20 440 440\" role=\"img\">\n\
            <title>Othello 4×4: black 2, white 2, black to move</title>\n<style>";
        assert!(picture.to_string().starts_with(head));
        let expected = r##"
<rect class="frame" x="-20" y="-20" width="440" height="440" rx="16"/><rect class="board" width="400" height="400"/>
<path class="grid" d="M0 0H400M0 0V400M0 100H400M100 0V400M0 200H400M200 0V400M0 300H400M300 0V400M0 400H400M400 0V400"/>
<circle class="shadow" cx="153" cy="155" r="42"/><circle class="white" cx="150" cy="150" r="42"/>
<circle class="shadow" cx="253" cy="155" r="42"/><circle class="black" cx="250" cy="150" r="42"/>
<circle class="shadow" cx="153" cy="255" r="42"/><circle class="black" cx="150" cy="250" r="42"/>
<circle class="shadow" cx="253" cy="255" r="42"/><circle class="white" cx="250" cy="250" r="42"/>
<circle class="legal" cx="150" cy="50" r="13"/>
<circle class="legal" cx="350" cy="250" r="13"/>
<circle class="legal" cx="250" cy="350" r="13"/>
<circle class="last" cx="86" cy="114" r="9"/>
<text class="mark" x="50" y="150" font-size="44" fill="#f4fff8">+2</text>
<text class="mark" x="150" y="150" font-size="21" fill="#111111">seven77</text>
<text class="mark" x="250" y="150" font-size="44" fill="#ffffff">3</text>
</svg>
"##;
        assert_eq!(drawn(&picture), expected.trim_start());
    }

    #[test]
    fn coordinates_and_points_are_drawn_where_they_belong() {
        let position = GridPosition::start(Size::SIX);
        let picture = Svg { last: Point::new(5, 0), ..Svg::new(&position) };
        let text = picture.to_string();
        assert!(text.contains("width=\"360\" height=\"360\" viewBox=\"-60 -60 720 720\""));
        let expected = r#"
<rect class="frame" x="-60" y="-60" width="720" height="720" rx="16"/><rect class="board" width="600" height="600"/>
<path class="grid" d="M0 0H600M0 0V600M0 100H600M100 0V600M0 200H600M200 0V600M0 300H600M300 0V600M0 400H600M400 0V600M0 500H600M500 0V600M0 600H600M600 0V600"/>
<circle class="point" cx="200" cy="200" r="7"/><circle class="point" cx="200" cy="400" r="7"/><circle class="point" cx="400" cy="200" r="7"/><circle class="point" cx="400" cy="400" r="7"/>
<text class="label" x="50" y="-30">a</text><text class="label" x="-30" y="50">1</text>
<text class="label" x="150" y="-30">b</text><text class="label" x="-30" y="150">2</text>
<text class="label" x="250" y="-30">c</text><text class="label" x="-30" y="250">3</text>
<text class="label" x="350" y="-30">d</text><text class="label" x="-30" y="350">4</text>
<text class="label" x="450" y="-30">e</text><text class="label" x="-30" y="450">5</text>
<text class="label" x="550" y="-30">f</text><text class="label" x="-30" y="550">6</text>
"#;
        assert!(drawn(&picture).starts_with(expected.trim_start()), "{text}");
        assert!(drawn(&picture).ends_with("<circle class=\"last\" cx=\"550\" cy=\"50\" r=\"9\"/>\n</svg>\n"));
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
