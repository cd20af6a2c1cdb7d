use crate::thor::{Archive, Directory, Header, ThorError};
use crate::{Exercise, Format, Game, WriteError, board, ggf, json, obf, pgn, sgf, tag, transcript};

/// What a writer may need besides the games.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions<'a> {
    /// Where WTHOR finds the numbers of players and tournaments.
    pub directory: Option<&'a Directory>,
    /// The day that a WTHOR file gives as that of its creation: year, month, day.
    pub created: Option<(u16, u8, u8)>,
}

/// Writes games in a format.
///
/// Text formats hold games of every size; WTHOR those of 8×8 or of 10×10, from the usual start. What a format has no
/// room for is left out as its module says: transcripts keep only moves, GGF and WTHOR only the main line. `board`
/// and `obf` write the current position of each game, `obf` with the evaluations of its continuations.
pub fn write(format: Format, games: &[Game], options: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    let write = format.about().write.ok_or(WriteError::ReadOnly(format))?;
    write(games, options)
}

/// What a format makes of each game, one after the other.
fn joined(games: &[Game], part: impl Fn(&Game) -> String, end: &str) -> Result<Vec<u8>, WriteError> {
    Ok(games.iter().flat_map(|game| [part(game), end.to_owned()]).collect::<String>().into_bytes())
}

pub(crate) fn transcripts(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, transcript::write, "\n")
}

pub(crate) fn boards(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, |game| board::write(game.position()), "\n")
}

pub(crate) fn obf(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, |game| obf::write_line(&Exercise::of_game(game)), "\n")
}

pub(crate) fn ggf(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, ggf::write, "\n")
}

pub(crate) fn sgf(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, sgf::write, "")
}

pub(crate) fn pgn(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, pgn::write, "\n")
}

pub(crate) fn json(games: &[Game], _: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    joined(games, json::write, "\n")
}

pub(crate) fn archive(games: &[Game], options: &WriteOptions<'_>) -> Result<Vec<u8>, WriteError> {
    let nobody = Directory::default();
    let directory = options.directory.unwrap_or(&nobody);
    let (year, month, day) = options.created.unwrap_or((2000, 1, 1));
    let first = |name| games.first().and_then(|game| game.tags.value(name));
    let played = first(tag::DATE).and_then(|date| date.get(..4)?.parse().ok()).unwrap_or(0);
    let depth = first(tag::THEORY_DEPTH).and_then(|depth| depth.parse().ok()).unwrap_or(0);
    let header = Header {
        century: u8::try_from(year / 100).unwrap_or(20),
        year: (year % 100) as u8,
        month,
        day,
        played,
        depth,
        ..Header::default()
    };
    let size = games.first().map_or(emilia_rules::Size::EIGHT, Game::size);
    let refuse = |game, error| {
        let format = Format::Wthor;
        match error {
            ThorError::Size(size) => WriteError::Size { game, format, size },
            ThorError::Start => WriteError::Start { game, format },
            ThorError::Objective => WriteError::Objective { game, format },
            ThorError::Number { what, value } => WriteError::Number { game, format, what, value },
            ThorError::Full => WriteError::TooMany(format),
        }
    };
    let mut archive = Archive::new(header, size).map_err(|error| refuse(1, error))?;
    for (number, game) in (1..).zip(games) {
        archive.push(game, directory).map_err(|error| refuse(number, error))?;
    }
    Ok(archive.to_bytes())
}
