//! What learners have, in the tables of the file. Each function is one step of a transaction that somebody else began.

use emilia_rules::Point;
use emilia_trainer::{
    Card, FiledAnswer, FiledCard, Grade, Kind, Memory, ProfileFile, Prompt, PromptError, Rating, Schedule,
    Stage,
};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use thiserror::Error;

use crate::attempt_tables;
use crate::token::Token;

/// Why something is not done to a profile.
#[derive(Debug, Error)]
pub(crate) enum ProfileError {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error("the disk does not take this now, and nothing was changed; try again later")]
    NotSaved,
    #[error("this token is of no profile")]
    UnknownProfile,
    #[error("this profile has no card {0}")]
    UnknownCard(i64),
    #[error("a profile has at most {0} cards here")]
    TooManyCards(usize),
    #[error("there are {0} profiles here, and no room for more")]
    TooManyProfiles(usize),
}

/// A profile among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProfileId(pub(crate) i64);

/// How much one learner may keep, and how many learners there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) profiles: usize,
    pub(crate) cards: usize,
}

/// Answers that are kept of one card; the earliest are forgotten, their effect on the schedule stays.
const ANSWERS_EACH: i64 = 30;

/// A card with the number by which the interface knows it.
#[derive(Clone, Debug)]
pub(crate) struct NumberedCard {
    pub(crate) id: i64,
    pub(crate) card: Card,
}

/// A new profile.
pub(crate) fn create(
    connection: &Connection,
    token: Token,
    name: &str,
    now: u64,
    room: Room,
) -> Result<ProfileId, ProfileError> {
    let count: i64 = connection.query_row("SELECT count(*) FROM profiles", [], |row| row.get(0))?;
    if usize::try_from(count).is_ok_and(|count| count >= room.profiles) {
        return Err(ProfileError::TooManyProfiles(room.profiles));
    }
    let sql = "INSERT INTO profiles (token, name, created, seen) VALUES (?1, ?2, ?3, ?3)";
    connection.execute(sql, params![token.to_string(), name, stored(now)])?;
    Ok(ProfileId(connection.last_insert_rowid()))
}

/// Whose token this is.
pub(crate) fn find(connection: &Connection, token: Token) -> Result<ProfileId, ProfileError> {
    let sql = "SELECT id FROM profiles WHERE token = ?1";
    let found =
        connection.prepare_cached(sql)?.query_row([token.to_string()], |row| row.get(0)).optional()?;
    found.map(ProfileId).ok_or(ProfileError::UnknownProfile)
}

/// Notes that somebody was here.
pub(crate) fn touch(connection: &Connection, ProfileId(id): ProfileId, now: u64) -> Result<(), ProfileError> {
    connection
        .prepare_cached("UPDATE profiles SET seen = ?2 WHERE id = ?1")?
        .execute(params![id, stored(now)])?;
    Ok(())
}

pub(crate) fn rename(
    connection: &Connection,
    ProfileId(id): ProfileId,
    name: &str,
) -> Result<(), ProfileError> {
    connection.execute("UPDATE profiles SET name = ?2 WHERE id = ?1", params![id, name])?;
    Ok(())
}

/// Deletes a profile with all it has.
pub(crate) fn delete(connection: &Connection, ProfileId(id): ProfileId) -> Result<(), ProfileError> {
    connection.execute("DELETE FROM profiles WHERE id = ?1", [id])?;
    Ok(())
}

/// A profile in a list of all.
#[derive(Debug)]
pub(crate) struct ListedProfile {
    pub(crate) token: String,
    pub(crate) name: String,
    pub(crate) seen: u64,
    pub(crate) cards: u64,
    pub(crate) due: u64,
}

