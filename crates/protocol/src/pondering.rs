use emilia_query::{Limits, Query, Report};
use emilia_rules::{Color, GridPosition, Playable};

use crate::Order;

/// Thinking while the other side does: what is expected after an own move is searched until the next line comes, and
/// goes on after a line that leaves the game as it is.
#[derive(Debug, Default)]
pub(crate) struct Pondering {
    on: bool,
    expected: Option<Expected>,
    /// The number of the search that is running.
    running: Option<u64>,
}

/// What is expected to come.
#[derive(Debug)]
struct Expected {
    /// What the board shows as long as it is expected.
    shown: GridPosition,
    /// Where the own move leads, which some protocols put on the board only later.
    moved: GridPosition,
    query: Query,
    /// The side that moved and will have to move again.
    own: Color,
}

impl Pondering {
    pub(crate) fn set(&mut self, on: bool) {
        self.on = on;
        if !on {
            self.forget();
        }
    }

    /// A move was found and told in the position of this question, while the board shows `shown`.
    pub(crate) fn expect(&mut self, asked: &Query, found: &Report, shown: GridPosition) {
        self.expected = asked.expected(found).filter(|_| self.on).map(|query| {
            let mut moved = asked.clone();
            // It was legal before it was expected to be answered.
            let _ = found.best_move().map(|mv| moved.play(mv));
            let own = asked.position().turn();
            Expected { shown, moved: *moved.position(), query, own }
        });
    }

    /// Expects nothing any more: somebody analyses, or another game begins.
    pub(crate) fn forget(&mut self) {
        self.expected = None;
    }

    /// Begins, or goes on, if the board still shows what is expected to be answered. `limits` are those of the side that
    /// will have to move; the search takes the next number.
    pub(crate) fn begin(
        &mut self,
        shown: &GridPosition,
        limits: impl FnOnce(Color) -> Limits,
        searches: &mut u64,
    ) -> Option<Order> {
        let expected = self.expected.as_mut()?;
        if expected.moved == *shown {
            expected.shown = *shown;
        }
        if expected.shown != *shown {
            self.forget();
            return None;
        }
        *searches += 1;
        self.running = Some(*searches);
        let query = expected.query.clone().within(limits(expected.own));
        Some(Order::Ponder(*searches, Box::new(query)))
    }

    /// Ends the search that is running.
    pub(crate) fn interrupt(&mut self) -> Option<Order> {
        self.running.take().map(Order::Stop)
    }
}
