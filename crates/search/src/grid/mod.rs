//! Looking ahead on boards of every size: alpha-beta with a table, good ordering and exact endings.
//!
//! The 8×8 search leans on 64-bit words and a network. This one knows neither: it works on any [`Playable`] with an
//! evaluation made from the geometry of the board, from 10×10 on with learned tables of what stands near corners and along
//! borders, and is what plays on 4×4, 6×6 and 10×10 to 26×26, and on 8×8 where the fewest discs win, with tables of all its lines.

mod evaluator;
mod patterns;
mod table;
mod tables;
mod walk;
mod weights;

use emilia_query::{Limits, MoveReport, Report, Selectivity, Stop, Value, Watcher};
use emilia_rules::{GridPosition, Kernel, Objective, Playable, Position, Task, Tier};
use web_time::Instant;

use crate::search::compiled_for;
use evaluator::Geometry;
pub use evaluator::GridFeatures;
#[cfg(test)]
pub(crate) use evaluator::tests::game;
use table::Table;
pub use tables::GridTables;
use walk::Walk;

/// A search on a board of any size.
///
/// ```
/// use emilia_query::{Limits, Stop};
/// use emilia_rules::{GridPosition, Size};
/// use emilia_search::{GridMemory, GridSearch};
///
/// // The whole 4×4 game: White wins 11 to 3.
/// let search = GridSearch::new(Limits::default());
/// let (start, mut memory) = (GridPosition::start(Size::MIN), GridMemory::new(16));
/// let report = search.run(&start, &mut memory, &Stop::default(), &mut ());
/// assert!(report.is_exact());
/// assert_eq!(report.discs(), Some(-10.0)); // the two empty squares go to the winner
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GridSearch {
    /// When to end: depth, nodes and time.
    pub limits: Limits,
    /// Whether most or fewest discs win.
    pub objective: Objective,
}

/// What a decided game is worth beside its margin: more than any evaluation.
const WIN: i32 = 1_000_000;
/// Units of one disc.
const PER_DISC: i32 = 100;

/// The expected or proven final disc difference, empty squares to the winner, that a score stands for.
fn discs(score: i32) -> f64 {
    let decided = if score.abs() >= WIN / 2 { WIN * score.signum() } else { 0 };
    f64::from(score - decided) / f64::from(PER_DISC)
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
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Report {
        if let Ok(position) = Position::try_from(position) {
            let table = memory.small();
            compiled_for(Tier::best(), Deepen { search: self, position: &position, table, stop, watcher })
        } else if let Some(position) = position.narrowed() {
            let table = memory.medium();
            compiled_for(Tier::best(), Deepen { search: self, position: &position, table, stop, watcher })
        } else {
            let table = memory.large();
            compiled_for(Tier::best(), Deepen { search: self, position, table, stop, watcher })
        }
    }
}

/// A search about to be done with the best kernel.
struct Deepen<'d, P: Playable> {
    search: &'d GridSearch,
    position: &'d P,
    table: &'d mut Table<P>,
    stop: &'d Stop,
    watcher: &'d mut dyn Watcher,
}

