//! What two people at a table have besides the game: a few ready-made words, more time if both agree, and the score of
//! all the games that they played one after the other.

use emilia_rules::Color;
use serde::{Deserialize, Serialize};

use super::{Ended, Ending, GameState, Holder, Mode, Phase};
use crate::answers::Sides;
use crate::error::ServiceError;
use crate::names::ColorName;
use crate::token::Token;

/// Milliseconds that are added when somebody gets more time.
pub const MORE_TIME: u64 = 60_000;
/// Greetings of one side in a game, at most.
const MOST_GREETINGS: u32 = 20;

/// What can be said with one click.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Word {
    Hello,
    GoodLuck,
    OneMoment,
    WellPlayed,
    Thanks,
    Goodbye,
}

/// The last thing that a side said, and how often it has said something.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Greeting {
    word: Word,
    number: u32,
}

/// The games that the same two have ended one after the other, before this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    games: u32,
    /// Half points of who is Black now, and of who is White.
    halves: [u32; 2],
}

/// The score of a series as everybody may see it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Series"))]
pub struct SeriesAnswer {
    games: u32,
    #[serde(flatten)]
    points: Sides<f64>,
}

impl Series {
    /// With one more game.
    fn and(mut self, ended: Ended) -> Series {
        if ended.ending == Ending::Aborted {
            return self;
        }
        self.games += 1;
        match ended.winner {
            Some(winner) => self.halves[winner as usize] += 2,
            None => self.halves = self.halves.map(|halves| halves + 1),
        }
        self
    }

    fn swapped(self) -> Series {
        let [black, white] = self.halves;
        Series { halves: [white, black], ..self }
    }

    pub(super) fn answer(self) -> Option<SeriesAnswer> {
        let points = Sides::of(|color| f64::from(self.halves[color as usize]) / 2.0);
        (self.games > 0).then_some(SeriesAnswer { games: self.games, points })
    }
}

impl GameState {
    /// The same game again, with colours changed unless two people share a screen. What both have won so far goes with it.
    #[must_use]
    pub fn next_game(&self, id: Token, now: u64) -> GameState {
        let [black, white] = self.seats.clone();
        let series = match self.phase {
            Phase::Over(ended) => self.series.and(ended),
            _ => self.series,
        };
        let (seats, series) = if self.terms.mode == Mode::Local {
            ([black, white], series)
        } else {
            ([white, black], series.swapped())
        };
        GameState { series, ..GameState::new(id, self.host, self.terms.clone(), seats, now) }
    }

    /// The score of all games of these two, this one included once it is over.
    pub(super) fn series(&self) -> Series {
        match self.phase {
            Phase::Over(ended) => self.series.and(ended),
            _ => self.series,
        }
    }

    /// Somebody says something.
    pub fn greet(&mut self, holder: Holder, word: Word) -> Result<(), ServiceError> {
        let color = holder.only_color().ok_or(ServiceError::BadToken)?;
        if !self.may_greet(holder) {
            return Err(ServiceError::NotNow("there is nobody to say that to"));
        }
        let number = self.greetings[color as usize].map_or(0, |said| said.number) + 1;
        if number > MOST_GREETINGS {
            return Err(ServiceError::NotNow("enough was said in this game"));
        }
        self.greetings[color as usize] = Some(Greeting { word, number });
        self.version += 1;
        Ok(())
    }

    pub(super) fn may_greet(&self, holder: Holder) -> bool {
        self.terms.mode == Mode::Link && self.phase != Phase::Open && holder.only_color().is_some()
    }

    pub(super) fn greetings(&self) -> Sides<Option<Greeting>> {
        Sides::of(|color| self.greetings[color as usize])
    }

    /// Somebody wants more time: between two people the other is asked, a computer does not mind.
    pub fn ask_time(&mut self, holder: Holder) -> Result<(), ServiceError> {
        if !holder.is_seated() {
            return Err(ServiceError::BadToken);
        }
        if !self.may_ask_time(holder) {
            return Err(ServiceError::NotNow("there is no time to be asked for"));
        }
        let color = holder.only_color().unwrap_or(self.turn());
        if self.terms.mode == Mode::Link {
            self.time_offer = Some(color);
        } else {
            self.add_time(color);
        }
        self.version += 1;
        Ok(())
    }

