use std::time::Duration;

use emilia_query::Clocks;
use emilia_rules::Color;

use crate::Timing;

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    left: [Duration; 2],
    increment: Duration,
}

impl Clock {
    /// Both clocks as they stand at the beginning.
    #[must_use]
    pub fn new(timing: Timing) -> Clock {
        Clock { left: [timing.time; 2], increment: timing.increment }
    }

    /// What a side has left.
    #[must_use]
    pub fn left(&self, side: Color) -> Duration {
        self.left[side as usize]
    }

    /// Takes time from a side; whether it has none left.
    pub fn run(&mut self, side: Color, time: Duration) -> bool {
        let left = &mut self.left[side as usize];
        *left = left.saturating_sub(time);
        left.is_zero()
    }

    /// A side has moved and gets what is added for it.
    pub fn moved(&mut self, side: Color) {
        self.left[side as usize] += self.increment;
    }

    /// The clocks as a player is told of them.
    #[must_use]
    pub fn as_seen_by(&self, side: Color) -> Clocks {
        Clocks { own: self.left(side), opponent: self.left(!side), increment: self.increment }
    }
}

/// Time left: minutes and seconds, with tenths when it is short.
pub(crate) fn spell(left: Duration) -> String {
    const SHORT: Duration = Duration::from_secs(20);
    let seconds = left.as_secs();
    if left < SHORT {
        format!("{}:{:02}.{}", seconds / 60, seconds % 60, left.subsec_millis() / 100)
    } else {
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_out_once_and_gains_by_moving() {
        let timing = Timing { time: Duration::from_secs(2), increment: Duration::from_secs(1) };
        let mut clock = Clock::new(timing);
        assert!(!clock.run(Color::Black, Duration::from_millis(1500)));
        clock.moved(Color::Black);
        assert_eq!(spell(clock.left(Color::Black)), "0:01.5");
        assert_eq!(clock.as_seen_by(Color::White).opponent, Duration::from_millis(1500));
        assert!(clock.run(Color::Black, Duration::from_secs(60)));
        assert_eq!((clock.left(Color::Black), clock.left(Color::White)), (Duration::ZERO, timing.time));
        assert_eq!(spell(Duration::from_secs(600)), "10:00");
    }
}
