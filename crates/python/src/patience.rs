//! Waiting for work in another thread, so that Ctrl-C is heard and other Python threads run meanwhile.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use emilia_query::Stop;
use pyo3::prelude::*;

use crate::error::EngineError;

/// How long Ctrl-C may go unheard.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Does work in another thread. At Ctrl-C the stop is requested and the exception is raised at once; the work comes to
/// its end by itself.
pub(crate) fn done_elsewhere<T: Send + 'static>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    // Nobody waits any more after Ctrl-C, and then nobody misses the answer.
    thread::spawn(move || drop(sender.send(work())));
    received(py, &mut receiver).inspect_err(|_| stop.request())
}

/// What comes out of the channel.
fn received<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> PyResult<T> {
    loop {
        let waiting = &mut *receiver;
        match py.detach(move || waiting.recv_timeout(PATIENCE)) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(EngineError::new_err("the thread that thought has come to a bad end"));
            }
        }
    }
}

/// Does work that borrows, in another thread, and waits for it. At Ctrl-C the stop is requested, and the exception is raised
/// once the work has ended.
pub(crate) fn done_beside<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(move || {
                let _told_when_dropped = sender;
                work()
            });
            let mut interrupted = None;
            while receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.request();
                    interrupted = Some(error);
                }
            }
            let bad_end = |_| EngineError::new_err("the thread that worked has come to a bad end");
            let done = worker.join().map_err(bad_end);
            interrupted.map_or(done, Err)
        })
    })
}