    pub(super) fn may_ask_time(&self, holder: Holder) -> bool {
        self.phase == Phase::Playing
            && self.clocks.is_some()
            && holder.is_seated()
            && self.time_offer.is_none()
    }

    /// The other person answers.
    pub fn answer_time(&mut self, holder: Holder, accept: bool) -> Result<(), ServiceError> {
        if !holder.is_seated() {
            return Err(ServiceError::BadToken);
        }
        let by = self.time_offer.ok_or(ServiceError::NotNow("nobody asks for more time"))?;
        if !self.may_answer_time(holder) {
            return Err(ServiceError::NotYourSeat("the other side has to answer"));
        }
        self.time_offer = None;
        if accept {
            self.add_time(by);
        }
        self.version += 1;
        Ok(())
    }

    pub(super) fn may_answer_time(&self, holder: Holder) -> bool {
        self.phase == Phase::Playing && self.time_offer.is_some_and(|by| holder.plays(!by))
    }

    pub(super) fn time_offer(&self) -> Option<ColorName> {
        self.time_offer.map(ColorName::from)
    }

    fn add_time(&mut self, color: Color) {
        if let Some(clocks) = &mut self.clocks {
            let left = &mut clocks.left[color as usize];
            *left = left.saturating_add(MORE_TIME);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::game::NewGame;

    fn token(byte: u8) -> Token {
        Token::new([byte; 16])
    }

    /// A game by link with a clock, both seats taken.
    fn game() -> (GameState, Holder, Holder) {
        let wanted = json!({"mode": "link", "size": 4, "clock": {"main_ms": 60_000}});
        let wanted: NewGame = serde_json::from_value(wanted).unwrap();
        let (terms, seats) = wanted.check(token(1), 0).unwrap();
        let mut state = GameState::new(token(9), token(1), terms, seats, 0);
        state.join(Some("Bob".to_owned()), None, token(2), 0).unwrap();
        let (ann, bob) = (state.holder(Some(token(1))), state.holder(Some(token(2))));
        (state, ann, bob)
    }

    #[test]
    fn the_score_goes_with_the_people_from_game_to_game() {
        let (mut state, ann, _) = game();
        state.resign(ann, None).unwrap();
        assert_eq!(state.series(), Series { games: 1, halves: [0, 2] });
        let mut next = state.next_game(token(8), 0);
        // Ann is White now, and has nothing yet.
        assert_eq!(next.series(), Series { games: 1, halves: [2, 0] });
        let ann = next.holder(Some(token(1)));
        assert_eq!(ann.only_color(), Some(Color::White));
        next.resign(ann, None).unwrap();
        assert_eq!(next.series(), Series { games: 2, halves: [4, 0] });
        let restored = GameState::restore(&crate::answers::to_json(&next.saved(0)), 0).unwrap();
        assert_eq!(restored.series(), next.series());
    }

    #[test]
    fn more_time_is_given_by_the_other_side_only() {
        let (mut state, ann, bob) = game();
        state.ask_time(ann).unwrap();
        assert!(state.ask_time(bob).is_err() && state.answer_time(ann, true).is_err());
        state.answer_time(bob, true).unwrap();
        assert_eq!(state.clocks.unwrap().left, [120_000, 60_000]);
        state.ask_time(bob).unwrap();
        state.answer_time(ann, false).unwrap();
        assert_eq!(state.clocks.unwrap().left, [120_000, 60_000]);
        assert!(state.answer_time(ann, true).is_err());
    }

    #[test]
    fn greetings_are_for_those_who_play_and_not_without_end() {
        let (mut state, ann, _) = game();
        assert!(state.greet(Holder::default(), Word::Hello).is_err());
        for _ in 0..MOST_GREETINGS {
            state.greet(ann, Word::GoodLuck).unwrap();
        }
        let version = state.version;
        assert!(state.greet(ann, Word::Goodbye).is_err());
        assert_eq!(state.version, version);
    }
}
