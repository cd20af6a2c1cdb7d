//! When a card is due. How one forgets, and when to ask again, is FSRS's, with the parameters it was published with.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use rs_fsrs::{FSRS, Parameters, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Grade;

const DAY: u64 = 24 * 3_600_000;
/// Longest that any card rests, in days: ten years.
const LONGEST: i32 = 3650;
/// Moments later than this, the year 9000, count as this: calendars end, and clocks may be wrong.
const LATEST: u64 = 221_845_392_000_000;

/// How a card sits in memory, as FSRS has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Days until it is known with a probability of 90 %.
    pub stability: f64,
    /// 1 easy to 10 hard.
    pub difficulty: f64,
    /// How far it is learned.
    pub stage: Stage,
}

/// How far a card is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// New: it comes back within minutes.
    Learning,
    /// Learned: it comes back after days.
    Review,
    /// Forgotten: it comes back within minutes.
    Relearning,
}

/// Numbers that FSRS never gives.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "stability is a number above 0 and at most 36500, difficulty one from 1 to 10; these are {0} and {1}"
)]
pub struct MemoryError(f64, f64);

/// A word that is no stage.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no stage; there are learning, review and relearning")]
pub struct UnknownStage(String);

impl Memory {
    /// All of it, if it can be.
    pub fn new(stability: f64, difficulty: f64, stage: Stage) -> Result<Memory, MemoryError> {
        let possible = stability > 0.0 && stability <= 36500.0 && (1.0..=10.0).contains(&difficulty);
        let memory = Memory { stability, difficulty, stage };
        possible.then_some(memory).ok_or(MemoryError(stability, difficulty))
    }
}

impl Stage {
    const ALL: [Stage; 3] = [Stage::Learning, Stage::Review, Stage::Relearning];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Learning => "learning",
            Stage::Review => "review",
            Stage::Relearning => "relearning",
        }
    }
}

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Stage, UnknownStage> {
        let known = Stage::ALL.into_iter().find(|stage| stage.name() == text);
        known.ok_or_else(|| UnknownStage(text.chars().take(40).collect()))
    }
}

/// When a card is due, and what came of it so far. Moments are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// From when on it is to be asked.
    pub due: u64,
    /// When it was last answered; never yet if there is none.
    pub last: Option<u64>,
    /// How it sits in memory; nothing is known of a card that was never answered.
    pub memory: Option<Memory>,
    /// How often it was known.
    pub right: u32,
    /// How often it was not.
    pub missed: u32,
}

impl Schedule {
    /// A card that was never asked: it is due at once.
    #[must_use]
    pub const fn new(now: u64) -> Schedule {
        Schedule { due: now, last: None, memory: None, right: 0, missed: 0 }
    }

    /// The same after an answer.
    #[must_use]
    pub fn answered(&self, grade: Grade, now: u64) -> Schedule {
        let now = now.min(LATEST);
        let parameters = Parameters { maximum_interval: LONGEST, ..Parameters::default() };
        let rating = match grade {
            Grade::Again => rs_fsrs::Rating::Again,
            Grade::Hard => rs_fsrs::Rating::Hard,
            Grade::Good => rs_fsrs::Rating::Good,
            Grade::Easy => rs_fsrs::Rating::Easy,
        };
        let next = FSRS::new(parameters).next(self.card(now), moment(now), rating).card;
        let stage = match next.state {
            State::New | State::Learning => Stage::Learning,
            State::Review => Stage::Review,
            State::Relearning => Stage::Relearning,
        };
        // What FSRS leaves open at the ends of its scale is kept within it.
        let (stability, difficulty) = (next.stability.clamp(0.01, 36500.0), next.difficulty.clamp(1.0, 10.0));
        let right = u32::from(grade.is_right());
        Schedule {
            due: u64::try_from(next.due.timestamp_millis()).unwrap_or(0),
            last: Some(now),
            memory: Some(Memory { stability, difficulty, stage }),
            right: self.right.saturating_add(right),
            missed: self.missed.saturating_add(1 - right),
        }
    }

