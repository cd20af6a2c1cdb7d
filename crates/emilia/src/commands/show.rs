use clap::Args;
use emilia_record::draw::{Style, Svg, Text};
use emilia_record::thor::Directory;
use emilia_record::{Format, Game, Holds, Opening, tag};
use emilia_rules::{Move, Objective, Playable, Point, Status};
use serde::Serialize;

use super::convert::read_file_or_text;
use crate::{Failure, Streams};

/// Draw a position of a game record
///
/// What to show is a file in any format, "-" for the standard input, or the text itself: moves, a board, a record. The
/// position is the last one of the game unless --ply says otherwise.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia show f5d6c3                          the position after three moves
  emilia show games.ggf --game 3 --ply 20     from a file
  emilia show 8/8/8/3ox3/3xo3/8/8/8 --legal   the start, legal moves marked
  emilia show f5 --svg > f5.svg               a picture")]
pub(crate) struct Show {
    /// A file, or the text of a game or position
    #[arg(value_name = "FILE|TEXT")]
    what: String,

    /// After how many moves of the main line, passes counted
    #[arg(long, value_name = "K")]
    ply: Option<usize>,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value = "1")]
    game: usize,

    /// Which characters: letters, dashes, colors or discs
    #[arg(long, value_name = "STYLE", default_value = "letters")]
    style: Style,

    /// Mark the legal moves
    #[arg(long)]
    legal: bool,

    /// Print an SVG picture
    #[arg(long, conflicts_with_all = ["style", "json"])]
    svg: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The position for a program to read.
#[derive(Serialize)]
struct Shown {
    format: &'static str,
    game: usize,
    games: usize,
    ply: usize,
    size: u8,
    board: String,
    turn: String,
    black: u32,
    white: u32,
    empty: u32,
    status: String,
    last: Option<String>,
    opening: Option<&'static str>,
    legal: Vec<String>,
}

impl Show {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let reading = read_file_or_text(&self.what, streams)?;
        if let Some(problem) = reading.problems.first().filter(|_| reading.items.is_empty()) {
            return Err(Failure::failed(problem.to_string()));
        }
        for problem in &reading.problems {
            writeln!(streams.err, "{problem}")?;
        }
        let format = reading.format;
        let mut games = reading.into_games(&Directory::default());
        let count = games.len();
        if self.game == 0 || self.game > count {
            return Err(Failure::failed(format!("there is no game {} among {count}", self.game)));
        }
        let mut game = games.swap_remove(self.game - 1);
        self.go(&mut game, format)?;
        if self.svg {
            let last = game.last_move().and_then(Move::square);
            write!(streams.out, "{}", Svg { legal: self.legal, last, ..Svg::new(game.position()) })?;
        } else if self.json {
            streams.write_json(&self.shown(&game, format, count))?;
        } else {
            self.draw(&game, count, streams)?;
        }
        Ok(())
    }

    /// Goes to the position that is wanted.
    fn go(&self, game: &mut Game, format: Format) -> Result<(), Failure> {
        let length = game.main_line().count();
        let ply = self.ply.unwrap_or(if format.holds() == Holds::Positions { 0 } else { length });
        if ply > length {
            return Err(Failure::failed(format!("the game has only {length} moves, not {ply}")));
        }
        for _ in 0..ply {
            game.redo();
        }
        Ok(())
    }

    fn draw(&self, game: &Game, count: usize, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let name = |name| game.tags.value(name).unwrap_or("?");
        if game.tags.value(tag::BLACK).or(game.tags.value(tag::WHITE)).is_some() {
            writeln!(streams.out, "{} (black) – {} (white)", name(tag::BLACK), name(tag::WHITE))?;
        }
        if count > 1 {
            writeln!(streams.out, "game {} of {count}", self.game)?;
        }
        let drawing = Text {
            legal: self.legal,
            last: game.last_move().and_then(Move::square),
            ansi: streams.color,
            ..Text::new(game.position(), self.style)
        };
        write!(streams.out, "{drawing}")?;
        let last = match game.last_move() {
            Some(Move::Pass) => ", pass".to_owned(),
            // Books count discs; a pass has no number.
            Some(mv) => format!(", move {} {mv}", game.moves().filter(|mv| *mv != Move::Pass).count()),
            None => String::new(),
        };
        let counts = game.position().counts();
        writeln!(streams.out, "black {}, white {}{last}, {}", counts.black, counts.white, status(game))?;
        if let Some(name) = opening(game) {
            writeln!(streams.out, "opening: {name}")?;
        }
        if !game.note().comment.is_empty() {
            writeln!(streams.out, "{}", game.note().comment)?;
        }
        Ok(())
    }

    fn shown(&self, game: &Game, format: Format, games: usize) -> Shown {
        let position = game.position();
        let counts = position.counts();
        Shown {
            format: format.name(),
            game: self.game,
            games,
            ply: game.ply(),
            size: game.size().get(),
            board: position.to_string(),
            turn: position.turn().to_string(),
            black: counts.black,
            white: counts.white,
            empty: counts.empty,
            status: status(game),
            last: game.last_move().map(|mv: Move<Point>| mv.to_string()),
            opening: opening(game),
            legal: position.moves().map(|mv| mv.to_string()).collect(),
        }
    }
}

/// What the opening is called in English.
fn opening(game: &Game) -> Option<&'static str> {
    Opening::of(game).map(|opening| opening.english).filter(|name| !name.is_empty())
}

/// Whose turn it is, or who has won.
fn status(game: &Game) -> String {
    let position = game.position();
    match position.status() {
        Status::ToPlace => format!("{} to move", position.turn()),
        Status::MustPass => format!("{} must pass", position.turn()),
        Status::Over(outcome) if game.objective == Objective::Most => outcome.to_string(),
        Status::Over(_) => position.counts().outcome(game.objective).to_string(),
    }
}
