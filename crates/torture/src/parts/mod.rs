//! The attacks, one file each.

pub(crate) mod bad_disk;
pub(crate) mod clock;
pub(crate) mod crowd;
pub(crate) mod day;
pub(crate) mod engines;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod http;
pub(crate) mod kill_runs;
pub(crate) mod kill_server;
pub(crate) mod power;
pub(crate) mod same;
pub(crate) mod sessions;
pub(crate) mod solver;
