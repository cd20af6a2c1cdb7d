//! Cards: which there are and which are due, new ones, answers and what comes of them.

use emilia_rules::{Move, Objective, Playable, Point, parse_move};
use emilia_trainer::{Card, FiledAnswer, Grade, Kind, Prompt};
use serde::{Deserialize, Serialize};

use super::LearnerError;
use super::store::{self, LearnerStore, NumberedCard, Wanted};
use crate::answers::{Last, PositionAnswer};
use crate::error::ServiceError;
use crate::request_error::{BadMove, RequestError};

/// Cards and answers given at once, at most and usually.
const MOST: usize = 500;
const USUAL: usize = 50;

/// Where a card comes from.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CardKind"))]
pub enum KindName {
    Opening,
    Mistake,
    Puzzle,
}

impl From<Kind> for KindName {
    fn from(kind: Kind) -> KindName {
        match kind {
            Kind::Opening => KindName::Opening,
            Kind::Mistake => KindName::Mistake,
            Kind::Puzzle => KindName::Puzzle,
        }
    }
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Kind {
        match name {
            KindName::Opening => Kind::Opening,
            KindName::Mistake => Kind::Mistake,
            KindName::Puzzle => Kind::Puzzle,
        }
    }
}

/// How well a card was known.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Grade"))]
pub enum GradeName {
    Again,
    Hard,
    Good,
    Easy,
}

impl From<GradeName> for Grade {
    fn from(name: GradeName) -> Grade {
        match name {
            GradeName::Again => Grade::Again,
            GradeName::Hard => Grade::Hard,
            GradeName::Good => Grade::Good,
            GradeName::Easy => Grade::Easy,
        }
    }
}

impl From<Grade> for GradeName {
    fn from(grade: Grade) -> GradeName {
        match grade {
            Grade::Again => GradeName::Again,
            Grade::Hard => GradeName::Hard,
            Grade::Good => GradeName::Good,
            Grade::Easy => GradeName::Easy,
        }
    }
}

/// A card as its owner sees it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Card"))]
pub struct CardAnswer {
    id: i64,
    kind: KindName,
    start: Option<String>,
    moves: String,
    answers: Vec<String>,
    note: String,
    position: PositionAnswer,
    added: u64,
    due: u64,
    last: Option<u64>,
    /// How probably it is known now, 0 to 1; 0 if it was never asked.
    recall: f64,
    right: u32,
    missed: u32,
}

impl CardAnswer {
    pub(super) fn new(NumberedCard { id, card }: NumberedCard, now: u64) -> CardAnswer {
        let Card { kind, prompt, added, schedule } = card;
        let ply = prompt.moves().len() / 2;
        CardAnswer {
            id,
            kind: kind.into(),
            start: prompt.start(),
            moves: prompt.moves().to_owned(),
            answers: prompt.answers().iter().map(ToString::to_string).collect(),
            note: prompt.note().to_owned(),
            position: PositionAnswer::new(prompt.position(), ply, None::<Last>, Objective::Most),
            added,
            due: schedule.due,
            last: schedule.last,
            recall: schedule.recall(now),
            right: schedule.right,
            missed: schedule.missed,
        }
    }
}

/// Which cards are wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardFilter {
    kind: Option<KindName>,
    due: Option<bool>,
    limit: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cards {
    cards: Vec<CardAnswer>,
    now: u64,
}

impl Cards {
    fn new(cards: impl IntoIterator<Item = NumberedCard>, now: u64) -> Cards {
        Cards { cards: cards.into_iter().map(|card| CardAnswer::new(card, now)).collect(), now }
    }

    /// The cards of a learner that are wanted.
    pub fn of<S: LearnerStore>(store: &S, filter: &CardFilter, now: u64) -> Result<Cards, S::Error> {
        let wanted = Wanted {
            kind: filter.kind.map(Kind::from),
            due: filter.due.unwrap_or(false).then_some(now),
            most: filter.limit.unwrap_or(USUAL).min(MOST),
        };
        Ok(Cards::new(store.cards(wanted)?, now))
    }
}

/// Cards to be learned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewCards {
    kind: KindName,
    cards: Vec<NewCard>,
}

/// The moves that lead to a position, and those that are right there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NewCard {
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: String,
    answers: Vec<String>,
    #[serde(default)]
    note: String,
}

