use std::ops::ControlFlow;

use clap::Args;
use emilia_engine::{Candidate, no_files};
use emilia_openings::{Filter, Page, Wanted};
use emilia_query::{Level, Limits, Query, Report};
use emilia_record::thor::Directory;
use emilia_record::{Game, Holds, Opening};
use emilia_rules::{Color, Playable, Size};
use emilia_server::{Explored, ExploredMove, TOURNAMENTS, ValueAnswer};

use super::convert::read_file_or_text;
use super::games::DataArg;
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Show what people played in a position, and how it ended
///
/// Each move with the games in which it was played, won, drawn and lost by the side to move, the average score in discs, the
/// years, and what Emilia thinks of it; below, games that reached the position. Positions are the same whichever way they
/// were reached and the board is turned. Without a position, the start.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia explore                              the first move
  emilia explore f5d6c3                       after three moves
  emilia explore f5f6 --in my-games           in games that were imported
  emilia explore f5d6 --player tamenori --side white --from 1985 --to 1995
  emilia explore f5d6c3d3c4 --json            for a program

\"emilia games import\" fills the databases.")]
pub(crate) struct Explore {
    /// A file, or the text of a game or position [default: the start]
    #[arg(value_name = "POSITION|MOVES")]
    what: Option<String>,

    /// Which database
    #[arg(long = "in", value_name = "NAME", default_value = TOURNAMENTS)]
    database: String,

    /// Only games of this player: part of the name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Only games in which that player had this colour: black or white
    #[arg(long, value_name = "COLOR", requires = "player", value_parser = color)]
    side: Option<Color>,

    /// Only games of this event: part of its name
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// Only games from this year on
    #[arg(long, value_name = "YEAR")]
    from: Option<u16>,

    /// Only games until this year
    #[arg(long, value_name = "YEAR")]
    to: Option<u16>,

    /// Only games that ended like this: black, white, draw, and won or lost by the player
    #[arg(long, value_name = "RESULT", value_parser = wanted)]
    result: Option<Wanted>,

    /// How many games to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(0..=1000))]
    games: u16,

    /// How many games to leave out first
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    skip: u32,

    /// How strong Emilia judges the moves, from 1 to 30
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=30))]
    level: u32,

    /// Do not judge the moves that the book does not know
    #[arg(long, conflicts_with = "level")]
    no_values: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArg,
}

