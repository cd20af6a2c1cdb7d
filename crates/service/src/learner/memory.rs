//! What one learner has, read from one text and written back to one, for those who keep such texts.

use std::collections::{BTreeMap, HashMap};

use emilia_puzzle::{BadPuzzleId, PuzzleId};
use emilia_trainer::{
    Card, FiledAnswer, FiledAttempt, FiledCard, FiledRun, Kind, ProfileFile, ProfileFileError, Prompt,
    Rating, RatingError, RunKind, Schedule,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use super::profile::ListedProfile;
use super::store::{
    ANSWERS_EACH, ATTEMPTS_EACH, DeckSummary, LearnerStore, NumberedCard, PastAnswer, RUNS_EACH, SOON, Wanted,
};
use crate::answers::to_json;
use crate::error::ServiceError;
use crate::token::Token;

const FORMAT: &str = "emilia-learner";
const VERSION: u64 = 1;
/// Cards that there may be.
const ROOM: usize = 5000;
/// Larger numbers no card ever gets.
const MOST_NUMBERS: i64 = i64::MAX / 2;

/// What one learner has.
#[derive(Clone, Debug)]
pub struct LearnerInMemory {
    token: Token,
    /// When somebody was last here.
    seen: u64,
    name: String,
    created: u64,
    /// The number that the next card gets.
    next: i64,
    cards: BTreeMap<i64, FiledCard>,
    /// Which card is about which position.
    about: HashMap<(Kind, String), i64>,
    ratings: BTreeMap<String, Rating>,
    /// How many puzzles were tried, forgotten ones too.
    tried: u64,
    /// The earliest first, as the runs.
    attempts: Vec<FiledAttempt>,
    runs: Vec<FiledRun>,
    puzzles: BTreeMap<PuzzleId, Rating>,
}

/// Why a text is not what a learner has.
#[derive(Debug, Error)]
pub enum LearnerTextError {
    #[error("what was kept of a profile cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("what was kept of a profile has the format {0:?}")]
    Format(String),
    #[error("what was kept of a profile has version {0}; this program reads version {VERSION}")]
    Version(u64),
    #[error("the cards that were kept have numbers that do not fit to them")]
    Numbers,
    #[error("of a puzzle that was kept: {0}")]
    Puzzle(#[from] BadPuzzleId),
    #[error("of a puzzle that was kept: {0}")]
    Rating(#[from] RatingError),
    #[error(transparent)]
    Profile(#[from] ProfileFileError),
}

/// The text as JSON has it: the file of a profile, and what is not in that.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    version: u64,
    token: Token,
    seen: u64,
    next: i64,
    tried: u64,
    /// The numbers of the cards, in the order of the file.
    numbers: Vec<i64>,
    puzzles: BTreeMap<String, Rating>,
    profile: Box<RawValue>,
}

/// What is looked at before anything else.
#[derive(Deserialize)]
struct Label {
    format: String,
    version: u64,
}

impl LearnerInMemory {
    /// Somebody who has nothing yet.
    #[must_use]
    pub fn new(token: Token, name: &str, now: u64) -> LearnerInMemory {
        LearnerInMemory {
            token,
            seen: now,
            name: name.to_owned(),
            created: now,
            next: 1,
            cards: BTreeMap::new(),
            about: HashMap::new(),
            ratings: BTreeMap::new(),
            tried: 0,
            attempts: Vec::new(),
            runs: Vec::new(),
            puzzles: BTreeMap::new(),
        }
    }

    /// Reads a text and checks all of it.
    pub fn read(text: &str) -> Result<LearnerInMemory, LearnerTextError> {
        let Label { format, version } = serde_json::from_str(text)?;
        if format != FORMAT {
            return Err(LearnerTextError::Format(format.chars().take(40).collect()));
        }
        if version != VERSION {
            return Err(LearnerTextError::Version(version));
        }
        let Written { token, seen, next, tried, numbers, puzzles, profile, .. } = serde_json::from_str(text)?;
        let ProfileFile { name, created, cards, ratings, attempts, runs } =
            ProfileFile::read(profile.get().as_bytes())?;
        let grow = numbers.first().is_none_or(|first| *first > 0)
            && numbers.is_sorted_by(|one, other| one < other)
            && numbers.last().copied().unwrap_or(0) < next;
        if !grow || next > MOST_NUMBERS || numbers.len() != cards.len() {
            return Err(LearnerTextError::Numbers);
        }
        let rated = |(name, rating): (String, Rating)| Ok((name.parse()?, rating.checked()?));
        let puzzles = puzzles.into_iter().map(rated).collect::<Result<_, LearnerTextError>>()?;
        let key = |(filed, number): (&FiledCard, &i64)| (key(&filed.card), *number);
        let about = cards.iter().zip(&numbers).map(key).collect();
        let cards = numbers.into_iter().zip(cards).collect();
        let (mut attempts, mut runs) = (attempts, runs);
        attempts.sort_by_key(|attempt| attempt.at);
        runs.sort_by_key(|run| run.at);
        Ok(LearnerInMemory {
            token,
            seen,
            name,
            created,
            next,
            cards,
            about,
            ratings,
            tried,
            attempts,
            runs,
            puzzles,
        })
    }

    /// All of it as a text.
    #[must_use]
    pub fn write(&self) -> String {
        let file = ProfileFile {
            name: self.name.clone(),
            created: self.created,
            cards: self.cards.values().cloned().collect(),
            ratings: self.ratings.clone(),
            attempts: self.attempts.clone(),
            runs: self.runs.clone(),
        };
        to_json(&Written {
            format: FORMAT.to_owned(),
            version: VERSION,
            token: self.token,
            seen: self.seen,
            next: self.next,
            tried: self.tried,
            numbers: self.cards.keys().copied().collect(),
            puzzles: self.puzzles.iter().map(|(id, rating)| (id.to_string(), *rating)).collect(),
            profile: RawValue::from_string(file.write()).expect("a file of ours is JSON"),
        })
    }

    /// Who may read and change it.
    #[must_use]
    pub fn token(&self) -> Token {
        self.token
    }

    /// What is said of it among others.
    #[must_use]
    pub fn listed(&self, now: u64) -> ListedProfile {
        let due = self.cards.values().filter(|filed| filed.card.schedule.is_due(now)).count();
        ListedProfile {
            token: self.token.to_string(),
            name: self.name.clone(),
            seen: self.seen,
            cards: self.cards.len() as u64,
            due: due as u64,
        }
    }

    fn numbered(&self) -> impl Iterator<Item = NumberedCard> {
        self.cards.iter().map(|(id, filed)| NumberedCard { id: *id, card: filed.card.clone() })
    }
}

/// What a card is about.
fn key(card: &Card) -> (Kind, String) {
    (card.kind, card.prompt.key())
}

/// Adds what happened to a list that has the earliest first.
fn add_in_order<T>(list: &mut Vec<T>, new: T, at: impl Fn(&T) -> u64) {
    let place = list.partition_point(|known| at(known) <= at(&new));
    list.insert(place, new);
}

/// Forgets what is earliest, so that so many are left.
fn keep_latest<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}

impl LearnerStore for LearnerInMemory {
    type Error = ServiceError;

    fn room(&self) -> usize {
        ROOM
    }

    fn named(&self) -> Result<(String, u64), ServiceError> {
        Ok((self.name.clone(), self.created))
    }

    fn rename(&mut self, name: &str) -> Result<(), ServiceError> {
        name.clone_into(&mut self.name);
        Ok(())
    }

    fn touch(&mut self, now: u64) -> Result<(), ServiceError> {
        self.seen = now;
        Ok(())
    }

    fn delete(&mut self) -> Result<(), ServiceError> {
        *self = LearnerInMemory::new(self.token, "", self.created);
        Ok(())
    }

    fn deck(&self, kind: Kind, now: u64) -> Result<DeckSummary, ServiceError> {
        let mut deck = DeckSummary { kind, cards: 0, due: 0, next: None, right: 0, missed: 0 };
        for Card { schedule, .. } in
            self.cards.values().map(|filed| &filed.card).filter(|card| card.kind == kind)
        {
            deck.cards += 1;
            if schedule.is_due(now) {
                deck.due += 1;
            } else {
                deck.next = Some(deck.next.map_or(schedule.due, |next| next.min(schedule.due)));
            }
            deck.right += u64::from(schedule.right);
            deck.missed += u64::from(schedule.missed);
        }
        Ok(deck)
    }

    fn cards(&self, wanted: Wanted) -> Result<Vec<NumberedCard>, ServiceError> {
        let of_kind = |numbered: &NumberedCard| wanted.kind.is_none_or(|kind| numbered.card.kind == kind);
        let due = |numbered: &NumberedCard| wanted.due.is_none_or(|now| numbered.card.schedule.is_due(now));
        let mut cards: Vec<NumberedCard> = self.numbered().filter(of_kind).filter(due).collect();
        cards.sort_by_key(|numbered| (numbered.card.schedule.due, numbered.id));
        cards.truncate(wanted.most);
        Ok(cards)
    }

    fn card(&self, id: i64) -> Result<Option<NumberedCard>, ServiceError> {
        Ok(self.cards.get(&id).map(|filed| NumberedCard { id, card: filed.card.clone() }))
    }

    fn card_about(&self, kind: Kind, prompt: &Prompt) -> Result<Option<NumberedCard>, ServiceError> {
        match self.about.get(&(kind, prompt.key())) {
            Some(id) => self.card(*id),
            None => Ok(None),
        }
    }

    fn card_count(&self) -> Result<usize, ServiceError> {
        Ok(self.cards.len())
    }

    fn insert(&mut self, card: Card) -> Result<NumberedCard, ServiceError> {
        let id = self.next;
        self.next += 1;
        self.about.insert(key(&card), id);
        self.cards.insert(id, FiledCard { card: card.clone(), answers: Vec::new() });
        Ok(NumberedCard { id, card })
    }

    fn set_answers(&mut self, id: i64, prompt: &Prompt) -> Result<(), ServiceError> {
        if let Some(filed) = self.cards.get_mut(&id) {
            filed.card.prompt = prompt.clone();
        }
        Ok(())
    }

    fn set_schedule(&mut self, id: i64, schedule: &Schedule) -> Result<(), ServiceError> {
        if let Some(filed) = self.cards.get_mut(&id) {
            filed.card.schedule = *schedule;
        }
        Ok(())
    }

    fn remove(&mut self, id: i64) -> Result<bool, ServiceError> {
        let removed = self.cards.remove(&id);
        if let Some(filed) = &removed {
            self.about.remove(&key(&filed.card));
        }
        Ok(removed.is_some())
    }

    fn note_answer(&mut self, id: i64, answer: &FiledAnswer) -> Result<bool, ServiceError> {
        let Some(FiledCard { answers, .. }) = self.cards.get_mut(&id) else { return Ok(false) };
        let new = answers.iter().all(|known| known.at != answer.at);
        if new {
            add_in_order(answers, answer.clone(), |answer| answer.at);
            keep_latest(answers, ANSWERS_EACH);
        }
        Ok(new)
    }

    fn answers(&self, id: i64) -> Result<Vec<FiledAnswer>, ServiceError> {
        Ok(self.cards.get(&id).map_or_else(Vec::new, |filed| filed.answers.clone()))
    }

    fn history(&self, most: usize) -> Result<Vec<PastAnswer>, ServiceError> {
        let past = |(id, filed): (&i64, &FiledCard)| {
            let (card, kind) = (*id, filed.card.kind);
            let answer = move |answer: &FiledAnswer| PastAnswer { card, kind, answer: answer.clone() };
            filed.answers.iter().map(answer).collect::<Vec<_>>()
        };
        let mut all: Vec<PastAnswer> = self.cards.iter().flat_map(past).collect();
        all.sort_by_key(|past| std::cmp::Reverse(past.answer.at));
        all.truncate(most);
        Ok(all)
    }

    fn ratings(&self) -> Result<Vec<(String, Rating)>, ServiceError> {
        Ok(self.ratings.iter().map(|(subject, rating)| (subject.clone(), *rating)).collect())
    }

    fn rate(&mut self, subject: &str, rating: &Rating) -> Result<(), ServiceError> {
        self.ratings.insert(subject.to_owned(), *rating);
        Ok(())
    }

    fn recent(&self) -> Result<Vec<PuzzleId>, ServiceError> {
        let ids = self.attempts.iter().rev().take(SOON).map(|attempt| attempt.puzzle.parse());
        Ok(ids.collect::<Result<_, BadPuzzleId>>()?)
    }

    fn tried(&self) -> Result<u64, ServiceError> {
        Ok(self.tried)
    }

    fn attempts(&self) -> Result<Vec<FiledAttempt>, ServiceError> {
        Ok(self.attempts.clone())
    }

    fn note_attempt(&mut self, attempt: &FiledAttempt) -> Result<(), ServiceError> {
        let FiledAttempt { puzzle, at, .. } = attempt;
        if self.attempts.iter().any(|known| known.puzzle == *puzzle && known.at == *at) {
            return Ok(());
        }
        self.tried = self.tried.saturating_add(1);
        add_in_order(&mut self.attempts, attempt.clone(), |attempt| attempt.at);
        keep_latest(&mut self.attempts, ATTEMPTS_EACH);
        Ok(())
    }

    fn runs(&self) -> Result<Vec<FiledRun>, ServiceError> {
        Ok(self.runs.clone())
    }

    fn add_run(&mut self, run: &FiledRun) -> Result<(), ServiceError> {
        if self.runs.iter().any(|known| known.kind == run.kind && known.at == run.at) {
            return Ok(());
        }
        add_in_order(&mut self.runs, run.clone(), |run| run.at);
        let best = self.best_runs()?;
        let earliest = self.runs.len().saturating_sub(RUNS_EACH);
        let mut place = 0;
        self.runs.retain(|run| {
            place += 1;
            place > earliest || best.get(&run.kind).is_some_and(|best| run.solved >= *best)
        });
        Ok(())
    }

    fn best_runs(&self) -> Result<HashMap<RunKind, u32>, ServiceError> {
        let mut best = HashMap::new();
        for FiledRun { kind, solved, .. } in &self.runs {
            let most = best.entry(*kind).or_insert(*solved);
            *most = (*most).max(*solved);
        }
        Ok(best)
    }

    fn puzzle(&self, id: PuzzleId) -> Result<Option<Rating>, ServiceError> {
        Ok(self.puzzles.get(&id).copied())
    }

    fn puzzles(&self) -> Result<HashMap<PuzzleId, f64>, ServiceError> {
        Ok(self.puzzles.iter().map(|(id, rating)| (*id, rating.rating)).collect())
    }

    fn rate_puzzle(&mut self, id: PuzzleId, rating: &Rating) -> Result<(), ServiceError> {
        self.puzzles.insert(id, *rating);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::law;
    use super::*;

    fn learner() -> LearnerInMemory {
        LearnerInMemory::new(Token::new([7; 16]), "Ann", 5)
    }

    #[test]
    fn what_is_in_memory_is_kept() {
        law::keeps(learner);
    }

    /// A learner that is written and read again after every step.
    #[test]
    fn what_is_written_reads_as_it_was() {
        let mut learner = learner();
        law::fill(&mut learner);
        let text = learner.write();
        let again = LearnerInMemory::read(&text).unwrap();
        assert_eq!(again.write(), text);
        assert_eq!(again.tried().unwrap(), learner.tried().unwrap());
        assert_eq!(again.listed(0).token, Token::new([7; 16]).to_string());
        let id = again.cards(Wanted { most: 1, ..Wanted::default() }).unwrap()[0].id;
        assert_eq!(again.card(id).unwrap(), learner.card(id).unwrap());
    }

    #[test]
    fn a_damaged_text_is_refused_and_says_why() {
        let mut learner = learner();
        law::fill(&mut learner);
        let text = learner.write();
        let sentence = |from: &str, to: &str| {
            assert!(text.contains(from), "{from} in {text}");
            LearnerInMemory::read(&text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(sentence("emilia-learner", "pgn").contains("\"pgn\""));
        assert!(sentence("\"version\":1", "\"version\":9").contains("version 9"));
        assert!(sentence("\"numbers\":[1", "\"numbers\":[0").contains("numbers"));
        assert!(sentence("\"numbers\":[1,", "\"numbers\":[").contains("numbers"));
        assert!(sentence("\"next\":", "\"next\":922337203685477580").contains("numbers"));
        assert!(sentence("\"seen\":", "\"sight\":").contains("sight"));
        assert!(sentence("\"deviation\":", "\"deviation\":-").contains("deviation"));
        assert!(sentence("f5d6c3d3", "f5f5").contains("card "));
        for end in (0..text.len()).step_by(7) {
            assert!(LearnerInMemory::read(&text[..end]).is_err(), "{end}");
        }
    }
}
