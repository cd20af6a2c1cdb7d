use std::fmt;
use std::time::Duration;

use emilia_query::{MoveReport, Report, Source, Stop, Value, Watcher};
use emilia_rules::{Move, Point};
use web_time::Instant;

/// How a search is kept in hand: until when it may think, who can stop it, who looks on.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::time::Duration;
/// use emilia_classic::{Control, Dice, Search};
/// use emilia_query::Report;
/// use emilia_rules::GridPosition;
///
/// let mut most_nodes = 0;
/// let mut watch = |report: &Report| {
///     most_nodes = report.nodes;
///     if report.nodes < 3_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// };
/// let mut control = Control::unlimited().within(Duration::from_secs(60)).watched_by(&mut watch);
/// let report = Search::alphabeta(60).run(&GridPosition::default(), &mut Dice::new(1), &mut control);
/// assert!(report.stopped);
/// assert_eq!(most_nodes, 3_000);
/// ```
#[derive(Default)]
pub struct Control<'a> {
    deadline: Option<Instant>,
    stop: Option<&'a Stop>,
    watcher: Option<&'a mut dyn Watcher>,
}

impl<'a> Control<'a> {
    /// No limit.
    #[must_use]
    pub fn unlimited() -> Control<'a> {
        Control::default()
    }

    /// Think until this moment at most; an earlier deadline that was set before stays.
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Control<'a> {
        self.deadline = Some(self.deadline.map_or(deadline, |earlier| earlier.min(deadline)));
        self
    }

    /// Think so long from now at most.
    #[must_use]
    pub fn within(self, time: Duration) -> Control<'a> {
        match Instant::now().checked_add(time) {
            Some(deadline) => self.until(deadline),
            // Longer than the clock can count is as good as no limit.
            None => self,
        }
    }

    /// Stop soon after another thread has asked for it.
    #[must_use]
    pub fn stopped_by(mut self, stop: &'a Stop) -> Control<'a> {
        self.stop = Some(stop);
        self
    }

    /// Tell how it goes every 1000 nodes, at each new greatest depth and at each completed depth. The answer can
    /// stop the search.
    #[must_use]
    pub fn watched_by(mut self, watcher: &'a mut dyn Watcher) -> Control<'a> {
        self.watcher = Some(watcher);
        self
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("deadline", &self.deadline)
            .field("stop", &self.stop)
            .field("watched", &self.watcher.is_some())
            .finish()
    }
}

/// Says that a search has to end now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Counts nodes and looks at the clock often enough that no deadline is missed by much.
pub(crate) struct Meter<'c, 'a> {
    control: &'c mut Control<'a>,
    started: Instant,
    /// An additional deadline of the search itself.
    deadline: Option<Instant>,
    report: Report,
    next_look: u64,
    interval: u64,
}

/// Nodes between two calls of the watcher.
const WATCH_EVERY: u64 = 1000;
/// Nodes between two looks at the clock on boards whose nodes take a microsecond or so.
const LOOK_EVERY_SMALL: u64 = 250;

impl<'c, 'a> Meter<'c, 'a> {
    /// Starts the clock. On large boards a node takes so long that the clock is read at each.
    pub(crate) fn start(control: &'c mut Control<'a>, quick_nodes: bool) -> Meter<'c, 'a> {
        let interval = if quick_nodes { LOOK_EVERY_SMALL } else { 1 };
        let report = Report { source: Source::Textbook, ..Report::default() };
        let (started, deadline) = (Instant::now(), control.deadline);
        Meter { control, started, deadline, report, next_look: interval, interval }
    }

    /// Think so long from the start at most.
    pub(crate) fn limit(&mut self, time: Duration) {
        if let Some(deadline) = self.started.checked_add(time) {
            self.deadline = Some(self.deadline.map_or(deadline, |earlier| earlier.min(deadline)));
        }
    }

    /// Hands the deadline over to a search that keeps it by itself; from now on only a person stops it.
    pub(crate) fn take_deadline(&mut self) -> Option<Instant> {
        self.deadline.take()
    }

    /// What the last complete depth says the position is worth to the side to move.
    pub(crate) fn value(&self) -> Option<Value> {
        self.report.value()
    }

    /// The last word: what was found at the root, and what it took.
    pub(crate) fn report(&self, best: Option<Found>, stopped: bool) -> Report {
        let Report { depth, greatest_depth, .. } = self.report;
        let reached = if depth > 0 { depth } else { greatest_depth };
        let moves = best.map(|found| found.report(reached)).into_iter().collect();
        Report { moves, time: self.started.elapsed(), stopped, ..self.report.clone() }
    }

    /// Counts one node, so many plies from the root.
    #[inline(always)]
    pub(crate) fn node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.report.nodes += 1;
        if self.report.nodes >= self.next_look || ply > self.report.greatest_depth as usize {
            self.look(ply)
        } else {
            Ok(())
        }
    }

    /// Looks at the clock without counting a node, on boards where that pays.
    #[inline(always)]
    pub(crate) fn work(&mut self) -> Result<(), Stopped> {
        if self.interval == 1 { self.check() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, ply: usize) -> Result<(), Stopped> {
        let deeper = ply > self.report.greatest_depth as usize;
        if deeper {
            self.report.greatest_depth = ply as u32;
        }
        if self.report.nodes >= self.next_look {
            self.next_look = self.report.nodes + self.interval;
            self.check()?;
        }
        if deeper || self.report.nodes.is_multiple_of(WATCH_EVERY) { self.tell() } else { Ok(()) }
    }

    /// Whether time is up or somebody said stop.
    pub(crate) fn check(&mut self) -> Result<(), Stopped> {
        let told = self.control.stop.is_some_and(Stop::is_requested);
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if told || late { Err(Stopped) } else { Ok(()) }
    }

    /// Notes that a depth was searched completely, and tells the watcher.
    pub(crate) fn complete(&mut self, depth: u32, best: Option<Found>) -> Result<(), Stopped> {
        self.report.depth = depth;
        self.report.moves = best.map(|found| found.report(depth)).into_iter().collect();
        self.tell()
    }

    fn tell(&mut self) -> Result<(), Stopped> {
        let Some(watcher) = &mut self.control.watcher else { return Ok(()) };
        self.report.time = self.started.elapsed();
        if watcher.report(&self.report).is_break() { Err(Stopped) } else { Ok(()) }
    }
}

/// A line that was found, and what it is worth.
pub(crate) struct Found {
    line: Vec<Move<Point>>,
    value: Option<Value>,
    /// Whether every line was followed to the end of the game.
    exact: bool,
}

impl Found {
    /// This line, or failing that this first move; nothing if there is no move.
    pub(crate) fn new(
        mut line: Vec<Move<Point>>,
        first: Option<Move<Point>>,
        value: Option<Value>,
        exact: bool,
    ) -> Option<Found> {
        if line.is_empty() {
            line.extend(first);
        }
        (!line.is_empty()).then_some(Found { line, value, exact })
    }

    fn report(self, depth: u32) -> MoveReport {
        let Found { line, value, exact } = self;
        let mv = line.first().copied().unwrap_or(Move::Pass);
        MoveReport { value, depth, exact, line, ..MoveReport::new(mv) }
    }
}
