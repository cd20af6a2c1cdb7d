//! Showing how a long series of games stands while it is played.

use std::time::{Duration, Instant};

use emilia_arena::Played;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::Streams;

/// A table that is drawn again after each game where a person looks on; elsewhere a line now and then.
pub(crate) struct Live {
    bar: Option<ProgressBar>,
    games: u32,
    done: u32,
    told: Instant,
}

/// How often a line is printed where nobody looks on: often enough to see that it goes on, seldom enough for a log file.
const PAUSE: Duration = Duration::from_secs(15);

impl Live {
    /// Of so many games, some of which were played before.
    pub(crate) fn new(games: u32, done: u32, streams: &Streams<'_>) -> Live {
        let bar = streams.interactive.then(|| {
            let bar = ProgressBar::with_draw_target(Some(games.into()), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg}{wide_bar} {pos}/{len} games, {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(done.into());
            bar.reset_eta();
            bar
        });
        Live { bar, games, done, told: Instant::now() }
    }

    /// After a game: `table` is shown to a person, `line` is written elsewhere. Neither is made if it is not needed.
    pub(crate) fn show(
        &mut self,
        streams: &mut Streams<'_>,
        table: impl FnOnce() -> String,
        line: impl FnOnce() -> String,
    ) {
        self.done += 1;
        match &self.bar {
            Some(bar) => {
                bar.set_message(table());
                bar.inc(1);
            }
            None if self.told.elapsed() >= PAUSE => {
                self.told = Instant::now();
                self.say(streams, &format!("{}/{} games: {}", self.done, self.games, line()));
            }
            None => {}
        }
    }

    /// Says that a game was given away, if it was.
    pub(crate) fn forfeit(&self, streams: &mut Streams<'_>, played: &Played) {
        let Some(forfeit) = &played.forfeit else { return };
        let tag = played.game.tags.value(if forfeit.color as usize == 0 { "Black" } else { "White" });
        let (name, number) = (tag.unwrap_or_default(), played.fixture.number + 1);
        self.say(streams, &format!("game {number}: {name} ({}) forfeits: {}", forfeit.color, forfeit.reason));
    }

    fn say(&self, streams: &mut Streams<'_>, line: &str) {
        // With nowhere to complain to, the games still count.
        let mut write = || {
            let _ = writeln!(streams.err, "{line}").and_then(|()| streams.err.flush());
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Clears the table: the last one follows on standard output.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
