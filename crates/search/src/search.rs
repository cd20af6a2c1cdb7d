use std::ops::ControlFlow;

use emilia_eval::{Evaluator, Learned, Mobility, Six};
use emilia_query::{Aim, Bound, Limits, MoveReport, Report, Selectivity, Stop, Value, Watcher};
use emilia_rules::{Bitboard, Kernel, Move, Playable, Point, Portable, Position, Size, Status, Task, Tier};
use web_time::Instant;

use crate::control::Control;
use crate::plan;
use crate::root::Root;
use crate::table::Table;
use crate::worker::{Horizon, Worker};
use crate::ybwc::Pool;

/// A search of one position: what it may use, and what it is to find.
///
/// Whoever asks, it judges by [`Learned`], so that it is compiled here and nowhere else.
#[derive(Debug)]
pub struct Search<'s, E = Learned> {
    /// Who judges boards where the search ends.
    pub evaluator: &'s E,
    /// What is remembered, during the search and from one to the next.
    pub table: &'s Table,
    /// A request from another thread ends the search within a few milliseconds.
    pub stop: &'s Stop,
    /// Threads that share the work.
    pub threads: usize,
    /// Kind of processor to use.
    pub tier: Tier,
    /// When to end: depth, selectivity, nodes and time. Levels and clocks mean nothing to a search.
    pub limits: Limits,
    /// How many of the best moves get an exact score and a line of their own.
    pub lines: usize,
    /// The only moves to consider, if they are not all; where none of them is legal, all are.
    pub among: Option<Bitboard>,
    /// What is to be found out.
    pub aim: Aim,
    /// Whether nothing counts but the last step: those before it are then only as many as make it quicker.
    pub straight: bool,
    /// Whether nobody but the evaluator says what boards are worth where the search ends, so that it keeps to its depth. Else boards near
    /// the end of the game that the evaluator leaves open are solved there, and a search to shortly before the end goes to the end.
    pub evaluator_alone: bool,
}

impl<'s> Search<'s> {
    /// A search on one thread for the score and the best move, until the position is solved or `stop` is requested.
    #[must_use]
    pub fn new(evaluator: &'s Learned, table: &'s Table, stop: &'s Stop) -> Search<'s> {
        Search {
            evaluator,
            table,
            stop,
            threads: 1,
            tier: Tier::best(),
            limits: Limits::default(),
            lines: 1,
            among: None,
            aim: Aim::Score,
            straight: false,
            evaluator_alone: false,
        }
    }

    /// Searches, tells the watcher after each step, and gives the last complete report.
    ///
    /// The evaluator is for 8×8; positions of 6×6 are judged by tables of their own, those of 4×4 by mobility.
    pub fn run(&self, position: &Position, watcher: &mut dyn Watcher) -> Report {
        match position.size() {
            Size::EIGHT => self.run_as_judged(position, watcher),
            Size::SIX => self.judged_by(Six::embedded()).run_as_judged(position, watcher),
            // A game of twelve moves is searched in no time: one search less to compile for each kind of processor.
            size => {
                self.table.age();
                Run { search: &self.judged_by(&Mobility::new(size)), position, watcher }.run(Portable)
            }
        }
    }

    /// The same search, where another judges.
    #[must_use]
    pub fn judged_by<'e, E>(&self, evaluator: &'e E) -> Search<'e, E>
    where
        's: 'e,
    {
        let &Search {
            table, stop, threads, tier, limits, lines, among, aim, straight, evaluator_alone, ..
        } = self;
        Search { evaluator, table, stop, threads, tier, limits, lines, among, aim, straight, evaluator_alone }
    }
}

impl<E: Evaluator> Search<'_, E> {
    /// The same as [`Search::run`] for a position of a size that the evaluator can judge. Who brings an evaluator of his own has the
    /// search compiled for it.
    pub fn run_as_judged(&self, position: &Position, watcher: &mut dyn Watcher) -> Report {
        self.table.age();
        compiled_for(self.tier, Run { search: self, position, watcher })
    }
}