    /// The card as the library has it. An answer that is later than now, by a clock that was set back, counts as now.
    fn card(&self, now: u64) -> rs_fsrs::Card {
        let card = rs_fsrs::Card { due: moment(self.due), ..rs_fsrs::Card::default() };
        let (Some(memory), Some(last)) = (self.memory, self.last) else { return card };
        let state = match memory.stage {
            Stage::Learning => State::Learning,
            Stage::Review => State::Review,
            Stage::Relearning => State::Relearning,
        };
        let Memory { stability, difficulty, .. } = memory;
        rs_fsrs::Card { stability, difficulty, state, last_review: moment(last.min(now)), ..card }
    }

    /// How probably it is known now, 0 to 1.
    #[must_use]
    pub fn recall(&self, now: u64) -> f64 {
        let (Some(memory), Some(last)) = (self.memory, self.last) else { return 0.0 };
        let days = now.saturating_sub(last) as f64 / DAY as f64;
        Parameters::forgetting_curve(days, memory.stability)
    }

    /// Whether it is to be asked.
    #[must_use]
    pub const fn is_due(&self, now: u64) -> bool {
        self.due <= now
    }
}

/// A moment as the library has it.
fn moment(millis: u64) -> DateTime<Utc> {
    let millis = i64::try_from(millis.min(LATEST)).unwrap_or(0);
    DateTime::from_timestamp_millis(millis).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    /// How long cards rest that are answered when they are due.
    fn rests(grades: &[Grade]) -> Vec<u64> {
        let mut schedule = Schedule::new(1_669_725_000_000);
        let rest = |grade: &Grade| {
            let now = schedule.due;
            schedule = schedule.answered(*grade, now);
            schedule.due - now
        };
        grades.iter().map(rest).collect()
    }

    /// Known answers of FSRS 5 with its published parameters, as its authors test all their libraries.
    #[test]
    fn cards_rest_as_long_as_the_authors_of_fsrs_say() {
        use Grade::{Again, Easy, Good, Hard};
        let grades = [Good, Good, Good, Good, Good, Good, Again, Again, Good, Good, Good, Good, Good];
        let days: Vec<u64> = rests(&grades).into_iter().map(|rest| rest / DAY).collect();
        assert_eq!(days, [0, 4, 15, 48, 136, 351, 0, 0, 7, 13, 24, 43, 77]);
        let first = [Again, Hard, Good, Easy].map(|grade| rests(&[grade])[0]);
        assert_eq!(first, [MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * DAY]);
        // Easy is at least two days longer than hard, even there.
        assert!(rests(&[Easy; 40]).into_iter().all(|rest| rest <= (LONGEST as u64 + 2) * DAY));
    }

    #[test]
    fn what_is_due_is_known_by_nine_of_ten() {
        let learned = Schedule::new(5).answered(Grade::Good, 5).answered(Grade::Good, DAY);
        assert!(!learned.is_due(2 * DAY) && learned.is_due(learned.due));
        let recall = learned.recall(learned.due);
        assert!((0.88..0.92).contains(&recall), "{recall}");
        assert!(learned.recall(DAY) > 0.999 && learned.recall(900 * DAY) < 0.5);
        assert_eq!(Schedule::new(0).recall(DAY), 0.0);
        assert_eq!((learned.right, learned.missed), (2, 0));
    }

    #[test]
    fn the_end_of_time_and_wrong_numbers_do_no_harm() {
        let mut schedule = Schedule { due: u64::MAX, ..Schedule::new(0) };
        for now in [u64::MAX, 0, u64::MAX / 2] {
            for grade in Grade::ALL.into_iter().chain(Grade::ALL) {
                schedule = schedule.answered(grade, now);
                let Memory { stability, difficulty, stage } = schedule.memory.unwrap();
                assert!(Memory::new(stability, difficulty, stage).is_ok(), "{schedule:?}");
            }
        }
        assert_eq!((schedule.right, schedule.missed), (18, 6));
        let wrong = [(0.0, 5.0), (f64::NAN, 5.0), (1.0, 0.5), (1.0, f64::INFINITY), (1e6, 5.0)];
        for (stability, difficulty) in wrong {
            assert!(Memory::new(stability, difficulty, Stage::Review).is_err());
        }
    }
}
