//! Somebody who thinks about a position within some time, whatever kind of player it is.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use emilia_classic::{Control, Dice, Progress, Report, Search};
use emilia_engine::{Candidate, Player, Stop};
use emilia_rules::GridPosition;

use crate::pool::Slot;

/// A player at work.
pub(crate) enum Mind {
    /// A textbook search, which can be watched and sliced.
    Textbook(Search, Dice),
    /// Any other player, which can only be stopped.
    Other(Box<dyn Player>),
}

/// How often it is checked whether a player has to stop.
const GLANCE: Duration = Duration::from_millis(20);

impl Mind {
    /// A fresh mind for the game of this number. Those who throw dice throw others in each game.
    pub(crate) fn new(candidate: &Candidate, game: u64) -> Mind {
        match candidate.classic() {
            Some((search, seed)) => {
                // An odd multiplier: no two games share a seed.
                let seed = seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                Mind::Textbook(search, Dice::new(seed))
            }
            None => Mind::Other(candidate.player(game)),
        }
    }

    /// Looks for a move, for this long at most.
    pub(crate) fn think(
        &mut self,
        position: &GridPosition,
        time: Duration,
        stop: &Stop,
        slot: &Slot<'_>,
        told: &mut dyn FnMut(&Progress),
    ) -> Report {
        match self {
            Mind::Textbook(search, dice) => {
                let mut watch = |progress: &Progress| {
                    slot.breathe();
                    told(progress);
                    ControlFlow::Continue(())
                };
                let mut control =
                    Control::unlimited().within(time).stopped_by(stop.flag()).watched_by(&mut watch);
                search.run(position, dice, &mut control)
            }
            // It cannot step aside while it thinks, so the system has to share out the cores.
            Mind::Other(player) => slot.outside(|| choose(player.as_mut(), position, time, stop)),
        }
    }
}

/// Lets a player choose, and stops it when time is up or somebody says so.
fn choose(player: &mut dyn Player, position: &GridPosition, time: Duration, stop: &Stop) -> Report {
    let begin = Instant::now();
    let own = Stop::default();
    let (done, wait) = mpsc::channel::<()>();
    let decision = std::thread::scope(|scope| {
        scope.spawn(|| {
            let wait = wait;
            loop {
                let left = time.saturating_sub(begin.elapsed());
                if left.is_zero() || stop.is_requested() {
                    own.request();
                }
                let glance = if left.is_zero() { GLANCE } else { left.min(GLANCE) };
                if wait.recv_timeout(glance) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        let decision = player.choose(position, &own);
        drop(done);
        decision
    });
    let stopped = own.is_requested();
    match decision {
        Some(decision) => Report {
            best: Some(decision.mv),
            score: decision.score,
            line: decision.line,
            nodes: decision.nodes,
            greatest_depth: decision.depth,
            completed_depth: decision.depth,
            time: decision.time,
            stopped,
            solved: false,
        },
        None => Report {
            best: None,
            score: None,
            line: Vec::new(),
            nodes: 0,
            greatest_depth: 0,
            completed_depth: 0,
            time: begin.elapsed(),
            stopped,
            solved: false,
        },
    }
}