impl<P: Playable> Task for Deepen<'_, P> {
    type Output = Report;

    fn run<K: Kernel>(self, kernel: K) -> Report {
        let Deepen { search, position, table, stop, watcher } = self;
        let began = Instant::now();
        let Some(first) = position.moves().next() else { return Report::default() };
        let bare = MoveReport::new(first.map(Into::into));
        let mut report = Report { nodes: 1, stopped: true, ..Report::of(vec![bare]) };
        let geometry = Geometry::at(position, search.objective);
        table.judged(geometry.has_tables());
        let mut walk =
            Walk::new(kernel, &geometry, table, search.objective, &search.limits, stop.flag(), began);
        let empties = position.counts().empty;
        let deepest = search.limits.depth.unwrap_or(u32::MAX).min(empties);
        for depth in 1..=deepest {
            let Ok(score) = walk.root(position, depth) else { break };
            let (line, exact) = (walk.line(position, depth), walk.exact());
            let found = MoveReport {
                value: Some(Value::Discs(discs(score))),
                depth,
                // Moves late in the order are searched less deep; how often that goes wrong was not measured.
                selectivity: exact.then_some(Selectivity::Certain),
                exact,
                ..MoveReport::new(line.first().copied().unwrap_or(first.map(Into::into)))
            };
            let found = if line.is_empty() { found } else { MoveReport { line, ..found } };
            let stopped = depth < deepest && !exact;
            let (nodes, time) = (walk.nodes(), began.elapsed());
            report = Report { nodes, time, stopped, ..Report::of(vec![found]) };
            if watcher.report(&report).is_break() || exact {
                break;
            }
        }
        Report { nodes: walk.nodes(), time: began.elapsed(), ..report }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use emilia_rules::{Color, Move, Size, SquareSet, Status, parse_move};
    use evaluator::tests::WIPED_OUT;

    /// The final result for the side to move if both play perfectly, by trying everything.
    fn slow(position: &GridPosition, objective: Objective) -> i32 {
        match position.status() {
            Status::ToPlace | Status::MustPass => {
                position.moves().map(|mv| -slow(&position.played(mv), objective)).max().unwrap_or(0)
            }
            Status::Over(_) => {
                let counts = position.counts();
                let margin = position.own().count() as i32 - position.opponent().count() as i32;
                let all = margin + margin.signum() * counts.empty as i32;
                if objective == Objective::Most { all } else { -all }
            }
        }
    }

    #[test]
    fn endings_are_solved_as_by_trying_everything() {
        for (side, seed) in [(4, 1), (6, 2), (6, 3), (8, 4), (8, 5), (8, 6), (10, 7)] {
            let late = |position: &&GridPosition| (1..=7).contains(&position.counts().empty);
            for position in game(side, seed).iter().filter(late).filter(|position| !position.is_over()) {
                for objective in [Objective::Most, Objective::Fewest] {
                    let search = GridSearch { objective, ..GridSearch::new(Limits::default()) };
                    let report = search.run(position, &mut GridMemory::new(1), &Stop::default(), &mut ());
                    assert!(report.is_exact(), "{position}");
                    assert_eq!(report.discs(), Some(slow(position, objective).into()), "{position}");
                    // However often somebody has to pass on the way.
                    assert!(report.moves[0].depth <= position.counts().empty, "{position}");
                }
            }
        }
    }

    #[test]
    fn who_may_be_wiped_out_looks_a_ply_further() {
        let size = Size::new(12).unwrap();
        let mut here = GridPosition::start(size);
        // Two plies before the end, Black to move, who has one disc.
        for mv in WIPED_OUT.split_whitespace().take(64) {
            here = here.played(parse_move(mv, size).unwrap());
        }
        let search = GridSearch::new(Limits::depth(1));
        let report = search.run(&here, &mut GridMemory::new(1), &Stop::default(), &mut ());
        assert_eq!(report.discs(), Some(-144.0), "{here}");
    }

    #[test]
    fn the_same_search_twice_visits_the_same_nodes() {
        for (side, seed) in [(6, 8), (8, 11), (12, 9), (20, 10)] {
            for position in game(side, seed).iter().step_by(side * 4) {
                for objective in [Objective::Most, Objective::Fewest] {
                    let search = GridSearch { objective, ..GridSearch::new(Limits::depth(3)) };
                    let run = || {
                        let mut memory = GridMemory::new(1);
                        search.run(position, &mut memory, &Stop::default(), &mut ())
                    };
                    let (one, other) = (run(), run());
                    assert_eq!((one.nodes, one.moves), (other.nodes, other.moves), "{position}");
                }
            }
        }
    }

    /// Where a game is solved, the line is the game to its end, with every pass on the way, and its result is the score: unless the
    /// table has forgotten a move.
    #[test]
    fn lines_of_solved_positions_lead_to_their_score() {
        let (mut ended, mut forgotten, mut passes) = (0, 0, 0);
        for position in (0..60).flat_map(|seed| game(6, seed)) {
            if position.is_over() || position.counts().empty > 6 {
                continue;
            }
            let search = GridSearch::new(Limits::default());
            let report = search.run(&position, &mut GridMemory::new(1), &Stop::default(), &mut ());
            let line = &report.best().unwrap().line;
            let end = line.iter().fold(position, |here, mv| here.played(*mv));
            if !end.is_over() {
                forgotten += 1;
                continue;
            }
            ended += 1;
            let margin = end.counts().margin();
            let margin = if position.turn() == Color::Black { margin } else { -margin };
            assert_eq!(report.discs(), Some(margin.into()), "{position}");
            passes += usize::from(line.contains(&Move::Pass) && end.counts().empty == 0);
        }
        assert!(ended > 5 * forgotten && passes > 10, "{ended} {forgotten} {passes}");
    }

    /// However much is remembered.
    #[test]
    fn a_line_is_no_longer_than_the_search_is_deep() {
        for position in game(10, 2).iter().step_by(9).take(8) {
            let mut memory = GridMemory::new(1);
            let lengths = [4, 2].map(|depth| {
                let search = GridSearch::new(Limits::depth(depth));
                let report = search.run(position, &mut memory, &Stop::default(), &mut ());
                report.best().unwrap().line.iter().filter(|mv| **mv != Move::Pass).count()
            });
            assert_eq!(lengths, [4, 2], "{position}");
        }
    }
}
