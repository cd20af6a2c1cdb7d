//! All that a learner has, as one file: JSON that says what it is, of which version.
//!
//! Everything in a file is checked before any of it is used, so that a bad file changes nothing.

use std::collections::{BTreeMap, HashSet};

use emilia_rules::{Playable, parse_move};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::attempt::AttemptError;
use crate::{
    Card, FiledAttempt, FiledRun, Grade, Kind, Memory, MemoryError, Prompt, PromptError, Rating, RatingError,
    Schedule, Stage,
};

/// What a learner has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileFile {
    /// What the learner is called; may be empty.
    pub name: String,
    /// When the profile was made, in milliseconds since 1970.
    pub created: u64,
    /// The cards with what was answered to each.
    pub cards: Vec<FiledCard>,
    /// How strong the learner is, by what it was measured with.
    pub ratings: BTreeMap<String, Rating>,
    /// The puzzles that were tried, the earliest first.
    pub attempts: Vec<FiledAttempt>,
    /// The runs, the earliest first.
    pub runs: Vec<FiledRun>,
}

/// A card with its history.
#[derive(Clone, Debug, PartialEq)]
pub struct FiledCard {
    /// The card.
    pub card: Card,
    /// What was answered to it, the earliest first.
    pub answers: Vec<FiledAnswer>,
}

/// What was once answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FiledAnswer {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// How well.
    pub grade: Grade,
    /// The move that was made; not every answer is one.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// How long it took, in milliseconds, if somebody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum ProfileFileError {
    /// It is no JSON, or not of this shape.
    #[error("this is no profile of Emilia: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON of something else.
    #[error("this is no profile of Emilia: its format is {0:?}")]
    Format(String),
    /// A newer program wrote it.
    #[error("this profile has version {0}; this program reads versions up to {VERSION}")]
    Version(u64),
    /// A name that is too long.
    #[error("a name has at most {LONGEST_NAME} characters on one line")]
    Name,
    /// A card that cannot be.
    #[error("card {number}: {error}")]
    Card {
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: FiledCardError,
    },
    /// A rating that cannot be.
    #[error("the rating {subject:?}: {error}")]
    Rating {
        /// Of what.
        subject: String,
        /// What is wrong with it.
        error: RatingError,
    },
    /// An attempt at a puzzle that cannot be.
    #[error("attempt {number}: {error}")]
    Attempt {
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: AttemptError,
    },
    /// More attempts or runs than anybody has.
    #[error("a profile has at most {MOST_ATTEMPTS} attempts and as many runs")]
    TooMany,
    /// A rating of nothing.
    #[error("{0:?} is nothing to be rated at; 1 to 40 small letters, digits and - are taken")]
    Subject(String),
}

/// Why a card of a file cannot be used.
#[derive(Debug, Error)]
pub enum FiledCardError {
    /// What it asks cannot be asked.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// Its memory cannot be.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Half a memory.
    #[error("last, stability, difficulty and stage go together")]
    HalfMemory,
    /// Answers that are not in order.
    #[error("the answers are not in the order in which they were given")]
    Order,
    /// A move that is no square.
    #[error("{0:?} is no move")]
    Move(String),
    /// The same position stands in the file twice.
    #[error("the same position is asked by an earlier card of this kind")]
    Twice,
}

const FORMAT: &str = "emilia-profile";
/// The second has attempts and runs besides.
const VERSION: u64 = 2;
/// Attempts, and runs, at most; no program of ours keeps so many.
const MOST_ATTEMPTS: usize = 10_000;
/// Characters of a name, at most.
const LONGEST_NAME: usize = 40;

/// The file as JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    version: u64,
    name: String,
    created: u64,
    cards: Vec<WrittenCard>,
    #[serde(default)]
    ratings: BTreeMap<String, Rating>,
    #[serde(default)]
    attempts: Vec<FiledAttempt>,
    #[serde(default)]
    runs: Vec<FiledRun>,
}

/// What is looked at before anything else, so that files of other versions are told from broken ones.
#[derive(Deserialize)]
struct Label {
    format: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCard {
    kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
    answers: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
    added: u64,
    due: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stability: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    difficulty: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stage: Option<Stage>,
    right: u32,
    missed: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    history: Vec<FiledAnswer>,
}

impl ProfileFile {
    /// Whether this can be the name of a learner.
    #[must_use]
    pub fn is_name(name: &str) -> bool {
        name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control)
    }