/// Every profile, those used last in front.
pub(crate) fn all(connection: &Connection, now: u64) -> Result<Vec<ListedProfile>, ProfileError> {
    let sql = "SELECT token, name, seen, (SELECT count(*) FROM cards WHERE profile = profiles.id),
                      (SELECT count(*) FROM cards WHERE profile = profiles.id AND due <= ?1)
               FROM profiles ORDER BY seen DESC, id DESC LIMIT 100";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([stored(now)], |row| {
        Ok(ListedProfile {
            token: row.get(0)?,
            name: row.get(1)?,
            seen: number(row, 2)?,
            cards: number(row, 3)?,
            due: number(row, 4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What there is to say about a profile.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) name: String,
    pub(crate) created: u64,
    pub(crate) decks: Vec<DeckSummary>,
    pub(crate) ratings: Vec<(String, Rating)>,
}

/// All cards of a kind.
#[derive(Debug)]
pub(crate) struct DeckSummary {
    pub(crate) kind: Kind,
    pub(crate) cards: u64,
    pub(crate) due: u64,
    /// When the next one is due that is not yet.
    pub(crate) next: Option<u64>,
    /// Answers so far.
    pub(crate) right: u64,
    pub(crate) missed: u64,
}

pub(crate) fn summary(
    connection: &Connection,
    profile: ProfileId,
    now: u64,
) -> Result<Summary, ProfileError> {
    let ProfileId(id) = profile;
    let sql = "SELECT name, created FROM profiles WHERE id = ?1";
    let (name, created) = connection.query_row(sql, [id], |row| Ok((row.get(0)?, number(row, 1)?)))?;
    let decks =
        Kind::ALL.into_iter().map(|kind| deck(connection, profile, kind, now)).collect::<Result<_, _>>()?;
    Ok(Summary { name, created, decks, ratings: ratings(connection, profile)? })
}

fn deck(
    connection: &Connection,
    ProfileId(id): ProfileId,
    kind: Kind,
    now: u64,
) -> Result<DeckSummary, ProfileError> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE due <= ?3), min(due) FILTER (WHERE due > ?3),
                      ifnull(sum(known), 0), ifnull(sum(missed), 0)
               FROM cards WHERE profile = ?1 AND kind = ?2";
    let read = |row: &Row<'_>| {
        let next: Option<i64> = row.get(2)?;
        Ok(DeckSummary {
            kind,
            cards: number(row, 0)?,
            due: number(row, 1)?,
            next: next.map(moment),
            right: number(row, 3)?,
            missed: number(row, 4)?,
        })
    };
    Ok(connection.prepare_cached(sql)?.query_row(params![id, kind.name(), stored(now)], read)?)
}

const CARD: &str =
    "id, kind, start, moves, answers, note, added, due, last, stability, difficulty, stage, known, missed";

/// Which cards are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) kind: Option<Kind>,
    /// Only those that are due at this moment.
    pub(crate) due: Option<u64>,
    pub(crate) most: usize,
}

