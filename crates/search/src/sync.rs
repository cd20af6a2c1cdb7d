//! What threads share. Where a model tries every order in which they can act, loom's stand-ins take the place of the real
//! things.

#[cfg(all(test, feature = "loom"))]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(all(test, feature = "loom")))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};