    /// The file as text.
    #[must_use]
    pub fn write(&self) -> String {
        let written = Written {
            format: FORMAT.to_owned(),
            version: VERSION,
            name: self.name.clone(),
            created: self.created,
            cards: self.cards.iter().map(WrittenCard::of).collect(),
            ratings: self.ratings.clone(),
            attempts: self.attempts.clone(),
            runs: self.runs.clone(),
        };
        serde_json::to_string(&written).expect("plain structures with texts for keys")
    }

    /// Reads a file and checks all of it.
    pub fn read(text: &[u8]) -> Result<ProfileFile, ProfileFileError> {
        let label: Label = serde_json::from_slice(text)?;
        if label.format != FORMAT {
            return Err(ProfileFileError::Format(label.format.chars().take(40).collect()));
        }
        if label.version == 0 || label.version > VERSION {
            return Err(ProfileFileError::Version(label.version));
        }
        let Written { name, created, cards, ratings, attempts, runs, .. } = serde_json::from_slice(text)?;
        if !ProfileFile::is_name(&name) {
            return Err(ProfileFileError::Name);
        }
        for (subject, rating) in &ratings {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            if !(1..=40).contains(&subject.len()) || !subject.bytes().all(is_plain) {
                return Err(ProfileFileError::Subject(subject.chars().take(40).collect()));
            }
            let wrong = |error| ProfileFileError::Rating { subject: subject.clone(), error };
            rating.checked().map_err(wrong)?;
        }
        for (number, attempt) in (1..).zip(&attempts) {
            attempt.check().map_err(|error| ProfileFileError::Attempt { number, error })?;
        }
        if attempts.len().max(runs.len()) > MOST_ATTEMPTS {
            return Err(ProfileFileError::TooMany);
        }
        let mut seen = HashSet::new();
        let read = |(number, card): (usize, WrittenCard)| {
            card.read(&mut seen).map_err(|error| ProfileFileError::Card { number, error })
        };
        let cards = (1..).zip(cards).map(read).collect::<Result<_, _>>()?;
        Ok(ProfileFile { name, created, cards, ratings, attempts, runs })
    }
}

impl WrittenCard {
    fn of(FiledCard { card, answers }: &FiledCard) -> WrittenCard {
        let Schedule { due, last, memory, right, missed } = card.schedule;
        WrittenCard {
            kind: card.kind,
            start: card.prompt.start(),
            moves: card.prompt.moves().to_owned(),
            answers: card.prompt.answers().iter().map(ToString::to_string).collect(),
            note: card.prompt.note().to_owned(),
            added: card.added,
            due,
            last,
            stability: memory.map(|memory| memory.stability),
            difficulty: memory.map(|memory| memory.difficulty),
            stage: memory.map(|memory| memory.stage),
            right,
            missed,
            history: answers.clone(),
        }
    }

