use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use thiserror::Error;

use crate::read::{self, Sink};
use crate::write::{self, WriteOptions};
use crate::{Game, WriteError};

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

/// What the files of a format hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holds {
    /// Games.
    Games,
    /// Positions without a game around them.
    Positions,
    /// Names of players or tournaments.
    Names,
}

/// What is known about a format: a new one is a row of [`Format::about`].
#[derive(Clone, Copy)]
pub(crate) struct About {
    name: &'static str,
    extensions: &'static [&'static str],
    holds: Holds,
    limit: usize,
    pub(crate) read: Reader,
    pub(crate) write: Option<Write>,
}

impl About {
    /// A text format of games that are written one after the other.
    const fn text(
        name: &'static str,
        extensions: &'static [&'static str],
        read: ReadText,
        write: Write,
    ) -> About {
        let (read, write) = (Reader::Text(read), Some(write));
        About { name, extensions, holds: Holds::Games, limit: 128 << 20, read, write }
    }

    /// A binary format that is only read.
    const fn binary(
        name: &'static str,
        extensions: &'static [&'static str],
        holds: Holds,
        read: ReadBytes,
    ) -> About {
        About { name, extensions, holds, limit: 512 << 20, read: Reader::Bytes(read), write: None }
    }
}

/// How files are read: as text or as bytes.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    Text(ReadText),
    Bytes(ReadBytes),
}

type ReadText = fn(&str, &mut Sink<'_>) -> ControlFlow<()>;
type ReadBytes = fn(&[u8], &mut Sink<'_>) -> ControlFlow<()>;
type Write = fn(&[Game], &WriteOptions<'_>) -> Result<Vec<u8>, WriteError>;

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

    /// Everything about a format, in one place.
    pub(crate) const fn about(self) -> About {
        match self {
            Format::Transcript => About::text("transcript", &["txt"], read::transcripts, write::transcripts),
            Format::Board => About {
                holds: Holds::Positions,
                ..About::text("board", &["board", "fen"], read::boards, write::boards)
            },
            Format::Obf => About {
                holds: Holds::Positions,
                ..About::text("obf", &["obf", "scr"], read::obf, write::obf)
            },
            Format::Ggf => About::text("ggf", &["ggf"], read::ggf, write::ggf),
            Format::Sgf => About::text("sgf", &["sgf"], read::sgf, write::sgf),
            Format::Pgn => About::text("pgn", &["pgn"], read::pgn, write::pgn),
            Format::Json => {
                About { limit: 32 << 20, ..About::text("json", &["json"], read::json, write::json) }
            }
            Format::Quest => {
                About { limit: 32 << 20, write: None, ..About::text("quest", &[], read::json, write::json) }
            }
            Format::Wthor => About {
                write: Some(write::archive),
                ..About::binary("wthor", &["wtb", "wtd"], Holds::Games, read::archive)
            },
            Format::Players => About::binary("players", &["jou"], Holds::Names, read::names),
            Format::Tournaments => About::binary("tournaments", &["trn"], Holds::Names, read::names),
            Format::Solitaires => About::binary("solitaires", &["pzz"], Holds::Positions, read::puzzles),
        }
    }

    /// The name by which a person asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// The ends of file names that go with it, the usual one first.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        self.about().extensions
    }

    /// What its files hold.
    #[must_use]
    pub const fn holds(self) -> Holds {
        self.about().holds
    }

    /// The most bytes of a file in this format that are read. Text grows in memory, so that less of it is taken.
    #[must_use]
    pub const fn byte_limit(self) -> usize {
        self.about().limit
    }

    /// Whether games can be written in it.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        self.about().write.is_some()
    }

    /// Whether its files are bytes rather than text.
    #[must_use]
    pub const fn is_binary(self) -> bool {
        matches!(self.about().read, Reader::Bytes(_))
    }

    /// The ends of names by which games are saved, for a person to choose from: `.txt, .ggf, .sgf`.
    #[must_use]
    pub fn endings() -> String {
        let kept =
            Format::ALL.into_iter().filter(|format| format.is_writable() && format.holds() == Holds::Games);
        let endings = kept.filter_map(|format| Some(format!(".{}", format.extensions().first()?)));
        endings.collect::<Vec<_>>().join(", ")
    }

    /// The format that goes with the end of this file name.
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        Format::ALL
            .into_iter()
            .find(|format| format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension)))
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
