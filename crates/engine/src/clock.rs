//! How long a player thinks, by the clocks of a game and by the time for a move.

use std::time::Duration;

use emilia_query::{Clocks, Limits};

/// Time of the clock of a game that is never planned for, however little is left: the way from the clock to the search
/// and back, the search's own delay in seeing that its time is over (it looks about every millisecond), and above all the
/// moments in which the machine does something else.
/// Birthplace: docs/tuning.md.
const RESERVE: Duration = Duration::from_millis(40);
/// The same where one move has a time of its own: the clock need not last beyond it.
const RESERVE_OF_A_MOVE: Duration = Duration::from_millis(10);
/// From so many empty squares on, moves are usually solved in no time; the clock need not last beyond.
const SOLVED: u32 = 14;
/// Own moves for which a clock must always last, however near the end is.
const LEAST_MOVES: u32 = 3;
/// With more empty squares than this it is the opening, which is easier than what follows.
const OPENING: u32 = 44;
/// A shorter time than this is kept by counting positions, since the clock is not looked at often enough.
const SHORT: Duration = Duration::from_millis(5);
/// Positions that are looked at in a millisecond, rather too few than too many, and the fewest that make sense.
const NODES_A_MILLISECOND: u64 = 1000;
const FEWEST_NODES: u64 = 50;

/// The longest to think about a position with so many empty squares, by these limits: the time for a move less a
/// little, or the share of the clock, whichever is less.
pub(crate) fn longest(limits: &Limits, empties: u32) -> Option<Duration> {
    let time = limits.time.map(|time| time - RESERVE_OF_A_MOVE.min(time / 4));
    let share = limits.clocks.map(|clocks| share(&clocks, empties));
    [time, share].into_iter().flatten().min()
}

/// How many positions may be looked at in a time that is too short for the clock.
pub(crate) fn most_nodes(time: Duration) -> Option<u64> {
    let nodes = time.as_micros() as u64 * NODES_A_MILLISECOND / 1000;
    (time < SHORT).then_some(nodes.max(FEWEST_NODES))
}

/// How long to think about a move with so many empty squares: an even share of what is left, somewhat more in the
/// middle of the game, never more than half of it.
pub(crate) fn share(clocks: &Clocks, empties: u32) -> Duration {
    let usable = clocks.own.saturating_sub(RESERVE);
    // Every second empty square is an own move.
    let moves = (empties.saturating_sub(SOLVED) / 2).max(LEAST_MOVES);
    // Early moves leave a third of their share to later ones.
    let share = if empties > OPENING { usable / moves * 2 / 3 } else { usable / moves };
    let increment = clocks.increment.saturating_sub(RESERVE_OF_A_MOVE.min(clocks.increment / 2));
    (share + increment).min(usable / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(own: Duration, increment: Duration) -> Clocks {
        Clocks { own, opponent: own, increment }
    }

    /// However long each move takes, as long as it keeps to its time, the clock never runs out.
    #[test]
    fn a_clock_lasts_for_the_game() {
        for start in [10, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 5, 100, 2_000] {
                let mut clock = clocks(Duration::from_millis(start), Duration::from_millis(increment));
                for empties in (1..=60).rev().step_by(2) {
                    let time = share(&clock, empties);
                    assert!(
                        time == Duration::ZERO || time + RESERVE < clock.own,
                        "{start} ms, {empties} empty: {time:?} of {:?}",
                        clock.own
                    );
                    clock.own = clock.own - time + clock.increment;
                }
            }
        }
    }

    #[test]
    fn an_empty_clock_gives_no_time_and_five_minutes_some_seconds() {
        assert_eq!(share(&clocks(Duration::ZERO, Duration::ZERO), 30), Duration::ZERO);
        let first = share(&clocks(Duration::from_secs(300), Duration::ZERO), 60);
        assert!(first > Duration::from_secs(5) && first < Duration::from_secs(30), "{first:?}");
    }

    #[test]
    fn the_time_for_a_move_and_the_clock_are_both_kept() {
        let clocks = Some(clocks(Duration::from_secs(60), Duration::ZERO));
        let limits = Limits { clocks, ..Limits::time(Duration::from_millis(100)) };
        assert_eq!(longest(&limits, 30), Some(Duration::from_millis(90)));
        assert!(longest(&limits, 30) < longest(&Limits { time: None, ..limits }, 30));
        assert_eq!(longest(&Limits::default(), 30), None);
    }

    #[test]
    fn a_time_too_short_for_the_clock_is_counted_in_positions() {
        assert_eq!(most_nodes(Duration::from_millis(5)), None);
        assert_eq!(most_nodes(Duration::from_millis(2)), Some(2000));
        assert_eq!(most_nodes(Duration::ZERO), Some(FEWEST_NODES));
    }
}
