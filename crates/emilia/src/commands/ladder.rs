use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use emilia_arena::{
    Anchor, Climb, CrossTable, Heading, Ladder as Rungs, Measurement, Rung, Schedule, Series,
};
use emilia_engine::Candidate;
use serde::Serialize;

use super::conditions::{Conditions, Keeping};
use super::live::Live;
use crate::files::write_file;
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Measure a player against opponents of known strength
///
/// The ladder is a list of players from random to strong, each with its Elo, where random play is 0. They think to a
/// fixed depth or number of positions, so they are as strong on every machine. A player is sent against those that tell
/// most about it until its own rating is known well enough. Without a player the ladder itself is printed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia ladder                                 the opponents and their ratings
  emilia ladder alphabeta:depth=3               where does it stand?
  emilia ladder 'gtp:python3 mybot.py'          a program of your own, by the Go Text Protocol
  emilia ladder --calibrate --games 40 --threads 2 --out data/ladder/ladder.tsv
                                                measure the opponents themselves again

docs/arena.md says what the figures mean.")]
pub(crate) struct Ladder {
    /// The player to measure
    #[arg(value_name = "PLAYER", conflicts_with = "calibrate")]
    player: Option<String>,

    /// Stop when the rating is known this well
    #[arg(long, value_name = "ELO", default_value = "40")]
    error: f64,

    /// Most games to play; with --calibrate, games of each pairing [default: 400, or 40]
    #[arg(long, value_name = "N")]
    games: Option<NonZeroU32>,

    /// Measure the opponents themselves: each against its neighbours on the ladder
    #[arg(long)]
    calibrate: bool,

    /// Neighbours on each side that an opponent meets, with --calibrate
    #[arg(long, value_name = "N", default_value = "3", requires = "calibrate")]
    reach: usize,

    /// Use the ladder in this file instead of the one that comes with the program
    #[arg(long, value_name = "FILE")]
    ladder: Option<PathBuf>,

    /// Write the calibrated ladder to this file
    #[arg(long, value_name = "FILE", requires = "calibrate")]
    out: Option<PathBuf>,

    #[command(flatten)]
    conditions: Conditions,

    #[command(flatten)]
    keeping: Keeping,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Most games if nothing is said: enough for an error of 40 against opponents of equal strength.
const USUAL_GAMES: u32 = 400;
/// Games of each pairing of a calibration if nothing is said.
const USUAL_CALIBRATION: u32 = 40;

/// A measured player for a program to read.
#[derive(Serialize)]
struct Line<'a> {
    player: &'a str,
    elo: f64,
    error: f64,
    games: u32,
    one_sided: bool,
    stopped: bool,
    opponents: Vec<Opponent<'a>>,
}

#[derive(Serialize)]
struct Opponent<'a> {
    player: &'a str,
    elo: f64,
    points: f64,
    games: f64,
}

