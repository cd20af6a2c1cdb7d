use std::time::Duration;

use emilia_query::{Clocks, Limits};
use emilia_record::Game;
use emilia_rules::Color;

/// What the clocks of both sides show, if the game has clocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameClock {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
}

impl GameClock {
    /// The clocks after the moves of this game, as far as it says how long they took.
    pub(super) fn of(game: &Game) -> GameClock {
        let mut clock = GameClock::default();
        for color in [Color::Black, Color::White] {
            if let Some(given) = game.clocks.of(color) {
                clock.left[color as usize] = Some(given.main);
                clock.increment[color as usize] = given.increment;
            }
        }
        for (color, _, note) in game.annotated_line() {
            clock.spend(color, note.time);
        }
        clock
    }

    /// A side has made a move, in this time if that is known.
    pub(super) fn spend(&mut self, color: Color, time: Option<Duration>) {
        let side = color as usize;
        if let (Some(left), Some(time)) = (&mut self.left[side], time) {
            *left = left.saturating_sub(time).saturating_add(self.increment[side]);
        }
    }

    /// What that means for the next move.
    pub(super) fn limits(&self, turn: Color) -> Limits {
        let clocks = self.left[turn as usize].map(|own| Clocks {
            own,
            opponent: self.left[(!turn) as usize].unwrap_or(own),
            increment: self.increment[turn as usize],
        });
        Limits { clocks, ..Limits::default() }
    }
}
