//! Sharing the work among threads: young brothers wait (YBWC).
//!
//! Once the first move of a position did not settle it, most likely all its moves must be searched, and then it
//! does not matter by whom. If a thread has nothing to do, such a position is split: its owner and the idle threads
//! take the remaining moves one by one. What is proven does not depend on who proves it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use emilia_eval::Evaluator;
use emilia_rules::Kernel;

use crate::control::Control;
use crate::order::Child;
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
    /// The next move to be taken.
    next: AtomicUsize,
    /// A move is good enough: nobody needs to go on.
    settled: AtomicBool,
    best: Mutex<(i32, u8)>,
    /// Threads at work here besides the owner.
    helpers: AtomicUsize,
}

impl<F> Split<F> {
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
        let split = Arc::new(Split {
            parent: self.current.clone(),
            children,
            alpha,
            horizon,
            next: AtomicUsize::new(0),
            settled: AtomicBool::new(false),
            best: Mutex::new(best),
            helpers: AtomicUsize::new(0),
        });
        // 1. Others may join, …
        pool.lock().splits.push(Arc::clone(&split));
        pool.news.notify_all();
        // 2. … the owner does its part, …
        self.work_on(&split);
        pool.lock().splits.retain(|open| !Arc::ptr_eq(open, &split));
        // 3. … and helps those who are still at it.
        while let Some(inner) = pool.join(Some(&split), self.control) {
            self.work_on(&inner);
            pool.leave(&inner);
        }
        *split.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes moves of a split until there are none left or one is good enough.
    fn work_on(&mut self, split: &Arc<Split<E::Features>>) {
        let around = self.current.replace(Arc::clone(split));
        while !self.is_over() {
            let Some(child) = split.children.get(split.next.fetch_add(1, Relaxed)) else { break };
            let score = -self.null_window(&child.node, -split.alpha - 1, split.horizon.next());
            if self.is_over() {
                break;
            }
            let mut best = split.best.lock().unwrap_or_else(PoisonError::into_inner);
            if score > best.0 {
                *best = (score, child.square);
                if score > split.alpha {
                    split.settled.store(true, Relaxed);
                }
            }
        }
        self.current = around;
    }

    /// The life of a helping thread.
    pub(crate) fn help(&mut self) {
        let Some(pool) = self.pool else { return };
        while let Some(split) = pool.join(None, self.control) {
            self.work_on(&split);
            pool.leave(&split);
        }
        self.report();
    }

    /// Whether the split this thread works on is settled.
    #[inline(always)]
    pub(crate) fn is_settled(&self) -> bool {
        self.current.as_ref().is_some_and(|split| split.is_settled())
    }
}