impl NewCards {
    /// Checks all of them.
    pub fn read(&self, now: u64) -> Result<Vec<Card>, ServiceError> {
        if self.cards.len() > MOST {
            return Err(RequestError::TooMuch { what: "cards", most: MOST as u64 }.into());
        }
        let card = |card: &NewCard| {
            let prompt = Prompt::new(card.start.as_deref(), &card.moves, &card.answers, &card.note)?;
            Ok(Card::new(self.kind.into(), prompt, now))
        };
        self.cards.iter().map(card).collect()
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddedCards {
    added: usize,
    #[serde(flatten)]
    cards: Cards,
}

impl AddedCards {
    /// Adds cards to those of a learner.
    pub fn of<S: LearnerStore>(store: &mut S, cards: Vec<Card>, now: u64) -> Result<AddedCards, S::Error> {
        let added = cards.into_iter().map(|card| add(store, card)).collect::<Result<Vec<_>, _>>()?;
        let count = added.iter().filter(|(_, new)| *new).count();
        Ok(AddedCards { added: count, cards: Cards::new(added.into_iter().map(|(card, _)| card), now) })
    }
}

/// Adds a card, unless there is one about the same position: that one learns the new answers. Says whether it is new.
pub(super) fn add<S: LearnerStore>(store: &mut S, card: Card) -> Result<(NumberedCard, bool), S::Error> {
    if let Some(NumberedCard { id, card: old }) = store.card_about(card.kind, &card.prompt)? {
        let joined = Card { prompt: old.prompt.clone().joined(&card.prompt), ..old.clone() };
        if joined.prompt != old.prompt {
            store.set_answers(id, &joined.prompt)?;
        }
        return Ok((NumberedCard { id, card: joined }, false));
    }
    if store.card_count()? >= store.room() {
        return Err(ServiceError::from(LearnerError::TooManyCards(store.room())).into());
    }
    Ok((store.insert(card)?, true))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnwantedCards {
    cards: Vec<i64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemovedCards {
    removed: usize,
}

impl RemovedCards {
    /// Removes cards with their histories, and says how many there were.
    pub fn of<S: LearnerStore>(store: &mut S, unwanted: &UnwantedCards) -> Result<RemovedCards, S::Error> {
        let mut removed = 0;
        for card in &unwanted.cards {
            removed += usize::from(store.remove(*card)?);
        }
        Ok(RemovedCards { removed })
    }
}

/// What was answered to a card: a move, which is right or not, or how well it was known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerRequest {
    card: i64,
    #[serde(rename = "move")]
    mv: Option<String>,
    grade: Option<GradeName>,
    took_ms: Option<u64>,
}

/// Whether it was right, and when the card comes back.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answered {
    right: bool,
    card: CardAnswer,
}

impl Answered {
    /// Takes an answer to a card of a learner.
    pub fn of<S: LearnerStore>(
        store: &mut S,
        request: &AnswerRequest,
        now: u64,
    ) -> Result<Answered, S::Error> {
        if request.mv.is_none() == request.grade.is_none() {
            return Err(refused(RequestError::Contradiction("give either move or grade")));
        }
        let found = store.card(request.card)?;
        let found = found.ok_or_else(|| refused(LearnerError::UnknownCard(request.card)))?;
        let given = request.judged(&found.card.prompt)?;
        let card = answer(store, found, given, now)?;
        Ok(Answered { right: given.grade.is_right(), card: CardAnswer::new(card, now) })
    }
}

impl AnswerRequest {
    /// How good the answer is.
    fn judged(&self, prompt: &Prompt) -> Result<NewAnswer, ServiceError> {
        let position = prompt.position();
        let point = self.mv.as_deref().map(|mv| {
            parse_move(mv, position.size()).map_err(BadMove::Text)?.square().ok_or(BadMove::NoSquares)
        });
        let mv: Option<Point> = point.transpose()?;
        if let Some(point) = mv {
            position.play(Move::Place(point))?;
        }
        let grade = match (mv, self.grade) {
            (_, Some(grade)) => grade.into(),
            (Some(point), None) if prompt.accepts(point) => Grade::Good,
            _ => Grade::Again,
        };
        Ok(NewAnswer { grade, mv, took_ms: self.took_ms })
    }
}

/// What the store passes on of what a rule forbids.
fn refused<E: From<ServiceError>>(error: impl Into<ServiceError>) -> E {
    error.into().into()
}

/// What was answered to a card.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewAnswer {
    pub(super) grade: Grade,
    pub(super) mv: Option<Point>,
    pub(super) took_ms: Option<u64>,
}

/// Notes an answer, and says when the card is due now.
pub(super) fn answer<S: LearnerStore>(
    store: &mut S,
    mut numbered: NumberedCard,
    NewAnswer { grade, mv, took_ms }: NewAnswer,
    now: u64,
) -> Result<NumberedCard, S::Error> {
    numbered.card.schedule = numbered.card.schedule.answered(grade, now);
    store.set_schedule(numbered.id, &numbered.card.schedule)?;
    let mv = mv.map(|point| point.to_string());
    store.note_answer(numbered.id, &FiledAnswer { at: now, grade, mv, took_ms })?;
    store.touch(now)?;
    Ok(numbered)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryFilter {
    limit: Option<usize>,
}

/// What was answered lately, the latest in front.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct History {
    answers: Vec<PastAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PastAnswer {
    card: i64,
    kind: KindName,
    at: u64,
    grade: GradeName,
    #[serde(rename = "move")]
    mv: Option<String>,
    took_ms: Option<u64>,
}

impl History {
    /// What a learner answered.
    pub fn of<S: LearnerStore>(store: &S, filter: &HistoryFilter) -> Result<History, S::Error> {
        let answer = |store::PastAnswer { card, kind, answer }| PastAnswer {
            card,
            kind: kind.into(),
            at: answer.at,
            grade: answer.grade.into(),
            mv: answer.mv,
            took_ms: answer.took_ms,
        };
        let found = store.history(filter.limit.unwrap_or(USUAL).min(MOST))?;
        Ok(History { answers: found.into_iter().map(answer).collect() })
    }
}
