//! Looking ahead on boards of every size: alpha-beta with a table, good ordering and exact endings.
//!
//! The 8×8 search leans on 64-bit words and a learned evaluation. This one knows neither: it works on any
//! [`Playable`] with an evaluation made from the geometry of the board, and is what plays on 4×4, 6×6 and 10×10 to
//! 26×26.

mod evaluator;
mod table;
mod walk;
mod weights;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use emilia_rules::{GridPosition, Kernel, Move, Objective, Playable, Point, Position, Task, Tier};

use crate::Limits;
use evaluator::Geometry;
pub use evaluator::GridFeatures;
use table::Table;
use walk::Walk;

/// A search on a board of any size.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
/// use emilia_rules::{GridPosition, Size};
/// use emilia_search::{GridMemory, GridSearch, Limits};
///
/// // The whole 4×4 game: White wins 11 to 3.
/// let search = GridSearch::new(Limits::default());
/// let (start, mut memory) = (GridPosition::start(Size::MIN), GridMemory::new(16));
/// let report = search.run(&start, &mut memory, &AtomicBool::new(false), &mut |_| ControlFlow::Continue(()));
/// assert!(report.exact);
/// assert_eq!(report.discs(), -10.0); // the two empty squares go to the winner
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GridSearch {
    /// When to end; the confidence is not used.
    pub limits: Limits,
    /// Whether most or fewest discs win.
    pub objective: Objective,
}

/// How far a search on a board of any size has come.
#[derive(Clone, Debug, PartialEq)]
pub struct GridReport {
    /// Plies looked ahead.
    pub depth: u32,
    /// Whether every line was followed to the end of the game.
    pub exact: bool,
    /// What the position is worth to the side to move, in hundredths of a disc; a decided game is worth
    /// [`GridReport::WIN`] more.
    pub score: i32,
    /// The moves that both sides are expected to play; at least one unless the game is over.
    pub line: Vec<Move<Point>>,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

impl GridReport {
    /// What a decided game is worth beside its margin: more than any evaluation.
    pub const WIN: i32 = 1_000_000;
    /// Units of one disc.
    pub const PER_DISC: i32 = 100;

    /// The expected or proven final disc difference, empty squares to the winner.
    #[must_use]
    pub fn discs(&self) -> f64 {
        let decided =
            if self.score.abs() >= GridReport::WIN / 2 { GridReport::WIN * self.score.signum() } else { 0 };
        f64::from(self.score - decided) / f64::from(GridReport::PER_DISC)
    }

    /// The best move, unless the game is over.
    #[must_use]
    pub fn best(&self) -> Option<Move<Point>> {
        self.line.first().copied()
    }
}

/// What is remembered from one search to the next. It is good for positions of every size and for one objective. Boards of
/// up to 8×8, of up to 16×16 and larger ones are kept in different ways: the memory is for the kind searched last.
pub struct GridMemory {
    megabytes: usize,
    small: Option<Table<Position>>,
    medium: Option<Table<GridPosition<16>>>,
    large: Option<Table<GridPosition>>,
}

impl GridMemory {
    /// Nothing yet; at most about so many megabytes.
    #[must_use]
    pub fn new(megabytes: usize) -> GridMemory {
        GridMemory { megabytes, small: None, medium: None, large: None }
    }

    /// Forgets what earlier searches have found, at once. The memory is kept for what comes.
    pub fn forget(&mut self) {
        if let Some(small) = &mut self.small {
            small.forget();
        }
        if let Some(medium) = &mut self.medium {
            medium.forget();
        }
        if let Some(large) = &mut self.large {
            large.forget();
        }
    }
}

impl GridMemory {
    fn small(&mut self) -> &mut Table<Position> {
        (self.medium, self.large) = (None, None);
        self.small.get_or_insert_with(|| Table::new(self.megabytes))
    }

