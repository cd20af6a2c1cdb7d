use emilia_rules::Color;
use serde::{Deserialize, Serialize};

/// How much time both sides have, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockTerms {
    pub main_ms: u64,
    #[serde(default)]
    pub increment_ms: u64,
}

/// The clocks of a game. They stand still until the first move, and while the server is down.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Clocks {
    pub terms: ClockTerms,
    /// Black's and White's time when the running clock was started.
    pub left: [u64; 2],
    /// Since when the clock of the side to move runs.
    #[serde(skip)]
    pub running_since: Option<u64>,
}

impl Clocks {
    pub fn new(terms: ClockTerms) -> Clocks {
        Clocks { terms, left: [terms.main_ms; 2], running_since: None }
    }

    /// Starts the clock of the side to move.
    pub fn start(&mut self, now: u64) {
        self.running_since = Some(now);
    }

    pub fn stop(&mut self) {
        self.running_since = None;
    }

    /// What this side, which is to move, has left.
    pub fn left_to(&self, color: Color, now: u64) -> u64 {
        let used = self.running_since.map_or(0, |since| now.saturating_sub(since));
        self.left[color as usize].saturating_sub(used)
    }

    /// This side has moved: its clock stops, the increment is added, the other clock starts.
    pub fn press(&mut self, color: Color, now: u64) {
        let left = self.left_to(color, now);
        self.left[color as usize] =
            if self.running_since.is_some() { left.saturating_add(self.terms.increment_ms) } else { left };
        self.start(now);
    }

    /// Keeps what is left and stands still.
    pub fn freeze(&mut self, color: Color, now: u64) {
        self.left[color as usize] = self.left_to(color, now);
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_starts_the_other_clock_and_each_later_one_adds_the_increment() {
        let mut clocks = Clocks::new(ClockTerms { main_ms: 1000, increment_ms: 50 });
        clocks.press(Color::Black, 10_000);
        assert_eq!(clocks.left, [1000, 1000]);
        assert_eq!(clocks.left_to(Color::White, 10_400), 600);
        clocks.press(Color::White, 10_400);
        assert_eq!(clocks.left, [1000, 650]);
        assert_eq!(clocks.left_to(Color::Black, 99_999), 0);
        clocks.freeze(Color::Black, 10_500);
        assert_eq!(clocks.left_to(Color::Black, 99_999), 900);
    }
}
