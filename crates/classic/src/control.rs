use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use emilia_rules::{Move, Point};

/// How a search is kept in hand: until when it may think, who can stop it, who looks on.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::time::Duration;
/// use emilia_classic::{Control, Dice, Progress, Search};
/// use emilia_rules::GridPosition;
///
/// let mut most_nodes = 0;
/// let mut watch = |progress: &Progress| {
///     most_nodes = progress.nodes;
///     if progress.nodes < 3_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// };
/// let mut control = Control::unlimited().within(Duration::from_secs(60)).watched_by(&mut watch);
/// let report = Search::alphabeta(60).run(&GridPosition::default(), &mut Dice::new(1), &mut control);
/// assert!(report.stopped);
/// assert_eq!(most_nodes, 3_000);
/// ```
#[derive(Default)]
pub struct Control<'a> {
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    watch: Option<Watch<'a>>,
}

/// Somebody who looks on, and can stop the search.
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// How far a search has got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Positions looked at, the root included.
    pub nodes: u64,
    /// Plies from the root to the farthest of them.
    pub greatest_depth: u32,
    /// The last depth searched completely.
    pub completed_depth: u32,
    /// Since the search began.
    pub time: Duration,
    /// What the last complete depth says the position is worth to the side to move.
    pub score: Option<f64>,
    /// The move found by the last complete depth.
    pub best: Option<Move<Point>>,
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

    /// Stop soon after another thread has set the flag.
    #[must_use]
    pub fn stopped_by(mut self, flag: &'a AtomicBool) -> Control<'a> {
        self.stop = Some(flag);
        self
    }

    /// Tell how it goes every 1000 nodes, at each new greatest depth and at each completed depth. The answer can
    /// stop the search.
    #[must_use]
    pub fn watched_by(mut self, watch: Watch<'a>) -> Control<'a> {
        self.watch = Some(watch);
        self
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("deadline", &self.deadline)
            .field("stop", &self.stop)
            .field("watched", &self.watch.is_some())
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
    progress: Progress,
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
        let progress = Progress {
            nodes: 0,
            greatest_depth: 0,
            completed_depth: 0,
            time: Duration::ZERO,
            score: None,
            best: None,
        };
        let (started, deadline) = (Instant::now(), control.deadline);
        Meter { control, started, deadline, progress, next_look: interval, interval }
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

    /// How far the search has got.
    pub(crate) fn progress(&self) -> Progress {
        Progress { time: self.started.elapsed(), ..self.progress }
    }

    /// Counts one node, so many plies from the root.
    #[inline(always)]
    pub(crate) fn node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.progress.nodes += 1;
        if self.progress.nodes >= self.next_look || ply > self.progress.greatest_depth as usize {
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
        let deeper = ply > self.progress.greatest_depth as usize;
        if deeper {
            self.progress.greatest_depth = ply as u32;
        }
        if self.progress.nodes >= self.next_look {
            self.next_look = self.progress.nodes + self.interval;
            self.check()?;
        }
        if deeper || self.progress.nodes.is_multiple_of(WATCH_EVERY) { self.tell() } else { Ok(()) }
    }

    /// Whether time is up or somebody said stop.
    pub(crate) fn check(&mut self) -> Result<(), Stopped> {
        let told = self.control.stop.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if told || late { Err(Stopped) } else { Ok(()) }
    }

    /// Notes that a depth was searched completely, and tells the watcher.
    pub(crate) fn complete(
        &mut self,
        depth: u32,
        score: Option<f64>,
        best: Option<Move<Point>>,
    ) -> Result<(), Stopped> {
        self.progress = Progress { completed_depth: depth, score, best, ..self.progress };
        self.tell()
    }

    fn tell(&mut self) -> Result<(), Stopped> {
        let progress = self.progress();
        let Some(watch) = &mut self.control.watch else { return Ok(()) };
        if watch(&progress).is_break() { Err(Stopped) } else { Ok(()) }
    }
}