    fn medium(&mut self) -> &mut Table<GridPosition<16>> {
        (self.small, self.large) = (None, None);
        self.medium.get_or_insert_with(|| Table::new(self.megabytes))
    }

    fn large(&mut self) -> &mut Table<GridPosition> {
        (self.small, self.medium) = (None, None);
        self.large.get_or_insert_with(|| Table::new(self.megabytes))
    }
}

/// Told after each completed depth, and may end the search.
pub type GridObserver<'o> = &'o mut dyn FnMut(&GridReport) -> ControlFlow<()>;

impl GridSearch {
    /// A search within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> GridSearch {
        GridSearch { limits, objective: Objective::Most }
    }

    /// Searches deeper and deeper; gives the last complete report. There is always a legal move in it unless the
    /// game is over, however short the time.
    pub fn run(
        &self,
        position: &GridPosition,
        memory: &mut GridMemory,
        stop: &AtomicBool,
        observer: GridObserver<'_>,
    ) -> GridReport {
        if let Ok(position) = Position::try_from(position) {
            let table = memory.small();
            Tier::best().run(Deepen { search: self, position: &position, table, stop, observer })
        } else if let Some(position) = position.narrowed() {
            let table = memory.medium();
            Tier::best().run(Deepen { search: self, position: &position, table, stop, observer })
        } else {
            let table = memory.large();
            Tier::best().run(Deepen { search: self, position, table, stop, observer })
        }
    }
}

/// A search about to be done with the best kernel.
struct Deepen<'d, 'o, P: Playable> {
    search: &'d GridSearch,
    position: &'d P,
    table: &'d mut Table<P>,
    stop: &'d AtomicBool,
    observer: GridObserver<'o>,
}

impl<P: Playable> Task for Deepen<'_, '_, P> {
    type Output = GridReport;

    fn run<K: Kernel>(self, kernel: K) -> GridReport {
        let Deepen { search, position, table, stop, observer } = self;
        let began = Instant::now();
        let first = position.moves().next().map(|mv| mv.map(Into::into));
        let mut report = GridReport {
            depth: 0,
            exact: false,
            score: 0,
            line: first.into_iter().collect(),
            nodes: 1,
            time: Duration::ZERO,
        };
        if first.is_none() {
            report.exact = true;
            report.score = walk::finished(position, search.objective);
            return report;
        }
        let geometry = Geometry::new(position.size(), search.objective);
        let mut walk = Walk::new(kernel, &geometry, table, search.objective, &search.limits, stop, began);
        let empties = position.counts().empty;
        // Passes cost plies too, so a little more than one ply a square.
        let deepest = search.limits.depth.unwrap_or(u32::MAX).min(2 * empties + 2);
        for depth in 1..=deepest {
            let Ok(score) = walk.root(position, depth) else { break };
            report = GridReport {
                depth,
                exact: walk.exact(),
                score,
                line: walk.line(position, depth),
                nodes: walk.nodes(),
                time: began.elapsed(),
            };
            if observer(&report).is_break() || report.exact {
                break;
            }
        }
        GridReport { nodes: walk.nodes(), time: began.elapsed(), ..report }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evaluator::tests::game;

    #[test]
    fn the_same_search_twice_visits_the_same_nodes() {
        for (side, seed) in [(6, 8), (12, 9), (20, 10)] {
            for position in game(side, seed).iter().step_by(side * 4) {
                for objective in [Objective::Most, Objective::Fewest] {
                    let search = GridSearch { objective, ..GridSearch::new(Limits::depth(3)) };
                    let run = || {
                        let stop = AtomicBool::new(false);
                        let mut memory = GridMemory::new(1);
                        search.run(position, &mut memory, &stop, &mut |_| ControlFlow::Continue(()))
                    };
                    let (one, other) = (run(), run());
                    assert_eq!(
                        (one.nodes, one.score, one.line),
                        (other.nodes, other.score, other.line),
                        "{position}"
                    );
                }
            }
        }
    }
}
