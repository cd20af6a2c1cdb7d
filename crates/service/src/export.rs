//! Games out, in every format.

use std::collections::BTreeMap;

use emilia_record::draw::{Mark, Svg};
use emilia_record::{Format, Game, WriteOptions, write};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ServiceError;
use crate::game::GameState;
use crate::position::{AboutPosition, GamePosition};
use crate::request_error::{BadFormat, RequestError};

/// How a file is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportRequest {
    format: String,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    cell: Option<u32>,
    coordinates: Option<bool>,
    #[serde(default)]
    legal: bool,
    #[serde(default)]
    numbers: bool,
}

/// Tags of a request, and letters in each.
const MOST_TAGS: usize = 32;
const LONGEST_TAG: usize = 200;
/// Sides of a square in a picture, in pixels.
const CELLS: std::ops::RangeInclusive<u32> = 4..=400;

/// A game or a picture as a file.
#[derive(Debug)]
pub struct ExportedFile {
    /// What kind of file it is.
    pub media: &'static str,
    /// Its usual name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Writes the game that a request describes.
pub fn export(fields: Map<String, Value>) -> Result<ExportedFile, ServiceError> {
    let AboutPosition { position, request } = AboutPosition::<ExportRequest>::read(fields)?;
    let mut line = position.resolve()?;
    let too_long = |text: &String| text.chars().count() > LONGEST_TAG || text.chars().any(char::is_control);
    if request.tags.len() > MOST_TAGS
        || request.tags.iter().any(|(name, value)| too_long(name) || too_long(value))
    {
        return Err(RequestError::Tags { most: MOST_TAGS, longest: LONGEST_TAG }.into());
    }
    for (name, value) in &request.tags {
        line.game.tags.set(name, value);
    }
    if request.format.eq_ignore_ascii_case("svg") {
        return Ok(ExportedFile::new("image/svg+xml", "svg", picture(&line, &request)?.into_bytes()));
    }
    written(&request.format, line.game)
}

/// Which format is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormatQuery {
    format: Option<String>,
}

impl FormatQuery {
    /// Writes a game as it stands.
    pub fn export(&self, state: &GameState) -> Result<ExportedFile, ServiceError> {
        let mut game = state.record();
        game.to_end();
        let format = self.format.as_deref().unwrap_or("ggf");
        if format.eq_ignore_ascii_case("svg") {
            let picture =
                Svg { last: state.last().map(|last| last.point), ..Svg::new(game.position()) }.to_string();
            return Ok(ExportedFile::new("image/svg+xml", "svg", picture.into_bytes()));
        }
        written(format, game)
    }
}

fn picture(line: &GamePosition, request: &ExportRequest) -> Result<String, ServiceError> {
    let cell = request.cell.unwrap_or(50);
    if !CELLS.contains(&cell) {
        let (least, most) = ((*CELLS.start()).into(), (*CELLS.end()).into());
        return Err(RequestError::OutOfRange { what: "cell", least, most }.into());
    }
    let mut picture = Svg {
        cell,
        coordinates: request.coordinates.unwrap_or(true),
        legal: request.legal,
        last: line.last().map(|last| last.point),
        ..Svg::new(line.position())
    };
    if request.numbers {
        picture.last = None;
        let placed = line.moves.iter().filter_map(|mv| mv.square());
        picture.marks =
            (1..).zip(placed).map(|(number, point)| (point, Mark::new(&i32::to_string(&number)))).collect();
    }
    Ok(picture.to_string())
}

fn written(format: &str, game: Game) -> Result<ExportedFile, ServiceError> {
    let format: Format = format.parse().map_err(BadFormat::Name)?;
    let bytes = write(format, &[game], &WriteOptions::default()).map_err(BadFormat::Write)?;
    let media = match format {
        Format::Wthor => "application/octet-stream",
        Format::Json => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    Ok(ExportedFile::new(media, format.extensions().first().copied().unwrap_or("txt"), bytes))
}

impl ExportedFile {
    fn new(media: &'static str, extension: &str, bytes: Vec<u8>) -> ExportedFile {
        ExportedFile { media, name: format!("game.{extension}"), bytes }
    }
}
