//! Books that grow by search.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use emilia_arena::in_order;
use emilia_book::{Basis, Graph, Growth, Note, Origin, Task, Worth};
use emilia_engine::{Candidate, limits_of_level};
use emilia_query::{Level, Limits, Query, Selectivity, Stop};
use emilia_rules::{Board, Color, GridPosition, Move, Playable, Point, Position, Size, Square, SquareSet};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::store::Store;
use crate::files::open_named;
use crate::interrupt::stop_on_interrupt;
use crate::position::PositionArg;
use crate::{Failure, Streams};

/// Make a book of every good line, or go on with one
///
/// A line is good if both sides together give away at most so many discs on it, by what the book knows. The positions of
/// good lines are judged, the fewest moves first: the best moves of each, as long as they can be on a good line, and one
/// more. Values change as the book grows, so lines are looked at again until nothing is missing. The result does not
/// depend on threads, nor on how often it was stopped.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book build mine.ebk --plies 6 --level 16
  emilia book build mine.ebk --plies 12 --narrow-plies 20 --loss 2 --level 24 --threads 2
  emilia book build tiger.ebk --from f5d6c3d3c4 --plies 10")]
pub(super) struct Build {
    /// The book; it is begun if it is not there
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Where lines begin: moves or a board [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    from: Option<PositionArg>,

    /// Moves of a line
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,

    /// Moves of a line as long as each move after the first --plies, and the last of those, is the only one that gives
    /// away at most --loss [default: as many as --plies]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    narrow_plies: Option<u32>,

    /// Discs that both sides together may give away on a line
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=64))]
    loss: u8,

    #[command(flatten)]
    effort: Effort,
}

/// How positions are judged.
#[derive(Args)]
pub(super) struct Effort {
    /// How deep positions are searched: a level from 1 to 30
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u8).range(1..=30))]
    level: u8,

    /// Plies to look ahead instead, at 73 % everywhere
    #[arg(long, value_name = "N", conflicts_with = "level", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,

    /// Positions judged at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Megabytes for what a search remembers, for each thread
    #[arg(long, value_name = "MB", default_value = "64", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

impl Build {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let growth = Growth {
            from: Origin::Board(eight(self.from.as_ref())?),
            plies: self.plies,
            narrow_plies: self.narrow_plies.unwrap_or(self.plies),
            move_loss: i32::from(self.loss),
            line_loss: i32::from(self.loss),
        };
        let store = Store::open(&self.book, true)?;
        self.effort.grow(store, &|graph, wanted| growth.tasks(graph, wanted), streams)
    }
}

/// Carry the best lines of a book on, from every position it holds
///
/// Wherever the book ends, the best move goes on to the given number of moves from the start of the game. Positions that
/// were judged at a lower level are judged again.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book extend mine.ebk --plies 16 --level 20")]
pub(super) struct Extend {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to which best lines are carried on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,

    #[command(flatten)]
    effort: Effort,
}

impl Extend {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let growth = Growth {
            from: Origin::Everywhere,
            plies: self.plies,
            narrow_plies: self.plies,
            move_loss: 0,
            line_loss: 0,
        };
        let store = Store::open(&self.book, false)?;
        self.effort.grow(store, &|graph, wanted| growth.tasks(graph, wanted), streams)
    }
}

/// Add lines with moves that are a little worse, each by so much and all together by so much
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book deviate mine.ebk --move-loss 2 --loss 6 --plies 10
  emilia book deviate mine.ebk --from f5d6c3d3c4 --move-loss 4 --loss 4 --plies 6")]
pub(super) struct Deviate {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Where lines begin: moves or a board [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    from: Option<PositionArg>,

    /// Moves of a line
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,

    /// Discs that a move may give away
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=64))]
    move_loss: u8,

    /// Discs that both sides together may give away on a line
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = clap::value_parser!(u8).range(0..=64))]
    loss: u8,

    #[command(flatten)]
    effort: Effort,
}

impl Deviate {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let growth = Growth {
            from: Origin::Board(eight(self.from.as_ref())?),
            plies: self.plies,
            narrow_plies: self.plies,
            move_loss: i32::from(self.move_loss),
            line_loss: i32::from(self.loss),
        };
        let store = Store::open(&self.book, false)?;
        self.effort.grow(store, &|graph, wanted| growth.tasks(graph, wanted), streams)
    }
}

/// The board of a position that a book can hold.
pub(super) fn eight(position: Option<&PositionArg>) -> Result<Board, Failure> {
    let Some(PositionArg(position)) = position else { return Ok(Board::START) };
    let refused = |sentence| Err(Failure::usage(sentence));
    match Position::try_from(position) {
        Ok(position) if position.size() == Size::EIGHT => match position.board() {
            board if !board.moves().is_empty() => Ok(board),
            board if !board.pass().moves().is_empty() => Ok(board.pass()),
            _ => refused("the game is over in that position"),
        },
        _ => refused("books are for boards of 8×8"),
    }
}

/// Which positions are to be judged next, by what a book holds and what its values have to rest on.
pub(super) type Missing<'a> = &'a dyn Fn(&Graph, &dyn Fn(Board) -> Basis) -> Vec<Task>;

/// What a growth has come to.
enum End {
    Done,
    Stopped,
}

