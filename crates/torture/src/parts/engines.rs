//! Matches against an engine that misbehaves in every way it knows: the match comes to its end, the other side wins,
//! and no process is left behind.

use std::time::Duration;

use serde_json::Value;

use crate::part::{Round, Tally};
use crate::programs::{bad_engine, emilia, ended};

/// What the engine can do wrong when it is asked for a move.
const HABITS: &[&str] = &["silent", "crash", "illegal", "flood", "garbage", "resign", "deaf"];
const PROTOCOLS: &[&str] = &["gtp", "nboard", "ugi"];

pub(crate) fn round(round: &mut Round) -> Tally {
    let matches = round.scaled(4, 2);
    for _ in 0..matches {
        let (habit, protocol) = (*round.pick(HABITS), *round.pick(PROTOCOLS));
        let pids = round.folder.join(format!("{protocol}-{habit}"));
        let _ = std::fs::remove_file(&pids);
        let engine =
            format!("{protocol}:'{}' {protocol} {habit} '{}'", bad_engine().display(), pids.display());
        let words = ["match", &engine, "first", "--games", "2", "--json", "--grace", "100ms", "--move-time"];
        let played = ended(emilia().args(words).arg("200ms"));
        assert!(played.status.success(), "{engine}: {}", played.err);
        let table: Value = serde_json::from_str(&played.out).unwrap();
        // Deaf is the one that plays its first move well, and then is no more to be heard.
        assert_eq!(table["losses"], 2, "{engine}: {}", played.out);
        assert_eq!(table["forfeits"][0], 2, "{engine}: {}", played.out);
        std::thread::sleep(Duration::from_millis(50));
        for pid in std::fs::read_to_string(&pids).unwrap_or_default().split(' ') {
            assert!(!alive(pid), "{engine}: process {pid} is still there");
        }
    }
    Tally::of(2 * matches)
}

/// Whether there is such a process; a zombie of somebody else's is dead enough.
fn alive(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !pid.is_empty() && !status.is_empty() && !status.contains(") Z ")
}
