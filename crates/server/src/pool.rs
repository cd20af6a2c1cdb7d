//! Thinking in turn. Every search has a thread of its own, but only as many run at a moment as there are cores: after
//! a slice of time a search that others wait behind goes to the end of the queue. So a long search slows nobody down
//! by more than its fair share.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::error::ApiError;
use crate::metrics::Metrics;

/// How long a search runs before others get their turn. Short against what a person notices, long against what a
/// change of threads costs.
const SLICE: Duration = Duration::from_millis(50);
/// Searches that have begun, at most; each costs a thread, and memory.
const MOST_THREADS: usize = 32;
const MEMORY_EACH: u64 = 32 << 20;
/// Stack of such a thread: the deepest search on the largest board needs less than half.
const STACK: usize = 8 << 20;
/// Searches of one client that run at a time, and that may wait besides.
const RUNNING_EACH: usize = 4;
const WAITING_EACH: usize = 16;

/// On whose behalf a search runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The computer player of a game.
    Game(String),
    /// Somebody who asked for an analysis.
    Client(IpAddr),
}

type Job = Box<dyn FnOnce(&Slot<'_>) + Send>;

/// Everybody who thinks, or waits to.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    work: Condvar,
    semaphore: FairSemaphore,
    /// Searches that may have begun at a time.
    begun: usize,
    metrics: Arc<Metrics>,
}

/// The jobs that have not begun.
#[derive(Default)]
struct Queue {
    /// Owners in the order in which they get their next job started.
    owners: VecDeque<Owner>,
    jobs: HashMap<Owner, VecDeque<Job>>,
    running: HashMap<Owner, usize>,
    threads: usize,
    idle: usize,
}

impl Pool {
    /// So many searches at a moment, of as many that have begun as this memory allows.
    pub(crate) fn new(threads: usize, memory: u64, metrics: Arc<Metrics>) -> Pool {
        let begun = usize::try_from(memory / MEMORY_EACH).unwrap_or(MOST_THREADS).clamp(2, MOST_THREADS);
        let semaphore = FairSemaphore::new(threads.max(1));
        Pool(Arc::new(Shared { queue: Mutex::default(), work: Condvar::new(), semaphore, begun, metrics }))
    }

    /// Does the work when its turn comes. The receiver fails only if the work could not be begun.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Slot<'_>) -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, ApiError> {
        let (send, receive) = oneshot::channel();
        let job: Job = Box::new(move |slot| {
            let _ = send.send(work(slot));
        });
        let mut queue = self.0.lock();
        let waiting = queue.jobs.get(&owner).map_or(0, VecDeque::len);
        if matches!(owner, Owner::Client(_)) && waiting >= WAITING_EACH {
            return Err(ApiError::TooMany("too many of your analyses are waiting already"));
        }
        queue.jobs.entry(owner.clone()).or_default().push_back(job);
        queue.owners.push_back(owner);
        if queue.idle == 0 && queue.threads < self.0.begun {
            queue.threads += 1;
            let shared = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name("thinker".to_owned()).stack_size(STACK);
            if let Err(error) = thread.spawn(move || shared.think()) {
                queue.threads -= 1;
                tracing::warn!(%error, "cannot start another thread");
            }
        }
        drop(queue);
        self.0.work.notify_one();
        Ok(receive)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does: one job after the other. It ends when there has been none for a while.
    fn think(&self) {
        loop {
            let mut queue = self.lock();
            let (owner, job) = loop {
                if let Some(next) = queue.next() {
                    break next;
                }
                queue.idle += 1;
                let (back, wait) = self
                    .work
                    .wait_timeout(queue, Duration::from_secs(10))
                    .unwrap_or_else(PoisonError::into_inner);
                queue = back;
                queue.idle -= 1;
                if wait.timed_out() && queue.owners.is_empty() {
                    queue.threads -= 1;
                    return;
                }
            };
            drop(queue);
            self.metrics.searches.add(1);
            let slot = self.semaphore.enter();
            // A search that panics must not take its seat with it.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&slot)));
            drop(slot);
            if outcome.is_err() {
                tracing::error!("a search panicked");
            }
            self.lock().finished(&owner);
            self.work.notify_one();
        }
    }
}

impl Queue {
    /// The next job: owners take turns, and clients that have enough running are passed over.
    fn next(&mut self) -> Option<(Owner, Job)> {
        let free = |owner: &Owner| match owner {
            Owner::Game(_) => true,
            Owner::Client(_) => self.running.get(owner).is_none_or(|running| *running < RUNNING_EACH),
        };
        let at = self.owners.iter().position(free)?;
        let owner = self.owners.remove(at)?;
        let jobs = self.jobs.get_mut(&owner)?;
        let job = jobs.pop_front()?;
        if jobs.is_empty() {
            self.jobs.remove(&owner);
        }
        *self.running.entry(owner.clone()).or_default() += 1;
        Some((owner, job))
    }

