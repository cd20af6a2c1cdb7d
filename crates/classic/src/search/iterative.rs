use std::time::Duration;

use emilia_query::Report;
use emilia_rules::{Kernel, Move, Playable, Point, SquareSet};
use web_time::Instant;

use super::MAX_DEPTH;
use super::walk::{Cutoff, Walk};
use crate::control::Stopped;
use crate::listener::Entry;

/// More time than anyone gives a move, and less than a clock can count.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl<P: Playable, K: Kernel> Walk<'_, '_, '_, '_, P, K> {
    /// Alpha-beta to depth 1, 2, 3 … until time is up, the game is searched to its end, or there is no choice.
    ///
    /// The result is that of the last complete depth: exactly what alpha-beta to that depth finds.
    pub(super) fn deepen(&mut self, position: &P, time: Duration, deepest: u32) -> Report {
        self.meter.limit(time);
        let mut line: Vec<Move<Point>> = Vec::new();
        let (mut stopped, mut solved) = (false, false);
        for depth in 1..=deepest.min(MAX_DEPTH) {
            if let Some(listener) = &mut self.listener {
                listener.deeper(depth);
            }
            let Ok(value) = self.search_to(position, depth) else {
                stopped = true;
                break;
            };
            line.clone_from(&self.lines[0]);
            solved = !self.evaluated;
            let told = self.meter.complete(depth, self.found(position, Some(value), solved));
            if solved || position.placements().count() <= 1 {
                break;
            }
            if told.is_err() {
                stopped = true;
                break;
            }
        }
        // What an unfinished depth left behind does not count.
        self.root_value = None;
        if let Some(root) = self.lines.first_mut() {
            *root = line;
        }
        self.report(position, stopped, solved)
    }

    /// Goes down at once and gives each branch an even share of the time left. A node whose time is up is evaluated.
    pub(super) fn split_time(&mut self, position: &P, time: Duration, deepest: u32) -> Report {
        self.meter.limit(time.min(LONGEST));
        let deadline = self.meter.take_deadline().unwrap_or_else(Instant::now);
        let depth = deepest.min(MAX_DEPTH);
        self.lines.resize_with(depth as usize + 2, Vec::new);
        let result = self.split_node(position, depth, 0, (f64::NEG_INFINITY, f64::INFINITY), deadline);
        let solved = result.is_ok() && !self.evaluated;
        self.report(position, result.is_err(), solved)
    }

    /// As `node`, with a deadline of its own: once it has passed, the position is evaluated as it is.
    fn split_node(
        &mut self,
        position: &P,
        depth: u32,
        ply: usize,
        window: (f64, f64),
        deadline: Instant,
    ) -> Result<f64, Stopped> {
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            || self.visit_split(position, depth, ply, window, deadline),
        )
    }

    #[inline(always)]
    fn visit_split(
        &mut self,
        position: &P,
        depth: u32,
        ply: usize,
        window: (f64, f64),
        deadline: Instant,
    ) -> Result<f64, Stopped> {
        self.enter_node(position, ply, window.0, window.1)?;
        let (mut alpha, beta) = window;
        let placements = position.placements();
        if placements.is_empty() {
            let passed = position.passed();
            if passed.placements().is_empty() {
                return Ok(self.over(position));
            }
            if depth > 0 && Instant::now() < deadline {
                self.announce(Move::Pass, Entry::Full);
                let value = -self.split_node(&passed, depth - 1, ply + 1, (-beta, -alpha), deadline)?;
                self.keep_line(ply, Move::Pass, value);
                return Ok(self.leave(value, Cutoff::None));
            }
        }
        if depth == 0 || Instant::now() >= deadline {
            return Ok(self.evaluate(position, placements));
        }
        let mut best = f64::NEG_INFINITY;
        let mut left = placements.count();
        for group in 0..self.groups.len() {
            for square in placements & self.groups[group] {
                let mv = Move::Place(square.into());
                let share = deadline.saturating_duration_since(Instant::now()) / left.max(1);
                let until = deadline - share * left.saturating_sub(1);
                left -= 1;
                self.announce(mv, Entry::Full);
                let window = (-beta, -alpha);
                let value = -self.split_node(&position.placed(square), depth - 1, ply + 1, window, until)?;
                if value > best {
                    best = value;
                    if best > alpha {
                        self.keep_line(ply, mv, best);
                    }
                    self.note_best(best);
                }
                alpha = alpha.max(best);
                if alpha >= beta {
                    return Ok(self.leave(best, Cutoff::After { placements, group, square }));
                }
            }
        }
        Ok(self.leave(best, Cutoff::None))
    }
}
