//! What time it is: milliseconds since 1970 that never run backwards while the server lives.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

static BEGIN: LazyLock<(Instant, u64)> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (Instant::now(), u64::try_from(since.as_millis()).unwrap_or(0))
});

/// Now.
pub(crate) fn now() -> u64 {
    let (begin, unix) = *BEGIN;
    unix + u64::try_from(begin.elapsed().as_millis()).unwrap_or(0)
}
