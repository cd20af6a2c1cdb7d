use emilia_rules::Color;
use serde::{Deserialize, Serialize};

use crate::token::Token;

/// One side of a game: a person, a computer, or nobody yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) name: Option<String>,
    pub(crate) holder: Sitter,
}

/// Who sits there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sitter {
    Nobody,
    /// Whoever shows this token.
    Person(Token),
    /// The player of this name.
    Computer(String),
}

impl Seat {
    /// A seat that anybody may take.
    pub(crate) fn free() -> Seat {
        Seat { name: None, holder: Sitter::Nobody }
    }

    pub(crate) fn person(name: String, token: Token) -> Seat {
        Seat { name: Some(name), holder: Sitter::Person(token) }
    }

    pub(crate) fn computer(name: String, player: String) -> Seat {
        Seat { name: Some(name), holder: Sitter::Computer(player) }
    }

    pub(crate) fn is_taken(&self) -> bool {
        !matches!(self.holder, Sitter::Nobody)
    }

    /// The computer player's name, if one sits here.
    pub(crate) fn player(&self) -> Option<&str> {
        match &self.holder {
            Sitter::Computer(player) => Some(player),
            _ => None,
        }
    }

    /// Whether this token holds the seat.
    pub(crate) fn is_held_by(&self, token: Token) -> bool {
        matches!(self.holder, Sitter::Person(own) if own.same(token))
    }
}

/// A colour as JSON writes it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorName {
    Black,
    White,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> ColorName {
        match color {
            Color::Black => ColorName::Black,
            Color::White => ColorName::White,
        }
    }
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Color {
        match name {
            ColorName::Black => Color::Black,
            ColorName::White => Color::White,
        }
    }
}

/// For fields that hold a colour.
pub(crate) mod color {
    use super::{Color, ColorName};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(color: &Color, to: S) -> Result<S::Ok, S::Error> {
        ColorName::from(*color).serialize(to)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Color, D::Error> {
        ColorName::deserialize(from).map(Color::from)
    }
}

/// For fields that may hold a colour.
pub(crate) mod optional_color {
    use super::{Color, ColorName};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(color: &Option<Color>, to: S) -> Result<S::Ok, S::Error> {
        color.map(ColorName::from).serialize(to)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Color>, D::Error> {
        Ok(Option::<ColorName>::deserialize(from)?.map(Color::from))
    }
}
