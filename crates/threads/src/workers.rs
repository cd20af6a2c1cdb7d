//! Workers of a page that share their memory.

/// Where work is spawned.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env: 'scope>(&'env rayon::Scope<'scope>);

impl<'scope> Scope<'scope, '_> {
    /// Leaves this to a worker that has nothing to do, now or later.
    pub fn spawn(self, work: impl FnOnce() + Send + 'scope) {
        self.0.spawn(|_| work());
    }
}

/// Runs `body`, and returns when all is done that was spawned in it.
pub fn scope<'scope, R>(body: impl FnOnce(Scope<'scope, '_>) -> R) -> R {
    rayon::in_place_scope(|scope| body(Scope(scope)))
}

/// How many threads can work at the same time, the one that asks included.
#[must_use]
pub fn most() -> usize {
    1 + rayon::current_num_threads()
}