    fn read(self, seen: &mut HashSet<(Kind, String)>) -> Result<FiledCard, FiledCardError> {
        let prompt = Prompt::new(self.start.as_deref(), &self.moves, &self.answers, &self.note)?;
        if !seen.insert((self.kind, prompt.key())) {
            return Err(FiledCardError::Twice);
        }
        let memory = match (self.last, self.stability, self.difficulty, self.stage) {
            (None, None, None, None) => None,
            (Some(_), Some(stability), Some(difficulty), Some(stage)) => {
                Some(Memory::new(stability, difficulty, stage)?)
            }
            _ => return Err(FiledCardError::HalfMemory),
        };
        if !self.history.is_sorted_by_key(|answer| answer.at) {
            return Err(FiledCardError::Order);
        }
        for mv in self.history.iter().filter_map(|answer| answer.mv.as_ref()) {
            if parse_move(mv, prompt.position().size()).is_err() {
                return Err(FiledCardError::Move(mv.chars().take(20).collect()));
            }
        }
        let schedule =
            Schedule { due: self.due, last: self.last, memory, right: self.right, missed: self.missed };
        Ok(FiledCard {
            card: Card { kind: self.kind, prompt, added: self.added, schedule },
            answers: self.history,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunKind;

    fn profile() -> ProfileFile {
        let prompt = Prompt::new(None, "f5d6c3d3", &["c4"], "Tiger").unwrap();
        let mut card = Card::new(Kind::Opening, prompt, 1000);
        card.schedule = card.schedule.answered(Grade::Again, 2000).answered(Grade::Good, 3000);
        let answer = |at, grade, mv: &str| FiledAnswer { at, grade, mv: Some(mv.to_owned()), took_ms: None };
        let answers = vec![answer(2000, Grade::Again, "e3"), answer(3000, Grade::Good, "c4")];
        let fresh = Prompt::new(Some("-----OX--XO----- X"), "", &["b1"], "").unwrap();
        let fresh = Card::new(Kind::Puzzle, fresh, 5);
        let rating = Rating { rating: 1234.5, deviation: 99.0, volatility: 0.06, games: 7, changed: 8 };
        ProfileFile {
            name: "Ann".to_owned(),
            created: 1,
            cards: vec![FiledCard { card, answers }, FiledCard { card: fresh, answers: Vec::new() }],
            ratings: BTreeMap::from([("puzzles".to_owned(), rating)]),
            attempts: vec![FiledAttempt {
                puzzle: "0123abcd".to_owned(),
                at: 9,
                solved: true,
                rating: Some(1234.5),
            }],
            runs: vec![FiledRun { kind: RunKind::Clock, at: 10, solved: 12, missed: 3 }],
        }
    }

    #[test]
    fn a_file_reads_as_it_was_written() {
        let profile = profile();
        assert_eq!(ProfileFile::read(profile.write().as_bytes()).unwrap(), profile);
        let empty = ProfileFile::default();
        assert_eq!(ProfileFile::read(empty.write().as_bytes()).unwrap(), empty);
    }

    #[test]
    fn a_file_of_the_first_version_is_read() {
        let text = r#"{"format":"emilia-profile","version":1,"name":"Bob","created":3,"cards":[]}"#;
        let expected = ProfileFile { name: "Bob".to_owned(), created: 3, ..ProfileFile::default() };
        assert_eq!(ProfileFile::read(text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn a_damaged_file_is_refused_and_says_where() {
        let text = profile().write();
        let sentence = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            ProfileFile::read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
        };
        assert_eq!(sentence("emilia-profile", "pgn"), "this is no profile of Emilia: its format is \"pgn\"");
        assert_eq!(
            sentence("\"version\":2", "\"version\":9"),
            "this profile has version 9; this program reads versions up to 2"
        );
        assert!(sentence("f5d6c3d3", "f5f5").starts_with("card 1: the moves: "));
        assert!(sentence("\"c4\"", "\"a1\"").starts_with("card 1: the answer \"a1\""));
        assert_eq!(
            sentence("\"last\":3000,", ""),
            "card 1: last, stability, difficulty and stage go together"
        );
        assert!(sentence("\"move\":\"e3\"", "\"move\":\"<b>\"").ends_with("is no move"));
        assert!(sentence("\"at\":2000", "\"at\":4000").contains("order"));
        assert!(sentence("\"deviation\":99.0", "\"deviation\":-1").starts_with("the rating \"puzzles\": "));
        assert!(sentence("\"puzzles\"", "\"<b>\"").contains("nothing to be rated at"));
        assert_eq!(sentence("0123abcd", "0123abcl"), "attempt 1: \"0123abcl\" is no name of a puzzle");
        assert!(sentence("\"rating\":1234.5}]", "\"rating\":1e9}]").contains("attempt 1: a rating"));
        assert!(sentence("\"clock\"", "\"sprint\"").contains("sprint"));
        assert!(sentence("\"Ann\"", "\"A\\u0000\"").contains("name"));
        assert!(sentence("\"created\"", "\"creation\"").contains("creation"));
        // Torn at any place.
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            assert!(ProfileFile::read(&text.as_bytes()[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn one_position_has_one_card_of_a_kind() {
        let mut profile = profile();
        let again = Prompt::new(None, "c4e3f6e6", &["f5"], "").unwrap();
        profile.cards.push(FiledCard { card: Card::new(Kind::Opening, again, 0), answers: Vec::new() });
        let error = ProfileFile::read(profile.write().as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "card 3: the same position is asked by an earlier card of this kind");
        profile.cards[2].card.kind = Kind::Mistake;
        assert!(ProfileFile::read(profile.write().as_bytes()).is_ok());
    }
}
