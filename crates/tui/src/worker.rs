//! Threads that answer: one for the players, one for the judge. Each does one thing at a time and can be told to stop.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use emilia_classic::TraceLimits;
use emilia_engine::{Candidate, Player, Review, no_files};
use emilia_query::{Query, Report, Stop};
use emilia_rules::{GridPosition, Move, Playable, Point};

use crate::{Effect, Event, Seat, Ticket};

/// Both threads.
pub(crate) struct Workers {
    players: Worker,
    judge: Worker,
}

/// A thread and what it is doing.
struct Worker {
    jobs: Sender<Effect>,
    /// Ends what is being done now, and whatever was asked before.
    stop: Arc<Mutex<Arc<Stop>>>,
}

/// Where events are sent; whether somebody still listens.
type Tell = Arc<dyn Fn(Event) -> bool + Send + Sync>;

/// Nodes of a tree that are kept.
const TREE_NODES: usize = 2000;
/// Depths of trees, one after the other.
const TREE_DEPTHS: std::ops::RangeInclusive<u32> = 1..=5;

impl Workers {
    pub(crate) fn new(judge: Candidate, tree: Candidate, tell: Tell) -> Workers {
        let to_players = Arc::clone(&tell);
        let mut players = Players::default();
        let mut judge = Judge { candidate: judge, player: None };
        Workers {
            players: Worker::new(move |job, stop| players.work(job, stop, &to_players)),
            judge: Worker::new(move |job, stop| judge.work(&tree, job, stop, &tell)),
        }
    }

    /// Gives work away, or ends some; what is not for a thread comes back.
    pub(crate) fn take(&self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Seat { .. } | Effect::Think { .. } => self.players.give(effect),
            Effect::Judge { .. } | Effect::Grow { .. } | Effect::Review { .. } => self.judge.give(effect),
            Effect::StopThinking => self.players.stop(),
            Effect::StopJudging => self.judge.stop(),
            other => return Some(other),
        }
        None
    }

    /// Ends everything; the threads follow when the last sender is gone.
    pub(crate) fn stop(&self) {
        self.players.stop();
        self.judge.stop();
    }
}

impl Worker {
    fn new(mut work: impl FnMut(Effect, &Stop) + Send + 'static) -> Worker {
        let (jobs, asked): (Sender<Effect>, Receiver<Effect>) = mpsc::channel();
        let stop: Arc<Mutex<Arc<Stop>>> = Arc::default();
        let current = Arc::clone(&stop);
        // If no thread can be had, nothing is answered, and that can be seen.
        let _ = thread::Builder::new().name("player".to_owned()).spawn(move || {
            for job in asked {
                let stop = Arc::clone(&current.lock().unwrap_or_else(PoisonError::into_inner));
                work(job, &stop);
            }
        });
        Worker { jobs, stop }
    }

    fn give(&self, job: Effect) {
        // A thread that is gone answers nothing.
        let _ = self.jobs.send(job);
    }

    fn stop(&self) {
        let mut stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        stop.request();
        *stop = Arc::default();
    }
}

/// Who plays.
#[derive(Default)]
struct Players([Option<Box<dyn Player>>; 2]);

impl Players {
    fn work(&mut self, job: Effect, stop: &Stop, tell: &Tell) {
        match job {
            Effect::Seat { seats, seed } => {
                self.0 = seats.map(|seat| match seat {
                    Seat::Person => None,
                    Seat::Player(candidate) => {
                        Some(candidate.player(if candidate.is_unseeded() { seed } else { 0 }))
                    }
                });
            }
            Effect::Think { ticket, side, query } => {
                if let Some(player) = &mut self.0[side as usize] {
                    let mut watcher = |report: &Report| heard(tell(Event::Progress(ticket, report.clone())));
                    let answer = player.answer(&query, stop, &mut watcher);
                    tell(Event::Answer(ticket, answer));
                }
            }
            _ => {}
        }
    }
}

/// Who gives hints, analyses and reviews.
struct Judge {
    candidate: Candidate,
    /// The one that was asked last: what it knows of a position helps with the next of the same game.
    player: Option<Box<dyn Player>>,
}