/// A word that is not among those that are taken.
#[derive(Clone, Debug, thiserror::Error)]
#[error("write {0}")]
struct WordError(&'static str);

fn color(text: &str) -> Result<Color, WordError> {
    match text.to_lowercase().as_str() {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err(WordError("black or white")),
    }
}

fn wanted(text: &str) -> Result<Wanted, WordError> {
    match text.to_lowercase().as_str() {
        "black" => Ok(Wanted::By(Color::Black)),
        "white" => Ok(Wanted::By(Color::White)),
        "draw" => Ok(Wanted::Draw),
        "won" => Ok(Wanted::Won),
        "lost" => Ok(Wanted::Lost),
        _ => Err(WordError("black, white, draw, won or lost")),
    }
}

impl Explore {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if matches!(self.result, Some(Wanted::Won | Wanted::Lost)) && self.player.is_none() {
            return Err(Failure::usage("--result won and lost are those of a player: add --player NAME"));
        }
        let game = self.game(streams)?;
        if game.size() != Size::EIGHT {
            return Err(Failure::failed(format!("the explorer knows 8×8, not {}", game.size())));
        }
        let page = Page { skip: self.skip as usize, most: self.games.into() };
        let explored = self.data.library().explored(&self.database, &game, &self.filter(), page);
        let mut explored = explored.map_err(Failure::failed)?;
        let unknown = explored.moves.iter().any(|found| found.value.is_none());
        if !self.no_values && unknown && !game.position().is_over() {
            explored = explored.valued(&self.judged(&game)?);
        }
        if self.json {
            streams.write_json(&explored)?;
        } else {
            self.print(&explored, &game, streams)?;
        }
        Ok(())
    }

    fn filter(&self) -> Filter {
        Filter {
            player: self.player.clone(),
            color: self.side,
            event: self.event.clone(),
            from: self.from,
            to: self.to,
            result: self.result,
        }
    }

    /// The game that leads to the position, looked at from there.
    fn game(&self, streams: &mut Streams<'_>) -> Result<Game, Failure> {
        let Some(what) = &self.what else { return Ok(Game::new(Size::EIGHT)) };
        let reading = read_file_or_text(what, streams)?;
        if let Some(problem) = reading.problems.first() {
            return Err(Failure::failed(format!("{what}: {problem}")));
        }
        let positions = reading.format.holds() == Holds::Positions;
        let games = reading.into_games(&Directory::default());
        let count = games.len();
        let Some(mut game) = games.into_iter().next().filter(|_| count == 1) else {
            return Err(Failure::failed(format!("{what}: one game or position is wanted, not {count}")));
        };
        if !positions {
            game.to_end();
        }
        Ok(game)
    }

    /// What Emilia thinks of every move.
    fn judged(&self, game: &Game) -> Result<Report, Failure> {
        let position = *game.position();
        let query = Query::new(position).within(Limits::level(Level::nearest(self.level)));
        let query = query.with_lines(position.moves().count().max(1));
        let candidate = Candidate::parse("emilia", &no_files).map_err(Failure::failed)?;
        let mut watch = |_: &Report| ControlFlow::Continue(());
        candidate.player(0).answer(&query, &stop_on_interrupt(), &mut watch).map_err(Failure::failed)
    }

    fn print(&self, explored: &Explored, game: &Game, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let kind = if explored.summary { "a summary of " } else { "" };
        let credit = explored.credit.as_ref().map_or_else(String::new, |credit| format!(" ({credit})"));
        writeln!(streams.out, "{}: {kind}{} games{credit}", explored.database, explored.database_games)?;
        if let Some(opening) = Opening::of(game).filter(|opening| !opening.english.is_empty()) {
            writeln!(streams.out, "opening: {}", opening.english)?;
        }
        let turn = game.position().turn();
        match explored.total.games {
            0 => writeln!(streams.out, "no game reached this position; {turn} to move")?,
            1 => writeln!(streams.out, "1 game reached this position; {turn} to move")?,
            games => writeln!(streams.out, "{games} games reached this position; {turn} to move")?,
        }
        if !explored.moves.is_empty() {
            let (bold, plain) = streams.bold();
            writeln!(
                streams.out,
                "\n{bold}move     games  share    won  drawn   lost  average  years      value{plain}"
            )?;
        }
        for found in &explored.moves {
            writeln!(streams.out, "{}", line(found, explored.total.games))?;
        }
        if explored.ended.games > 0 {
            writeln!(streams.out, "{} of the games have no move after it", explored.ended.games)?;
        }
        if !explored.games.is_empty() {
            writeln!(streams.out)?;
        }
        for game in &explored.games {
            let known = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
            let year = game.year.map_or_else(|| "    ".to_owned(), |year| year.to_string());
            let players = format!("{} – {}", known(&game.black), known(&game.white));
            let result = game.result.as_deref().unwrap_or("?");
            writeln!(streams.out, "{year}  {players:<42} {result:>5}  {}", game.event)?;
            writeln!(streams.out, "      {}", game.moves)?;
        }
        if explored.summary {
            writeln!(
                streams.out,
                "\nTo see the games themselves: emilia games import DIR, with the WTHOR database in DIR"
            )?;
        }
        Ok(())
    }
}

/// A move and what is known of it.
fn line(found: &ExploredMove, all: u64) -> String {
    let tally = &found.tally;
    let percent = |part: u64, whole: u64| match whole {
        0 => "–".to_owned(),
        whole => format!("{:.0} %", part as f64 * 100.0 / whole as f64),
    };
    // Adding 0 turns -0 into 0.
    let tenths = |average: f64| (average * 10.0).round() / 10.0 + 0.0;
    let average = tally.average.map_or_else(|| "–".to_owned(), |average| format!("{:+.1}", tenths(average)));
    let years = match (tally.first_year, tally.last_year) {
        (Some(first), Some(last)) if first != last => format!("{first}–{last}"),
        (Some(year), _) => year.to_string(),
        _ => String::new(),
    };
    let value = found.value.as_ref().map_or_else(String::new, value);
    let text = format!(
        "{:<5} {:>8} {:>6} {:>6} {:>6} {:>6} {average:>8}  {years:<9}  {value}",
        found.mv,
        tally.games,
        percent(tally.games, all),
        percent(tally.wins, tally.games),
        percent(tally.draws, tally.games),
        percent(tally.losses, tally.games),
    );
    text.trim_end().to_owned()
}

/// A value with how it is known.
fn value(value: &ValueAnswer) -> String {
    let source = match value.source {
        _ if value.solved => "solved".to_owned(),
        "book" => format!("book, {} at {} %", value.depth, value.confidence.unwrap_or(100)),
        _ => match value.confidence {
            Some(percent) if percent < 100 => format!("depth {} at {percent} %", value.depth),
            _ => format!("depth {}", value.depth),
        },
    };
    format!("{:+.1} {source}", value.discs)
}
