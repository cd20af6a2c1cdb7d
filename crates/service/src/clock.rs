//! Moments that only differ from each other: how long something takes. In a browser they are the page's.

pub(crate) use web_time::Instant;
