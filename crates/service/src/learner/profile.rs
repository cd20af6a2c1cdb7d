//! A profile as its owner sees it, and all of it as one file.

use std::collections::BTreeMap;

use emilia_trainer::{FiledCard, Kind, ProfileFile, ProfileFileError, Rating};
use serde::{Deserialize, Serialize};

use super::cards::{KindName, add};
use super::store::{DeckSummary, LearnerStore, NumberedCard, Wanted};
use crate::error::ServiceError;

/// What a file of a profile is called.
pub const FILE_NAME: &str = "emilia-profile.json";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewProfile {
    name: String,
}

impl NewProfile {
    /// What the learner wants to be called.
    pub fn name(self) -> Result<String, ServiceError> {
        let name = self.name.trim().to_owned();
        if ProfileFile::is_name(&name) { Ok(name) } else { Err(ProfileFileError::Name.into()) }
    }
}

/// A new profile, with its secret.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CreatedProfile"))]
pub struct NewProfileAnswer {
    pub token: String,
    pub profile: ProfileAnswer,
}

/// A profile as its owner sees it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Profile"))]
pub struct ProfileAnswer {
    name: String,
    created: u64,
    now: u64,
    decks: Vec<DeckAnswer>,
    ratings: BTreeMap<String, RatingAnswer>,
}

/// Cards of one kind: how many there are, how many are due, when the next one will be, how often they were known.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Deck"))]
struct DeckAnswer {
    kind: KindName,
    cards: u64,
    due: u64,
    next: Option<u64>,
    right: u64,
    missed: u64,
}

/// How strong somebody is at something, by Glicko-2.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Rating"))]
pub(super) struct RatingAnswer {
    rating: f64,
    deviation: f64,
    volatility: f64,
    games: u32,
    changed: u64,
}

impl From<Rating> for RatingAnswer {
    fn from(Rating { rating, deviation, volatility, games, changed }: Rating) -> RatingAnswer {
        RatingAnswer { rating, deviation, volatility, games, changed }
    }
}

impl ProfileAnswer {
    /// What there is to say about a profile.
    pub fn of<S: LearnerStore>(store: &S, now: u64) -> Result<ProfileAnswer, S::Error> {
        let (name, created) = store.named()?;
        let decks = Kind::ALL.into_iter().map(|kind| store.deck(kind, now).map(DeckAnswer::from));
        let decks = decks.collect::<Result<_, _>>()?;
        let ratings = store.ratings()?.into_iter().map(|(subject, rating)| (subject, rating.into()));
        Ok(ProfileAnswer { name, created, now, decks, ratings: ratings.collect() })
    }

    /// The same with another name.
    pub fn renamed<S: LearnerStore>(store: &mut S, name: &str, now: u64) -> Result<ProfileAnswer, S::Error> {
        store.rename(name)?;
        ProfileAnswer::of(store, now)
    }
}

impl From<DeckSummary> for DeckAnswer {
    fn from(DeckSummary { kind, cards, due, next, right, missed }: DeckSummary) -> DeckAnswer {
        DeckAnswer { kind: kind.into(), cards, due, next, right, missed }
    }
}

/// The profiles of this machine.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileList {
    pub profiles: Vec<ListedProfile>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedProfile {
    pub token: String,
    pub name: String,
    pub seen: u64,
    pub cards: u64,
    pub due: u64,
}

/// What is gone.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deleted {
    cards: u64,
}

impl Deleted {
    /// Deletes a profile with all it has.
    pub fn all<S: LearnerStore>(store: &mut S) -> Result<Deleted, S::Error> {
        let cards = store.card_count()? as u64;
        store.delete()?;
        Ok(Deleted { cards })
    }
}

/// All that a profile has.
pub fn export<S: LearnerStore>(store: &S) -> Result<ProfileFile, S::Error> {
    let (name, created) = store.named()?;
    let wanted = Wanted { most: usize::MAX, ..Wanted::default() };
    let filed = |NumberedCard { id, card }| Ok(FiledCard { card, answers: store.answers(id)? });
    let cards = store.cards(wanted)?.into_iter().map(filed).collect::<Result<_, S::Error>>()?;
    let ratings = store.ratings()?.into_iter().collect();
    Ok(ProfileFile { name, created, cards, ratings, attempts: store.attempts()?, runs: store.runs()? })
}

/// What an import changed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ImportedProfile"))]
pub struct ImportedAnswer {
    added: usize,
    updated: usize,
    answers: usize,
    profile: ProfileAnswer,
}

/// What a file had that was not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Imported {
    /// Cards that are new.
    pub(super) added: usize,
    /// Cards that were there and were answered later in the file.
    pub(super) updated: usize,
    /// Answers that were not known.
    pub(super) answers: usize,
}

impl ImportedAnswer {
    /// Puts all that a file has into a profile.
    pub fn of<S: LearnerStore>(
        store: &mut S,
        file: ProfileFile,
        now: u64,
    ) -> Result<ImportedAnswer, S::Error> {
        let Imported { added, updated, answers } = import(store, file)?;
        Ok(ImportedAnswer { added, updated, answers, profile: ProfileAnswer::of(store, now)? })
    }
}

/// Puts all that a file has into a profile. Of a card that both have, the schedule counts that was answered later; so a
/// file that is imported twice changes nothing the second time.
pub(super) fn import<S: LearnerStore>(store: &mut S, file: ProfileFile) -> Result<Imported, S::Error> {
    let mut imported = Imported::default();
    for FiledCard { card, answers } in file.cards {
        let schedule = card.schedule;
        let (old, new) = add(store, card)?;
        imported.added += usize::from(new);
        if !new && schedule.last > old.card.schedule.last {
            store.set_schedule(old.id, &schedule)?;
            imported.updated += 1;
        }
        for answer in &answers {
            imported.answers += usize::from(store.note_answer(old.id, answer)?);
        }
    }
    let known = store.ratings()?;
    for (subject, rating) in &file.ratings {
        let own = known.iter().find(|(own, _)| own == subject);
        if own.is_none_or(|(_, own)| own.changed < rating.changed) {
            store.rate(subject, rating)?;
        }
    }
    for attempt in &file.attempts {
        store.note_attempt(attempt)?;
    }
    for run in &file.runs {
        store.add_run(run)?;
    }
    if store.named()?.0.is_empty() {
        store.rename(&file.name)?;
    }
    Ok(imported)
}
