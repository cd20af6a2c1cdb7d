use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A way to keep games or positions in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Moves one after the other: `f5d6c3`.
    Transcript,
    /// Boards as characters, one a line or drawn in rows; also the short form with slashes.
    Board,
    /// Positions with the scores of their moves.
    Obf,
    /// The format of the Othello servers.
    Ggf,
    /// Smart Game Format.
    Sgf,
    /// Portable Game Notation.
    Pgn,
    /// Our own JSON.
    Json,
    /// Games of the Othello Quest server; read only.
    Quest,
    /// WTHOR games, on 8×8 or 10×10.
    Wthor,
    /// WTHOR players.
    Players,
    /// WTHOR tournaments.
    Tournaments,
    /// WTHOR solitaires; read only.
    Solitaires,
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name:?} is not a format; there are {known}")]
pub struct FormatError {
    /// What was asked for.
    pub name: String,
    /// The formats there are, separated by commas.
    pub known: String,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 12] = [
        Format::Transcript,
        Format::Board,
        Format::Obf,
        Format::Ggf,
        Format::Sgf,
        Format::Pgn,
        Format::Json,
        Format::Quest,
        Format::Wthor,
        Format::Players,
        Format::Tournaments,
        Format::Solitaires,
    ];

    /// The name by which a person asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Transcript => "transcript",
            Format::Board => "board",
            Format::Obf => "obf",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Pgn => "pgn",
            Format::Json => "json",
            Format::Quest => "quest",
            Format::Wthor => "wthor",
            Format::Players => "players",
            Format::Tournaments => "tournaments",
            Format::Solitaires => "solitaires",
        }
    }

    /// The ends of file names that go with it, the usual one first.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Transcript => &["txt"],
            Format::Board => &["board", "fen"],
            Format::Obf => &["obf", "scr"],
            Format::Ggf => &["ggf"],
            Format::Sgf => &["sgf"],
            Format::Pgn => &["pgn"],
            Format::Json => &["json"],
            Format::Quest => &[],
            Format::Wthor => &["wtb", "wtd"],
            Format::Players => &["jou"],
            Format::Tournaments => &["trn"],
            Format::Solitaires => &["pzz"],
        }
    }

    /// The format that goes with the end of this file name.
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        Format::ALL
            .into_iter()
            .find(|format| format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension)))
    }

    /// Whether games can be written in it.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        !matches!(self, Format::Quest | Format::Players | Format::Tournaments | Format::Solitaires)
    }

    /// Whether its files are bytes rather than text.
    #[must_use]
    pub const fn is_binary(self) -> bool {
        matches!(self, Format::Wthor | Format::Players | Format::Tournaments | Format::Solitaires)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    /// By name or by the end of a file name, in upper or lower case.
    fn from_str(text: &str) -> Result<Format, FormatError> {
        let word = text.trim();
        Format::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(word))
            .or_else(|| Format::of_file_name(&format!(".{word}")))
            .ok_or_else(|| FormatError {
                name: word.chars().take(40).collect(),
                known: Format::ALL.map(Format::name).join(", "),
            })
    }
}
