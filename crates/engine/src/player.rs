use std::time::Duration;

use emilia_query::{Fault, Query, Report, Stop, Watcher};

/// Someone who chooses moves.
///
/// Laws: the moves it reports are legal; when the game is over it reports none; the same player built again from the
/// same name, asked the same questions in the same order, answers the same unless it thinks by the clock. Emilia's own
/// players never fail once they are ready; a program from outside may, and after that it is no use asking it again.
pub trait Player: Send {
    /// The name it was called by, for tables and records.
    fn name(&self) -> &str;

    /// Answers a question about a position: the best moves, and what is thought of them. The watcher is told how it
    /// goes and can end it; so can somebody else with the stop request. Then the answer is the best found so far.
    fn answer(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault>;

    /// Thinks about a position that is expected to come while the other side thinks, until it is told to stop: what
    /// it finds helps the answer that comes next. The limits are those of that answer; they do not end it, and none
    /// of it is taken from a clock. The report says what was found, if it thought at all: a player whose answers do
    /// not depend on the clock does nothing, so that they stay the same.
    fn ponder(&mut self, _query: &Query, _stop: &Stop, _watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        Ok(Report::default())
    }

    /// Gets ready to play, so that what it takes to begin is not taken from its time. Where games are played by the
    /// clock it is said how much time there is for a whole game; a program that has to be started is not waited for
    /// much longer.
    fn prepare(&mut self, _whole_game: Option<Duration>) -> Result<(), Fault> {
        Ok(())
    }

    /// Forgets what it remembers of earlier games.
    fn forget(&mut self) {}
}