/// Cards, those that have been due for longest in front.
pub(crate) fn cards(
    connection: &Connection,
    ProfileId(id): ProfileId,
    wanted: Wanted,
) -> Result<Vec<NumberedCard>, ProfileError> {
    let sql = format!(
        "SELECT {CARD} FROM cards WHERE profile = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR due <= ?3)
         ORDER BY due, id LIMIT ?4"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let most = i64::try_from(wanted.most).unwrap_or(i64::MAX);
    let wanted = params![id, wanted.kind.map(Kind::name), wanted.due.map(stored), most];
    let rows = select.query_map(wanted, read_card)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) fn card(
    connection: &Connection,
    ProfileId(id): ProfileId,
    card: i64,
) -> Result<NumberedCard, ProfileError> {
    let sql = format!("SELECT {CARD} FROM cards WHERE profile = ?1 AND id = ?2");
    let found = connection.prepare_cached(&sql)?.query_row([id, card], read_card).optional()?;
    found.ok_or(ProfileError::UnknownCard(card))
}

/// The card of this kind about this position, if there is one.
pub(crate) fn card_about(
    connection: &Connection,
    ProfileId(id): ProfileId,
    kind: Kind,
    prompt: &Prompt,
) -> Result<Option<NumberedCard>, ProfileError> {
    let sql = format!("SELECT {CARD} FROM cards WHERE profile = ?1 AND kind = ?2 AND key = ?3");
    let mut select = connection.prepare_cached(&sql)?;
    Ok(select.query_row(params![id, kind.name(), prompt.key()], read_card).optional()?)
}

/// Adds a card, unless there is one about the same position: that one learns the new answers. Says whether it is new.
pub(crate) fn add(
    connection: &Connection,
    profile: ProfileId,
    card: Card,
    room: Room,
) -> Result<(NumberedCard, bool), ProfileError> {
    if let Some(NumberedCard { id, card: old }) = card_about(connection, profile, card.kind, &card.prompt)? {
        let joined = Card { prompt: old.prompt.clone().joined(&card.prompt), ..old.clone() };
        if joined.prompt != old.prompt {
            let sql = "UPDATE cards SET answers = ?2 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![id, answers_text(&joined.prompt)])?;
        }
        return Ok((NumberedCard { id, card: joined }, false));
    }
    let ProfileId(owner) = profile;
    let sql = "SELECT count(*) FROM cards WHERE profile = ?1";
    let count: i64 = connection.prepare_cached(sql)?.query_row([owner], |row| row.get(0))?;
    if usize::try_from(count).is_ok_and(|count| count >= room.cards) {
        return Err(ProfileError::TooManyCards(room.cards));
    }
    let sql =
        "INSERT INTO cards (profile, kind, key, start, moves, answers, note, added, due, last, stability,
                                  difficulty, stage, known, missed)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
    let Card { kind, prompt, added, schedule } = &card;
    connection.prepare_cached(sql)?.execute(params![
        owner,
        kind.name(),
        prompt.key(),
        prompt.start(),
        prompt.moves(),
        answers_text(prompt),
        prompt.note(),
        stored(*added),
        stored(schedule.due),
        schedule.last.map(stored),
        schedule.memory.map(|memory| memory.stability),
        schedule.memory.map(|memory| memory.difficulty),
        schedule.memory.map(|memory| memory.stage.name()),
        schedule.right,
        schedule.missed,
    ])?;
    Ok((NumberedCard { id: connection.last_insert_rowid(), card }, true))
}

/// Removes cards with their histories, and says how many there were.
pub(crate) fn remove(
    connection: &Connection,
    ProfileId(id): ProfileId,
    cards: &[i64],
) -> Result<usize, ProfileError> {
    let mut delete = connection.prepare_cached("DELETE FROM cards WHERE profile = ?1 AND id = ?2")?;
    let mut removed = 0;
    for card in cards {
        removed += delete.execute([id, *card])?;
    }
    Ok(removed)
}

/// What was answered to a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewAnswer {
    pub(crate) grade: Grade,
    pub(crate) mv: Option<Point>,
    pub(crate) took_ms: Option<u64>,
}

/// Notes an answer, and says when the card is due now.
pub(crate) fn answer(
    connection: &Connection,
    profile: ProfileId,
    mut numbered: NumberedCard,
    NewAnswer { grade, mv, took_ms }: NewAnswer,
    now: u64,
) -> Result<NumberedCard, ProfileError> {
    numbered.card.schedule = numbered.card.schedule.answered(grade, now);
    set_schedule(connection, numbered.id, &numbered.card.schedule)?;
    let mv = mv.map(|point| point.to_string());
    note_answer(connection, profile, numbered.id, &FiledAnswer { at: now, grade, mv, took_ms })?;
    touch(connection, profile, now)?;
    Ok(numbered)
}

fn set_schedule(connection: &Connection, card: i64, schedule: &Schedule) -> Result<(), ProfileError> {
    let Schedule { due, last, memory, right, missed } = schedule;
    let sql = "UPDATE cards SET due = ?2, last = ?3, stability = ?4, difficulty = ?5, stage = ?6, known = ?7,
                                missed = ?8
               WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        card,
        stored(*due),
        last.map(stored),
        memory.map(|memory| memory.stability),
        memory.map(|memory| memory.difficulty),
        memory.map(|memory| memory.stage.name()),
        right,
        missed,
    ])?;
    Ok(())
}

