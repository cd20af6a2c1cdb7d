use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::Tally;
use crate::Streams;
use crate::number::spell_time;

/// Shows on standard error how self-play goes: for a person a line that lives, for a program a line now and then.
///
/// What cannot be shown is no reason to stop, so errors are left alone.
pub(super) struct Progress<'s> {
    err: &'s mut dyn Write,
    live: bool,
    games: Option<u64>,
    time: Option<Duration>,
    begin: Instant,
    shown: Instant,
}

/// How often the living line is drawn, and how often a line is printed where nobody looks.
const LIVE: Duration = Duration::from_millis(200);
const STILL: Duration = Duration::from_secs(10);
/// To the beginning of the line, and wipe it.
const WIPE: &str = "\r\x1b[K";

impl<'s> Progress<'s> {
    pub(super) fn new(
        games: Option<u64>,
        time: Option<Duration>,
        streams: &'s mut Streams<'_>,
    ) -> Progress<'s> {
        let now = Instant::now();
        Progress { err: &mut *streams.err, live: streams.interactive, games, time, begin: now, shown: now }
    }

    /// Shows how far it is, if it is time to.
    pub(super) fn show(&mut self, tally: &Tally) {
        if self.shown.elapsed() < if self.live { LIVE } else { STILL } {
            return;
        }
        self.shown = Instant::now();
        let line = self.line(tally, self.begin.elapsed());
        let (before, after) = if self.live { (WIPE, "") } else { ("", "\n") };
        let _ = write!(self.err, "{before}{line}{after}");
        let _ = self.err.flush();
    }

    fn line(&self, tally: &Tally, elapsed: Duration) -> String {
        let (found, played) = (tally.found.load(Relaxed), tally.played.load(Relaxed));
        let seconds = elapsed.as_secs_f64().max(1e-9);
        let rate = played as f64 / seconds;
        let positions = tally.positions.load(Relaxed);
        let done = found + played;
        let by_games = self.games.map(|games| games.saturating_sub(done) as f64 / rate.max(1e-9));
        let by_time = self.time.map(|time| time.saturating_sub(elapsed).as_secs_f64());
        let left = by_games.into_iter().chain(by_time).fold(f64::INFINITY, f64::min);
        let of = self.games.map_or_else(String::new, |games| format!("/{games}"));
        format!(
            "{done}{of} games, {rate:.1} games/s, {positions} positions, {:.0} positions/s, {} left",
            positions as f64 / seconds,
            spell_time(left.ceil() as u64)
        )
    }

    /// Nothing more will be shown.
    pub(super) fn end(&mut self) {
        if self.live {
            let _ = write!(self.err, "{WIPE}");
        }
        let _ = self.err.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_left() {
        let (mut input, mut out, mut err) = (std::io::empty(), Vec::new(), Vec::new());
        let mut streams = Streams::plain(&mut input, &mut out, &mut err);
        let tally = Tally::default();
        tally.found.store(50, Relaxed);
        tally.played.store(100, Relaxed);
        tally.positions.store(5000, Relaxed);
        let progress = Progress::new(Some(650), Some(Duration::from_secs(3600)), &mut streams);
        assert_eq!(
            progress.line(&tally, Duration::from_secs(20)),
            "150/650 games, 5.0 games/s, 5000 positions, 250 positions/s, 1:40 left"
        );
        let progress = Progress::new(None, Some(Duration::from_secs(3600)), &mut streams);
        assert_eq!(
            progress.line(&tally, Duration::from_secs(20)),
            "150 games, 5.0 games/s, 5000 positions, 250 positions/s, 59:40 left"
        );
    }
}
