use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use emilia_arena::{distinct_lines, in_order, shuffle};
use emilia_engine::Candidate;
use emilia_query::Query;
use emilia_record::{Game, transcript};
use emilia_rules::{GridPosition, Move, Point, Size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::files::{open_named, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::position::parse_size;
use crate::{Failure, Streams};

/// Make a set of balanced openings for matches
///
/// Looks at the positions after so many plies, positions that are turned or mirrored counting as one, in random order,
/// and keeps those that the judge finds balanced: one line of moves each. The set that "emilia match" uses was made by
/// the first example; data/openings has it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia openings --count 3000 --judge emilia:level=20,hash=16 --screen emilia:depth=6,hash=4 --out data/openings/balanced-8.txt
  emilia openings --size 6 --plies 4 --within 4 --judge emilia:nodes=20000")]
pub(crate) struct Openings {
    /// Plies of an opening: 1 to 9
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=9))]
    plies: u32,

    /// Most discs that either side may be ahead
    #[arg(long, value_name = "DISCS", default_value = "2")]
    within: f64,

    /// Who judges: a player that values positions in discs
    #[arg(long, value_name = "PLAYER", default_value = "emilia:depth=10,hash=8")]
    judge: String,

    /// A quick judge who looks first: what it finds unbalanced by three discs more is not looked at again
    #[arg(long, value_name = "PLAYER")]
    screen: Option<String>,

    /// Openings to find [default: all there are]
    #[arg(long, value_name = "N")]
    count: Option<NonZeroU32>,

    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    size: Size,

    /// Where the random order begins
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,

    /// Positions judged at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Write to this file, whole or not at all, instead of printing
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Discs by which a quick judge may err.
const QUICK_ERROR: f64 = 3.0;

impl Openings {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let judge = Candidate::parse(&self.judge, &open_named).map_err(Failure::usage)?;
        let screen = self.screen.as_ref().map(|name| Candidate::parse(name, &open_named));
        let screen = screen.transpose().map_err(Failure::usage)?;
        let mut lines = distinct_lines(self.size, self.plies);
        shuffle(&mut lines, self.seed);
        let stop = stop_on_interrupt();
        let wanted = self.count.map_or(usize::MAX, |count| count.get() as usize);
        let bar = self.bar(streams, lines.len() as u64);
        let (mut text, mut found, mut silent) = (String::new(), 0, false);
        let work = |number: u32| {
            let line = lines[number as usize].iter().copied();
            let query = Query::of_game(GridPosition::start(self.size), line).ok()?;
            let value = |judge: &Candidate| {
                let report = judge.player(number.into()).answer(&query, &stop, &mut ()).ok()?;
                (!stop.is_requested()).then_some(report.discs())
            };
            let first = screen.as_ref().map(value);
            match first {
                None => Some((number, value(&judge)?)),
                Some(quick) => match quick? {
                    Some(score) if score.abs() > self.within + QUICK_ERROR => Some((number, Some(score))),
                    _ => Some((number, value(&judge)?)),
                },
            }
        };
        in_order(0..lines.len() as u32, self.threads.get(), &stop, work, |(number, score)| {
            bar.inc(1);
            silent |= score.is_none();
            if score.is_some_and(|score| score.abs() <= self.within) {
                text.push_str(&self.written(&lines[number as usize]));
                text.push('\n');
                found += 1;
                bar.set_message(format!("{found} found"));
            }
            if silent || found >= wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        if silent {
            return Err(Failure::usage(format!("{} does not value positions in discs", judge.name())));
        }
        if found < wanted && stop.is_requested() {
            return Err(Failure::failed("stopped; nothing is written"));
        }
        match &self.out {
            Some(file) => {
                write_file(file, text.as_bytes()).map_err(|error| Failure::file(file, error))?;
                writeln!(streams.out, "{found} openings written to {}", file.display())?;
            }
            None => write!(streams.out, "{text}")?,
        }
        Ok(())
    }

    /// An opening as a game, so that who reads it knows the board.
    fn written(&self, line: &[Move<Point>]) -> String {
        let mut game = Game::new(self.size);
        for mv in line {
            // Lines are made of legal moves.
            let _ = game.play(*mv);
        }
        transcript::write(&game)
    }

    fn bar(&self, streams: &Streams<'_>, positions: u64) -> ProgressBar {
        if !streams.interactive {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(positions), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} positions, {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar
    }
}
