//! WTHOR files as a list of games to choose from: who played whom, where, when, how it ended, and the moves.

use std::sync::LazyLock;

use emilia_query::Stop;
use emilia_record::thor::{Archive, Directory, Names, Record};
use emilia_record::{Format, Hint, recognise};
use serde::{Deserialize, Serialize};

use crate::error::ServiceError;
use crate::lines::Lines;
use crate::request_error::{RequestError, Unreadable};

/// How long each file of a body is; they follow each other there in any order.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WthorFiles {
    /// Bytes of each file, separated by commas; without it the body is one file.
    lengths: Option<String>,
}

/// Files of a request.
const FILES: usize = 200;
/// Games of a line.
const TOGETHER: usize = 500;
/// Bytes of memory that a byte of a file may take: the file, and 300 bytes of text for a game of 68.
const MEMORY_FOR_EACH_BYTE: u64 = 6;

/// Bytes of memory that listing so many may take.
#[must_use]
pub fn bytes(length: usize) -> u64 {
    length as u64 * MEMORY_FOR_EACH_BYTE
}

/// The names that come with the program.
static KNOWN: LazyLock<Directory> = LazyLock::new(|| {
    let mut known = Directory::default();
    for bytes in [emilia_data::WTHOR_PLAYERS, emilia_data::WTHOR_TOURNAMENTS] {
        Names::parse(bytes).into_iter().for_each(|names| known.add(names));
    }
    known
});

/// The names of players and tournaments that the program knows.
pub fn known_names() -> &'static Directory {
    &KNOWN
}

/// Games of WTHOR files, with the names beside them or those that the program knows.
pub struct WthorList {
    archives: Vec<Archive>,
    directory: Directory,
}

/// What is told, one object a line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WthorEvent {
    Start {
        /// How many games there are.
        total: usize,
    },
    Games {
        /// Squares along a side.
        size: u8,
        games: Vec<WthorGame>,
    },
}

/// A game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WthorGame {
    /// Empty where nobody knows the name.
    black: String,
    white: String,
    event: String,
    /// 0 if it is not known.
    year: u16,
    /// Black's discs at the end, empty squares given to the winner.
    score: u8,
    moves: String,
}

impl WthorList {
    /// Reads the files of a body.
    pub fn read(body: &[u8], files: &WthorFiles) -> Result<WthorList, ServiceError> {
        let mut list = WthorList { archives: Vec::new(), directory: Directory::default() };
        let mut rest = body;
        for length in files.lengths(body.len())? {
            let (file, others) = rest.split_at_checked(length).ok_or_else(bad_lengths)?;
            rest = others;
            match recognise(file, &Hint::default()).map_err(Unreadable::Read)? {
                Format::Wthor => list.archives.push(Archive::parse(file).map_err(Unreadable::Game)?),
                Format::Players | Format::Tournaments => {
                    list.directory.add(Names::parse(file).map_err(Unreadable::Game)?);
                }
                other => return Err(Unreadable::NotWthor(other.name()).into()),
            }
        }
        if !rest.is_empty() {
            return Err(bad_lengths());
        }
        let known = known_names();
        let Directory { players, tournaments } = &mut list.directory;
        *players = players.take().or_else(|| known.players.clone());
        *tournaments = tournaments.take().or_else(|| known.tournaments.clone());
        Ok(list)
    }

    /// Tells all games, in the order of the files.
    pub fn run(&self, lines: &dyn Lines, stop: &Stop) {
        lines.write(&WthorEvent::Start { total: self.archives.iter().map(Archive::len).sum() });
        for archive in &self.archives {
            let records: Vec<Record<'_>> = archive.records().collect();
            for together in records.chunks(TOGETHER) {
                if stop.is_requested() {
                    return;
                }
                let games = together.iter().map(|record| self.game(archive, record)).collect();
                lines.write(&WthorEvent::Games { size: archive.size().get(), games });
            }
        }
    }

