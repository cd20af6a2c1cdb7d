//! Ctrl-C: the first asks the work to come to an end, the second ends the program at once.

use std::sync::{Arc, Mutex, Once, PoisonError};

use emilia_query::Stop;

/// Exit status of a program ended by Ctrl-C, as shells expect it.
const INTERRUPTED: i32 = 130;

/// The work that is to be told. A signal belongs to the process, so there is one of these.
static CURRENT: Mutex<Option<Arc<Stop>>> = Mutex::new(None);

/// A stop request that Ctrl-C makes. It replaces any earlier one.
pub(crate) fn stop_on_interrupt() -> Arc<Stop> {
    static HANDLER: Once = Once::new();
    let stop = Arc::new(Stop::default());
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&stop));
    HANDLER.call_once(|| {
        // Where there can be no handler, Ctrl-C ends the program as it always did.
        let _ = ctrlc::set_handler(|| {
            let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
            match &*current {
                Some(stop) if !stop.is_requested() => stop.request(),
                _ => std::process::exit(INTERRUPTED),
            }
        });
    });
    stop
}
