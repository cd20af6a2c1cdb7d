use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Rows, jsonl, npy};

/// The kind of file that rows are kept in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// numpy's own: an array of records, which `numpy.load` maps into memory as it is.
    #[default]
    Npy,
    /// A JSON object a line.
    Jsonl,
}

/// A word that is no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is none of the formats {names}", names = Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat(String);

impl Format {
    /// Every format.
    pub const ALL: [Format; 2] = [Format::Npy, Format::Jsonl];

    /// Its name, which is the ending of its files too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Npy => "npy",
            Format::Jsonl => "jsonl",
        }
    }

    /// The rows as a file.
    #[must_use]
    pub fn bytes(self, rows: &Rows) -> Vec<u8> {
        match self {
            Format::Npy => npy::bytes(rows),
            Format::Jsonl => jsonl::bytes(rows),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let known = Format::ALL.into_iter().find(|format| format.name() == text);
        known.ok_or_else(|| UnknownFormat(text.chars().take(40).collect()))
    }
}
