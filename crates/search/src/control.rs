use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use web_time::Instant;

/// When a search must end: what its threads look at now and then.
#[derive(Debug)]
pub(crate) struct Control<'s> {
    /// Raised by whoever asked for the search.
    stop: &'s AtomicBool,
    /// Raised when a limit is reached, so that all threads see it.
    done: AtomicBool,
    deadline: Option<Instant>,
    /// Nodes of all threads, and how many there may be.
    nodes: AtomicU64,
    most_nodes: u64,
}

/// Threads report their nodes in portions of this many, and look at the clock then: where the evaluator takes its
/// time, that is about every millisecond.
/// Birthplace: docs/tuning.md.
pub(crate) const PORTION: u64 = 1 << 12;

impl<'s> Control<'s> {
    pub(crate) fn new(stop: &'s AtomicBool, time: Option<Duration>, nodes: Option<u64>) -> Control<'s> {
        Control {
            stop,
            done: AtomicBool::new(false),
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            nodes: AtomicU64::new(0),
            most_nodes: nodes.unwrap_or(u64::MAX),
        }
    }

    /// Whether it is over.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.done.load(Relaxed) || self.stop.load(Relaxed)
    }

    /// Ends the search.
    pub(crate) fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Adds a portion of nodes and looks at the limits.
    pub(crate) fn add(&self, nodes: u64) {
        let total = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        if total >= self.most_nodes {
            self.finish();
        }
        self.look();
    }

    /// Looks at the clock alone.
    pub(crate) fn look(&self) {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.finish();
        }
    }

    /// Nodes reported so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// How many nodes may pass before a thread must look here: fewer near a node limit, so that it is kept.
    pub(crate) fn portion(&self) -> u64 {
        PORTION.min(self.most_nodes.saturating_sub(self.nodes()).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_nodes_is_approached_in_ever_smaller_portions() {
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, None, Some(PORTION + 10));
        assert_eq!((control.nodes(), control.portion(), control.is_over()), (0, PORTION, false));
        control.add(PORTION);
        assert_eq!((control.nodes(), control.portion(), control.is_over()), (PORTION, 10, false));
        control.add(9);
        assert_eq!((control.nodes(), control.portion(), control.is_over()), (PORTION + 9, 1, false));
        control.add(1);
        assert_eq!((control.nodes(), control.portion(), control.is_over()), (PORTION + 10, 1, true));
    }

    #[test]
    fn it_is_over_when_time_is_up_or_someone_says_so() {
        let stop = AtomicBool::new(false);
        let timed = |time| Control::new(&stop, Some(time), None);
        for (time, over) in
            [(Duration::ZERO, true), (Duration::from_secs(3600), false), (Duration::MAX, false)]
        {
            let (looked, added) = (timed(time), timed(time));
            assert!(!looked.is_over());
            looked.look();
            added.add(1);
            assert_eq!((looked.is_over(), added.is_over()), (over, over), "{time:?}");
        }
        let (finished, other) = (Control::new(&stop, None, None), Control::new(&stop, None, None));
        finished.finish();
        assert!(finished.is_over() && !other.is_over());
        stop.store(true, Relaxed);
        assert!(other.is_over());
    }
}