impl Judge {
    fn work(&mut self, tree: &Candidate, job: Effect, stop: &Stop, tell: &Tell) {
        match job {
            Effect::Judge { ticket, query } => {
                let mut watcher = |report: &Report| heard(tell(Event::Progress(ticket, report.clone())));
                let mut player = self.player.take().unwrap_or_else(|| self.candidate.player(0));
                let answer = player.answer(&query, stop, &mut watcher);
                // One that has failed is no use.
                self.player = answer.is_ok().then_some(player);
                tell(Event::Answer(ticket, answer));
            }
            Effect::Grow { ticket, query } => grow(tree, ticket, &query, stop, tell),
            Effect::Review { ticket, start, moves } => {
                review(&self.candidate, ticket, start, &moves, stop, tell);
            }
            _ => {}
        }
    }
}

/// Trees of growing depth, each shown as soon as it is there.
fn grow(tree: &Candidate, ticket: Ticket, query: &Query, stop: &Stop, tell: &Tell) {
    let name = tree.name();
    for depth in TREE_DEPTHS {
        let settings = if name.contains(':') {
            format!("{name},depth={depth}")
        } else {
            format!("{name}:depth={depth}")
        };
        let Ok(deeper) = Candidate::parse(&settings, &no_files) else { return };
        let limits = TraceLimits { nodes: TREE_NODES, depth: u32::MAX };
        let Some((_, traced)) = deeper.trace(query, limits, stop, &mut ()) else { return };
        let lines = traced.to_text().lines().map(str::to_owned).collect();
        if stop.is_requested() || !tell(Event::Tree(ticket, depth, lines)) {
            return;
        }
    }
}

/// The moves of a game one by one.
fn review(
    judge: &Candidate,
    ticket: Ticket,
    start: GridPosition,
    moves: &[Move<Point>],
    stop: &Stop,
    tell: &Tell,
) {
    let mut review = Review::default();
    let mut player = judge.player(0);
    let mut query = Query::new(start);
    for (ply, mv) in (1..).zip(moves) {
        let judged = if query.position().moves().count() > 1 {
            judge.judge(&mut *player, &query, stop)
        } else {
            Ok(Vec::new())
        };
        if stop.is_requested() {
            return;
        }
        let judged = match judged {
            Ok(judged) => judged,
            Err(fault) => {
                tell(Event::Answer(ticket, Err(fault)));
                return;
            }
        };
        let reviewed = review.add(ply, query.position(), *mv, &judged);
        if !tell(Event::Judged(ticket, Box::new(reviewed))) || query.play(*mv).is_err() {
            return;
        }
    }
    tell(Event::Reviewed(ticket, review.verdicts()));
}

/// Whether to go on, as long as somebody listens.
fn heard(listens: bool) -> ControlFlow<()> {
    if listens { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

#[cfg(test)]
mod tests {
    use emilia_query::Limits;

    use super::*;

    /// Has the position analysed until this depth is reached; what is known then.
    fn analysed(judge: &mut Judge, query: &Query, depth: u32) -> Report {
        let (send, reports) = mpsc::channel();
        let tell: Tell = Arc::new(move |event| match event {
            Event::Progress(_, report) => {
                let enough = report.depth >= depth;
                send.send(report).is_ok() && !enough
            }
            _ => true,
        });
        let tree = Candidate::parse("alphabeta", &no_files).unwrap();
        let query = query.clone().within(Limits::endless());
        judge.work(&tree, Effect::Judge { ticket: Ticket::default(), query }, &Stop::default(), &tell);
        drop(tell);
        reports.iter().last().unwrap()
    }

    #[test]
    fn an_analysis_goes_on_from_what_is_known_when_one_steps_forward() {
        let new = || Judge { candidate: Candidate::parse("emilia:hash=8", &no_files).unwrap(), player: None };
        let mut judge = new();
        let mut query = Query::new(GridPosition::default());
        let first = analysed(&mut judge, &query, 12);
        query.play(first.best_move().unwrap()).unwrap();
        let (known, unknown) = (analysed(&mut judge, &query, 11), analysed(&mut new(), &query, 11));
        assert!(known.nodes * 5 < unknown.nodes, "{} of {} nodes", known.nodes, unknown.nodes);
    }
}
