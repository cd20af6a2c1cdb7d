//! One thread for everything.

use std::marker::PhantomData;

/// Where work is spawned.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env: 'scope>(PhantomData<(&'scope (), &'env ())>);

impl<'scope> Scope<'scope, '_> {
    /// Does this at once.
    pub fn spawn(self, work: impl FnOnce() + Send + 'scope) {
        work();
    }
}

/// Runs `body`.
pub fn scope<'env, R>(body: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> R) -> R {
    body(Scope(PhantomData))
}

/// How many threads can work at the same time, the one that asks included.
#[must_use]
pub fn most() -> usize {
    1
}
