//! Threads: workers of the page that share the memory of this module.
//!
//! Only the page can start workers, so they come first: each enters by [`join_pool`] and waits. When all are there,
//! [`start_pool`] makes them the threads that searches share their work among.

use std::sync::{Condvar, Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuildError, ThreadPoolBuilder};
use wasm_bindgen::prelude::*;

/// Threads that wait for a worker.
static WAITING: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());
/// There are some.
static NEWS: Condvar = Condvar::new();

/// Becomes a thread of the pool and never returns.
#[wasm_bindgen(js_name = joinPool)]
pub fn join_pool() {
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

/// Makes a pool of the workers that have joined, which must be so many.
#[wasm_bindgen(js_name = startPool)]
pub fn start_pool(workers: usize) -> Result<(), JsError> {
    Ok(build(workers)?)
}

fn build(workers: usize) -> Result<(), ThreadPoolBuildError> {
    let spawn = |thread| {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        NEWS.notify_one();
        Ok(())
    };
    ThreadPoolBuilder::new().num_threads(workers).spawn_handler(spawn).build_global()
}
