use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use clap::Args;
use emilia_engine::parse_time;
use emilia_eval::Score;
use emilia_record::thor::Directory;
use emilia_rules::{GridPosition, Move, Playable, Point, Position, Size};
use emilia_search::{GridMemory, GridSearch, Level, Limits, Search, Table};
use serde::Serialize;

use super::convert::read_file_or_text;
use crate::interrupt::stop_on_interrupt;
use crate::weights::WeightsArg;
use crate::{Failure, Streams};

/// Look into a position, deeper and deeper
///
/// Prints a line as each depth is finished: depth, confidence, score in discs for the side to move, time, nodes, and
/// the moves both sides are expected to play. Ctrl-C ends the search; what was found stays.
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

    /// Strength from 1 to 30 (8×8) [default: 18 unless another limit is set]
    #[arg(long, value_name = "N", conflicts_with_all = ["depth", "nodes", "time"], value_parser = clap::value_parser!(u32).range(1..=30))]
    level: Option<u32>,

    /// Plies to look ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Positions to look at, at most
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Time to take at most, such as 5s
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,

    /// How many of the best moves to score (8×8)
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

/// A text that is no length of time.
#[derive(Clone, Debug, thiserror::Error)]
#[error("write a time such as 500ms, 5s or 1m")]
struct TimeError;

fn time(text: &str) -> Result<Duration, TimeError> {
    parse_time(text).ok_or(TimeError)
}

/// One line of the search, for people and for programs.
#[derive(Serialize)]
struct Found {
    depth: u32,
    confidence: u32,
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
        let position = self.position(streams)?;
        if position.is_over() {
            return Err(Failure::failed(format!("the game is over there: {}", position.counts())));
        }
        if !self.json {
            writeln!(streams.out, "depth  conf.   score       time          nodes  line")?;
        }
        let stop = stop_on_interrupt();
        let mut printed = Ok(());
        let mut tell = |found: Found| {
            printed = self.print(&found, streams);
            if printed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match Position::try_from(&position) {
            Ok(small) if small.size() == Size::EIGHT => {
                let judge = self.weights.judge()?;
                let table = Table::new(self.hash.get()).map_err(Failure::failed)?;
                let mut search = Search::new(&*judge, &table, stop.flag());
                search.limits = self.limits(small.counts().empty);
                search.threads = self.threads.get();
                search.lines = self.lines.get();
                search.run(&small, &mut |report: &emilia_search::Report| {
                    for (number, line) in report.lines.iter().enumerate() {
                        let pv: Vec<String> = line.moves.iter().map(Move::to_string).collect();
                        let found = Found {
                            depth: report.depth,
                            confidence: report.confidence.percent(),
                            exact: report.exact,
                            line: number + 1,
                            score: f64::from(line.score.0) / f64::from(Score::PER_DISC),
                            mv: pv.first().cloned(),
                            pv,
                            nodes: report.nodes,
                            seconds: report.time.as_secs_f64(),
                        };
                        if tell(found).is_break() {
                            return ControlFlow::Break(());
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
            _ => {
                let mut memory = GridMemory::new(self.hash.get());
                let search = GridSearch::new(self.limits(position.counts().empty));
                search.run(&position, &mut memory, stop.flag(), &mut |report| {
                    let pv: Vec<String> = report.line.iter().map(Move::<Point>::to_string).collect();
                    let found = Found {
                        depth: report.depth,
                        confidence: 100,
                        exact: report.exact,
                        line: 1,
                        score: report.discs(),
                        mv: pv.first().cloned(),
                        pv,
                        nodes: report.nodes,
                        seconds: report.time.as_secs_f64(),
                    };
                    tell(found)
                });
            }
        }
        Ok(printed?)
    }

    fn limits(&self, empties: u32) -> Limits {
        let limits = Limits { depth: self.depth, nodes: self.nodes, time: self.time, ..Limits::default() };
        /// What is looked at unless something else is asked for.
        const USUAL_LEVEL: u32 = 18;
        match self.level {
            None if limits != Limits::default() => limits,
            level => Level::new(level.unwrap_or(USUAL_LEVEL)).unwrap_or_default().limits(empties),
        }
    }

    fn position(&self, streams: &mut Streams<'_>) -> Result<GridPosition, Failure> {
        let reading = read_file_or_text(&self.what, streams)?;
        if let Some(problem) = reading.problems.first().filter(|_| reading.items.is_empty()) {
            return Err(Failure::failed(format!("{}: {problem}", self.what)));
        }
        let mut games = reading.into_games(&Directory::default());
        let (number, count) = (self.game.get(), games.len());
        if number > count {
            return Err(Failure::failed(format!("there is no game {number} among {count}")));
        }
        let mut game = games.swap_remove(number - 1);
        // A position with scored moves is a game with variations; its position is the start.
        let length = if game.main_line().count() == game.move_count() { game.main_line().count() } else { 0 };
        let ply = self.ply.unwrap_or(length);
        if ply > game.main_line().count() {
            return Err(Failure::failed(format!(
                "the game has only {} moves, not {ply}",
                game.main_line().count()
            )));
        }
        for _ in 0..ply {
            game.redo();
        }
        Ok(*game.position())
    }

    fn print(&self, found: &Found, streams: &mut Streams<'_>) -> io::Result<()> {
        if self.json {
            streams.write_json(found)?;
        } else {
            let confidence = if found.exact { "exact".to_owned() } else { format!("{}%", found.confidence) };
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
