//! Sharing the work among threads: young brothers wait (YBWC).
//!
//! Once the first move of a position did not settle it, most likely all its moves must be searched, and then it
//! does not matter by whom. If a thread has nothing to do, such a position is split: its owner and the idle threads
//! take the remaining moves one by one. What is proven does not depend on who proves it.

use std::sync::{Arc, PoisonError};

use emilia_eval::Evaluator;
use emilia_rules::Kernel;

use crate::control::Control;
use crate::order::Child;
use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use crate::sync::{Condvar, Mutex, MutexGuard};
use crate::worker::{Horizon, Worker};

/// The least depth at which positions are split, in searches to the end of the game and in others: a helper must
/// get more to do than it costs to wake it.
/// Birthplace: FFO #50, docs/tuning.md.
const SPLIT_TO_THE_END: u32 = 15;
const SPLIT: u32 = 8;

/// A position whose moves are searched by several threads.
pub(crate) struct Split<F> {
    /// The split inside which this one happened.
    parent: Option<Arc<Split<F>>>,
    children: Vec<Child<F>>,
    alpha: i32,
    horizon: Horizon,
    /// Boards of so many empty squares, or fewer, are solved where the search ends, if they are open.
    solved_if_open: u32,
    /// The next move to be taken.
    next: AtomicUsize,
    /// A move is good enough: nobody needs to go on.
    settled: AtomicBool,
    best: Mutex<(i32, u8)>,
    /// Threads at work here besides the owner.
    helpers: AtomicUsize,
}

impl<F> Split<F> {
    fn new(
        parent: Option<Arc<Split<F>>>,
        children: Vec<Child<F>>,
        alpha: i32,
        horizon: Horizon,
        solved_if_open: u32,
        best: (i32, u8),
    ) -> Arc<Split<F>> {
        let (next, helpers) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let settled = AtomicBool::new(false);
        let best = Mutex::new(best);
        Arc::new(Split { parent, children, alpha, horizon, solved_if_open, next, settled, best, helpers })
    }

    /// The next move that nobody has taken.
    fn take(&self) -> Option<&Child<F>> {
        self.children.get(self.next.fetch_add(1, Relaxed))
    }

    /// A move has this score.
    fn found(&self, score: i32, square: u8) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if score > best.0 {
            *best = (score, square);
            if score > self.alpha {
                self.settled.store(true, Relaxed);
            }
        }
    }

    /// Whether this split, or one around it, is settled.
    fn is_settled(&self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if this.settled.load(Relaxed) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }

    /// Whether this split happened inside that one.
    fn is_inside(&self, other: &Split<F>) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if std::ptr::eq(this, other) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }

    fn has_moves(&self) -> bool {
        self.next.load(Relaxed) < self.children.len() && !self.is_settled()
    }
}

/// The threads of a search and the splits they can help with.
pub(crate) struct Pool<F> {
    open: Mutex<Open<F>>,
    /// Something was opened, left, or is over.
    news: Condvar,
    /// Threads without work.
    idle: AtomicUsize,
}

struct Open<F> {
    splits: Vec<Arc<Split<F>>>,
    over: bool,
}

