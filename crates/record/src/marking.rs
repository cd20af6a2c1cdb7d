use std::fmt;
use std::str::FromStr;

use emilia_rules::Point;
use thiserror::Error;

use crate::movetext::whole_square;

/// Something drawn on the board to explain a position, as SGF has it.
///
/// Written out it is the property of SGF with its squares: `TR f5`, `AR a1 c3`, `LB d3 A`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marking {
    /// A shape on a square.
    Shape(Shape, Point),
    /// A few letters on a square.
    Label(Point, String),
    /// An arrow from one square to another.
    Arrow(Point, Point),
    /// A line between two squares.
    Line(Point, Point),
}

/// What is drawn on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `CR`
    Circle,
    /// `MA`
    Cross,
    /// `SQ`
    Square,
    /// `TR`
    Triangle,
}

/// A text that is no marking.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no marking such as TR f5, AR a1 c3 or LB d3 A")]
pub struct MarkingError(String);

/// Longest label, in letters.
const LONGEST_LABEL: usize = 8;

impl Shape {
    const NAMES: [(Shape, &'static str); 4] =
        [(Shape::Circle, "CR"), (Shape::Cross, "MA"), (Shape::Square, "SQ"), (Shape::Triangle, "TR")];

    /// Its property in SGF.
    #[must_use]
    pub fn name(self) -> &'static str {
        Shape::NAMES.iter().find(|(shape, _)| *shape == self).map_or("CR", |(_, name)| name)
    }

    /// The shape of this property.
    #[must_use]
    pub fn named(name: &str) -> Option<Shape> {
        Shape::NAMES.iter().find(|(_, known)| *known == name).map(|(shape, _)| *shape)
    }
}

impl Marking {
    /// A label, if it has letters and not too many.
    #[must_use]
    pub fn label(point: Point, text: &str) -> Option<Marking> {
        let text = text.trim();
        let fits = (1..=LONGEST_LABEL).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        fits.then(|| Marking::Label(point, text.to_owned()))
    }

    /// Its property in SGF, and the value of it.
    #[must_use]
    pub fn property(&self) -> (&'static str, String) {
        match self {
            Marking::Shape(shape, point) => (shape.name(), point.to_string()),
            Marking::Label(point, text) => ("LB", format!("{point}:{text}")),
            Marking::Arrow(from, to) => ("AR", format!("{from}:{to}")),
            Marking::Line(from, to) => ("LN", format!("{from}:{to}")),
        }
    }
}

impl fmt::Display for Marking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, value) = self.property();
        write!(f, "{name} {}", value.replacen(':', " ", 1))
    }
}

impl FromStr for Marking {
    type Err = MarkingError;

    fn from_str(text: &str) -> Result<Marking, MarkingError> {
        let read = || {
            let (name, value) = text.split_once(' ')?;
            let (first, second) = value.split_once(' ').unwrap_or((value, ""));
            let point = whole_square(first)?;
            let other = || whole_square(second);
            match (Shape::named(name), name, second) {
                (Some(shape), _, "") => Some(Marking::Shape(shape, point)),
                (None, "LB", _) => Marking::label(point, second),
                (None, "AR", _) => Some(Marking::Arrow(point, other()?)),
                (None, "LN", _) => Some(Marking::Line(point, other()?)),
                _ => None,
            }
        };
        read().ok_or_else(|| MarkingError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marking_is_read_as_it_is_written() {
        for text in ["TR f5", "SQ a1", "CR h8", "MA d3", "AR a1 c3", "LN z26 a1", "LB d3 A", "LB d3 a b:c"] {
            assert_eq!(text.parse::<Marking>().unwrap().to_string(), text);
        }
        for text in
            ["", "TR", "TR f5 f6", "XX f5", "AR a1", "AR a1 c", "LB d3", "LB d3 too many letters", "TR a99"]
        {
            assert!(text.parse::<Marking>().is_err(), "{text}");
        }
    }
}
