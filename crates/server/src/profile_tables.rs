//! What learners have, in the tables of the file. Each function is one step of a transaction that somebody else began.

use std::collections::HashMap;

use emilia_puzzle::PuzzleId;
use emilia_service::error::ServiceError;
use emilia_service::learner::{
    ANSWERS_EACH, DeckSummary, LearnerError, LearnerStore, ListedProfile, NumberedCard, PastAnswer, Wanted,
};
use emilia_trainer::{
    Card, FiledAnswer, FiledAttempt, FiledRun, Kind, Memory, Prompt, PromptError, Rating, RunKind, Schedule,
    Stage,
};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use thiserror::Error;

use crate::attempt_tables as attempts;
use crate::store::Unwritten;
use crate::token::Token;

/// Why something is not done to a profile.
#[derive(Debug, Error)]
pub(crate) enum ProfileError {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error("the disk does not take this now, and nothing was changed; try again later")]
    NotSaved,
    #[error(transparent)]
    Refused(#[from] ServiceError),
}

impl From<LearnerError> for ProfileError {
    fn from(error: LearnerError) -> ProfileError {
        ProfileError::Refused(error.into())
    }
}

impl From<Unwritten> for ProfileError {
    fn from(Unwritten: Unwritten) -> ProfileError {
        ProfileError::NotSaved
    }
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

/// The rows of one profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProfileTables<'c> {
    connection: &'c Connection,
    id: ProfileId,
    room: Room,
}

impl<'c> ProfileTables<'c> {
    /// A new profile.
    pub(crate) fn create(
        connection: &'c Connection,
        token: Token,
        name: &str,
        now: u64,
        room: Room,
    ) -> Result<ProfileTables<'c>, ProfileError> {
        let count: i64 = connection.query_row("SELECT count(*) FROM profiles", [], |row| row.get(0))?;
        if usize::try_from(count).is_ok_and(|count| count >= room.profiles) {
            return Err(LearnerError::TooManyProfiles(room.profiles).into());
        }
        let sql = "INSERT INTO profiles (token, name, created, seen) VALUES (?1, ?2, ?3, ?3)";
        connection.execute(sql, params![token.to_string(), name, stored(now)])?;
        let id = ProfileId(connection.last_insert_rowid());
        Ok(ProfileTables { connection, id, room })
    }

    /// The profile of this token.
    pub(crate) fn find(
        connection: &'c Connection,
        token: Token,
        room: Room,
    ) -> Result<ProfileTables<'c>, ProfileError> {
        let sql = "SELECT id FROM profiles WHERE token = ?1";
        let found =
            connection.prepare_cached(sql)?.query_row([token.to_string()], |row| row.get(0)).optional()?;
        let id = found.map(ProfileId).ok_or(LearnerError::UnknownProfile)?;
        Ok(ProfileTables { connection, id, room })
    }
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

const CARD: &str =
    "id, kind, start, moves, answers, note, added, due, last, stability, difficulty, stage, known, missed";

