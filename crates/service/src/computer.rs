//! Somebody who thinks about a position, whatever kind of player it is.

use std::any::Any;
use std::ops::ControlFlow;

use emilia_engine::{Candidate, Player};
use emilia_query::{Query, Report, Stop};
use emilia_rules::Playable;

use crate::catalogue;
use crate::slot::Slot;

/// A player at work.
pub struct Computer {
    player: Box<dyn Player>,
    /// Textbook players tell often enough how it goes to let others have their turn then.
    textbook: bool,
    /// How much memory it keeps from one move to the next.
    megabytes: usize,
    /// What counts that memory as long as it lives; none if it is so little that nobody counts it.
    held: Option<Box<dyn Any + Send>>,
}

impl Computer {
    /// A fresh computer for the game of this number. Those who throw dice throw others in each game.
    #[must_use]
    pub fn new(candidate: &Candidate, game: u64) -> Computer {
        let (textbook, megabytes) = (candidate.is_textbook(), catalogue::megabytes(candidate));
        Computer { player: candidate.player(game), textbook, megabytes, held: None }
    }

    /// The same, whose memory is counted by this as long as it lives.
    #[must_use]
    pub fn holding(self, held: impl Send + 'static) -> Computer {
        Computer { held: Some(Box::new(held)), ..self }
    }

    /// Whether it has memory that is worth keeping from one move to the next.
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.megabytes > 0 && self.held.is_some()
    }

    /// Answers a question, and tells how it goes.
    pub fn think(
        &mut self,
        query: &Query,
        stop: &Stop,
        slot: &dyn Slot,
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
            let mut answer = Ok(Report::default());
            slot.outside(&mut || answer = self.player.answer(query, stop, &mut watch));
            answer
        };
        answer.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "a player failed");
            Report::default()
        })
    }

    /// Judges every legal move, the best first; those it did not come to are last and have no value.
    pub fn judge(&mut self, query: Query, stop: &Stop, slot: &dyn Slot) -> Report {
        let moves: Vec<_> = query.position().moves().collect();
        self.think(&query.with_lines(moves.len()), stop, slot, &mut |_| ()).covering(moves)
    }
}