impl<F> Pool<F> {
    pub(crate) fn new() -> Pool<F> {
        let open = Mutex::new(Open { splits: Vec::new(), over: false });
        Pool { open, news: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    /// Sends the helpers home.
    pub(crate) fn close(&self) {
        self.lock().over = true;
        self.news.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Open<F>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A split to help with: inside `within`, if it is said. Waits until there is one; none if all is over, or if
    /// nobody is left to wait for. When the search is over, splits that still have moves are left to their owners:
    /// taking them up only to put them down again would keep a core busy that the owners need to come to an end.
    fn join(&self, within: Option<&Split<F>>, control: &Control<'_>) -> Option<Arc<Split<F>>> {
        let mut open = self.lock();
        self.idle.fetch_add(1, SeqCst);
        let found = loop {
            if open.over || within.is_some_and(|split| split.helpers.load(SeqCst) == 0) {
                break None;
            }
            let fits = |split: &&Arc<Split<F>>| {
                !control.is_over() && split.has_moves() && within.is_none_or(|around| split.is_inside(around))
            };
            if let Some(split) = open.splits.iter().find(fits) {
                split.helpers.fetch_add(1, SeqCst);
                break Some(Arc::clone(split));
            }
            open = self.news.wait(open).unwrap_or_else(PoisonError::into_inner);
        };
        self.idle.fetch_sub(1, SeqCst);
        found
    }

    /// Lets others join a split, does the owner's part, and helps those who are still at it. Returns the best score.
    fn share(
        &self,
        split: &Arc<Split<F>>,
        control: &Control<'_>,
        mut work_on: impl FnMut(&Arc<Split<F>>),
    ) -> (i32, u8) {
        // 1. Others may join, …
        self.lock().splits.push(Arc::clone(split));
        self.news.notify_all();
        // 2. … the owner does its part, …
        work_on(split);
        self.lock().splits.retain(|open| !Arc::ptr_eq(open, split));
        // 3. … and helps those who are still at it.
        self.help(Some(split), control, work_on);
        *split.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on splits of others, inside `within` if it is said, until there are none to wait for.
    fn help(
        &self,
        within: Option<&Split<F>>,
        control: &Control<'_>,
        mut work_on: impl FnMut(&Arc<Split<F>>),
    ) {
        while let Some(split) = self.join(within, control) {
            work_on(&split);
            self.leave(&split);
        }
    }

    /// A helper leaves a split.
    fn leave(&self, split: &Split<F>) {
        let _open = self.lock();
        split.helpers.fetch_sub(1, SeqCst);
        self.news.notify_all();
    }
}

impl<K: Kernel, E: Evaluator> Worker<'_, K, E> {
    /// Whether a position of this depth should be split now.
    #[inline(always)]
    pub(crate) fn should_split(&self, depth: u32, to_the_end: bool) -> bool {
        let least = if to_the_end { SPLIT_TO_THE_END } else { SPLIT };
        depth >= least && self.pool.is_some_and(|pool| pool.idle.load(Relaxed) > 0)
    }

    /// Searches these moves together with all threads that have nothing to do, and gives the best of their scores
    /// and of `best`.
    #[cold]
    pub(crate) fn split(
        &mut self,
        children: Vec<Child<E::Features>>,
        alpha: i32,
        horizon: Horizon,
        best: (i32, u8),
    ) -> (i32, u8) {
        let Some(pool) = self.pool else { return best };
        let split = Split::new(self.current.clone(), children, alpha, horizon, self.solved_if_open, best);
        pool.share(&split, self.control, |split| self.work_on(split))
    }

    /// Takes moves of a split until there are none left or one is good enough.
    fn work_on(&mut self, split: &Arc<Split<E::Features>>) {
        let around = self.current.replace(Arc::clone(split));
        // A helper may have come from an earlier step of the search.
        self.solved_if_open = split.solved_if_open;
        while !self.is_over() {
            let Some(child) = split.take() else { break };
            let score = -self.null_window(&child.node, -split.alpha - 1, split.horizon.next());
            if self.is_over() {
                break;
            }
            split.found(score, child.square);
        }
        self.current = around;
    }

    /// The life of a helping thread.
    pub(crate) fn help(&mut self) {
        let Some(pool) = self.pool else { return };
        pool.help(None, self.control, |split| self.work_on(split));
        self.report();
    }

    /// Whether the split this thread works on is settled.
    #[inline(always)]
    pub(crate) fn is_settled(&self) -> bool {
        self.current.as_ref().is_some_and(|split| split.is_settled())
    }
}

/// An owner and a helper: whatever order they happen to act in, and by `cargo xtask sanitize` every order in which they can.
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests {
    #[cfg(not(feature = "loom"))]
    use std::collections::{BTreeSet, HashSet};

    #[cfg(not(feature = "loom"))]
    use emilia_eval::{Mobility, Play, Score};
    use emilia_query::Selectivity;
    #[cfg(not(feature = "loom"))]
    use emilia_rules::{Board, Playable, Portable, Position, Size, SquareSet};
    #[cfg(feature = "loom")]
    use loom::{model as every_order, thread};
    #[cfg(not(feature = "loom"))]
    use std::thread;

    use super::*;
    #[cfg(not(feature = "loom"))]
    use crate::table::Table;
    use crate::worker::Node;

    #[cfg(not(feature = "loom"))]
    fn every_order(model: impl Fn()) {
        (0..100).for_each(|_| model());
    }

    const HORIZON: Horizon = Horizon { depth: 20, selectivity: Selectivity::Certain };

    /// Children that are told apart by their squares.
    fn children(squares: &[u8]) -> Vec<Child<()>> {
        let node = || Node { own: 0, opponent: 0, features: (), judged: None };
        squares.iter().map(|square| Child { order: 0, square: *square, node: node() }).collect()
    }

    /// A split that is settled, or not.
    #[cfg(not(feature = "loom"))]
    pub(crate) fn split(settled: bool) -> Arc<Split<()>> {
        let split = Split::new(None, children(&[3]), 2, HORIZON, 0, (0, 64));
        split.settled.store(settled, Relaxed);
        split
    }

    /// Takes the moves of a split and notes each; the score of a move is its square.
    fn work(split: &Arc<Split<()>>, seen: &Mutex<Vec<u8>>) {
        while !split.is_settled() {
            let Some(child) = split.take() else { break };
            seen.lock().unwrap().push(child.square);
            split.found(child.square.into(), child.square);
        }
    }

    /// Runs an owner beside a helper, to the end of both; `owner` says what the owner's split came to.
    fn model(owner: impl Fn(&Pool<()>, &Mutex<Vec<u8>>) + Send + Sync + 'static) {
        let owner = Arc::new(owner);
        every_order(move || {
            let (pool, seen) = (Arc::new(Pool::new()), Arc::new(Mutex::new(Vec::new())));
            let helper = {
                let (pool, seen) = (Arc::clone(&pool), Arc::clone(&seen));
                thread::spawn(move || pool.help(None, &control(), |split| work(split, &seen)))
            };
            owner(&pool, &seen);
            pool.close();
            helper.join().unwrap();
            assert_eq!(pool.idle.load(SeqCst), 0);
        });
    }

    /// A search that nobody ends.
    fn control() -> Control<'static> {
        static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
        Control::new(&NEVER, None, None)
    }

    #[test]
    fn every_move_is_searched_once_and_the_owner_knows_all_scores() {
        model(|pool, seen| {
            let split = Split::new(None, children(&[3, 9, 5]), 64, HORIZON, 0, (0, 64));
            assert_eq!(pool.share(&split, &control(), |split| work(split, seen)), (9, 9));
            assert_eq!(split.helpers.load(SeqCst), 0);
            let mut seen = seen.lock().unwrap().clone();
            seen.sort_unstable();
            assert_eq!(seen, [3, 5, 9]);
        });
    }

    #[test]
    fn a_move_that_is_good_enough_settles_it() {
        model(|pool, seen| {
            let split = Split::new(None, children(&[3, 9]), 2, HORIZON, 0, (0, 64));
            let (score, square) = pool.share(&split, &control(), |split| work(split, seen));
            assert!(score > 2 && i32::from(square) == score && split.is_settled());
            assert_eq!(split.helpers.load(SeqCst), 0);
        });
    }

    #[test]
    fn a_split_inside_another_is_over_before_the_outer_one() {
        model(|pool, seen| {
            let outer = Split::new(None, children(&[3]), 64, HORIZON, 0, (0, 64));
            let best = pool.share(&outer, &control(), |split| {
                while let Some(child) = split.take() {
                    let inner =
                        Split::new(Some(Arc::clone(split)), children(&[4, 6]), 64, HORIZON, 0, (0, 64));
                    let best = pool.share(&inner, &control(), |split| work(split, seen));
                    assert_eq!((best, inner.helpers.load(SeqCst)), ((6, 6), 0));
                    split.found(child.square.into(), child.square);
                }
            });
            assert_eq!((best, outer.helpers.load(SeqCst)), ((3, 3), 0));
        });
    }

    #[test]
    fn what_is_settled_settles_all_inside_it() {
        model(|_, _| {
            let inside = |parent: &Arc<Split<()>>| {
                Split::new(Some(Arc::clone(parent)), children(&[4]), 64, HORIZON, 0, (0, 64))
            };
            let outer = Split::new(None, children(&[3]), 2, HORIZON, 0, (0, 64));
            let (one, other) = (inside(&outer), inside(&outer));
            let inner = inside(&one);
            let inside = [&outer, &one, &other, &inner].map(|split| split.is_inside(&one));
            assert_eq!(inside, [false, true, false, true]);
            let settled = || [&outer, &one, &other, &inner].map(|split| split.is_settled());
            assert_eq!(settled(), [false; 4]);
            // What is no better than the best, or than what is asked for, settles nothing.
            outer.found(-1, 3);
            outer.found(2, 3);
            outer.found(2, 4);
            assert_eq!((settled(), *outer.best.lock().unwrap()), ([false; 4], (2, 3)));
            one.settled.store(true, Relaxed);
            assert_eq!(settled(), [false, true, false, true]);
            assert!(outer.has_moves() && other.has_moves() && !one.has_moves() && !inner.has_moves());
            outer.found(3, 5);
            assert_eq!((settled(), *outer.best.lock().unwrap()), ([true; 4], (3, 5)));
            assert!(other.take().is_some() && other.take().is_none());
        });
    }

    #[test]
    fn who_waits_joins_only_what_has_moves_and_is_inside() {
        model(|pool, _| {
            let [outer, other] =
                [3, 5].map(|square| Split::new(None, children(&[square]), 64, HORIZON, 0, (0, 64)));
            let inner = Split::new(Some(Arc::clone(&outer)), children(&[4]), 64, HORIZON, 0, (0, 64));
            // A pool of one's own, where nobody else takes moves.
            let own = Pool::new();
            own.lock().splits.extend([&outer, &other, &inner].map(Arc::clone));
            // Nobody is at work there: there is nothing to wait for.
            assert!(own.join(Some(&outer), &control()).is_none());
            outer.helpers.fetch_add(1, SeqCst);
            assert!(outer.take().is_some());
            let joined = own.join(Some(&outer), &control()).unwrap();
            assert!(Arc::ptr_eq(&joined, &inner) && inner.helpers.load(SeqCst) == 1);
            own.leave(&inner);
            assert_eq!((inner.helpers.load(SeqCst), own.idle.load(SeqCst)), (0, 0));
            assert!(Arc::ptr_eq(&own.join(None, &control()).unwrap(), &other));
            own.close();
            assert!(own.join(None, &control()).is_none());
            assert_eq!(pool.lock().splits.len(), 0);
        });
    }

    #[test]
    fn who_shares_a_split_closes_that_one_and_no_other() {
        model(|_, seen| {
            let [one, other] =
                [3, 5].map(|square| Split::new(None, children(&[square]), 64, HORIZON, 0, (0, 64)));
            let own = Pool::new();
            own.lock().splits.push(Arc::clone(&other));
            own.share(&one, &control(), |split| {
                assert!(own.lock().splits.iter().any(|open| Arc::ptr_eq(open, split)));
                work(split, seen);
            });
            let open = own.lock();
            assert!(open.splits.len() == 1 && Arc::ptr_eq(&open.splits[0], &other));
        });
    }

    #[test]
    fn a_helper_works_on_what_is_open_until_all_is_over() {
        model(|_, seen| {
            let splits = [3, 5].map(|square| Split::new(None, children(&[square]), 64, HORIZON, 0, (0, 64)));
            let own = Pool::new();
            own.lock().splits.extend(splits.iter().map(Arc::clone));
            own.help(None, &control(), |split| {
                assert_eq!(split.helpers.load(SeqCst), 1);
                work(split, seen);
                if seen.lock().unwrap().len() == splits.len() {
                    own.close();
                }
            });
            assert_eq!(*seen.lock().unwrap(), [3, 5]);
            assert!(splits.iter().all(|split| split.helpers.load(SeqCst) == 0));
        });
    }

    /// Judges by mobility, and notes which splits are open then: how many moves they have, and how deep they are. And who asks.
    #[cfg(not(feature = "loom"))]
    #[derive(Default)]
    pub(crate) struct Spy<'p> {
        pool: Option<&'p Pool<()>>,
        seen: Mutex<BTreeSet<(usize, u32)>>,
        pub(crate) threads: Mutex<HashSet<thread::ThreadId>>,
    }

    #[cfg(not(feature = "loom"))]
    impl Evaluator for Spy<'_> {
        type Features = ();

        fn features(&self, _: Board) {}
        fn after(&self, (): &(), _: Board, _: Play) {}
        fn pass(&self, (): &(), _: Board) {}

        fn score<L: Kernel>(&self, kernel: L, (): &(), board: Board) -> Score {
            self.threads.lock().unwrap().insert(thread::current().id());
            if let Some(pool) = self.pool {
                let open = pool.lock();
                let splits = open.splits.iter().map(|open| (open.children.len(), open.horizon.depth));
                self.seen.lock().unwrap().extend(splits);
            }
            Mobility::new(Size::EIGHT).score(kernel, &(), board)
        }
    }

