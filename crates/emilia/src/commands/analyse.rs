use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use clap::Args;
use emilia_engine::{Candidate, Spec};
use emilia_query::{Level, Limits, MoveReport, Query, Report, Selectivity};
use emilia_record::Game;
use emilia_record::thor::Directory;
use emilia_rules::{Move, Playable};
use serde::Serialize;

use super::conditions::parse_length;
use super::convert::read_file_or_text;
use crate::files::open_named;
use crate::interrupt::stop_on_interrupt;
use crate::weights::WeightsArg;
use crate::{Failure, Streams};

/// Look into a position, deeper and deeper
///
/// Prints a line as each depth is finished: depth, confidence, score in discs for the side to move, time, nodes, and
/// the moves both sides are expected to play. Where a search leaves moves out and nobody has measured how often that
/// goes wrong, the confidence is a dash. Ctrl-C ends the search; what was found stays.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia analyse f5d6c3 --level 20
  emilia analyse game.ggf --ply 30 --time 10s --lines 3
  emilia analyse '8/8/8/3ox3/3xo3/8/8/8 x' --depth 14 --json")]
pub(crate) struct Analyse {
    /// A file, or the text of a game or position
    #[arg(value_name = "POSITION|GAME")]
    what: String,

    /// Which game of a file, from 1
    #[arg(long, value_name = "N", default_value = "1")]
    game: NonZeroUsize,

    /// After how many moves of the game, passes counted [default: all]
    #[arg(long, value_name = "K")]
    ply: Option<usize>,

    /// Strength from 1 to 30 [default: 18 unless another limit is set]
    #[arg(long, value_name = "N", conflicts_with_all = ["depth", "nodes", "time"], value_parser = clap::value_parser!(u32).range(1..=30))]
    level: Option<u32>,

    /// Plies to look ahead at most; where eight or more would leave no more than eight empty squares, the
    /// position is solved, which takes about half as long again at most; with ten left, boards that the
    /// evaluation leaves open are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Positions to look at, at most
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Time to take at most, such as 5s
    #[arg(long, value_name = "TIME", value_parser = parse_length)]
    time: Option<Duration>,

    /// How many of the best moves to score
    #[arg(long, value_name = "N", default_value = "1")]
    lines: NonZeroUsize,

    /// Threads that share the work (8×8)
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Megabytes for positions already searched
    #[arg(long, value_name = "MB", default_value = "128")]
    hash: NonZeroUsize,

    #[command(flatten)]
    weights: WeightsArg,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// One line of the search, for people and for programs.
#[derive(Serialize)]
struct Found {
    depth: u32,
    confidence: Option<u32>,
    exact: bool,
    line: usize,
    score: f64,
    #[serde(rename = "move")]
    mv: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl Analyse {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let query = self.query(streams)?;
        if query.position().is_over() {
            return Err(Failure::failed(format!("the game is over there: {}", query.position().counts())));
        }
        let mut player = self.candidate()?.player(0);
        let stop = stop_on_interrupt();
        let (mut printed, mut told) = (Ok(()), Vec::new());
        let mut print = |report: &Report| {
            if told == report.moves {
                return ControlFlow::Continue(());
            }
            let first = told.is_empty();
            told.clone_from(&report.moves);
            printed = self.heading(first, streams).and_then(|()| {
                let best = report.moves.iter().take(query.lines).enumerate();
                best.map(|(number, found)| Found::new(number + 1, found, report))
                    .try_for_each(|found| self.print(&found, streams))
            });
            if printed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        player.answer(&query, &stop, &mut print).map_err(Failure::failed)?;
        Ok(printed?)
    }

    /// Emilia with what she may use.
    fn candidate(&self) -> Result<Candidate, Failure> {
        let setting = |name: &str, value: String| (name.to_owned(), value);
        let given = [setting("threads", self.threads.to_string()), setting("hash", self.hash.to_string())];
        let weights = self.weights.name().map(|file| setting("weights", file));
        let settings = given.into_iter().chain(weights).collect();
        let spec = Spec { kind: "emilia".to_owned(), settings };
        Candidate::new(spec, &open_named).map_err(Failure::failed)
    }

    fn limits(&self) -> Limits {
        /// What is looked at unless something else is asked for.
        const USUAL_LEVEL: u32 = 18;
        let limits = Limits { depth: self.depth, nodes: self.nodes, time: self.time, ..Limits::default() };
        match self.level {
            None if !limits.is_open() => limits,
            level => Limits::level(Level::nearest(level.unwrap_or(USUAL_LEVEL))),
        }
    }

    /// The position that is meant, with the moves that led to it.
    fn query(&self, streams: &mut Streams<'_>) -> Result<Query, Failure> {
        let game = self.game(streams)?;
        // A position with scored moves is a game with variations; its position is the start.
        let length = if game.main_line().count() == game.move_count() { game.main_line().count() } else { 0 };
        let ply = self.ply.unwrap_or(length);
        if ply > game.main_line().count() {
            return Err(Failure::failed(format!(
                "the game has only {} moves, not {ply}",
                game.main_line().count()
            )));
        }
        let query = Query::of_game(*game.start(), game.main_line().take(ply)).map_err(Failure::failed)?;
        Ok(query.within(self.limits()).with_lines(self.lines.get()))
    }

    fn game(&self, streams: &mut Streams<'_>) -> Result<Game, Failure> {
        let reading = read_file_or_text(&self.what, streams)?;
        if let Some(problem) = reading.problems.first().filter(|_| reading.items.is_empty()) {
            return Err(Failure::failed(format!("{}: {problem}", self.what)));
        }
        let mut games = reading.into_games(&Directory::default());
        let (number, count) = (self.game.get(), games.len());
        if number > count {
            return Err(Failure::failed(format!("there is no game {number} among {count}")));
        }
        Ok(games.swap_remove(number - 1))
    }

    /// What stands above the first line that people read.
    fn heading(&self, first: bool, streams: &mut Streams<'_>) -> io::Result<()> {
        if first && !self.json {
            writeln!(streams.out, "depth  conf.   score       time          nodes  line")?;
        }
        Ok(())
    }

    fn print(&self, found: &Found, streams: &mut Streams<'_>) -> io::Result<()> {
        if self.json {
            streams.write_json(found)?;
        } else {
            let confidence = match found.confidence {
                _ if found.exact => "exact".to_owned(),
                Some(percent) => format!("{percent}%"),
                None => "-".to_owned(),
            };
            writeln!(
                streams.out,
                "{:>5} {confidence:>6} {:>+7.2} {:>10.3} {:>14}  {}",
                found.depth,
                found.score,
                found.seconds,
                found.nodes,
                found.pv.join(" ")
            )?;
        }
        streams.out.flush()
    }
}

impl Found {
    fn new(line: usize, found: &MoveReport, report: &Report) -> Found {
        Found {
            depth: found.depth,
            confidence: found.selectivity.map(Selectivity::percent),
            exact: found.exact,
            line,
            score: found.discs().unwrap_or_default(),
            mv: Some(found.mv.to_string()),
            pv: found.line.iter().map(Move::to_string).collect(),
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
        }
    }
}
