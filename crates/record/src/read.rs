use std::borrow::Cow;
use std::ops::ControlFlow;

use emilia_rules::GridPosition;
use serde_json::Value;

use crate::fault::clip;
use crate::format::Reader;
use crate::thor::{Archive, Directory, Names, Puzzles};
use crate::{Exercise, Fault, Format, Game, JsonError, PositionError, Problem, ReadError};
use crate::{board, ggf, json, obf, pgn, quest, sgf, sniff, transcript};

/// What is known about a file besides its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// Its name. The end of it decides only where the bytes do not.
    pub file_name: Option<&'a str>,
}

/// Something a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A game.
    Game(Box<Game>),
    /// A position, perhaps with scores.
    Exercise(Box<Exercise>),
    /// A whole file of WTHOR games, as it is but for broken games.
    Archive(Archive),
    /// A list of players or tournaments.
    Names(Names),
}

/// What came of reading a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What the file was recognised as.
    pub format: Format,
    /// What it holds.
    pub items: Vec<Item>,
    /// What could not be read. The rest was.
    pub problems: Vec<Problem>,
}

/// The most games that [`read()`] keeps; use [`read_each`] for more.
pub const MAX_GAMES: usize = 1_000_000;

/// Recognises a file and reads all of it. A broken game is reported and skipped.
pub fn read(bytes: &[u8], hint: &Hint<'_>) -> Result<Reading, ReadError> {
    let mut items = Vec::new();
    let mut problems = Vec::new();
    let format = read_each(bytes, hint, &mut |next| {
        if items.len() + problems.len() >= MAX_GAMES {
            problems.push(Problem { game: MAX_GAMES + 1, fault: Fault::TooMany(MAX_GAMES) });
            return ControlFlow::Break(());
        }
        match next {
            Ok(item) => items.push(item),
            Err(problem) => problems.push(problem),
        }
        ControlFlow::Continue(())
    })?;
    Ok(Reading { format, items, problems })
}

/// Recognises a file and hands over its games and positions one by one, so that they need not all be kept.
pub fn read_each(bytes: &[u8], hint: &Hint<'_>, sink: &mut Sink<'_>) -> Result<Format, ReadError> {
    let format = recognise(bytes, hint)?;
    let limit = format.byte_limit();
    if bytes.len() > limit {
        return Err(ReadError::TooLarge { format, length: bytes.len(), limit });
    }
    // The sink has stopped the reading; that is no error.
    let _ = match format.about().read {
        Reader::Text(read) => read(&decode(bytes), sink),
        Reader::Bytes(read) => read(bytes, sink),
    };
    Ok(format)
}

/// Reads a text that is one position, or one game whose last position is meant.
pub fn read_position(text: &str) -> Result<GridPosition, PositionError> {
    let reading = read(text.as_bytes(), &Hint::default()).map_err(|_| PositionError::Neither)?;
    if let Some(problem) = reading.problems.into_iter().next() {
        return Err(problem.fault.into());
    }
    let count = reading.items.len();
    match reading.items.into_iter().next() {
        _ if count > 1 => Err(PositionError::Several(count)),
        Some(Item::Exercise(exercise)) => Ok(exercise.position),
        Some(Item::Game(mut game)) => {
            game.to_end();
            Ok(*game.position())
        }
        _ => Err(PositionError::Neither),
    }
}

/// What takes in the games of a file and says whether to go on.
pub(crate) type Sink<'s> = dyn FnMut(Result<Item, Problem>) -> ControlFlow<()> + 's;

/// Recognises the format of a file from its bytes.
pub fn recognise(bytes: &[u8], hint: &Hint<'_>) -> Result<Format, ReadError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ReadError::Empty);
    }
    let named = hint.file_name.and_then(Format::of_file_name);
    if let Some(format) = sniff::binary(bytes, named) {
        return Ok(format);
    }
    let head = decode(&bytes[..bytes.len().min(1 << 20)]);
    sniff::text(&head, named).ok_or_else(|| ReadError::Unrecognised(clip(&head)))
}

/// UTF-8 with or without its mark, else ISO 8859-1.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // A character cut in two at the end of what was looked at.
        Err(error) if error.error_len().is_none() && bytes.len() == 1 << 20 => {
            Cow::Owned(String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned())
        }
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

pub(crate) fn names(bytes: &[u8], sink: &mut Sink<'_>) -> ControlFlow<()> {
    sink(numbered(0, Names::parse(bytes).map(Item::Names)))
}

pub(crate) fn puzzles(bytes: &[u8], sink: &mut Sink<'_>) -> ControlFlow<()> {
    match Puzzles::parse(bytes) {
        Ok(puzzles) => exercises(puzzles.exercises(), sink),
        Err(fault) => sink(numbered(0, Err(fault))),
    }
}

