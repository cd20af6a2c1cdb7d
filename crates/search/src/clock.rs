use std::time::Duration;

/// A game clock: what is left, and what each move adds.
///
/// ```
/// use emilia_search::Clock;
/// use std::time::Duration;
/// let clock = Clock { left: Duration::from_secs(300), increment: Duration::ZERO };
/// let first = clock.time_for_move(60);
/// assert!(first > Duration::from_secs(5) && first < Duration::from_secs(30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the rest of the game.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Time that is never planned for: the way from the clock to the search and back, and the search's own delay in
/// seeing that its time is over (it looks about every millisecond).
const RESERVE: Duration = Duration::from_millis(20);
/// From so many empty squares on, moves are usually solved in no time; the clock need not last beyond.
const SOLVED: u32 = 14;
/// Own moves for which a clock must always last, however near the end is.
const LEAST_MOVES: u32 = 3;

impl Clock {
    /// How long to think about a move with so many empty squares: an even share of what is left, somewhat more in
    /// the middle of the game, never more than half of it.
    #[must_use]
    pub fn time_for_move(self, empties: u32) -> Duration {
        let usable = self.left.saturating_sub(RESERVE.min(self.left / 2));
        // Every second empty square is an own move.
        let moves = (empties.saturating_sub(SOLVED) / 2).max(LEAST_MOVES);
        // Openings are easier than what follows: early moves leave a third of their share to later ones.
        let early = empties > 44;
        let share = usable / moves;
        let share = if early { share * 2 / 3 } else { share };
        let with_increment = share + self.increment.saturating_sub(RESERVE.min(self.increment / 2));
        with_increment.min(usable / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However long each move takes, as long as it keeps to its time, the clock never runs out.
    #[test]
    fn a_clock_lasts_for_the_game() {
        for start in [10, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 5, 100, 2_000] {
                let mut clock =
                    Clock { left: Duration::from_millis(start), increment: Duration::from_millis(increment) };
                for empties in (1..=60).rev().step_by(2) {
                    let time = clock.time_for_move(empties);
                    assert!(time < clock.left, "{start} ms, {empties} empty: {time:?} of {:?}", clock.left);
                    clock.left = clock.left - time + clock.increment;
                }
            }
        }
    }

    #[test]
    fn an_empty_clock_gives_no_time() {
        let clock = Clock { left: Duration::ZERO, increment: Duration::ZERO };
        assert_eq!(clock.time_for_move(30), Duration::ZERO);
    }
}
