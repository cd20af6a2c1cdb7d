//! Workers of a page that share their memory.
//!
//! Only the page can start workers, so they come first: each enters by [`join`] and waits. When all are there, [`start`]
//! makes them the threads that work is shared among. Until then there is one thread for everything.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuildError, ThreadPoolBuilder};

/// Where work is spawned: among the workers, if there are any.
#[derive(Clone, Copy)]
pub struct Scope<'scope, 'env: 'scope>(Option<&'scope rayon::Scope<'env>>);

impl<'env> Scope<'_, 'env> {
    /// Leaves this to a worker that has nothing to do, now or later.
    pub fn spawn(self, work: impl FnOnce() + Send + 'env) {
        match self.0 {
            Some(scope) => scope.spawn(|_| work()),
            None => work(),
        }
    }
}

/// Runs `body`, and returns when all is done that was spawned in it.
pub fn scope<'env, R>(body: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> R) -> R {
    if most() == 1 { body(Scope(None)) } else { rayon::in_place_scope(|scope| body(Scope(Some(scope)))) }
}

/// How many threads can work at the same time, the one that asks included.
#[must_use]
pub fn most() -> usize {
    1 + WORKERS.load(SeqCst)
}

/// Workers at work.
static WORKERS: AtomicUsize = AtomicUsize::new(0);
/// Threads that wait for a worker.
static WAITING: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());
/// There are some.
static NEWS: Condvar = Condvar::new();

/// Lets the calling worker become a thread that works for others. It does not return while the page is there.
pub fn join() {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let thread = loop {
        match waiting.pop() {
            Some(thread) => break thread,
            None => waiting = NEWS.wait(waiting).unwrap_or_else(PoisonError::into_inner),
        }
    };
    drop(waiting);
    thread.run();
}

/// Shares work among the workers that have joined or are about to, which must be so many.
pub fn start(workers: usize) -> Result<(), ThreadPoolBuildError> {
    let spawn = |thread| {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        NEWS.notify_one();
        Ok(())
    };
    ThreadPoolBuilder::new().num_threads(workers).spawn_handler(spawn).build_global()?;
    WORKERS.store(workers, SeqCst);
    Ok(())
}
