//! What matches, tournaments and ladders have in common: how games are played, kept and gone on with.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use emilia_arena::{
    Heading, Openings, Played, Schedule, Terms, TimeControl, log_line, longest_opening, read_log,
};
use emilia_engine::{Candidate, parse_time};
use emilia_record::{Format, Game, WriteOptions};
use emilia_rules::{GridPosition, Move, Objective, Point, Size, Start};

use crate::Failure;
use crate::files::{open_named, read_games, write_file};
use crate::position::parse_size;

/// How games are played.
#[derive(Args)]
pub(crate) struct Conditions {
    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    pub(crate) size: Size,

    /// How games begin: "start", "balanced" (8×8: our own set), "random:K" for K random moves, or a file with games or
    /// lines of moves [default: start for one or two games, else balanced, or random:6 on other boards]
    #[arg(long, value_name = "HOW")]
    openings: Option<OpeningsArg>,

    /// Where random openings begin; for a list, another order than it stands in
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,

    /// The longest that a move may take: whoever takes more loses the game
    #[arg(long, value_name = "TIME", value_parser = parse_length)]
    move_time: Option<Duration>,

    /// Time for all moves of a player in a game: whoever takes more loses it
    #[arg(long, value_name = "TIME", value_parser = parse_length)]
    game_time: Option<Duration>,

    /// Added to the game time after each move
    #[arg(long, value_name = "TIME", value_parser = parse_length, requires = "game_time")]
    increment: Option<Duration>,

    /// How much a move may take too long without losing the game, for what the machine itself takes
    #[arg(long, value_name = "TIME", value_parser = parse_length, default_value = "100ms")]
    grace: Duration,

    /// Games played at the same time
    #[arg(long, alias = "concurrency", value_name = "N", default_value = "1")]
    pub(crate) threads: NonZeroUsize,

    /// Begin with the mirrored middle; balanced openings are mirrored too
    #[arg(long)]
    mirrored: bool,

    /// Play for the fewest discs
    #[arg(long)]
    fewest: bool,
}

/// How games are kept.
#[derive(Args)]
pub(crate) struct Keeping {
    /// Write down each game as it ends; called again with the same file, go on where it was
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Keep the games, with evaluations and times; the ending says how, such as .ggf or .pgn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// How games are to begin, as the user says it.
#[derive(Clone, Debug)]
enum OpeningsArg {
    Start,
    Balanced,
    Random(u32),
    File(PathBuf),
}

impl FromStr for OpeningsArg {
    type Err = OpeningsError;

    fn from_str(text: &str) -> Result<OpeningsArg, OpeningsError> {
        match text.split_once(':') {
            Some(("random", plies)) => plies
                .parse()
                .map(OpeningsArg::Random)
                .map_err(|_| OpeningsError::NotANumber(plies.to_owned())),
            _ if text == "start" => Ok(OpeningsArg::Start),
            _ if text == "balanced" => Ok(OpeningsArg::Balanced),
            _ => Ok(OpeningsArg::File(PathBuf::from(text))),
        }
    }
}

/// Why games cannot begin like that.
#[derive(Clone, Debug, thiserror::Error)]
enum OpeningsError {
    #[error("after \"random:\" comes a number of moves, not {0:?}")]
    NotANumber(String),
    #[error("{0} random moves leave nothing to play on {1}")]
    TooLong(u32, Size),
    #[error("{0} holds no game on {1}")]
    NoGames(String, Size),
    #[error("balanced openings are for 8×8; on {0} say random:K")]
    NotBalanced(Size),
}

/// Not a length of time.
#[derive(Clone, Debug, thiserror::Error)]
#[error("expected a time such as 500ms, 5s or 1m")]
pub(crate) struct NotATime;

/// A length of time.
pub(crate) fn parse_length(text: &str) -> Result<Duration, NotATime> {
    parse_time(text).ok_or(NotATime)
}

impl Conditions {
    /// Who wins.
    pub(crate) fn objective(&self) -> Objective {
        if self.fewest { Objective::Fewest } else { Objective::Most }
    }

    /// How the middle is laid out.
    fn start(&self) -> Start {
        if self.mirrored { Start::Mirrored } else { Start::Standard }
    }

    /// The player of this name.
    pub(crate) fn candidate(&self, name: &str) -> Result<Candidate, Failure> {
        Candidate::parse(name, &open_named).map_err(Failure::usage)
    }

    /// What is the same in all games, of which there are so many.
    pub(crate) fn terms(&self, games: u32) -> Result<Terms, Failure> {
        Ok(Terms {
            size: self.size,
            start: self.start(),
            objective: self.objective(),
            openings: self.openings(games)?,
            time: TimeControl {
                per_move: self.move_time,
                per_game: self.game_time,
                increment: self.increment.unwrap_or_default(),
                grace: self.grace,
            },
        })
    }

    /// How games begin: as told, or as is usual.
    fn chosen(&self, games: u32) -> OpeningsArg {
        /// Random moves before the players take over on boards without a set of openings: enough that deterministic
        /// players do not repeat themselves, few enough that they still shape the game.
        const USUAL_PLIES: u32 = 6;
        match &self.openings {
            Some(chosen) => chosen.clone(),
            None if games <= 2 => OpeningsArg::Start,
            None if self.size == Size::EIGHT => OpeningsArg::Balanced,
            None => OpeningsArg::Random(USUAL_PLIES.min(longest_opening(self.size))),
        }
    }

