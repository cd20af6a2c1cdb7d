use std::sync::atomic::{AtomicBool, Ordering};

/// A request to come to an end soon, shared between threads.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Nobody has asked yet.
    #[must_use]
    pub const fn new() -> Stop {
        Stop(AtomicBool::new(false))
    }

    /// Asks whoever holds this to come to an end.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, for what comes next.
    pub fn withdraw(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether that was asked.
    #[must_use]
    #[inline(always)]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for what can only watch a flag.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
