//! Studies in the tables of the file. Each function is one step of a transaction that somebody else began.

use emilia_service::error::ServiceError;
use emilia_service::study::{KeptStudy, ListedStudy, StudyClaim, StudyError, StudyText};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use thiserror::Error;

use crate::answers::to_json;
use crate::store::Unwritten;
use crate::token::Token;

/// Why something is not done with a study that is kept here.
#[derive(Debug, Error)]
pub(crate) enum StudyTableError {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error("the disk does not take this now, and nothing was changed; try again later")]
    NotSaved,
    #[error("there are {0} studies here, and no room for more")]
    Full(usize),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl From<Unwritten> for StudyTableError {
    fn from(Unwritten: Unwritten) -> StudyTableError {
        StudyTableError::NotSaved
    }
}

impl From<StudyError> for StudyTableError {
    fn from(error: StudyError) -> StudyTableError {
        StudyTableError::Service(error.into())
    }
}

/// Keeps a new study, if there is room for one more.
pub(crate) fn add(connection: &Connection, kept: &KeptStudy, room: usize) -> Result<(), StudyTableError> {
    let count: i64 = connection.query_row("SELECT count(*) FROM studies", [], |row| row.get(0))?;
    if usize::try_from(count).is_ok_and(|count| count >= room) {
        return Err(StudyTableError::Full(room));
    }
    let sql = "INSERT INTO studies (id, token, version, changed, title, chapters, study)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let KeptStudy { id, token, version, changed, study } = kept;
    connection.prepare_cached(sql)?.execute(params![
        id.to_string(),
        token.to_string(),
        *version as i64,
        *changed as i64,
        study.title(),
        study.chapters() as i64,
        to_json(study),
    ])?;
    Ok(())
}

/// The study of this name.
pub(crate) fn find(connection: &Connection, id: &str) -> Result<KeptStudy, StudyTableError> {
    let sql = "SELECT id, token, version, changed, study FROM studies WHERE id = ?1";
    let read = |row: &Row<'_>| {
        let (id, token, text): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(4)?);
        let token_of = |column, text: String| {
            text.parse::<Token>()
                .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
        };
        let (version, changed): (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok((token_of(0, id)?, token_of(1, token)?, version as u64, changed as u64, text))
    };
    let found = connection.prepare_cached(sql)?.query_row([id], read).optional()?;
    let (id, token, version, changed, text) = found.ok_or(StudyError::Unknown)?;
    Ok(KeptStudy { id, token, version, changed, study: StudyText::kept(&text)? })
}

/// Puts a changed study in the place of what was there.
pub(crate) fn put(connection: &Connection, kept: &KeptStudy) -> Result<(), StudyTableError> {
    let sql =
        "UPDATE studies SET version = ?2, changed = ?3, title = ?4, chapters = ?5, study = ?6 WHERE id = ?1";
    let KeptStudy { id, version, changed, study, .. } = kept;
    connection.prepare_cached(sql)?.execute(params![
        id.to_string(),
        *version as i64,
        *changed as i64,
        study.title(),
        study.chapters() as i64,
        to_json(study),
    ])?;
    Ok(())
}

/// Forgets a study.
pub(crate) fn delete(connection: &Connection, id: &str) -> Result<(), StudyTableError> {
    connection.execute("DELETE FROM studies WHERE id = ?1", [id])?;
    Ok(())
}

/// What a list says of the study that is claimed, if the secret is right.
pub(crate) fn listed(
    connection: &Connection,
    claim: &StudyClaim,
) -> Result<Option<ListedStudy>, StudyTableError> {
    let sql = "SELECT token, title, chapters, version, changed FROM studies WHERE id = ?1";
    let read = |row: &Row<'_>| {
        let token: String = row.get(0)?;
        let (chapters, version, changed): (i64, i64, i64) = (row.get(2)?, row.get(3)?, row.get(4)?);
        let study = ListedStudy {
            id: claim.id.clone(),
            title: row.get(1)?,
            chapters: chapters as usize,
            version: version as u64,
            changed: changed as u64,
        };
        Ok((token, study))
    };
    let found = connection.prepare_cached(sql)?.query_row([&claim.id], read).optional()?;
    let owns = |token: &str| match (token.parse::<Token>(), claim.token.parse::<Token>()) {
        (Ok(secret), Ok(shown)) => secret.same(shown),
        _ => false,
    };
    Ok(found.filter(|(token, _)| owns(token)).map(|(_, study)| study))
}
