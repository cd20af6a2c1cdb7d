//! Moments that only differ from each other: how long something takes.

pub(crate) use std::time::Instant;
