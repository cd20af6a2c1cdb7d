//! Threads that end before whoever started them goes on, wherever the program runs.
//!
//! On a system with threads this is [`std::thread::scope`]. In a browser no thread can be started while somebody waits for
//! it, so work is given to workers that were started before; and where the page may not share memory among workers there is
//! one thread, and what is spawned is done at once.
//!
//! ```
//! use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//!
//! let sum = AtomicU32::new(0);
//! emilia_threads::scope(|scope| {
//!     for number in 1..=4 {
//!         let sum = &sum;
//!         scope.spawn(move || {
//!             sum.fetch_add(number, Relaxed);
//!         });
//!     }
//! });
//! assert_eq!(sum.into_inner(), 10);
//! ```

#![forbid(unsafe_code)]

#[cfg_attr(not(target_family = "wasm"), path = "system.rs")]
#[cfg_attr(all(target_family = "wasm", target_feature = "atomics"), path = "workers.rs")]
#[cfg_attr(all(target_family = "wasm", not(target_feature = "atomics")), path = "alone.rs")]
mod kind;

pub use kind::{Scope, most, scope};
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub use kind::{join, start};