    /// Someone is always waiting here, and nobody comes: whatever may be split is.
    #[cfg(not(feature = "loom"))]
    #[test]
    fn two_moves_or_more_are_shared_and_only_where_that_is_much_to_do() {
        // Whether a move is good enough is not asked: none wins nearly all discs.
        let splits = |position: &Position, depth: u32| -> Vec<(usize, u32)> {
            let (pool, table, control) = (Pool::new(), Table::new(1).unwrap(), control());
            pool.idle.fetch_add(1, SeqCst);
            let spy = Spy { pool: Some(&pool), ..Spy::default() };
            let mut worker = Worker::new(Portable, Size::EIGHT, &spy, &table, &control, Some(&pool));
            let node = worker.node(position.board());
            worker.null_window(&node, 40, Horizon { depth, selectivity: Selectivity::Certain });
            assert_eq!(pool.lock().splits.len(), 0);
            spy.seen.into_inner().unwrap().into_iter().collect()
        };
        // How many positions with so many moves there were: in the middle of the game, at its end, and a move later.
        let mut met = [[0; 5]; 3];
        for position in (0..400).flat_map(|seed| crate::grid::game(8, seed)) {
            let position = Position::try_from(&position).unwrap();
            let (moves, empties) = (position.board().moves().count() as usize, position.counts().empty);
            let (part, depth) = match empties {
                20.. => (0, SPLIT),
                SPLIT_TO_THE_END => (1, empties),
                14 => (2, empties),
                _ => continue,
            };
            if !(2..met[part].len()).contains(&moves) || met[part][moves] == 2 {
                continue;
            }
            // The moves but the first, if they are two or more.
            let expected = if moves > 2 && part < 2 { vec![(moves - 1, depth)] } else { Vec::new() };
            let seen = splits(&position, depth);
            // Where stable discs settle all, nobody is asked while moves are shared.
            if part == 1 && moves > 2 && seen.is_empty() {
                continue;
            }
            assert_eq!(seen, expected, "{position}");
            if part == 0 {
                assert_eq!(splits(&position, depth - 1), [], "{position}");
            }
            met[part][moves] += 1;
        }
        assert_eq!(met, [[0, 0, 2, 2, 2]; 3]);
    }

