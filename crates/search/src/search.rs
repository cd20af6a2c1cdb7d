use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use emilia_eval::{Evaluator, Mobility, Score};
use emilia_rules::{Bitboard, Kernel, Move, Playable, Position, Size, Status, Task, Tier};

use crate::control::Control;
use crate::plan;
use crate::table::Table;
use crate::worker::Worker;
use crate::ybwc::Pool;
use crate::{Aim, Confidence, Limits, Line, Observer, Report};

/// A search of one position: what it may use, and what it is to find.
#[derive(Debug)]
pub struct Search<'s, E> {
    /// Who judges boards where the search ends.
    pub evaluator: &'s E,
    /// What is remembered, during the search and from one to the next.
    pub table: &'s Table,
    /// Raise this from another thread to end the search within a few milliseconds.
    pub stop: &'s AtomicBool,
    /// Threads that share the work.
    pub threads: usize,
    /// Kind of processor to use.
    pub tier: Tier,
    /// When to end.
    pub limits: Limits,
    /// How many of the best moves get an exact score and a line of their own.
    pub lines: usize,
    /// The only moves to consider, if they are not all; where none of them is legal, all are.
    pub among: Option<Bitboard>,
    /// What is to be found out.
    pub aim: Aim,
}

impl<'s, E: Evaluator> Search<'s, E> {
    /// A search on one thread for the score and the best move, until the position is solved or `stop` is raised.
    #[must_use]
    pub fn new(evaluator: &'s E, table: &'s Table, stop: &'s AtomicBool) -> Search<'s, E> {
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
        }
    }

    /// Searches, tells the observer after each step, and gives the last complete report.
    ///
    /// The evaluator is for 8×8; positions on smaller boards are judged by mobility.
    pub fn run(&self, position: &Position, observer: &mut dyn Observer) -> Report {
        self.table.age();
        if position.size() == Size::EIGHT {
            return self.tier.run(Run { search: self, position, observer });
        }
        let &Search { table, stop, threads, tier, limits, lines, among, aim, .. } = self;
        let evaluator = &Mobility::new(position.size());
        let search = &Search { evaluator, table, stop, threads, tier, limits, lines, among, aim };
        tier.run(Run { search, position, observer })
    }
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
    observer: &'r mut dyn Observer,
}

impl<E: Evaluator> Task for Run<'_, '_, E> {
    type Output = Report;

    fn run<K: Kernel>(self, kernel: K) -> Report {
        let Run { search, position, observer } = self;
        let began = Instant::now();
        let mut report = Report {
            depth: 0,
            confidence: Confidence::Certain,
            exact: false,
            lines: Vec::new(),
            nodes: 0,
            time: began.elapsed(),
        };
        // 1. A pass is searched as the position after it.
        let passes = match position.status() {
            Status::Over(_) => {
                report.exact = true;
                return report;
            }
            Status::MustPass => true,
            Status::ToPlace => false,
        };
        let position = if passes { position.passed() } else { *position };
        // 2. One thread's worth of tools, and the moves in a first order.
        let control = Control::new(search.stop, search.limits.time, search.limits.nodes);
        let pool = Pool::new();
        let shared = (search.threads > 1).then_some(&pool);
        let new_worker =
            || Worker::new(kernel, position.size(), search.evaluator, search.table, &control, shared);
        let mut worker = new_worker();
        let among = search.among.filter(|_| !passes);
        let mut root = worker.root(position.board(), among);
        let empties = worker.empties(&root.node).count_ones();
        let wanted = search.lines.clamp(1, root.moves.len());
        std::thread::scope(|scope| {
            // 3. The other threads wait for work; they are sent home when the main one is done.
            for _ in 1..search.threads {
                let mut helper = new_worker();
                scope.spawn(move || kernel.enter(|| helper.help()));
            }
            let _closing = Closing(&pool);
            // 4. Step by step deeper and surer.
            for step in plan::steps(empties, &search.limits) {
                let exact = step.depth >= empties && step.confidence == Confidence::Certain;
                let window = (search.aim == Aim::Outcome && step.depth >= empties).then_some((-1, 1));
                let mut scores = Vec::new();
                for number in 0..wanted {
                    let score = worker.best_from(&mut root, number, window, step);
                    if control.is_over() {
                        break;
                    }
                    scores.push(score);
                }
                if scores.len() < wanted && report.depth > 0 {
                    break;
                }
                // 5. What was found.
                root.moves[..scores.len()].sort_by_key(|mv| -mv.score);
                let aim = search.aim;
                report.lines = (0..wanted)
                    .map(|number| {
                        let mv = &root.moves[number];
                        let score = if aim == Aim::Outcome && window.is_some() {
                            2 * mv.score.signum()
                        } else {
                            mv.score
                        };
                        let complete = exact && aim == Aim::Score && scores.len() == wanted;
                        let mut moves = worker.line(mv, step.depth, complete);
                        if passes {
                            moves.insert(0, Move::Pass);
                        }
                        Line { score: Score::from_discs(if passes { -score } else { score }), moves }
                    })
                    .collect();
                worker.report();
                report.depth = step.depth;
                report.confidence = step.confidence;
                report.exact = exact && scores.len() == wanted;
                report.nodes = control.nodes();
                report.time = began.elapsed();
                if observer.report(&report) == ControlFlow::Break(()) || control.is_over() {
                    break;
                }
            }
        });
        worker.report();
        report.nodes = control.nodes();
        report.time = began.elapsed();
        report
    }
}
