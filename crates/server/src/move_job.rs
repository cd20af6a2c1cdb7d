//! A computer player at work on a move of a live game.

use std::sync::Arc;

use emilia_query::Stop;
use emilia_rules::{Move, Point};
use emilia_service::move_job::MoveJob;
use tokio::sync::watch;

use crate::answers::to_json;
use crate::game::Verdict;
use crate::player_cache::{PlayerCache, PlayerKey};
use crate::pool::Slot;

/// What is to be thought about, with all that hangs on it.
pub(crate) struct LiveJob {
    pub(crate) job: MoveJob,
    pub(crate) stop: Arc<Stop>,
    pub(crate) audience: watch::Sender<Arc<str>>,
    /// Where the player's memory is between its moves.
    pub(crate) players: PlayerCache,
    pub(crate) key: PlayerKey,
}

impl LiveJob {
    /// Finds a move; nothing if the game is over or the search was stopped.
    pub(crate) fn think(self, slot: &Slot<'_>) -> Option<(Move<Point>, Verdict)> {
        let mut computer = self.players.take(&self.key, &self.job.candidate, self.job.dice());
        let found = self.job.think(&mut computer, &self.stop, slot, &mut |message| {
            self.audience.send_replace(to_json(message).into());
        });
        self.players.put(self.key, computer);
        found
    }
}
