//! Positions drawn as text and as SVG pictures.
//!
//! ```
//! use emilia_record::draw::{Style, Text};
//! use emilia_rules::{GridPosition, Size};
//! let position = GridPosition::start(Size::new(4).unwrap());
//! let drawing = Text { legal: true, ..Text::new(&position, Style::Letters) };
//! assert_eq!(drawing.to_string(), "  a b c d\n1 . * . .\n2 * O X .\n3 . X O *\n4 . . * .\n");
//! ```

mod svg;
mod text;

pub use svg::{Mark, Svg};
pub use text::{Style, StyleError, Text};
