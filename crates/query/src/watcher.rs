use std::ops::ControlFlow;

use crate::Report;

/// Someone who is told how it goes, and may end the work.
///
/// How often depends on the player: Emilia's own searches report after each step, textbook players every thousand
/// positions and after each depth, other programs whenever they say something.
pub trait Watcher {
    /// Called with what is known so far; the answer can end the work.
    fn report(&mut self, report: &Report) -> ControlFlow<()>;
}

/// Nobody: the work goes on to its limits.
impl Watcher for () {
    fn report(&mut self, _report: &Report) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Report) -> ControlFlow<()>> Watcher for F {
    fn report(&mut self, report: &Report) -> ControlFlow<()> {
        self(report)
    }
}