    fn game(&self, archive: &Archive, record: &Record<'_>) -> WthorGame {
        // Number 0 is for unknown players; games that programs write have no others, and no tournament.
        let anonymous = record.black() == 0 && record.white() == 0;
        let name = |names: &Option<Names>, number: u16| {
            let name = names.as_ref().and_then(|names| names.name(number));
            name.filter(|name| !anonymous && !name.starts_with("???")).unwrap_or_default()
        };
        WthorGame {
            black: name(&self.directory.players, record.black()),
            white: name(&self.directory.players, record.white()),
            event: name(&self.directory.tournaments, record.tournament()),
            year: archive.header().played,
            score: record.score(),
            moves: record.to_string(),
        }
    }
}

impl WthorFiles {
    fn lengths(&self, whole: usize) -> Result<Vec<usize>, ServiceError> {
        let Some(text) = &self.lengths else { return Ok(vec![whole]) };
        let lengths: Vec<usize> =
            text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| bad_lengths())?;
        if lengths.len() > FILES {
            return Err(RequestError::TooMuch { what: "files", most: FILES as u64 }.into());
        }
        Ok(lengths)
    }
}

fn bad_lengths() -> ServiceError {
    RequestError::Contradiction("lengths are those of the files, separated by commas").into()
}

#[cfg(test)]
mod tests {
    use emilia_record::thor::{Header, NamesKind};
    use serde_json::Value;

    use super::*;
    use crate::lines::Heard;

    const GAMES: &[u8] = include_bytes!("../../../data/wthor/WTH_1980.wtb");

    fn listed(body: &[u8], lengths: Option<&str>) -> Result<Vec<Value>, ServiceError> {
        let heard = Heard::default();
        let files = WthorFiles { lengths: lengths.map(str::to_owned) };
        WthorList::read(body, &files)?.run(&heard, &Stop::default());
        Ok(heard.lines())
    }

    #[test]
    fn every_game_is_listed_with_the_names_that_the_program_knows() {
        let lines = listed(GAMES, None).unwrap();
        assert_eq!(lines[0], serde_json::json!({"type": "start", "total": 160}));
        let game = &lines[1]["games"][0];
        assert_eq!(game["year"], 1980);
        assert!(game["black"].as_str().is_some_and(|name| name.len() > 3), "{game}");
        assert!(game["event"].as_str().is_some_and(|name| name.len() > 3), "{game}");
        assert!(game["moves"].as_str().is_some_and(|moves| moves.len() >= 100), "{game}");
        assert_eq!(lines[1]["games"].as_array().map(Vec::len), Some(160));
    }

    #[test]
    fn names_beside_the_games_go_before_those_that_are_known() {
        let header = Header { century: 20, year: 26, month: 1, day: 1, ..Header::default() };
        let mut names = Names::new(NamesKind::Players, header);
        for number in 0..3000 {
            names.add(&format!("Player {number}"));
        }
        let names = names.to_bytes();
        let lengths = format!("{},{}", names.len(), GAMES.len());
        let lines = listed(&[names.as_slice(), GAMES].concat(), Some(&lengths)).unwrap();
        let game = &lines[1]["games"][0];
        assert!(game["black"].as_str().is_some_and(|name| name.starts_with("Player ")), "{game}");
        assert!(game["event"].as_str().is_some_and(|name| name.len() > 3), "still the known one: {game}");
    }

    #[test]
    fn what_is_no_wthor_file_is_refused_with_a_sentence() {
        let refused = |body: &[u8], lengths| listed(body, lengths).unwrap_err().to_string();
        assert!(refused(b"f5d6c3", None).contains("transcript"));
        assert!(refused(GAMES, Some("5,x")).contains("lengths"));
        assert!(refused(GAMES, Some("99999999")).contains("lengths"));
        assert!(refused(GAMES, Some("10896,0")).len() > 10);
    }
}
