use std::fmt;
use std::time::Duration;

use emilia_query::Clocks;
use emilia_rules::Size;
use thiserror::Error;

/// How much time players have, and what happens when they take more: they lose the game.
///
/// ```
/// use std::time::Duration;
/// use emilia_arena::TimeControl;
/// let control = TimeControl { per_game: Some(Duration::from_secs(60)), increment: Duration::from_millis(500), ..TimeControl::default() };
/// assert_eq!(control.to_string(), "60s a game and 0.5s a move");
/// assert_eq!(TimeControl::default().to_string(), "no clock");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The longest that a move may take.
    pub per_move: Option<Duration>,
    /// Time for all moves of a side together.
    pub per_game: Option<Duration>,
    /// Added to the time of the game after each move.
    pub increment: Duration,
    /// How much a move may take too long before it counts: the operating system and the pipe to another program take
    /// time too, and that is not the player's fault.
    pub grace: Duration,
}

impl TimeControl {
    /// The grace if nothing is said.
    pub const USUAL_GRACE: Duration = Duration::from_millis(100);

    /// Whether there is a clock at all.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.per_move.is_some() || self.per_game.is_some()
    }

    /// The most that a side may take for a whole game on a board of this size, if there is a clock.
    #[must_use]
    pub fn whole_game(&self, size: Size) -> Option<Duration> {
        let moves = size.cells() as u32 / 2;
        let by_moves = self.per_move.map(|time| time.saturating_mul(moves));
        let by_game = self.per_game.map(|time| time.saturating_add(self.increment.saturating_mul(moves)));
        by_moves.into_iter().chain(by_game).min()
    }
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            per_move: None,
            per_game: None,
            increment: Duration::ZERO,
            grace: TimeControl::USUAL_GRACE,
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: Duration| format!("{}s", time.as_secs_f64());
        let per_move = self.per_move.map(|time| format!("at most {} a move", seconds(time)));
        let per_game = self.per_game.map(|time| match self.increment {
            Duration::ZERO => format!("{} a game", seconds(time)),
            increment => format!("{} a game and {} a move", seconds(time), seconds(increment)),
        });
        match (per_game, per_move) {
            (None, None) => f.write_str("no clock"),
            (Some(game), None) => f.write_str(&game),
            (None, Some(one)) => f.write_str(&one),
            (Some(game), Some(one)) => write!(f, "{game}, {one}"),
        }
    }
}

/// A move that took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "it took {:.3} s where {:.3} s were left, {:.1} ms too long",
    .took.as_secs_f64(), .left.as_secs_f64(), 1000.0 * .took.saturating_sub(*.left).as_secs_f64()
)]
pub struct Overstep {
    /// Time taken.
    pub took: Duration,
    /// Time there was.
    pub left: Duration,
}

/// The referee's clock: what is left to Black and White.
#[derive(Clone, Debug)]
pub struct RefereeClock {
    control: TimeControl,
    left: [Duration; 2],
}

impl RefereeClock {
    /// Wound up for a game.
    #[must_use]
    pub fn new(control: TimeControl) -> RefereeClock {
        RefereeClock { control, left: [control.per_game.unwrap_or_default(); 2] }
    }

    /// The longest that the side (0 is Black) may think now.
    #[must_use]
    pub fn longest(&self, side: usize) -> Option<Duration> {
        let left = self.control.per_game.map(|_| self.left[side]);
        [self.control.per_move, left].into_iter().flatten().min()
    }

    /// Both clocks as the side to move sees them, if the game is timed as a whole.
    #[must_use]
    pub fn clocks(&self, side: usize) -> Option<Clocks> {
        self.control.per_game.map(|_| Clocks {
            own: self.left[side],
            opponent: self.left[1 - side],
            increment: self.control.increment,
        })
    }

    /// Takes the time of a move off the side's clock.
    pub fn spend(&mut self, side: usize, took: Duration) -> Result<(), Overstep> {
        if let Some(left) = self.longest(side)
            && took > left.saturating_add(self.control.grace)
        {
            return Err(Overstep { took, left });
        }
        if self.control.per_game.is_some() {
            self.left[side] = self.left[side].saturating_sub(took).saturating_add(self.control.increment);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_game_clock_runs_down_and_is_refilled_by_each_move() {
        let control =
            TimeControl { per_game: Some(10 * SECOND), increment: SECOND, ..TimeControl::default() };
        let mut clock = RefereeClock::new(control);
        assert_eq!(clock.spend(0, 4 * SECOND), Ok(()));
        let seen = clock.clocks(1).unwrap();
        assert_eq!((seen.own, seen.opponent, seen.increment), (10 * SECOND, 7 * SECOND, SECOND));
        assert_eq!(clock.longest(0), Some(7 * SECOND));
        // Within the grace the clock is empty and the game goes on with what the move brings.
        assert_eq!(clock.spend(0, 7 * SECOND + TimeControl::USUAL_GRACE), Ok(()));
        assert_eq!(clock.longest(0), Some(SECOND));
        let over = clock.spend(0, 2 * SECOND).unwrap_err();
        assert_eq!(over.to_string(), "it took 2.000 s where 1.000 s were left, 1000.0 ms too long");
        assert_eq!(clock.longest(1), Some(10 * SECOND));
    }

    #[test]
    fn a_move_clock_knows_no_savings() {
        let control = TimeControl { per_move: Some(SECOND), grace: Duration::ZERO, ..TimeControl::default() };
        let mut clock = RefereeClock::new(control);
        assert_eq!(clock.clocks(0), None);
        for _ in 0..3 {
            assert_eq!(clock.spend(0, SECOND), Ok(()));
        }
        assert!(clock.spend(0, SECOND + Duration::from_millis(1)).is_err());
        assert_eq!(RefereeClock::new(TimeControl::default()).longest(0), None);
    }

    #[test]
    fn both_limits_hold_together() {
        let control =
            TimeControl { per_move: Some(SECOND), per_game: Some(3 * SECOND / 2), ..TimeControl::default() };
        let mut clock = RefereeClock::new(control);
        assert_eq!(clock.longest(0), Some(SECOND));
        assert_eq!(clock.spend(0, SECOND), Ok(()));
        assert_eq!(clock.longest(0), Some(SECOND / 2));
        assert_eq!(control.whole_game(Size::EIGHT), Some(3 * SECOND / 2));
        let slow = TimeControl { per_game: Some(600 * SECOND), increment: SECOND, ..control };
        assert_eq!(slow.whole_game(Size::EIGHT), Some(32 * SECOND));
        assert_eq!(TimeControl { per_move: None, ..slow }.whole_game(Size::SIX), Some(618 * SECOND));
        assert_eq!(TimeControl::default().whole_game(Size::EIGHT), None);
    }
}