    fn finished(&mut self, owner: &Owner) {
        if let Some(running) = self.running.get_mut(owner) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(owner);
            }
        }
    }
}

/// Lets so many in at a time, first come first served.
struct FairSemaphore {
    state: Mutex<Turns>,
    moved: Condvar,
}

struct Turns {
    free: usize,
    /// Numbers of those who wait; whoever has the lowest goes next.
    waiting: VecDeque<u64>,
    next: u64,
}

/// The right to run, for a slice of time.
pub(crate) struct Slot<'t> {
    semaphore: &'t FairSemaphore,
    since: std::cell::Cell<Instant>,
}

impl FairSemaphore {
    fn new(free: usize) -> FairSemaphore {
        let turns = Turns { free, waiting: VecDeque::new(), next: 0 };
        FairSemaphore { state: Mutex::new(turns), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Slot<'_> {
        self.wait();
        Slot { semaphore: self, since: std::cell::Cell::new(Instant::now()) }
    }

    fn wait(&self) {
        let mut turns = self.lock();
        let number = turns.next;
        turns.next += 1;
        turns.waiting.push_back(number);
        while turns.free == 0 || turns.waiting.front() != Some(&number) {
            turns = self.moved.wait(turns).unwrap_or_else(PoisonError::into_inner);
        }
        turns.waiting.pop_front();
        turns.free -= 1;
        drop(turns);
        self.moved.notify_all();
    }

    fn leave(&self) {
        self.lock().free += 1;
        self.moved.notify_all();
    }
}

impl Slot<'_> {
    /// To be called every few milliseconds: steps aside for the others when the slice is used up.
    pub(crate) fn yield_now(&self) {
        if self.since.get().elapsed() < SLICE {
            return;
        }
        if !self.semaphore.lock().waiting.is_empty() {
            self.semaphore.leave();
            self.semaphore.wait();
        }
        self.since.set(Instant::now());
    }
}

impl emilia_service::slot::Slot for Slot<'_> {
    fn yield_now(&self) {
        Slot::yield_now(self);
    }

    fn outside(&self, work: &mut dyn FnMut()) {
        Slot::outside(self, work);
    }
}

impl Slot<'_> {
    /// Does work that cannot step aside without holding a core: the system slices it.
    pub(crate) fn outside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.semaphore.leave();
        let done = work();
        self.semaphore.wait();
        self.since.set(Instant::now());
        done
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.semaphore.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn client(last: u8) -> Owner {
        Owner::Client(IpAddr::from([10, 0, 0, last]))
    }

    #[test]
    fn a_short_job_does_not_wait_for_long_ones() {
        let pool = Pool::new(1, 1 << 30, Arc::default());
        // They go on until the short one is done, or for so long that the test has failed.
        let done = Arc::new(AtomicBool::new(false));
        let long_jobs: Vec<_> = (0..3)
            .map(|game| {
                let done = Arc::clone(&done);
                let long = move |slot: &Slot<'_>| {
                    let begin = Instant::now();
                    while !done.load(Ordering::Relaxed) && begin.elapsed() < Duration::from_secs(60) {
                        std::hint::spin_loop();
                        slot.yield_now();
                    }
                    done.load(Ordering::Relaxed)
                };
                pool.run(Owner::Game(game.to_string()), long).unwrap()
            })
            .collect();
        std::thread::sleep(Duration::from_millis(20));
        pool.run(client(1), |_| ()).unwrap().blocking_recv().unwrap();
        done.store(true, Ordering::Relaxed);
        for job in long_jobs {
            assert!(job.blocking_recv().unwrap(), "it waited for a long job");
        }
    }

    #[test]
    fn a_client_with_too_many_jobs_is_refused_and_a_panic_harms_nobody() {
        let pool = Pool::new(1, 1 << 30, Arc::default());
        assert!(pool.run(client(1), |_| panic!("on purpose")).unwrap().blocking_recv().is_err());
        let held_up = Arc::new(Mutex::new(()));
        let hold = held_up.lock().unwrap();
        let mut accepted = Vec::new();
        for _ in 0..100 {
            let held_up = Arc::clone(&held_up);
            match pool.run(client(1), move |_| drop(held_up.lock())) {
                Ok(receiver) => accepted.push(receiver),
                Err(_) => break,
            }
        }
        assert!(accepted.len() < 30, "{}", accepted.len());
        drop(hold);
        for receiver in accepted {
            receiver.blocking_recv().unwrap();
        }
        assert_eq!(pool.run(client(1), |_| 7).unwrap().blocking_recv(), Ok(7));
    }
}
