//! Threads of the system.

/// Where work is spawned.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env: 'scope>(&'scope std::thread::Scope<'scope, 'env>);

impl<'scope> Scope<'scope, '_> {
    /// Does this on a thread of its own.
    pub fn spawn(self, work: impl FnOnce() + Send + 'scope) {
        self.0.spawn(work);
    }
}

/// Runs `body`, and returns when all is done that was spawned in it. A panic in there becomes a panic here.
pub fn scope<'env, R>(body: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> R) -> R {
    std::thread::scope(|scope| body(Scope(scope)))
}

/// How many threads can work at the same time, the one that asks included; the system takes as many as one likes.
#[must_use]
pub fn most() -> usize {
    usize::MAX
}
