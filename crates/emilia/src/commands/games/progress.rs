use std::io::Write;
use std::time::{Duration, Instant};

use emilia_openings::Intake;

/// Shows on standard error how an import goes: for a person a line that lives, for a program a line now and then.
///
/// What cannot be shown is no reason to stop, so errors are left alone.
pub(super) struct Progress {
    live: bool,
    begin: Instant,
    shown: Instant,
    /// All files, and those that are done.
    files: usize,
    pub(super) done: usize,
}

/// How often the living line is drawn, and how often a line is printed where nobody looks.
const LIVE: Duration = Duration::from_millis(200);
const STILL: Duration = Duration::from_secs(10);
/// To the beginning of the line, and wipe it.
const WIPE: &str = "\r\x1b[K";

impl Progress {
    pub(super) fn new(live: bool, files: usize) -> Progress {
        let now = Instant::now();
        Progress { live, begin: now, shown: now, files, done: 0 }
    }

    /// Shows how far it is, if it is time to.
    pub(super) fn show(&mut self, intake: &Intake, file: &str, err: &mut dyn Write) {
        if self.shown.elapsed() < if self.live { LIVE } else { STILL } {
            return;
        }
        self.shown = Instant::now();
        let line = self.line(intake, file, self.begin.elapsed());
        let (before, after) = if self.live { (WIPE, "") } else { ("", "\n") };
        let _ = write!(err, "{before}{line}{after}");
        let _ = err.flush();
    }

    fn line(&self, intake: &Intake, file: &str, elapsed: Duration) -> String {
        let games = intake.new + intake.duplicates + intake.left_out;
        let rate = games as f64 / elapsed.as_secs_f64().max(1e-9);
        format!("file {} of {}, {games} games, {rate:.0} games/s, {file}", self.done + 1, self.files)
    }

    /// Makes room for a line of something else.
    pub(super) fn wipe(&self, err: &mut dyn Write) {
        if self.live {
            let _ = write!(err, "{WIPE}");
            let _ = err.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_it_is() {
        let mut progress = Progress::new(false, 52);
        progress.done = 8;
        let intake = Intake { new: 90, duplicates: 8, left_out: 2 };
        let line = progress.line(&intake, "WTH_1985.wtb", Duration::from_secs(4));
        assert_eq!(line, "file 9 of 52, 100 games, 25 games/s, WTH_1985.wtb");
    }
}