impl Effort {
    /// Judges position after position until nothing is missing or somebody says stop; either way the book is written.
    pub(super) fn grow(
        &self,
        mut store: Store,
        missing: Missing<'_>,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let stop = stop_on_interrupt();
        let mut bar = Progress::new(streams.interactive);
        let mut judged = 0;
        let mut tasks = store.open_tasks(self.key());
        let end = loop {
            if tasks.is_empty() {
                store.graph.settle();
                tasks = missing(&store.graph, &|board| self.wanted(board));
                if tasks.is_empty() {
                    break End::Done;
                }
                store.note(Note::Planned { level: self.key(), tasks: tasks.clone() })?;
            }
            bar.wave(&tasks, streams.err)?;
            self.judge_all(&tasks, &mut store, &stop, &mut || {
                judged += 1;
                bar.judged();
            })?;
            tasks = store.open_tasks(self.key());
            if stop.is_requested() {
                break End::Stopped;
            }
        };
        bar.end();
        let graph = store.save(self.key())?;
        let positions = graph.len();
        match end {
            End::Done => writeln!(streams.out, "done: {judged} positions judged, {positions} in the book")?,
            End::Stopped => writeln!(
                streams.out,
                "stopped: {judged} positions judged, {positions} in the book; the same command goes on"
            )?,
        }
        Ok(())
    }

    /// Under which number a journal keeps what was planned: levels end at 30, depths follow.
    pub(super) fn key(&self) -> u8 {
        self.depth.map_or(self.level, |depth| Level::MAX.get() + depth)
    }

    /// What a value rests on in a position.
    fn wanted(&self, board: Board) -> Basis {
        let empties = board.empties().count();
        if let Some(depth) = self.depth {
            let depth = u32::from(depth).min(empties) as u8;
            return Basis::Searched { depth, selectivity: Selectivity::Likely };
        }
        let limits = limits_of_level(Level::nearest(self.level.into()), Size::EIGHT, empties);
        let (depth, selectivity) =
            (limits.depth.unwrap_or(empties), limits.selectivity.unwrap_or(Selectivity::Certain));
        if depth >= empties && selectivity == Selectivity::Certain {
            return Basis::Solved;
        }
        Basis::Searched { depth: depth as u8, selectivity }
    }

    /// Judges positions on all threads; each one is in the journal before the next is asked for.
    fn judge_all(
        &self,
        tasks: &[Task],
        store: &mut Store,
        stop: &Stop,
        judged: &mut dyn FnMut(),
    ) -> Result<(), Failure> {
        let effort = match self.depth {
            Some(depth) => format!("depth={depth},selectivity={}", Selectivity::Likely.percent()),
            None => format!("level={}", self.level),
        };
        let name = format!("emilia:hash={},{effort}", self.hash);
        let candidate = Candidate::parse(&name, &open_named).map_err(Failure::failed)?;
        let work = |number: u32| {
            let task = &tasks[number as usize];
            let found = judge(&candidate, task, stop).transpose()?;
            Some(found.map(|found| Note::Judged { board: task.board, found }))
        };
        let mut result = Ok(());
        in_order(0..tasks.len() as u32, self.threads.get(), stop, work, |found| {
            result = found.and_then(|note| store.note(note));
            judged();
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result
    }
}

/// Judges the moves of a position that are open, best first, by a search that remembers nothing of other positions, so
/// that what it finds depends on the position alone; nothing if it was stopped.
fn judge(candidate: &Candidate, task: &Task, stop: &Stop) -> Result<Option<Vec<(Square, Worth)>>, Failure> {
    let mut player = candidate.player(0);
    let position = Position::new(task.board, Color::Black).map(GridPosition::from).unwrap_or_default();
    let mut found = Vec::new();
    loop {
        let open = task.open(&found);
        if open.is_empty() {
            return Ok(Some(found));
        }
        let mut query = Query::new(position).within(Limits::default());
        query.among = Some(open.into_iter().map(|square| Move::Place(Point::from(square))).collect());
        let report = player.answer(&query, stop, &mut ()).map_err(Failure::failed)?;
        if report.stopped || stop.is_requested() {
            return Ok(None);
        }
        let best = report.best().and_then(|best| {
            let square = best.mv.square()?.square()?;
            let basis = match best.selectivity {
                _ if best.exact => Basis::Solved,
                selectivity => Basis::Searched {
                    depth: best.depth as u8,
                    selectivity: selectivity.unwrap_or(Selectivity::Certain),
                },
            };
            Some((square, Worth { discs: best.discs()?.round() as i8, basis }))
        });
        let Some((square, worth)) = best else { return Ok(Some(found)) };
        let last = task.ends_with(worth.discs, &found);
        found.push((square, worth));
        if last {
            return Ok(Some(found));
        }
    }
}

/// Shows a person how far it is; a program gets a line for each wave.
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(visible: bool) -> Progress {
        Progress { bar: visible.then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())) }
    }

    /// The next positions, all with as many discs.
    fn wave(&mut self, tasks: &[Task], err: &mut dyn Write) -> Result<(), Failure> {
        let ply = tasks.first().map_or(0, |task| 60 - task.board.empties().count());
        match &self.bar {
            Some(bar) => {
                bar.reset();
                bar.set_length(tasks.len() as u64);
                let style =
                    ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len} positions, {eta} left");
                bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_message(format!("after {ply} moves"));
            }
            None => writeln!(err, "after {ply} moves: {} positions to judge", tasks.len())?,
        }
        Ok(())
    }

    fn judged(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
