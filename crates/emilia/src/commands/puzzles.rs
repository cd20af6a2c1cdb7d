use std::collections::HashSet;
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use emilia_arena::{in_order, shuffle};
use emilia_engine::{no_files, player};
use emilia_puzzle::{Factory, Puzzle, Theme};
use emilia_query::{Query, Stop};
use emilia_record::Game;
use emilia_rules::{Color, GridPosition, Playable, Position, Size, SquareSet};
use emilia_search::Table;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::files::{read_bytes, read_games, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Make puzzles of games, and prove them
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia puzzles make WTHOR/*.wtb --count 3000 --threads 2 --out puzzles.obf
  emilia puzzles check puzzles.obf --threads 2")]
pub(crate) struct Puzzles {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Make(Make),
    Check(Check),
}

/// Find positions with one right move, and prove them by the exact solver
///
/// Looks at the endings of games in random order. A puzzle has the exact score of every move; one move wins, draws or gets
/// most discs and no other does; a search of two plies does not find it, and people do not find it as a matter of course.
/// How likely people find it is its rating. Positions that are turned or mirrored count as one. Each is a line as in
/// Othello Board Files, with the goal, the rating and the themes as the comment.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia puzzles make WTHOR/*.wtb --count 3000 --threads 2 --out puzzles.obf
  emilia puzzles make WTHOR/*.wtb --theme wipe-out
  emilia puzzles make --games 20
  emilia puzzles make --games 2000 --size 6 --rating 2200 --threads 2 --out small.obf")]
struct Make {
    /// Files of games in any format
    #[arg(value_name = "FILE", required_unless_present = "games")]
    files: Vec<PathBuf>,

    /// Play so many games between two people instead
    #[arg(long, value_name = "N", conflicts_with = "files")]
    games: Option<NonZeroU32>,

    /// How strong those people are: weak ones get into the trouble that some themes need
    #[arg(long, value_name = "N", default_value = "1800", value_parser = clap::value_parser!(u32).range(800..=2400))]
    rating: u32,

    /// On which board they play, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = side)]
    size: Size,

    /// End with so many puzzles [default: all there are]
    #[arg(long, value_name = "N")]
    count: Option<NonZeroUsize>,

    /// Puzzles taken from one game, at most
    #[arg(long, value_name = "N", default_value = "1")]
    per_game: NonZeroUsize,

    /// Only puzzles of this theme: parity, sacrifice, wipe-out, corner, x-square, pass, quiet or last-six
    #[arg(long, value_name = "THEME", value_parser = theme)]
    theme: Option<Theme>,

    /// Most empty squares
    #[arg(long, value_name = "N", default_value = "14", value_parser = clap::value_parser!(u32).range(4..=20))]
    empties: u32,

    /// Where the random order begins
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,

    /// Games looked at in parallel; the result does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Write to this file, whole or not at all, instead of printing
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Prove the puzzles of a file again: every score, that one move is right, goal and themes
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia puzzles check puzzles.obf --threads 2
  emilia puzzles check puzzles.obf --every 100  a sample")]
struct Check {
    /// A file that "emilia puzzles make" wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Prove only every so many
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,

    /// Puzzles proved in parallel
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
}

/// Memory for the solver, for each thread.
const MEGABYTES: usize = 4;
/// The fewest empty squares of a puzzle.
const FEWEST: u32 = 5;

impl Puzzles {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self.what {
            What::Make(make) => make.run(streams),
            What::Check(check) => check.run(streams),
        }
    }
}

impl Make {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let stop = stop_on_interrupt();
        let mut endings = self.endings(&stop)?;
        shuffle(&mut endings, self.seed);
        let wanted = self.count.map_or(usize::MAX, NonZeroUsize::get);
        let bar = bar("puzzles of {pos}/{len} games", endings.len(), streams.interactive);
        let (mut seen, mut lines) = (HashSet::new(), Vec::new());
        let work = |number: u32| self.puzzles(&endings[number as usize], number, &stop);
        in_order(0..endings.len() as u32, self.threads.get(), &stop, work, |puzzles| {
            bar.inc(1);
            for puzzle in puzzles {
                if lines.len() < wanted && seen.insert(puzzle.position.canonical()) {
                    lines.push(puzzle.line());
                }
            }
            if lines.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        bar.finish_and_clear();
        if lines.is_empty() {
            return Err(Failure::failed("no position of these games is a puzzle".to_owned()));
        }
        let mut text = lines.join("\n");
        text.push('\n');
        match &self.out {
            Some(path) => {
                write_file(path, text.as_bytes()).map_err(|error| Failure::file(path, error))?;
                writeln!(streams.out, "{} puzzles of {} games", lines.len(), endings.len())?;
            }
            None => streams.out.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// The endings of all games: positions with few empty squares, from the one with most.
    fn endings(&self, stop: &Stop) -> Result<Vec<Vec<Position>>, Failure> {
        let mut endings = Vec::new();
        if let Some(games) = self.games {
            for number in 0..games.get() {
                let seed = self.seed.wrapping_add(number.into());
                endings.push(self.ending(&self.played(seed, stop)?));
            }
        }
        for path in &self.files {
            endings.extend(read_games(path)?.iter().map(|game| self.ending(&positions(game))));
        }
        endings.retain(|positions| !positions.is_empty());
        if endings.is_empty() {
            return Err(Failure::failed("no game there has an ending on 6×6 or 8×8".to_owned()));
        }
        Ok(endings)
    }

    fn ending(&self, positions: &[GridPosition]) -> Vec<Position> {
        // Black is to move in every puzzle.
        let black = positions.iter().filter_map(|position| {
            GridPosition::new(position.own(), position.opponent(), Color::Black, position.size())
        });
        let small = black.filter_map(|position| Position::try_from(&position).ok());
        let wanted = |position: &Position| {
            Puzzle::is_board(position) && (FEWEST..=self.empties).contains(&position.empties().count())
        };
        small.filter(wanted).collect()
    }

    /// The positions of a game between two people.
    fn played(&self, seed: u64, stop: &Stop) -> Result<Vec<GridPosition>, Failure> {
        let name = format!("human:rating={},seed={seed}", self.rating);
        let mut person = player(&name, &no_files).map_err(Failure::failed)?;
        let mut query = Query::new(GridPosition::start(self.size));
        let mut positions = Vec::new();
        while !query.position().is_over() && !stop.is_requested() {
            positions.push(*query.position());
            let report = person.answer(&query, stop, &mut ()).map_err(Failure::failed)?;
            let Some(mv) = report.best_move() else { break };
            if query.play(mv).is_err() {
                break;
            }
        }
        Ok(positions)
    }

    /// The puzzles of one game, begun at another place of the ending in each.
    fn puzzles(&self, ending: &[Position], number: u32, stop: &Stop) -> Option<Vec<Puzzle>> {
        let factory = Factory::new(Table::new(MEGABYTES).ok()?);
        let first = number as usize % ending.len();
        let (before, after) = ending.split_at(first);
        let mut puzzles = Vec::new();
        for position in after.iter().chain(before) {
            if puzzles.len() >= self.per_game.get() || stop.is_requested() {
                break;
            }
            let is_wanted = |puzzle: &Puzzle| self.theme.is_none_or(|theme| puzzle.themes.contains(&theme));
            puzzles.extend(factory.make(position, stop).filter(is_wanted));
        }
        Some(puzzles)
    }
}

/// The side of a board that puzzles are made on.
fn side(text: &str) -> Result<Size, NoSide> {
    let size = text.parse().ok().and_then(|side| Size::new(side).ok());
    size.filter(|size| [6, 8].contains(&size.get())).ok_or_else(|| NoSide(text.to_owned()))
}

/// A board that there are no puzzles on.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there are no puzzles on boards of {0:?}; there are some on 6 and 8")]
struct NoSide(String);

/// The theme of this name.
fn theme(name: &str) -> Result<Theme, NoTheme> {
    Theme::named(name).ok_or_else(|| NoTheme(name.to_owned()))
}

/// A name that no theme has.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no theme {0:?}; there are {names}", names = Theme::ALL.map(|(name, _)| name).join(", "))]
struct NoTheme(String);

/// The positions of the main line of a game.
fn positions(game: &Game) -> Vec<GridPosition> {
    let mut game = game.clone();
    game.to_start();
    let mut positions = vec![*game.position()];
    while game.redo() {
        positions.push(*game.position());
    }
    positions
}

impl Check {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let stop = stop_on_interrupt();
        let text = read_bytes(&self.file, &mut std::io::empty())?;
        let text = String::from_utf8_lossy(&text);
        let mut seen = HashSet::new();
        let mut puzzles = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let wrong = |what: String| {
                Failure::failed(format!("{}: line {}: {what}", self.file.display(), number + 1))
            };
            let puzzle = Puzzle::parse(line).map_err(|error| wrong(error.to_string()))?;
            if !seen.insert(puzzle.position.canonical()) {
                return Err(wrong("this puzzle is there twice".to_owned()));
            }
            if number % self.every == 0 {
                puzzles.push((number + 1, puzzle));
            }
        }
        let bar = bar("{pos}/{len} puzzles proved", puzzles.len(), streams.interactive);
        let work = |at: u32| {
            let (number, puzzle) = &puzzles[at as usize];
            Some((*number, Factory::new(Table::new(MEGABYTES).ok()?).proves(puzzle, &stop)))
        };
        let (mut proved, mut wrong) = (0, None);
        in_order(0..puzzles.len() as u32, self.threads.get(), &stop, work, |(number, right)| {
            bar.inc(1);
            proved += usize::from(right);
            wrong = wrong.or((!right).then_some(number));
            if right { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        bar.finish_and_clear();
        match wrong {
            Some(line) => Err(Failure::failed(format!(
                "{}: line {line}: the solver finds other scores",
                self.file.display()
            ))),
            None if proved < puzzles.len() => Err(Failure::failed(format!("stopped after {proved} puzzles"))),
            None => Ok(writeln!(streams.out, "{proved} of {} puzzles proved, none wrong", seen.len())?),
        }
    }
}

/// Shows a person how far it is; nobody else sees it.
fn bar(template: &str, length: usize, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    let style = ProgressStyle::with_template(&format!("{{wide_bar}} {template}, {{eta}} left"));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
