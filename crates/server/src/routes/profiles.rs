//! What a learner has: cards that come back when they are due, answers, ratings; in and out as one file.

use std::collections::BTreeMap;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use emilia_rules::{Move, Playable, parse_move};
use emilia_trainer::{Card, Grade, Kind, ProfileFile, Prompt, Rating};
use serde::{Deserialize, Serialize};

use super::body::{Bearer, Json, Query, Reply, collect};
use super::games::fresh_token;
use crate::answers::{Last, PositionAnswer};
use crate::app::Shared;
use crate::error::ApiError;
use crate::game::Nothing;
use crate::profile_tables::{self as tables, NewAnswer, NumberedCard, ProfileError, Wanted};
use crate::rate::Demand;
use crate::request_error::{BadMove, RequestError};
use crate::time::now;
use crate::visitor::Visitor;

/// Cards and answers given at once, at most and usually.
const MOST: usize = 500;
const USUAL: usize = 50;
/// Bytes of a file for each card that there may be, and bytes of memory for each byte while it is read.
const BYTES_FOR_EACH_CARD: usize = 4 << 10;
const MEMORY_FOR_EACH_BYTE: u64 = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NewProfile {
    name: String,
}

impl NewProfile {
    fn name(self) -> Result<String, ApiError> {
        let name = self.name.trim().to_owned();
        if ProfileFile::is_name(&name) {
            Ok(name)
        } else {
            Err(emilia_trainer::ProfileFileError::Name.into())
        }
    }
}

/// `POST /api/profiles`
pub(super) async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(wanted): Json<NewProfile>,
) -> Result<Response, ApiError> {
    let name = wanted.name()?;
    app.rates.take(visitor.address, Demand::NewGame)?;
    let token = fresh_token()?;
    let summary = app.profiles.create(token, name, |tables, id| tables::summary(tables, id, now())).await?;
    let answer = NewProfileAnswer { token: token.to_string(), profile: summary.into() };
    Ok((StatusCode::CREATED, Reply(answer)).into_response())
}

/// A new profile, with its secret.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CreatedProfile"))]
pub(super) struct NewProfileAnswer {
    token: String,
    profile: ProfileAnswer,
}

/// A profile as its owner sees it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Profile"))]
pub(super) struct ProfileAnswer {
    name: String,
    created: u64,
    now: u64,
    decks: Vec<DeckAnswer>,
    ratings: BTreeMap<String, RatingAnswer>,
}

/// Cards of one kind: how many there are, how many are due, when the next one will be, how often they were known.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Deck"))]
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
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Rating"))]
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

impl From<tables::Summary> for ProfileAnswer {
    fn from(summary: tables::Summary) -> ProfileAnswer {
        let deck = |deck: tables::DeckSummary| DeckAnswer {
            kind: deck.kind.into(),
            cards: deck.cards,
            due: deck.due,
            next: deck.next,
            right: deck.right,
            missed: deck.missed,
        };
        ProfileAnswer {
            name: summary.name,
            created: summary.created,
            now: now(),
            decks: summary.decks.into_iter().map(deck).collect(),
            ratings: summary.ratings.into_iter().map(|(subject, rating)| (subject, rating.into())).collect(),
        }
    }
}