pub(crate) fn archive(bytes: &[u8], sink: &mut Sink<'_>) -> ControlFlow<()> {
    match Archive::parse_leniently(bytes) {
        Ok((archive, fault)) => whole_games(archive, fault, sink),
        Err(fault) => sink(numbered(0, Err(fault))),
    }
}

/// Reports the broken games of an archive and hands over the others.
fn whole_games(mut archive: Archive, fault: Option<Fault>, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let replay = archive.replay();
    let directory = Directory::default();
    for (number, _) in &replay.broken {
        if let Some(Err(fault)) = archive.game(*number, &directory) {
            sink(Err(Problem { game: number + 1, fault }))?;
        }
    }
    if let Some(fault) = fault {
        sink(Err(Problem { game: archive.len() + 1, fault }))?;
    }
    if !replay.broken.is_empty() {
        let mut broken = replay.broken.iter().map(|(number, _)| *number).peekable();
        archive.retain(|number| broken.next_if_eq(&number).is_none());
    }
    sink(Ok(Item::Archive(archive)))
}

fn numbered(number: usize, item: Result<Item, Fault>) -> Result<Item, Problem> {
    item.map_err(|fault| Problem { game: number + 1, fault })
}

fn exercises(
    exercises: impl Iterator<Item = Result<Exercise, Fault>>,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let mut items =
        exercises.map(|exercise| exercise.map(|exercise| Item::Exercise(Box::new(exercise)))).enumerate();
    items.try_for_each(|(number, item)| sink(numbered(number, item)))
}

pub(crate) fn transcripts(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    games(transcript::split(text).into_iter(), transcript::parse, sink)
}

pub(crate) fn boards(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    exercises(board::split(text).into_iter().map(board::parse_scored), sink)
}

pub(crate) fn obf(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    exercises(text.lines().filter_map(|line| obf::parse(line).transpose()), sink)
}

pub(crate) fn ggf(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    games(ggf::split(text), ggf::parse, sink)
}

pub(crate) fn sgf(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    games(sgf::split(text), sgf::parse, sink)
}

pub(crate) fn pgn(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    games(pgn::split(text), pgn::parse, sink)
}

fn games<'t>(
    mut parts: impl Iterator<Item = &'t str>,
    parse: fn(&str) -> Result<Game, Fault>,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let mut number = 0;
    parts.try_for_each(|part| {
        let item = parse(part).map(|game| Item::Game(Box::new(game)));
        number += 1;
        sink(numbered(number - 1, item))
    })
}

/// Reads JSON objects one after the other, or in a list. After a broken one it goes on at the next line that begins
/// with a brace.
pub(crate) fn json(text: &str, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let mut number = 0;
    let mut rest = text;
    while !rest.trim().is_empty() {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let mut broken = None;
        for value in values.by_ref() {
            match value {
                Ok(Value::Array(list)) => {
                    for value in list {
                        sink(numbered(number, json_game(value)))?;
                        number += 1;
                    }
                }
                Ok(value) => {
                    sink(numbered(number, json_game(value)))?;
                    number += 1;
                }
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            }
        }
        let Some(error) = broken else { break };
        sink(numbered(number, Err(JsonError::from(error).into())))?;
        number += 1;
        let read = values.byte_offset();
        let next = rest.as_bytes()[read..].windows(2).position(|pair| pair == b"\n{");
        rest = next.map_or("", |at| &rest[read + at..]);
    }
    ControlFlow::Continue(())
}

fn json_game(value: Value) -> Result<Item, Fault> {
    let own = value["format"].is_string();
    let game = if own { json::from_value(value)? } else { quest::from_value(&value)? };
    Ok(Item::Game(Box::new(game)))
}

impl Reading {
    /// All games of the file, one by one: positions become games without moves, WTHOR games get the names that the
    /// directory has.
    pub fn into_games_iter(self, directory: &Directory) -> impl Iterator<Item = Game> {
        self.items.into_iter().flat_map(move |item| -> Box<dyn Iterator<Item = Game> + '_> {
            match item {
                Item::Game(game) => Box::new(std::iter::once(*game)),
                Item::Exercise(exercise) => Box::new(std::iter::once(exercise.to_game())),
                Item::Archive(archive) => Box::new(
                    (0..archive.len()).filter_map(move |number| archive.game(number, directory)?.ok()),
                ),
                Item::Names(_) => Box::new(std::iter::empty()),
            }
        })
    }

    /// All games of the file; see [`Reading::into_games_iter`].
    #[must_use]
    pub fn into_games(self, directory: &Directory) -> Vec<Game> {
        self.into_games_iter(directory).collect()
    }
}
