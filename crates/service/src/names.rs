//! The words that JSON has for colours, objectives and beginnings.

use emilia_rules::{Color, Objective, Start};
use serde::{Deserialize, Serialize};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Color"))]
pub enum ColorName {
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

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Objective"))]
pub enum ObjectiveName {
    Most,
    Fewest,
}

impl From<ObjectiveName> for Objective {
    fn from(name: ObjectiveName) -> Objective {
        match name {
            ObjectiveName::Most => Objective::Most,
            ObjectiveName::Fewest => Objective::Fewest,
        }
    }
}

impl From<Objective> for ObjectiveName {
    fn from(objective: Objective) -> ObjectiveName {
        match objective {
            Objective::Most => ObjectiveName::Most,
            Objective::Fewest => ObjectiveName::Fewest,
        }
    }
}

/// How the middle is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Layout"))]
pub enum StartName {
    Standard,
    Mirrored,
}

impl From<StartName> for Start {
    fn from(name: StartName) -> Start {
        match name {
            StartName::Standard => Start::Standard,
            StartName::Mirrored => Start::Mirrored,
        }
    }
}

/// How a new game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Beginning"))]
pub enum BeginningName {
    Standard,
    Mirrored,
    /// After eight moves drawn from a list, with neither side ahead.
    Balanced,
}

impl BeginningName {
    /// How the middle is laid out.
    pub fn layout(self) -> StartName {
        match self {
            BeginningName::Standard | BeginningName::Balanced => StartName::Standard,
            BeginningName::Mirrored => StartName::Mirrored,
        }
    }
}

/// How a game began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum VariantStart {
    #[default]
    Standard,
    Mirrored,
    Balanced,
    /// From a board of its own.
    Position,
}

impl From<BeginningName> for VariantStart {
    fn from(name: BeginningName) -> VariantStart {
        match name {
            BeginningName::Standard => VariantStart::Standard,
            BeginningName::Mirrored => VariantStart::Mirrored,
            BeginningName::Balanced => VariantStart::Balanced,
        }
    }
}

/// For fields that hold a colour.
pub mod color {
    use super::{Color, ColorName};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(color: &Color, to: S) -> Result<S::Ok, S::Error> {
        ColorName::from(*color).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Color, D::Error> {
        ColorName::deserialize(from).map(Color::from)
    }
}

/// For fields that may hold a colour.
pub mod optional_color {
    use super::{Color, ColorName};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(color: &Option<Color>, to: S) -> Result<S::Ok, S::Error> {
        color.map(ColorName::from).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Color>, D::Error> {
        Ok(Option::<ColorName>::deserialize(from)?.map(Color::from))
    }
}