/// Does a search as it is compiled for a kind of processor.
#[cfg(not(test))]
pub(crate) fn compiled_for<T: Task>(tier: Tier, search: T) -> T::Output {
    tier.run(search)
}

/// Tests of what is private are content with one kind: for each more, the whole search would be compiled once more. The tests outside use
/// the library as it is, and there every kind must find the same.
#[cfg(test)]
pub(crate) fn compiled_for<T: Task>(_tier: Tier, search: T) -> T::Output {
    search.run(Portable)
}

/// Sends the helpers home when the main thread is done, even if it panics.
struct Closing<'p, F>(&'p Pool<F>);

impl<F> Drop for Closing<'_, F> {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Run<'r, 's, E> {
    search: &'r Search<'s, E>,
    position: &'r Position,
    watcher: &'r mut dyn Watcher,
}

impl<E: Evaluator> Task for Run<'_, '_, E> {
    type Output = Report;

    fn run<K: Kernel>(self, kernel: K) -> Report {
        let Run { search, position, watcher } = self;
        let began = Instant::now();
        // 1. A pass is searched as the position after it, which has one value.
        let (passes, position) = match position.status() {
            Status::Over(_) => return Report::default(),
            Status::MustPass => (true, position.passed()),
            Status::ToPlace => (false, *position),
        };
        // 2. One thread's worth of tools, and the moves in a first order.
        let control = Control::new(search.stop.flag(), search.limits.time, search.limits.nodes);
        let pool = Pool::new();
        let threads = search.threads.min(emilia_threads::most());
        let shared = (threads > 1).then_some(&pool);
        let empties = position.counts().empty;
        let steps = plan::steps(empties, &search.limits, search.straight, search.evaluator_alone);
        let new_worker =
            || Worker::new(kernel, position.size(), search.evaluator, search.table, &control, shared);
        let mut worker = new_worker();
        let mut root = worker.root(position.board(), search.among.filter(|_| !passes));
        let wanted = if passes { 1 } else { search.lines.clamp(1, root.moves.len()) };
        let mut report = Report::default();
        emilia_threads::scope(|scope| {
            // 3. The other threads wait for work; they are sent home when the main one is done.
            for _ in 1..threads {
                let mut helper = new_worker();
                scope.spawn(move || kernel.enter(|| helper.help()));
            }
            let _closing = Closing(&pool);
            // 4. Step by step deeper and surer.
            for (number, horizon) in steps.iter().enumerate() {
                let step = Step { horizon: *horizon, to_the_end: horizon.depth >= empties, wanted };
                worker.solved_if_open =
                    if search.evaluator_alone { 0 } else { plan::solved_if_open(empties, *horizon) };
                let complete = search.take(&step, &mut worker, &mut root);
                // A step that was broken off still says something if it found a better move.
                let improved = !complete && step.wanted == 1 && root.improved;
                if !complete && report.depth > 0 && !improved {
                    break;
                }
                // 5. What was found.
                report.moves = search.found(&step, complete, passes, &mut worker, &root);
                worker.report();
                if !improved || report.depth == 0 {
                    report.depth = horizon.depth;
                }
                report.greatest_depth = horizon.depth;
                (report.nodes, report.time) = (control.nodes(), began.elapsed());
                report.stopped = !complete || number + 1 < steps.len();
                if watcher.report(&report) == ControlFlow::Break(()) || control.is_over() {
                    break;
                }
            }
        });
        worker.report();
        Report { nodes: control.nodes(), time: began.elapsed(), ..report }
    }
}

/// One of the steps of a search.
struct Step {
    horizon: Horizon,
    /// Whether it sees the end of the game.
    to_the_end: bool,
    /// Moves that get a score of their own.
    wanted: usize,
}

