use std::time::Duration;

use emilia_query::{Clocks, Limits};
use emilia_rules::Color;

/// What the controller has said about time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum TimeControl {
    /// Nothing: as long as the player's own settings say.
    #[default]
    None,
    /// So long for each move.
    Move(Duration),
    /// Clocks for Black and White. The time added after a move is also what a move may take when the rest is used up.
    Game { left: [Duration; 2], added: Duration },
}

/// The longest time that is believed, in seconds.
const LONGEST: f64 = 1e7;
/// What is kept back from a time that must not be passed: the way to the controller and back.
const RESERVE: Duration = Duration::from_millis(20);

/// A number of seconds, perhaps with a fraction.
pub(super) fn seconds(word: &str) -> Option<Duration> {
    let seconds: f64 = word.parse().ok()?;
    (0.0..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl TimeControl {
    /// `time_settings main byo-yomi stones`. Four ways to use the three numbers are met:
    ///
    /// | main | byo-yomi | stones | means |
    /// |---|---|---|---|
    /// | 0 | s | 0 or k | s (or s/k) seconds a move |
    /// | m | 0 | any | m seconds for the game |
    /// | m | s | 0 | m seconds and s more after each move |
    /// | m | s | k | m seconds, then s/k for each move |
    pub(super) fn settings(main: Duration, byo_yomi: Duration, stones: u32) -> TimeControl {
        let a_move = byo_yomi / stones.max(1);
        match (main.is_zero(), byo_yomi.is_zero()) {
            (true, true) => TimeControl::None,
            (true, false) => TimeControl::Move(a_move),
            (false, _) => TimeControl::Game { left: [main; 2], added: a_move },
        }
    }

    /// `time_left color time stones`.
    pub(super) fn set_left(&mut self, color: Color, time: Duration, stones: u32) {
        if stones > 0 {
            *self = TimeControl::Move(time / stones);
            return;
        }
        match self {
            TimeControl::Game { left, .. } => left[color as usize] = time,
            TimeControl::Move(_) => {}
            TimeControl::None => *self = TimeControl::Game { left: [time; 2], added: Duration::ZERO },
        }
    }

    /// A side has report for so long.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        if let TimeControl::Game { left, added } = self {
            let left = &mut left[color as usize];
            *left = left.saturating_sub(time) + *added;
        }
    }

    /// What that means for the next move.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let spare = |time: Duration| time - RESERVE.min(time / 2);
        match *self {
            TimeControl::None => Limits::default(),
            TimeControl::Move(time) => Limits { time: Some(spare(time)), ..Limits::default() },
            TimeControl::Game { left, added } => {
                let (own, opponent) = (left[color as usize], left[(!color) as usize]);
                if own <= added {
                    return Limits { time: Some(spare(added)), ..Limits::default() };
                }
                Limits { clocks: Some(Clocks { own, opponent, increment: added }), ..Limits::default() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_conventions_are_told_apart() {
        let s = Duration::from_secs;
        let settings = |main, byo, stones| TimeControl::settings(s(main), s(byo), stones);
        assert_eq!(settings(0, 0, 0), TimeControl::None);
        assert_eq!(settings(0, 5, 0), TimeControl::Move(s(5)));
        assert_eq!(settings(0, 10, 5), TimeControl::Move(s(2)));
        assert_eq!(settings(300, 0, 0), TimeControl::Game { left: [s(300); 2], added: s(0) });
        assert_eq!(settings(60, 2, 0), TimeControl::Game { left: [s(60); 2], added: s(2) });
        assert_eq!(settings(60, 10, 5), TimeControl::Game { left: [s(60); 2], added: s(2) });
    }

    #[test]
    fn a_used_up_clock_leaves_what_each_move_adds() {
        let mut control = TimeControl::settings(Duration::from_secs(3), Duration::from_secs(1), 1);
        control.spend(Color::White, Duration::from_secs(9));
        assert_eq!(control.limits(Color::White).time, Some(Duration::from_millis(980)));
        assert_eq!(control.limits(Color::Black).clocks.unwrap().own, Duration::from_secs(3));
        for wrong in ["", "-1", "NaN", "inf", "1e300", "x"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
