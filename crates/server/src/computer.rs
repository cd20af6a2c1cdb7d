//! Somebody who thinks about a position within some time, whatever kind of player it is.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use emilia_classic::{Control, Dice, Progress, Report, Search};
use emilia_engine::{Bounds, Candidate, Player, Stop};
use emilia_rules::GridPosition;

use crate::catalogue;
use crate::pool::Slot;

/// A player at work.
#[expect(clippy::large_enum_variant, reason = "a game has one or two of them")]
pub(crate) enum Computer {
    /// A textbook search, which can be watched and sliced.
    Textbook(Search, Dice),
    /// Any other player, which tells how it goes after each depth, and how many megabytes it remembers positions in.
    Other(Box<dyn Player>, usize),
}

impl Computer {
    /// A fresh computer for the game of this number. Those who throw dice throw others in each game.
    pub(crate) fn new(candidate: &Candidate, game: u64) -> Computer {
        match candidate.classic() {
            Some((search, seed)) => {
                // An odd multiplier: no two games share a seed.
                let seed = seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                Computer::Textbook(search, Dice::new(seed))
            }
            None => Computer::Other(candidate.player(game), catalogue::megabytes(candidate)),
        }
    }

    /// How much memory it keeps from one move to the next.
    pub(crate) fn megabytes(&self) -> usize {
        match self {
            Computer::Textbook(..) => 0,
            Computer::Other(_, megabytes) => *megabytes,
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
            Computer::Textbook(search, dice) => {
                let mut watch = |progress: &Progress| {
                    slot.yield_now();
                    told(progress);
                    ControlFlow::Continue(())
                };
                let mut control =
                    Control::unlimited().within(time).stopped_by(stop.flag()).watched_by(&mut watch);
                search.run(position, dice, &mut control)
            }
            // It seldom steps aside while it thinks, so the system has to share out the cores.
            Computer::Other(player, _) => slot.outside(|| think(player.as_mut(), position, time, stop, told)),
        }
    }
}

/// Lets a player of any kind think, and puts what it says in the words of the textbook.
fn think(
    player: &mut dyn Player,
    position: &GridPosition,
    time: Duration,
    stop: &Stop,
    told: &mut dyn FnMut(&Progress),
) -> Report {
    let begin = Instant::now();
    let mut watch = |progress: &emilia_engine::Progress| {
        told(&Progress {
            nodes: progress.nodes,
            greatest_depth: progress.greatest_depth,
            completed_depth: progress.depth,
            time: progress.time,
            score: progress.score,
            best: progress.line.first().copied(),
        });
        ControlFlow::Continue(())
    };
    let decision = player.think(position, Bounds::new(stop, &mut watch).within(time));
    let elapsed = begin.elapsed();
    let stopped = stop.is_requested() || elapsed >= time;
    let unknown = Report {
        best: None,
        score: None,
        line: Vec::new(),
        nodes: 0,
        greatest_depth: 0,
        completed_depth: 0,
        time: elapsed,
        stopped,
        solved: false,
    };
    // Players of the web never fail: they are all our own.
    match decision.ok().flatten() {
        Some(decision) => Report {
            best: Some(decision.mv),
            score: decision.score,
            line: decision.line,
            nodes: decision.nodes,
            greatest_depth: decision.greatest_depth,
            completed_depth: decision.depth,
            solved: decision.exact,
            ..unknown
        },
        None => unknown,
    }
}