impl<E: Evaluator> Search<'_, E> {
    /// Takes a step; whether it was completed. The moves at the root are then in order.
    fn take<K: Kernel>(
        &self,
        step: &Step,
        worker: &mut Worker<'_, K, E>,
        root: &mut Root<E::Features>,
    ) -> bool {
        let window = (self.aim == Aim::Outcome && step.to_the_end).then_some((-1, 1));
        let mut scored = 0;
        for number in 0..step.wanted {
            worker.best_from(root, number, window, step.horizon);
            if worker.control.is_over() {
                break;
            }
            scored += 1;
        }
        root.moves[..scored].sort_by_key(|mv| -mv.score);
        scored == step.wanted
    }

    /// The best moves at the root, with their scores and lines.
    fn found<K: Kernel>(
        &self,
        step: &Step,
        complete: bool,
        passes: bool,
        worker: &mut Worker<'_, K, E>,
        root: &Root<E::Features>,
    ) -> Vec<MoveReport> {
        let exact = complete && step.to_the_end && step.horizon.selectivity == Selectivity::Certain;
        let outcome = self.aim == Aim::Outcome && step.to_the_end;
        let found = |mv| {
            let mut line = worker.line(mv, step.horizon.depth, exact && self.aim == Aim::Score);
            let mut score = if outcome { 2 * mv.score.signum() } else { mv.score };
            if passes {
                line.insert(0, Move::Pass);
                score = -score;
            }
            let line: Vec<Move<Point>> = line.into_iter().map(|mv| mv.map(Point::from)).collect();
            MoveReport {
                value: Some(Value::Discs(f64::from(score))),
                // Who only asks who wins hears of a win by two discs: it may be more. And a better move than this one may be
                // among those that a step has not come to.
                bound: match (outcome, score.signum()) {
                    (true, 1) => Bound::Lower,
                    (true, -1) => Bound::Upper,
                    _ if !complete && root.improved && passes => Bound::Upper,
                    _ if !complete && root.improved => Bound::Lower,
                    _ => Bound::Exact,
                },
                depth: step.horizon.depth,
                selectivity: Some(step.horizon.selectivity),
                exact,
                mv: line[0],
                line,
            }
        };
        root.moves[..step.wanted].iter().map(found).collect()
    }
}

#[cfg(all(test, not(feature = "loom")))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ybwc::tests::Spy;

    #[test]
    fn the_threads_of_a_search_take_part_in_it() {
        let (position, stop) = (Position::default(), Stop::default());
        for threads in [1, 2] {
            let spy = Spy::default();
            // A thread that comes late finds nothing left to do, and is waited for in the next search.
            for _ in 0..500 {
                let table = Table::new(1).unwrap();
                let mut search = Search::new(Learned::embedded(), &table, &stop).judged_by(&spy);
                search.threads = threads;
                search.limits = Limits { selectivity: Some(Selectivity::Likely), ..Limits::depth(11) };
                Run { search: &search, position: &position, watcher: &mut () }.run(Portable);
                if spy.threads.lock().unwrap().len() == threads {
                    break;
                }
            }
            assert_eq!(spy.threads.lock().unwrap().len(), threads);
        }
    }

    /// Whoever finds a better move before a step is broken off knows that it is at least so good: after a pass at most so bad.
    #[test]
    fn a_better_move_of_a_step_that_is_broken_off_is_a_bound() {
        let (table, stop, mobility) = (Table::new(1).unwrap(), Stop::default(), Mobility::new(Size::EIGHT));
        let search = Search::new(Learned::embedded(), &table, &stop).judged_by(&mobility);
        let control = Control::new(stop.flag(), None, None);
        let mut worker = Worker::new(Portable, Size::EIGHT, &mobility, &table, &control, None);
        let mut root = worker.root(Position::default().board(), None);
        let horizon = Horizon { depth: 3, selectivity: Selectivity::Certain };
        let step = Step { horizon, to_the_end: false, wanted: 1 };
        for (complete, improved, passes, bound) in [
            (false, true, false, Bound::Lower),
            (false, true, true, Bound::Upper),
            (false, false, false, Bound::Exact),
            (false, false, true, Bound::Exact),
            (true, true, false, Bound::Exact),
            (true, true, true, Bound::Exact),
        ] {
            root.improved = improved;
            let found = search.found(&step, complete, passes, &mut worker, &root);
            assert_eq!(found[0].bound, bound, "{complete} {improved} {passes}");
            assert_eq!(found[0].mv == Move::Pass, passes);
        }
    }
}