    fn openings(&self, games: u32) -> Result<Openings, Failure> {
        match self.chosen(games) {
            OpeningsArg::Start => Ok(Openings::Start),
            OpeningsArg::Balanced if self.size != Size::EIGHT => {
                Err(Failure::usage(OpeningsError::NotBalanced(self.size)))
            }
            OpeningsArg::Balanced if self.mirrored => Ok(Openings::balanced(self.seed).mirrored(self.size)),
            OpeningsArg::Balanced => Ok(Openings::balanced(self.seed)),
            OpeningsArg::Random(plies) if plies > longest_opening(self.size) => {
                Err(Failure::usage(OpeningsError::TooLong(plies, self.size)))
            }
            OpeningsArg::Random(plies) => Ok(Openings::Random { plies, seed: self.seed }),
            OpeningsArg::File(path) => {
                let usual = GridPosition::start_as(self.size, self.start());
                let games = read_games(&path)?;
                let fitting = games.into_iter().filter(|game| *game.start() == usual);
                let lines: Vec<Vec<Move<Point>>> = fitting.map(|game| game.main_line().collect()).collect();
                if lines.is_empty() {
                    let name = path.display().to_string();
                    return Err(Failure::usage(OpeningsError::NoGames(name, self.size)));
                }
                Ok(Openings::list(lines, self.seed))
            }
        }
    }

    /// What decides how games go, in words: two calls with the same words play the same games.
    pub(crate) fn words(&self, terms: &Terms, games: u32) -> BTreeMap<String, String> {
        let openings = match self.chosen(games) {
            OpeningsArg::Start => "start".to_owned(),
            OpeningsArg::Balanced => "balanced".to_owned(),
            OpeningsArg::Random(plies) => format!("random:{plies}"),
            OpeningsArg::File(path) => match &terms.openings {
                Openings::List(list) => format!("{}, {} lines", path.display(), list.len()),
                _ => path.display().to_string(),
            },
        };
        terms.words(&openings, self.seed)
    }
}

impl Keeping {
    /// Opens the log, if there is to be one, and reads the games it holds already.
    pub(crate) fn open(
        &self,
        heading: &Heading,
        schedule: &Schedule,
    ) -> Result<(Keeper, Vec<Played>), Failure> {
        let mut keeper = self.saver()?;
        let Some(path) = &self.log else { return Ok((keeper, Vec::new())) };
        let (file, games) = open_log(path, heading, schedule)?;
        keeper.log = Some((path.clone(), file));
        if keeper.save.is_some() {
            keeper.kept.extend(games.iter().map(|played| played.game.clone()));
        }
        Ok((keeper, games))
    }

    /// For games whose order is not known beforehand, so that there is nothing to go on with.
    pub(crate) fn without_log(&self) -> Result<Keeper, Failure> {
        match &self.log {
            Some(_) => Err(Failure::usage("a log is kept with --calibrate only; --save keeps the games")),
            None => self.saver(),
        }
    }

    /// Saves games, and keeps no log.
    fn saver(&self) -> Result<Keeper, Failure> {
        let format = match &self.save {
            Some(file) => Some(Format::of_file_name(&file.to_string_lossy()).ok_or_else(|| {
                Failure::usage(format!("{} has none of the endings {}", file.display(), Format::endings()))
            })?),
            None => None,
        };
        Ok(Keeper { log: None, save: self.save.clone().zip(format), kept: Vec::new() })
    }
}

/// The log, ready for the next line, and the games in it.
fn open_log(path: &Path, heading: &Heading, schedule: &Schedule) -> Result<(File, Vec<Played>), Failure> {
    let file_error = |error| Failure::file(path, error);
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(file_error(error)),
    };
    let (games, length) = read_log(&text, heading, schedule)
        .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(file_error)?;
    // What follows the last whole line was being written when the program ended.
    file.set_len(length as u64).map_err(file_error)?;
    file.seek(SeekFrom::End(0)).map_err(file_error)?;
    if length == 0 {
        file.write_all(heading.line().as_bytes()).map_err(file_error)?;
    }
    Ok((file, games))
}

/// Keeps games while they are played.
pub(crate) struct Keeper {
    log: Option<(PathBuf, File)>,
    save: Option<(PathBuf, Format)>,
    kept: Vec<Game>,
}

impl Keeper {
    /// Writes a game down.
    pub(crate) fn keep(&mut self, played: &Played) -> Result<(), Failure> {
        if let Some((path, file)) = &mut self.log {
            file.write_all(log_line(played).as_bytes()).map_err(|error| Failure::file(path, error))?;
        }
        if self.save.is_some() {
            self.kept.push(played.game.clone());
        }
        Ok(())
    }

    /// Saves the games where that was asked for.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Some((file, format)) = self.save else { return Ok(()) };
        let bytes =
            emilia_record::write(format, &self.kept, &WriteOptions::default()).map_err(Failure::failed)?;
        write_file(&file, &bytes).map_err(|error| Failure::file(&file, error))
    }
}
