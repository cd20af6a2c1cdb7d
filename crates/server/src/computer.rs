//! Somebody who thinks about a position in the pool, whatever kind of player it is.

use std::ops::ControlFlow;

use emilia_engine::{Candidate, Player};
use emilia_query::{Query, Report, Stop};
use emilia_rules::Playable;

use crate::catalogue;
use crate::memory::Reservation;
use crate::pool::Slot;

/// A player at work.
pub(crate) struct Computer {
    player: Box<dyn Player>,
    /// Textbook players tell often enough how it goes to let others have their turn then.
    textbook: bool,
    /// How much memory it keeps from one move to the next.
    megabytes: usize,
    /// That memory as it is counted; none if it is so little that nobody counts it.
    held: Option<Reservation>,
}

impl Computer {
    /// A fresh computer for the game of this number. Those who throw dice throw others in each game.
    pub(crate) fn new(candidate: &Candidate, game: u64) -> Computer {
        let (textbook, megabytes) = (candidate.is_textbook(), catalogue::megabytes(candidate));
        Computer { player: candidate.player(game), textbook, megabytes, held: None }
    }

    /// The same, whose memory is counted by this reservation.
    pub(crate) fn holding(self, held: Reservation) -> Computer {
        Computer { held: Some(held), ..self }
    }

    /// Whether it has memory that is worth keeping from one move to the next.
    pub(crate) fn remembers(&self) -> bool {
        self.megabytes > 0 && self.held.is_some()
    }

    /// Answers a question, and tells how it goes.
    pub(crate) fn think(
        &mut self,
        query: &Query,
        stop: &Stop,
        slot: &Slot<'_>,
        told: &mut dyn FnMut(&Report),
    ) -> Report {
        let answer = if self.textbook {
            let mut watch = |report: &Report| {
                slot.yield_now();
                told(report);
                ControlFlow::Continue(())
            };
            self.player.answer(query, stop, &mut watch)
        } else {
            let mut watch = |report: &Report| {
                told(report);
                ControlFlow::Continue(())
            };
            // It seldom steps aside while it thinks, so the system has to share out the cores.
            slot.outside(|| self.player.answer(query, stop, &mut watch))
        };
        answer.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "a player failed");
            Report::default()
        })
    }

    /// Judges every legal move, the best first; those it did not come to are last and have no value.
    pub(crate) fn judge(&mut self, query: Query, stop: &Stop, slot: &Slot<'_>) -> Report {
        let moves: Vec<_> = query.position().moves().collect();
        self.think(&query.with_lines(moves.len()), stop, slot, &mut |_| ()).covering(moves)
    }
}