/// Where a card comes from.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CardKind"))]
pub(super) enum KindName {
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
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Grade"))]
pub(super) enum GradeName {
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

/// The profiles of this machine.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ProfileList {
    profiles: Vec<ListedProfile>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ListedProfile {
    token: String,
    name: String,
    seen: u64,
    cards: u64,
    due: u64,
}

/// `GET /api/profiles`: those who share a machine trust each other; strangers see nothing.
pub(super) async fn list(State(app): State<Shared>) -> Result<Reply<ProfileList>, ApiError> {
    let listed = if app.config.public.is_some() { Vec::new() } else { app.profiles.all().await? };
    let answer = |tables::ListedProfile { token, name, seen, cards, due }| ListedProfile {
        token,
        name,
        seen,
        cards,
        due,
    };
    Ok(Reply(ProfileList { profiles: listed.into_iter().map(answer).collect() }))
}

/// `GET /api/profile`
pub(super) async fn show(
    State(app): State<Shared>,
    Bearer(token): Bearer,
) -> Result<Reply<ProfileAnswer>, ApiError> {
    let summary = app.profiles.of(token, |tables, id| tables::summary(tables, id, now())).await?;
    Ok(Reply(summary.into()))
}

/// `POST /api/profile`
pub(super) async fn rename(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(wanted): Json<NewProfile>,
) -> Result<Reply<ProfileAnswer>, ApiError> {
    let name = wanted.name()?;
    let renamed = app.profiles.of(token, move |tables, id| {
        tables::rename(tables, id, &name)?;
        tables::summary(tables, id, now())
    });
    Ok(Reply(renamed.await?.into()))
}

/// What is gone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Deleted {
    cards: u64,
}

/// `POST /api/profile/delete`
pub(super) async fn delete(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(_): Json<Nothing>,
) -> Result<Reply<Deleted>, ApiError> {
    let deleted = app.profiles.of(token, |tables, id| {
        let summary = tables::summary(tables, id, now())?;
        tables::delete(tables, id)?;
        Ok(Deleted { cards: summary.decks.iter().map(|deck| deck.cards).sum() })
    });
    Ok(Reply(deleted.await?))
}

/// A card as its owner sees it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Card"))]
pub(super) struct CardAnswer {
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
            position: PositionAnswer::new(
                prompt.position(),
                ply,
                None::<Last>,
                emilia_rules::Objective::Most,
            ),
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CardFilter {
    kind: Option<KindName>,
    due: Option<bool>,
    limit: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Cards {
    cards: Vec<CardAnswer>,
    now: u64,
}

impl Cards {
    fn new(cards: Vec<NumberedCard>) -> Cards {
        let now = now();
        Cards { cards: cards.into_iter().map(|card| CardAnswer::new(card, now)).collect(), now }
    }
}

/// `GET /api/profile/cards`
pub(super) async fn cards(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Query(filter): Query<CardFilter>,
) -> Result<Reply<Cards>, ApiError> {
    let wanted = Wanted {
        kind: filter.kind.map(Kind::from),
        due: filter.due.unwrap_or(false).then(now),
        most: filter.limit.unwrap_or(USUAL).min(MOST),
    };
    let found = app.profiles.of(token, move |tables, id| tables::cards(tables, id, wanted)).await?;
    Ok(Reply(Cards::new(found)))
}

/// Cards to be learned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NewCards {
    kind: KindName,
    cards: Vec<NewCard>,
}

/// The moves that lead to a position, and those that are right there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NewCard {
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: String,
    answers: Vec<String>,
    #[serde(default)]
    note: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AddedCards {
    added: usize,
    #[serde(flatten)]
    cards: Cards,
}

/// `POST /api/profile/cards`
pub(super) async fn add(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(NewCards { kind, cards }): Json<NewCards>,
) -> Result<Reply<AddedCards>, ApiError> {
    if cards.len() > MOST {
        return Err(RequestError::TooMuch { what: "cards", most: MOST as u64 }.into());
    }
    let card = |card: &NewCard| {
        let prompt = Prompt::new(card.start.as_deref(), &card.moves, &card.answers, &card.note)?;
        Ok::<_, ApiError>(Card::new(kind.into(), prompt, now()))
    };
    let cards = cards.iter().map(card).collect::<Result<Vec<Card>, _>>()?;
    let room = app.profiles.room;
    let added = app.profiles.of(token, move |tables, id| {
        cards.into_iter().map(|card| tables::add(tables, id, card, room)).collect::<Result<Vec<_>, _>>()
    });
    let added = added.await?;
    let count = added.iter().filter(|(_, new)| *new).count();
    Ok(Reply(AddedCards {
        added: count,
        cards: Cards::new(added.into_iter().map(|(card, _)| card).collect()),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct UnwantedCards {
    cards: Vec<i64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RemovedCards {
    removed: usize,
}

/// `POST /api/profile/cards/remove`
pub(super) async fn remove(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(UnwantedCards { cards }): Json<UnwantedCards>,
) -> Result<Reply<RemovedCards>, ApiError> {
    let removed = app.profiles.of(token, move |tables, id| tables::remove(tables, id, &cards)).await?;
    Ok(Reply(RemovedCards { removed }))
}

/// What was answered to a card: a move, which is right or not, or how well it was known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AnswerRequest {
    card: i64,
    #[serde(rename = "move")]
    mv: Option<String>,
    grade: Option<GradeName>,
    took_ms: Option<u64>,
}

/// Whether it was right, and when the card comes back.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Answered {
    right: bool,
    card: CardAnswer,
}

/// `POST /api/profile/answers`
pub(super) async fn answer(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(request): Json<AnswerRequest>,
) -> Result<Reply<Answered>, ApiError> {
    if request.mv.is_none() == request.grade.is_none() {
        return Err(RequestError::Contradiction("give either move or grade").into());
    }
    let found = app.profiles.of(token, move |tables, id| tables::card(tables, id, request.card)).await?;
    let point = request.mv.as_deref().map(|mv| {
        let size = found.card.prompt.position().size();
        parse_move(mv, size).map_err(BadMove::Text)?.square().ok_or(BadMove::NoSquares)
    });
    let point = point.transpose()?;
    if let Some(point) = point {
        found.card.prompt.position().play(Move::Place(point))?;
    }
    let grade = match (point, request.grade) {
        (_, Some(grade)) => grade.into(),
        (Some(point), None) if found.card.prompt.accepts(point) => Grade::Good,
        _ => Grade::Again,
    };
    let given = NewAnswer { grade, mv: point, took_ms: request.took_ms };
    let answered = app.profiles.of(token, move |tables, id| {
        // Looked up again: another window may have answered it meanwhile.
        let card = tables::card(tables, id, request.card)?;
        tables::answer(tables, id, card, given, now())
    });
    Ok(Reply(Answered { right: grade.is_right(), card: CardAnswer::new(answered.await?, now()) }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct HistoryFilter {
    limit: Option<usize>,
}

/// What was answered lately, the latest in front.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct History {
    answers: Vec<PastAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PastAnswer {
    card: i64,
    kind: KindName,
    at: u64,
    grade: GradeName,
    #[serde(rename = "move")]
    mv: Option<String>,
    took_ms: Option<u64>,
}

/// `GET /api/profile/answers`
pub(super) async fn history(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Query(filter): Query<HistoryFilter>,
) -> Result<Reply<History>, ApiError> {
    let most = filter.limit.unwrap_or(USUAL).min(MOST);
    let found = app.profiles.of(token, move |tables, id| tables::history(tables, id, most)).await?;
    let answer = |tables::PastAnswer { card, kind, answer }| PastAnswer {
        card,
        kind: kind.into(),
        at: answer.at,
        grade: answer.grade.into(),
        mv: answer.mv,
        took_ms: answer.took_ms,
    };
    Ok(Reply(History { answers: found.into_iter().map(answer).collect() }))
}

/// `GET /api/profile/export`
pub(super) async fn export(State(app): State<Shared>, Bearer(token): Bearer) -> Result<Response, ApiError> {
    let file = app.profiles.of(token, |tables, id| tables::export(tables, id, now())).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"emilia-profile.json\""),
    ];
    Ok((headers, file.write()).into_response())
}

/// What an import changed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ImportedProfile"))]
pub(super) struct ImportedAnswer {
    added: usize,
    updated: usize,
    answers: usize,
    profile: ProfileAnswer,
}

/// `POST /api/profile/import`
pub(super) async fn import(
    State(app): State<Shared>,
    visitor: Visitor,
    Bearer(token): Bearer,
    request: Request,
) -> Result<Reply<ImportedAnswer>, ApiError> {
    app.rates.take(visitor.address, Demand::Analysis)?;
    let room = app.profiles.room;
    // As many bytes as are announced, or as many as there may be.
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
    let most = room.cards.saturating_mul(BYTES_FOR_EACH_CARD);
    let _held = app.players.reserve(most.min(announced) as u64 * MEMORY_FOR_EACH_BYTE)?;
    let bytes = collect(request.into_body(), most).await?;
    let file = ProfileFile::read(&bytes)?;
    if file.cards.len() > room.cards {
        return Err(ProfileError::TooManyCards(room.cards).into());
    }
    let imported = app.profiles.of(token, move |tables, id| {
        let imported = tables::import(tables, id, file, room)?;
        Ok((imported, tables::summary(tables, id, now())?))
    });
    let (tables::Imported { added, updated, answers }, summary) = imported.await?;
    Ok(Reply(ImportedAnswer { added, updated, answers, profile: summary.into() }))
}