    #[cfg(not(feature = "loom"))]
    #[test]
    fn nothing_is_shared_while_nobody_waits() {
        let (pool, table, control) = (Pool::new(), Table::new(1).unwrap(), control());
        let evaluator = Mobility::new(Size::EIGHT);
        let worker = |pool| Worker::new(Portable, Size::EIGHT, &evaluator, &table, &control, pool);
        let shared = |pool| [false, true].map(|to_the_end| worker(pool).should_split(60, to_the_end));
        assert_eq!([shared(None), shared(Some(&pool))], [[false; 2]; 2]);
        pool.idle.fetch_add(1, SeqCst);
        assert_eq!([shared(None), shared(Some(&pool))], [[false; 2], [true; 2]]);
    }

    /// As without a split: with the null window that asks whether a move is better than what is wanted.
    #[cfg(not(feature = "loom"))]
    #[test]
    fn a_move_that_is_shared_is_asked_what_it_is_asked_alone() {
        let position = Position::try_from(&crate::grid::game(8, 1)[20]).unwrap();
        let evaluator = Mobility::new(Size::EIGHT);
        let horizon = Horizon { depth: 5, ..HORIZON };
        let mut answers = [0; 2];
        for (mv, alpha) in position.moves().flat_map(|mv| (-9..9).step_by(3).map(move |alpha| (mv, alpha))) {
            let search = |shared: bool| {
                let (pool, table, control) = (Pool::new(), Table::new(1).unwrap(), control());
                let mut worker =
                    Worker::new(Portable, Size::EIGHT, &evaluator, &table, &control, Some(&pool));
                let node = worker.node(position.played(mv).board());
                let score = if shared {
                    worker.split(vec![Child { order: 0, square: 3, node }], alpha, horizon, (-64, 64)).0
                } else {
                    -worker.null_window(&node, -(alpha + 1), horizon.next())
                };
                (score, worker.end.nodes)
            };
            let shared = search(true);
            assert_eq!(shared, search(false), "{mv:?} {alpha}");
            answers[usize::from(shared.0 > alpha)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 3), "{answers:?}");
    }