impl Ladder {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let ladder = match &self.ladder {
            None => Rungs::embedded(),
            Some(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| Failure::file(file, error))?;
                text.parse().map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?
            }
        };
        match &self.player {
            Some(player) => self.measure(player, &ladder, streams),
            None if self.calibrate => self.recalibrate(&ladder, streams),
            None => self.print(&ladder, streams),
        }
    }

    fn print(&self, ladder: &Rungs, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if self.json {
            let rungs: Vec<_> = ladder.rungs().iter().map(spelled).collect();
            return Ok(streams.write_json(&rungs)?);
        }
        write!(streams.out, "{}", listed(ladder, streams.color))?;
        Ok(())
    }

    /// Plays the player against the rungs that tell most.
    fn measure(&self, name: &str, ladder: &Rungs, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let player = self.conditions.candidate(name)?;
        let rungs: Vec<Candidate> = ladder
            .rungs()
            .iter()
            .map(|rung| self.conditions.candidate(&rung.player))
            .collect::<Result<_, _>>()?;
        let most = self.games.map_or(USUAL_GAMES, NonZeroU32::get);
        // Openings are needed even if only two games are wanted: the batches are longer.
        let terms = self.conditions.terms(most.max(Measurement::BATCH))?;
        let threads = self.conditions.threads.get();
        let measurement = Measurement { terms, threads, games: most, error: self.error };
        let mut keeper = self.keeping.without_log()?;
        let stop = stop_on_interrupt();
        let mut live = Live::new(most, 0, streams);
        let mut kept = Ok(());
        let climb = measurement.run(&player, ladder, &rungs, &stop, |climb, played| {
            kept = keeper.keep(played);
            live.forfeit(streams, played);
            let brief = || {
                let rating = climb.rating();
                format!("{name}: {:.0} ± {:.0}\n", rating.elo, rating.error)
            };
            live.show(streams, brief, || brief().trim_end().to_owned());
            if kept.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        live.finish();
        let climb = climb.map_err(|error| Failure::failed(format!("{name} {error}")))?;
        kept?;
        keeper.finish()?;
        self.tell(name, ladder, &climb, stop.is_requested(), streams)
    }

    fn tell(
        &self,
        name: &str,
        ladder: &Rungs,
        climb: &Climb<'_>,
        stopped: bool,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let rating = climb.rating();
        let met: Vec<(&Rung, &(f64, f64))> =
            ladder.rungs().iter().zip(climb.results()).filter(|(_, (_, games))| *games > 0.0).collect();
        if self.json {
            let opponents = met.iter().map(|(rung, (points, games))| Opponent {
                player: &rung.player,
                elo: rung.rating.elo,
                points: *points,
                games: *games,
            });
            return Ok(streams.write_json(&Line {
                player: name,
                elo: rating.elo,
                error: rating.error,
                games: climb.games(),
                one_sided: climb.is_one_sided(),
                stopped,
                opponents: opponents.collect(),
            })?);
        }
        if met.is_empty() {
            return Err(Failure::failed("stopped before the first game ended"));
        }
        let width = met.iter().map(|(rung, _)| rung.player.chars().count()).max().unwrap_or(0).max(8);
        let (bold, plain) = streams.bold();
        writeln!(
            streams.out,
            "{bold}{:<width$} {:>6} {:>8} {:>6}{plain}",
            "opponent", "Elo", "points", "games"
        )?;
        for (rung, (points, games)) in met {
            writeln!(
                streams.out,
                "{:<width$} {:>6.0} {points:>8.1} {games:>6}",
                rung.player, rung.rating.elo
            )?;
        }
        let all = climb.results().iter().map(|(points, _)| points).sum::<f64>();
        match climb.is_one_sided() {
            true if all > 0.0 => writeln!(streams.out, "{name}: above the ladder; it won every game")?,
            true => writeln!(streams.out, "{name}: below the ladder; it lost every game")?,
            false => writeln!(
                streams.out,
                "{name}: {:.0} ± {:.0} (95 %, {} games; random play is 0)",
                rating.elo,
                rating.error,
                climb.games()
            )?,
        }
        Ok(())
    }

    /// Lets the rungs play their neighbours, and rates them anew.
    fn recalibrate(&self, ladder: &Rungs, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let names: Vec<String> = ladder.rungs().iter().map(|rung| rung.player.clone()).collect();
        let anchor = names.iter().position(|name| name == ANCHOR).ok_or_else(|| {
            Failure::usage(format!("the ladder has no rung {ANCHOR:?}, from which ratings are measured"))
        })?;
        let players: Vec<Candidate> =
            names.iter().map(|name| self.conditions.candidate(name)).collect::<Result<_, _>>()?;
        let games = self.games.map_or(USUAL_CALIBRATION, NonZeroU32::get);
        let terms = self.conditions.terms(games.max(Measurement::BATCH))?;
        let words = self.conditions.words(&terms, games.max(Measurement::BATCH));
        let schedule = Schedule::neighbours(players.len(), self.reach.max(1), games);
        let series = Series { terms, schedule, threads: self.conditions.threads.get() };
        let (mut keeper, before) =
            self.keeping.open(&Heading::new(names.clone(), words), &series.schedule)?;
        let mut table = CrossTable::new(names);
        before.iter().for_each(|played| table.add(played));
        let all = series.schedule.games();
        let stop = stop_on_interrupt();
        let mut live = Live::new(all, before.len() as u32, streams);
        let mut kept = Ok(());
        series.run(&players, before.len() as u32..all, &stop, |played| {
            table.add(&played);
            kept = keeper.keep(&played);
            live.show(streams, String::new, || "calibrating".to_owned());
            if kept.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        live.finish();
        kept?;
        keeper.finish()?;
        if table.games() < all as usize {
            return Err(Failure::failed(format!(
                "stopped after {} of {all} games; with --log the next call goes on",
                table.games()
            )));
        }
        let entries = table.list(Anchor::Player(anchor));
        let rungs = entries.iter().map(|entry| Rung {
            player: table.players()[entry.player].clone(),
            rating: entry.rating,
            games: entry.games(),
        });
        let ladder = Rungs::new(rungs.collect()).map_err(Failure::failed)?;
        if let Some(file) = &self.out {
            write_file(file, ladder.to_string().as_bytes()).map_err(|error| Failure::file(file, error))?;
        }
        self.print(&ladder, streams)
    }
}

/// The player whose rating is 0.
const ANCHOR: &str = "random";

/// A rung for a program to read.
#[derive(Serialize)]
struct RungLine<'a> {
    player: &'a str,
    elo: f64,
    error: f64,
    games: u32,
}

fn spelled(rung: &Rung) -> RungLine<'_> {
    RungLine { player: &rung.player, elo: rung.rating.elo, error: rung.rating.error, games: rung.games }
}

fn listed(ladder: &Rungs, color: bool) -> String {
    let width = ladder.rungs().iter().map(|rung| rung.player.chars().count()).max().unwrap_or(0).max(6);
    let (bold, plain) = if color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let mut text = format!("{bold}{:<width$} {:>6} {:>5} {:>6}{plain}\n", "player", "Elo", "±", "games");
    for Rung { player, rating, games } in ladder.rungs() {
        text.push_str(&format!("{player:<width$} {:>6.0} {:>5.0} {games:>6}\n", rating.elo, rating.error));
    }
    text
}
