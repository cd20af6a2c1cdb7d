use std::path::Path;
use std::time::Duration;

use clap::Args;
use emilia_engine::Candidate;
use emilia_record::thor::Directory;
use emilia_record::{Game, tag};
use emilia_rules::{Objective, Size, Start};
use emilia_tui::{Look, Seat, Setup, Timing};

use super::conditions::{NotATime, parse_length};
use super::convert::read_file_or_text;
use crate::files::{open_named, write_file};
use crate::position::parse_size;
use crate::seed::SeedArg;
use crate::{Failure, Streams};

/// Play, watch, analyse and review on the whole terminal
///
/// Move with the arrows, the letters of vi, the name of a square or the mouse; "?" lists what else there is. With a file or the
/// moves of a game, that game is looked at. It works over SSH, without colours (NO_COLOR, --color never) and without
/// Unicode (--ascii); --spoken says everything in lines for a screen reader.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia tui                                       you are Black
  emilia tui --black emilia:level=5 --white human  the computer begins
  emilia tui --clock 5m+3s --size 10               with clocks on 10×10
  emilia tui --black mcts --white emilia:level=3   watch two players
  emilia tui games.pgn --game 2                    step through a game; V reviews it
  emilia tui --spoken                              for a screen reader")]
pub(crate) struct Tui {
    /// A game to look at: a file in any format, or its text
    #[arg(value_name = "FILE|TEXT")]
    what: Option<String>,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value = "1", requires = "what")]
    game: usize,

    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8", conflicts_with = "what")]
    size: Size,

    /// Who plays Black: "human", or a player that "emilia players" lists
    #[arg(long, value_name = "WHO", conflicts_with = "what")]
    black: Option<String>,

    /// Who plays White [default: emilia:time=1s against you]
    #[arg(long, value_name = "WHO", conflicts_with = "what")]
    white: Option<String>,

    /// Time for all moves of a side, and what is added after each: 5m, 3m+2s
    #[arg(long, value_name = "TIME[+TIME]", value_parser = parse_timing, conflicts_with = "what")]
    clock: Option<Timing>,

    /// Begin with the mirrored middle
    #[arg(long, conflicts_with = "what")]
    mirrored: bool,

    /// Play for the fewest discs
    #[arg(long, conflicts_with = "what")]
    fewest: bool,

    /// Who gives hints, analyses and reviews
    #[arg(long, value_name = "PLAYER", default_value = "emilia:level=12")]
    judge: String,

    /// How long a move stays on the board when two players are watched
    #[arg(long, value_name = "TIME", value_parser = parse_length, default_value = "600ms")]
    pace: Duration,

    /// Draw with ASCII characters only; also where the locale is not UTF-8
    #[arg(long)]
    ascii: bool,

    /// Read lines and print sentences, drawing nothing
    #[arg(long)]
    spoken: bool,

    #[command(flatten)]
    seed: SeedArg,
}

/// A person at the keyboard.
const HUMAN: &str = "human";
/// Who plays against a person unless somebody else is named.
const COMPUTER: &str = "emilia:time=1s";

impl Tui {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let setup = self.setup(streams)?;
        let mut write = |file: &str, bytes: &[u8]| write_file(Path::new(file), bytes);
        if self.spoken {
            return Ok(emilia_tui::run_spoken(setup, streams.input, streams.out, &mut write)?);
        }
        if !streams.interactive {
            return Err(Failure::usage("there is no terminal to draw on; --spoken reads and prints lines"));
        }
        emilia_tui::run(setup, &mut write).map_err(Failure::failed)
    }

    fn setup(&self, streams: &mut Streams<'_>) -> Result<Setup, Failure> {
        let game = match &self.what {
            Some(what) => self.recorded(what, streams)?,
            None => self.fresh(),
        };
        let mut setup = Setup::new(game, &open_named).map_err(Failure::failed)?;
        if self.what.is_none() {
            let (black, white) = self.names();
            setup.seats = [seat(black)?, seat(white)?];
        }
        setup.judge = Candidate::parse(&self.judge, &open_named).map_err(Failure::usage)?;
        (setup.timing, setup.pace, setup.seed) = (self.clock, self.pace, self.seed.of_game(0));
        setup.look = Look { colors: streams.color, unicode: !self.ascii && locale_is_utf8() };
        Ok(setup)
    }

    /// Who plays: whoever is not named is a person, or the computer against one.
    fn names(&self) -> (&str, &str) {
        match (self.black.as_deref(), self.white.as_deref()) {
            (None, None) => (HUMAN, COMPUTER),
            (black, white) => (black.unwrap_or(HUMAN), white.unwrap_or(HUMAN)),
        }
    }

    fn fresh(&self) -> Game {
        let layout = if self.mirrored { Start::Mirrored } else { Start::Standard };
        let mut game = Game::with_start(self.size, layout);
        game.objective = if self.fewest { Objective::Fewest } else { Objective::Most };
        game.tags.set(tag::PLACE, "Emilia");
        let (black, white) = self.names();
        for (tag, name) in [(tag::BLACK, black), (tag::WHITE, white)] {
            if name != HUMAN {
                game.tags.set(tag, name);
            }
        }
        game
    }

    fn recorded(&self, what: &str, streams: &mut Streams<'_>) -> Result<Game, Failure> {
        let reading = read_file_or_text(what, streams)?;
        if let Some(problem) = reading.problems.first().filter(|_| reading.items.is_empty()) {
            return Err(Failure::failed(problem.to_string()));
        }
        let mut games = reading.into_games(&Directory::default());
        let count = games.len();
        if self.game == 0 || self.game > count {
            return Err(Failure::failed(format!("there is no game {} among {count}", self.game)));
        }
        let mut game = games.swap_remove(self.game - 1);
        game.to_start();
        Ok(game)
    }
}

fn seat(who: &str) -> Result<Seat, Failure> {
    match who {
        HUMAN => Ok(Seat::Person),
        name => Candidate::for_people(name, &open_named).map(Seat::Player).map_err(Failure::usage),
    }
}

/// `5m`, `3m+2s`.
fn parse_timing(text: &str) -> Result<Timing, NotATime> {
    let (time, increment) = text.split_once('+').unwrap_or((text, "0s"));
    let (time, increment) = (parse_length(time)?, parse_length(increment)?);
    if time.is_zero() { Err(NotATime) } else { Ok(Timing { time, increment }) }
}

/// Whether the terminal is said to show more than ASCII.
fn locale_is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    // Where nothing is said, terminals of our days show it.
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