    /// What a helper finds is what the owner would find, whatever step of the search the helper has come from.
    #[cfg(not(feature = "loom"))]
    #[test]
    fn a_helper_solves_open_boards_as_the_owner_does() {
        let game = crate::grid::game(8, 1);
        let position = game.iter().find(|position| position.counts().empty == 13).unwrap();
        let position = Position::try_from(position).unwrap();
        let evaluator = Mobility::new(Size::EIGHT);
        let mut open = 0;
        for alpha in (-60..60).step_by(4) {
            let found = |owner: u32, helper: u32| {
                let (pool, table, control) = (Pool::new(), Table::new(1).unwrap(), control());
                let mut worker =
                    Worker::new(Portable, Size::EIGHT, &evaluator, &table, &control, Some(&pool));
                worker.solved_if_open = helper;
                let child =
                    |mv| Child { order: 0, square: 3, node: worker.node(position.played(mv).board()) };
                let children = position.moves().map(child).collect();
                let horizon = Horizon { depth: 3, ..HORIZON };
                let split = Split::new(None, children, alpha, horizon, owner, (-64, 64));
                worker.work_on(&split);
                let best = *split.best.lock().unwrap();
                (best, worker.end.nodes)
            };
            assert_eq!(found(10, 0), found(10, 10), "{alpha}");
            assert_eq!(found(0, 10), found(0, 0), "{alpha}");
            open += i32::from(found(10, 0) != found(0, 0));
        }
        assert!((1..30).contains(&open), "{open}");
    }
}