/// Adds to the history of a card, unless that has it, and forgets what is too long ago.
fn note_answer(
    connection: &Connection,
    ProfileId(profile): ProfileId,
    card: i64,
    FiledAnswer { at, grade, mv, took_ms }: &FiledAnswer,
) -> Result<bool, ProfileError> {
    let sql = "INSERT INTO answers (profile, card, at, grade, move, took_ms)
               SELECT ?1, ?2, ?3, ?4, ?5, ?6
               WHERE NOT EXISTS (SELECT 1 FROM answers WHERE card = ?2 AND at = ?3)";
    let values = params![profile, card, stored(*at), grade.name(), mv, took_ms.map(stored)];
    let noted = connection.prepare_cached(sql)?.execute(values)?;
    let sql = "DELETE FROM answers WHERE card = ?1 AND id NOT IN
                   (SELECT id FROM answers WHERE card = ?1 ORDER BY at DESC, id DESC LIMIT ?2)";
    connection.prepare_cached(sql)?.execute([card, ANSWERS_EACH])?;
    Ok(noted > 0)
}

/// An answer with the card that it was given to.
#[derive(Debug)]
pub(crate) struct PastAnswer {
    pub(crate) card: i64,
    pub(crate) kind: Kind,
    pub(crate) answer: FiledAnswer,
}