impl LearnerStore for ProfileTables<'_> {
    type Error = ProfileError;

    fn room(&self) -> usize {
        self.room.cards
    }

    fn named(&self) -> Result<(String, u64), ProfileError> {
        let sql = "SELECT name, created FROM profiles WHERE id = ?1";
        Ok(self.connection.query_row(sql, [self.id.0], |row| Ok((row.get(0)?, number(row, 1)?)))?)
    }

    fn rename(&mut self, name: &str) -> Result<(), ProfileError> {
        let sql = "UPDATE profiles SET name = ?2 WHERE id = ?1";
        self.connection.execute(sql, params![self.id.0, name])?;
        Ok(())
    }

    fn touch(&mut self, now: u64) -> Result<(), ProfileError> {
        let sql = "UPDATE profiles SET seen = ?2 WHERE id = ?1";
        self.connection.prepare_cached(sql)?.execute(params![self.id.0, stored(now)])?;
        Ok(())
    }

    fn delete(&mut self) -> Result<(), ProfileError> {
        self.connection.execute("DELETE FROM profiles WHERE id = ?1", [self.id.0])?;
        Ok(())
    }

    fn deck(&self, kind: Kind, now: u64) -> Result<DeckSummary, ProfileError> {
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
        let values = params![self.id.0, kind.name(), stored(now)];
        Ok(self.connection.prepare_cached(sql)?.query_row(values, read)?)
    }

    fn cards(&self, wanted: Wanted) -> Result<Vec<NumberedCard>, ProfileError> {
        let sql = format!(
            "SELECT {CARD} FROM cards
             WHERE profile = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR due <= ?3)
             ORDER BY due, id LIMIT ?4"
        );
        let mut select = self.connection.prepare_cached(&sql)?;
        let most = i64::try_from(wanted.most).unwrap_or(i64::MAX);
        let wanted = params![self.id.0, wanted.kind.map(Kind::name), wanted.due.map(stored), most];
        let rows = select.query_map(wanted, read_card)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn card(&self, id: i64) -> Result<Option<NumberedCard>, ProfileError> {
        let sql = format!("SELECT {CARD} FROM cards WHERE profile = ?1 AND id = ?2");
        let mut select = self.connection.prepare_cached(&sql)?;
        Ok(select.query_row([self.id.0, id], read_card).optional()?)
    }

    fn card_about(&self, kind: Kind, prompt: &Prompt) -> Result<Option<NumberedCard>, ProfileError> {
        let sql = format!("SELECT {CARD} FROM cards WHERE profile = ?1 AND kind = ?2 AND key = ?3");
        let mut select = self.connection.prepare_cached(&sql)?;
        Ok(select.query_row(params![self.id.0, kind.name(), prompt.key()], read_card).optional()?)
    }

    fn card_count(&self) -> Result<usize, ProfileError> {
        let sql = "SELECT count(*) FROM cards WHERE profile = ?1";
        let count: i64 = self.connection.prepare_cached(sql)?.query_row([self.id.0], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    fn insert(&mut self, card: Card) -> Result<NumberedCard, ProfileError> {
        let sql =
            "INSERT INTO cards (profile, kind, key, start, moves, answers, note, added, due, last, stability,
                                difficulty, stage, known, missed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        let Card { kind, prompt, added, schedule } = &card;
        self.connection.prepare_cached(sql)?.execute(params![
            self.id.0,
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
        Ok(NumberedCard { id: self.connection.last_insert_rowid(), card })
    }

    fn set_answers(&mut self, id: i64, prompt: &Prompt) -> Result<(), ProfileError> {
        let sql = "UPDATE cards SET answers = ?3 WHERE profile = ?1 AND id = ?2";
        self.connection.prepare_cached(sql)?.execute(params![self.id.0, id, answers_text(prompt)])?;
        Ok(())
    }

    fn set_schedule(&mut self, id: i64, schedule: &Schedule) -> Result<(), ProfileError> {
        let Schedule { due, last, memory, right, missed } = schedule;
        let sql = "UPDATE cards SET due = ?3, last = ?4, stability = ?5, difficulty = ?6, stage = ?7,
                                    known = ?8, missed = ?9
                   WHERE profile = ?1 AND id = ?2";
        self.connection.prepare_cached(sql)?.execute(params![
            self.id.0,
            id,
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

    fn remove(&mut self, id: i64) -> Result<bool, ProfileError> {
        let sql = "DELETE FROM cards WHERE profile = ?1 AND id = ?2";
        Ok(self.connection.prepare_cached(sql)?.execute([self.id.0, id])? > 0)
    }

    fn note_answer(&mut self, id: i64, answer: &FiledAnswer) -> Result<bool, ProfileError> {
        let FiledAnswer { at, grade, mv, took_ms } = answer;
        let sql = "INSERT INTO answers (profile, card, at, grade, move, took_ms)
                   SELECT ?1, ?2, ?3, ?4, ?5, ?6
                   WHERE NOT EXISTS (SELECT 1 FROM answers WHERE card = ?2 AND at = ?3)";
        let values = params![self.id.0, id, stored(*at), grade.name(), mv, took_ms.map(stored)];
        let noted = self.connection.prepare_cached(sql)?.execute(values)?;
        let sql = "DELETE FROM answers WHERE card = ?1 AND id NOT IN
                       (SELECT id FROM answers WHERE card = ?1 ORDER BY at DESC, id DESC LIMIT ?2)";
        self.connection.prepare_cached(sql)?.execute([id, ANSWERS_EACH as i64])?;
        Ok(noted > 0)
    }

    fn answers(&self, id: i64) -> Result<Vec<FiledAnswer>, ProfileError> {
        let sql = "SELECT at, grade, move, took_ms FROM answers WHERE profile = ?1 AND card = ?2
                   ORDER BY at, id";
        let mut select = self.connection.prepare_cached(sql)?;
        let rows = select.query_map([self.id.0, id], read_answer)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn history(&self, most: usize) -> Result<Vec<PastAnswer>, ProfileError> {
        let sql = "SELECT answers.at, answers.grade, answers.move, answers.took_ms, cards.id, cards.kind
                   FROM answers JOIN cards ON cards.id = answers.card
                   WHERE answers.profile = ?1 ORDER BY answers.at DESC, answers.id DESC LIMIT ?2";
        let mut select = self.connection.prepare_cached(sql)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = select.query_map(params![self.id.0, most], |row| {
            let kind: String = row.get(5)?;
            let kind = kind.parse().map_err(|error| unreadable(5, error))?;
            Ok(PastAnswer { card: row.get(4)?, kind, answer: read_answer(row)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn ratings(&self) -> Result<Vec<(String, Rating)>, ProfileError> {
        let sql = "SELECT subject, rating, deviation, volatility, games, changed FROM ratings
                   WHERE profile = ?1 ORDER BY subject";
        let mut select = self.connection.prepare_cached(sql)?;
        let rows = select.query_map([self.id.0], |row| {
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

    fn rate(&mut self, subject: &str, rating: &Rating) -> Result<(), ProfileError> {
        let sql = "INSERT INTO ratings (profile, subject, rating, deviation, volatility, games, changed)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                   ON CONFLICT (profile, subject) DO UPDATE
                   SET rating = ?3, deviation = ?4, volatility = ?5, games = ?6, changed = ?7";
        let Rating { rating, deviation, volatility, games, changed } = *rating;
        let values = params![self.id.0, subject, rating, deviation, volatility, games, stored(changed)];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    fn recent(&self) -> Result<Vec<PuzzleId>, ProfileError> {
        attempts::recent(self.connection, self.id)
    }

    fn tried(&self) -> Result<u64, ProfileError> {
        attempts::tried(self.connection, self.id)
    }

    fn attempts(&self) -> Result<Vec<FiledAttempt>, ProfileError> {
        attempts::attempts(self.connection, self.id)
    }

    fn note_attempt(&mut self, attempt: &FiledAttempt) -> Result<(), ProfileError> {
        attempts::note(self.connection, self.id, attempt)
    }

    fn runs(&self) -> Result<Vec<FiledRun>, ProfileError> {
        attempts::runs(self.connection, self.id)
    }

    fn add_run(&mut self, run: &FiledRun) -> Result<(), ProfileError> {
        attempts::add_run(self.connection, self.id, run)
    }

    fn best_runs(&self) -> Result<HashMap<RunKind, u32>, ProfileError> {
        attempts::best_runs(self.connection, self.id)
    }

    fn puzzle(&self, id: PuzzleId) -> Result<Option<Rating>, ProfileError> {
        attempts::puzzle(self.connection, id)
    }

    fn puzzles(&self) -> Result<HashMap<PuzzleId, f64>, ProfileError> {
        attempts::puzzles(self.connection)
    }

    fn rate_puzzle(&mut self, id: PuzzleId, rating: &Rating) -> Result<(), ProfileError> {
        attempts::rate_puzzle(self.connection, id, rating)
    }
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

#[cfg(test)]
mod tests {
    use emilia_service::learner::law;

    use super::*;
    use crate::schema;

    #[test]
    fn what_is_in_the_tables_is_kept() {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::migrate(&mut connection).unwrap();
        let room = Room { profiles: 100, cards: 5000 };
        let mut made = 0;
        law::keeps(|| {
            made += 1;
            ProfileTables::create(&connection, Token::new([made; 16]), "Ann", 5, room).unwrap()
        });
    }
}
