//! How much memory heavy work takes, all together. Whoever needs much says so first, and is refused when there is no
//! more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::ApiError;

/// The memory that is left for heavy work.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<AtomicU64>);

/// Memory that is taken while this lives.
#[derive(Debug)]
pub(crate) struct Reservation {
    left: Arc<AtomicU64>,
    bytes: u64,
}

impl Memory {
    pub(crate) fn new(bytes: u64) -> Memory {
        Memory(Arc::new(AtomicU64::new(bytes)))
    }

    /// Takes so much, unless that is more than is left.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<Reservation, ApiError> {
        let less = |left: u64| left.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).map_err(|_| ApiError::NoMemory)?;
        Ok(Reservation { left: Arc::clone(&self.0), bytes })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back() {
        let memory = Memory::new(100);
        let first = memory.reserve(60).unwrap();
        assert!(memory.reserve(41).is_err());
        let second = memory.reserve(40).unwrap();
        drop(first);
        assert!(memory.reserve(60).is_ok());
        drop(second);
        assert!(memory.reserve(101).is_err() && memory.reserve(100).is_ok());
    }
}