/// What was answered lately, the latest in front.
pub(crate) fn history(
    connection: &Connection,
    ProfileId(id): ProfileId,
    most: usize,
) -> Result<Vec<PastAnswer>, ProfileError> {
    let sql = "SELECT answers.at, answers.grade, answers.move, answers.took_ms, cards.id, cards.kind
               FROM answers JOIN cards ON cards.id = answers.card
               WHERE answers.profile = ?1 ORDER BY answers.at DESC, answers.id DESC LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map(params![id, i64::try_from(most).unwrap_or(i64::MAX)], |row| {
        let kind: String = row.get(5)?;
        let kind = kind.parse().map_err(|error| unreadable(5, error))?;
        Ok(PastAnswer { card: row.get(4)?, kind, answer: read_answer(row)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) fn ratings(
    connection: &Connection,
    ProfileId(id): ProfileId,
) -> Result<Vec<(String, Rating)>, ProfileError> {
    let sql = "SELECT subject, rating, deviation, volatility, games, changed FROM ratings
               WHERE profile = ?1 ORDER BY subject";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([id], |row| {
        let rating = Rating {
            rating: row.get(1)?,
            deviation: row.get(2)?,
            volatility: row.get(3)?,
            games: row.get(4)?,
            changed: number(row, 5)?,
        };
        Ok((row.get(0)?, rating))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Notes how strong somebody is at something.
pub(crate) fn rate(
    connection: &Connection,
    ProfileId(id): ProfileId,
    subject: &str,
    rating: &Rating,
) -> Result<(), ProfileError> {
    let sql = "INSERT INTO ratings (profile, subject, rating, deviation, volatility, games, changed)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
               ON CONFLICT (profile, subject) DO UPDATE
               SET rating = ?3, deviation = ?4, volatility = ?5, games = ?6, changed = ?7";
    let Rating { rating, deviation, volatility, games, changed } = *rating;
    let values = params![id, subject, rating, deviation, volatility, games, stored(changed)];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

/// All that a profile has.
pub(crate) fn export(
    connection: &Connection,
    profile: ProfileId,
    now: u64,
) -> Result<ProfileFile, ProfileError> {
    let Summary { name, created, ratings, .. } = summary(connection, profile, now)?;
    let sql = "SELECT at, grade, move, took_ms FROM answers WHERE card = ?1 ORDER BY at, id";
    let mut select = connection.prepare_cached(sql)?;
    let mut filed = Vec::new();
    for NumberedCard { id, card } in
        cards(connection, profile, Wanted { most: usize::MAX, ..Wanted::default() })?
    {
        let answers = select.query_map([id], read_answer)?.collect::<Result<_, _>>()?;
        filed.push(FiledCard { card, answers });
    }
    let attempts = attempt_tables::attempts(connection, profile)?;
    let runs = attempt_tables::runs(connection, profile)?;
    Ok(ProfileFile { name, created, cards: filed, ratings: ratings.into_iter().collect(), attempts, runs })
}

/// What an import changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Imported {
    /// Cards that are new.
    pub(crate) added: usize,
    /// Cards that were there and were answered later in the file.
    pub(crate) updated: usize,
    /// Answers that were not known.
    pub(crate) answers: usize,
}

/// Puts all that a file has into a profile. Of a card that both have, the schedule counts that was answered later; so a
/// file that is imported twice changes nothing the second time.
pub(crate) fn import(
    connection: &Connection,
    profile: ProfileId,
    file: ProfileFile,
    room: Room,
) -> Result<Imported, ProfileError> {
    let ProfileId(id) = profile;
    let mut imported = Imported::default();
    for FiledCard { card, answers } in file.cards {
        let schedule = card.schedule;
        let (old, new) = add(connection, profile, card, room)?;
        imported.added += usize::from(new);
        if !new && schedule.last > old.card.schedule.last {
            set_schedule(connection, old.id, &schedule)?;
            imported.updated += 1;
        }
        for answer in &answers {
            imported.answers += usize::from(note_answer(connection, profile, old.id, answer)?);
        }
    }
    let known = ratings(connection, profile)?;
    for (subject, rating) in &file.ratings {
        let older =
            known.iter().find(|(own, _)| own == subject).is_none_or(|(_, own)| own.changed < rating.changed);
        if older {
            rate(connection, profile, subject, rating)?;
        }
    }
    for attempt in &file.attempts {
        attempt_tables::note(connection, profile, attempt)?;
    }
    for run in &file.runs {
        attempt_tables::add_run(connection, profile, run)?;
    }
    let sql = "UPDATE profiles SET name = ?2 WHERE id = ?1 AND name = ''";
    connection.execute(sql, params![id, file.name])?;
    Ok(imported)
}

fn read_card(row: &Row<'_>) -> rusqlite::Result<NumberedCard> {
    let kind: String = row.get(1)?;
    let start: Option<String> = row.get(2)?;
    let [moves, answers, note]: [String; 3] = [row.get(3)?, row.get(4)?, row.get(5)?];
    let answers: Vec<&str> = answers.split(' ').collect();
    let prompt = Prompt::new(start.as_deref(), &moves, &answers, &note);
    let prompt = prompt.map_err(|error: PromptError| unreadable(3, error))?;
    let stage: Option<String> = row.get(11)?;
    let stage =
        stage.map(|stage| stage.parse::<Stage>()).transpose().map_err(|error| unreadable(11, error))?;
    let memory = match (row.get(9)?, row.get(10)?, stage) {
        (Some(stability), Some(difficulty), Some(stage)) => {
            Memory::new(stability, difficulty, stage).map(Some)
        }
        _ => Ok(None),
    };
    let last: Option<i64> = row.get(8)?;
    let schedule = Schedule {
        due: number(row, 7)?,
        last: last.map(moment),
        memory: memory.map_err(|error| unreadable(9, error))?,
        right: row.get(12)?,
        missed: row.get(13)?,
    };
    let kind = kind.parse().map_err(|error| unreadable(1, error))?;
    Ok(NumberedCard { id: row.get(0)?, card: Card { kind, prompt, added: number(row, 6)?, schedule } })
}

fn read_answer(row: &Row<'_>) -> rusqlite::Result<FiledAnswer> {
    let grade: String = row.get(1)?;
    let took: Option<i64> = row.get(3)?;
    Ok(FiledAnswer {
        at: number(row, 0)?,
        grade: grade.parse().map_err(|error| unreadable(1, error))?,
        mv: row.get(2)?,
        took_ms: took.map(moment),
    })
}

/// Something in the file that this program did not write like that.
pub(crate) fn unreadable(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
}

fn answers_text(prompt: &Prompt) -> String {
    prompt.answers().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A moment or a count as the file has it: whole numbers there have a sign.
pub(crate) fn stored(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn moment(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

pub(crate) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get(column).map(moment)
}
