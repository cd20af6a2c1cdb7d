use std::collections::HashMap;

use emilia_query::Bound;
use emilia_rules::{Kernel, Move, Playable, Point};

use super::walk::Walk;
use crate::control::Stopped;

/// Most positions kept: some ten megabytes. A table that is full learns nothing more.
const MOST: usize = 1 << 16;

/// The positions that were searched, with the depth to which they were.
pub(super) struct Table<P> {
    known: HashMap<(P, u32), Known>,
}

/// What is known about a position, to its side to move.
struct Known {
    value: f64,
    bound: Bound,
    line: Vec<Move<Point>>,
}

impl<P> Default for Table<P> {
    fn default() -> Table<P> {
        Table { known: HashMap::new() }
    }
}

impl<P> Table<P> {
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

impl<P: Playable, K: Kernel> Walk<'_, '_, '_, '_, P, K> {
    /// A node that was entered: from the table, or else searched and put there.
    #[inline(never)]
    pub(super) fn visit_once(
        &mut self,
        position: &P,
        depth: u32,
        ply: usize,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Stopped> {
        let key = (position.clone(), depth);
        if let Some(known) = self.table.as_ref().and_then(|table| table.known.get(&key)) {
            let answers = match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.value >= beta,
                Bound::Upper => known.value <= alpha,
            };
            if answers {
                self.lines[ply].clone_from(&known.line);
                if let Some(listener) = &mut self.listener {
                    listener.known(known.value, known.bound);
                }
                return Ok(known.value);
            }
        }
        let value = self.visit_below(position, depth, ply, (alpha, beta))?;
        let bound = match value {
            value if value <= alpha => Bound::Upper,
            value if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let line = self.lines[ply].clone();
        if let Some(table) = self.table.as_mut().filter(|table| table.known.len() < MOST) {
            table.known.insert(key, Known { value, bound, line });
        }
        Ok(value)
    }
}
